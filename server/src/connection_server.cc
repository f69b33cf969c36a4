#include "connection_server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <thread>
#include <utility>

namespace lamina::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Refusal kFull{503, "Service unavailable: too many connections"};

// Connections beyond the limit that are given time to read why they are
// refused. Further ones are closed at once.
constexpr std::size_t kRefusedAtATime = 64;

constexpr int kAcceptsAtOnce = 64;

// Descriptors for all but connections.
constexpr rlim_t kOtherDescriptors = 1024;

constexpr auto kPauseWithoutDescriptors = std::chrono::milliseconds(10);

// The usual limit is 1,024 at first, and may be raised by anybody.
void allow_descriptors(rlim_t count) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count) return;
  limit.rlim_cur = std::min(count, limit.rlim_max);
  setrlimit(RLIMIT_NOFILE, &limit);
}

bool is_out_of_room(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS ||
         error == ENOMEM;
}

// Not of the socket, but of the connection that was to be accepted.
bool is_passing(int error) {
  return error != EBADF && error != EINVAL && error != ENOTSOCK &&
         error != EOPNOTSUPP && error != EFAULT;
}

}  // namespace

ConnectionServer::ConnectionServer(Answer answer,
                                   const TransportOptions& options)
    : answer_(std::move(answer)),
      options_(options),
      stop_event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      body_memory_(options.max_body_memory),
      pool_(options.max_workers) {}

ConnectionServer::~ConnectionServer() { stop_listening(); }

Status ConnectionServer::bind(const std::string& host, std::uint16_t port) {
  if (!lobby_.is_open() || stop_event_.get() < 0) {
    return Status::unavailable(std::string("cannot serve: ") +
                               std::strerror(errno));
  }
  Result<Listener> listener = listen_on_tcp(host, port);
  if (!listener.ok()) return listener.status();
  port_ = listener->port;
  listeners_.push_back(*std::move(listener));
  return {};
}

Status ConnectionServer::bind_unix(const std::string& path) {
  Result<Listener> listener = listen_on_unix(path);
  if (!listener.ok()) return listener.status();
  socket_file_ = path;
  listeners_.push_back(*std::move(listener));
  return {};
}

Status ConnectionServer::serve() {
  allow_descriptors(options_.max_connections + kOtherDescriptors);
  for (const Listener& listener : listeners_) {
    if (!lobby_.watch(listener.socket.get())) failed_ = true;
  }
  if (failed_) stop();
  while (!stopping_ || connections_ > 0) {
    Lobby::Woken woken;
    lobby_.wait(&woken);
    for (const int listener : woken.listeners) accept_some(listener);
    if (stopping_) {
      stop_listening();
      lobby_.close(&woken);
    }
    for (Guest& guest : woken.guests) hand_over(std::move(guest));
  }
  stop_listening();
  pool_.join();
  if (failed_) return Status::io_error("the listening socket failed");
  return {};
}

void ConnectionServer::stop() {
  stop_time_ = Clock::now().time_since_epoch().count();
  stopping_ = true;
  eventfd_write(stop_event_.get(), 1);
  lobby_.wake();
}

void ConnectionServer::stop_listening() {
  for (const Listener& listener : listeners_) {
    lobby_.unwatch(listener.socket.get());
  }
  // While it is still ours: once closed, another server may put its own there.
  if (!socket_file_.empty()) unlink(socket_file_.c_str());
  socket_file_.clear();
  listeners_.clear();
}

