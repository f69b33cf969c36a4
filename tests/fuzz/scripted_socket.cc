#include "fuzz/scripted_socket.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace lamina::fuzz {
namespace {

std::string_view left;
std::size_t piece = 1;
std::string replies;

// Not inlined: the C library declares that poll() only writes what it is given,
// and GCC takes every read of it for one of nothing.
[[gnu::noinline]] int answer_poll(pollfd* waited, nfds_t count,
                                  int timeout_ms) {
  if (count == 0 || waited[0].fd != kScriptedSocket) {
    return static_cast<int>(::syscall(SYS_poll, waited, count, timeout_ms));
  }
  waited[0].revents = waited[0].events;
  return 1;
}

}  // namespace

void begin_connection(std::string_view sent, std::size_t piece_bytes) {
  left = sent;
  piece = std::max<std::size_t>(piece_bytes, 1);
  replies.clear();
}

const std::string& sent_back() { return replies; }

}  // namespace lamina::fuzz

using lamina::fuzz::kScriptedSocket;

extern "C" {

ssize_t recv(int socket, void* bytes, std::size_t size, int flags) {
  if (socket != kScriptedSocket) {
    return ::syscall(SYS_recvfrom, socket, bytes, size, flags, nullptr,
                     nullptr);
  }
  const std::size_t count = lamina::fuzz::left.copy(
      static_cast<char*>(bytes), std::min(size, lamina::fuzz::piece));
  lamina::fuzz::left.remove_prefix(count);
  return static_cast<ssize_t>(count);
}

ssize_t send(int socket, const void* bytes, std::size_t size, int flags) {
  if (socket != kScriptedSocket) {
    return ::syscall(SYS_sendto, socket, bytes, size, flags, nullptr, 0);
  }
  lamina::fuzz::replies.append(static_cast<const char*>(bytes), size);
  return static_cast<ssize_t>(size);
}

int poll(pollfd* waited, nfds_t count, int timeout_ms) {
  return lamina::fuzz::answer_poll(waited, count, timeout_ms);
}

int shutdown(int socket, int how) noexcept {
  if (socket == kScriptedSocket) return 0;
  return static_cast<int>(::syscall(SYS_shutdown, socket, how));
}

int setsockopt(int socket, int level, int name, const void* value,
               socklen_t size) noexcept {
  if (socket == kScriptedSocket) return 0;
  return static_cast<int>(
      ::syscall(SYS_setsockopt, socket, level, name, value, size));
}

}  // extern "C"