void ConnectionServer::accept_some(int listener) {
  for (int i = 0; i < kAcceptsAtOnce; ++i) {
    Descriptor socket(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    if (socket.get() >= 0) {
      admit(std::move(socket));
      continue;
    }
    if (is_out_of_room(errno)) {
      // The connection stays in the queue and would wake us again at once.
      std::this_thread::sleep_for(kPauseWithoutDescriptors);
    } else if (!is_passing(errno)) {
      failed_ = true;
      stop();
    }
    return;
  }
}

void ConnectionServer::admit(Descriptor socket) {
  const std::size_t others = connections_++ - refused_;
  Guest guest;
  try {
    auto connection = std::make_unique<Connection>(
        std::move(socket), options_.deadlines, &body_memory_);
    if (others >= options_.max_connections) {
      connection->stream.refuse(kFull);
      connection->refused = true;
      connection->ending = refused_++ < kRefusedAtATime
                               ? Connection::Ending::drained
                               : Connection::Ending::at_once;
    }
    guest = std::move(connection);
  } catch (const std::exception&) {  // Out of memory.
    --connections_;
    return;
  }
  const auto& connection = static_cast<const Connection&>(*guest);
  if (connection.refused) {
    serve_guest(std::move(guest));
  } else if (!lobby_.park(&guest, Lobby::Awaited::readable,
                          connection.stream.deadline())) {
    end(std::move(guest));
  }
}

void ConnectionServer::hand_over(Guest guest) {
  Lobby::Guest* const given = guest.release();
  try {
    if (pool_.run([this, given] { serve_guest(Guest(given)); })) return;
  } catch (const std::exception&) {  // Out of memory.
  }
  end(Guest(given));
}

void ConnectionServer::serve_guest(Guest guest) {
  try {
    serve_until_parked(&guest);
  } catch (const std::exception&) {
    // Out of memory outside of a handler: only this connection ends.
  }
  if (guest) end(std::move(guest));
}

// Leaves the guest where it is when its connection is to be closed.
void ConnectionServer::serve_until_parked(Guest* guest) {
  auto& connection = static_cast<Connection&>(**guest);
  for (;;) {
    const bool stopping = stopping_;
    if (stopping) {
      connection.stream.end_by(Clock::time_point(Clock::duration(stop_time_)) +
                               options_.deadlines.drain);
    }
    const Next next = advance(&connection, stopping);
    if (next == Next::close) return;
    if (next == Next::others_first) return hand_over(std::move(*guest));
    if (!stopping && stay(connection, next)) continue;
    const auto awaited = next == Next::readable ? Lobby::Awaited::readable
                                                : Lobby::Awaited::writable;
    if (park(guest, awaited, stopping)) return;
    // Either the stop came in between, or there is no room in the lobby.
    if (stopping || !stopping_) return;
  }
}

bool ConnectionServer::park(Guest* guest, Lobby::Awaited awaited,
                            bool stopping) {
  BoundedStream& stream = static_cast<Connection&>(**guest).stream;
  if (awaited == Lobby::Awaited::readable && stream.idle()) stream.rest();
  const Clock::time_point deadline = stream.deadline();
  return stopping ? lobby_.park_late(guest, awaited, deadline)
                  : lobby_.park(guest, awaited, deadline);
}

// Does all that can be done without waiting.
ConnectionServer::Next ConnectionServer::advance(Connection* connection,
                                                 bool stopping) {
  BoundedStream& stream = connection->stream;
  for (bool answered = false;; answered = true) {
    const BoundedStream::Flushed flushed = stream.flush();
    if (flushed == BoundedStream::Flushed::failed) return Next::close;
    if (flushed == BoundedStream::Flushed::some) return Next::writable;
    if (connection->ending == Connection::Ending::at_once) return Next::close;
    if (connection->ending == Connection::Ending::drained) {
      return stream.drain() ? Next::readable : Next::close;
    }
    if (answered && pool_.is_short()) return Next::others_first;
    switch (stream.receive()) {
      case BoundedStream::Received::closed:
        return Next::close;
      case BoundedStream::Received::partial:
        return stopping && stream.idle() ? Next::close : Next::readable;
      case BoundedStream::Received::refused:
        connection->ending = Connection::Ending::drained;
        break;
      case BoundedStream::Received::request:
        answer(connection);
    }
  }
}

void ConnectionServer::answer(Connection* connection) {
  // The client will send no more, unless it does not know yet.
  const bool client_ends = !connection->stream.head().keep_alive;
  if (answer_(&connection->stream)) return;
  connection->ending =
      client_ends ? Connection::Ending::at_once : Connection::Ending::drained;
}

// Waits a moment for the client with this thread: that is quicker than the way
// through the lobby. Half of the threads are always left for others.
bool ConnectionServer::stay(const Connection& connection, Next next) {
  if (connection.ending != Connection::Ending::none || pool_.is_short()) {
    return false;
  }
  const bool may_stay = staying_++ < options_.max_workers / 2;
  const short events = next == Next::readable ? POLLIN : POLLOUT;
  const bool ready = may_stay && poll_socket(connection.socket(), events);
  --staying_;
  return ready;
}

bool ConnectionServer::poll_socket(int socket, short events) const {
  std::array<pollfd, 2> waited = {
      {{socket, events, 0}, {stop_event_.get(), POLLIN, 0}}};
  int ready = 0;
  if (options_.busy_poll_us > 0) {
    const Clock::time_point end =
        Clock::now() + std::chrono::microseconds(options_.busy_poll_us);
    do {
      ready = poll(waited.data(), waited.size(), 0);
    } while (ready == 0 && Clock::now() < end);
  }
  if (ready == 0) {
    ready = poll(waited.data(), waited.size(),
                 static_cast<int>(options_.stay.count()));
  }
  return ready > 0 && waited[0].revents != 0;
}

void ConnectionServer::end(Guest guest) {
  if (static_cast<const Connection&>(*guest).refused) --refused_;
  guest.reset();
  if (--connections_ == 0 && stopping_) lobby_.wake();
}

}  // namespace lamina::server
