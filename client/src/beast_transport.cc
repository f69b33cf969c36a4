#include "beast_transport.h"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

#include "protocol/paths.h"
#include "tcp_socket.h"

namespace lamina::client {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;

// One recv() takes a whole reply of the usual size.
constexpr std::size_t kReceiveBytes = 16u << 10;

std::string_view to_std(beast::string_view text) {
  return {text.data(), text.size()};
}

// Beast's SyncReadStream over a TcpSocket, for one exchange.
class ReplyStream {
 public:
  ReplyStream(TcpSocket& socket, Deadline deadline)
      : socket_(socket), deadline_(deadline) {}

  template <class Buffers>
  std::size_t read_some(const Buffers& buffers, error_code& error) {
    const boost::asio::mutable_buffer buffer(
        *boost::asio::buffer_sequence_begin(buffers));
    const TcpSocket::Transfer read = socket_.receive(
        static_cast<char*>(buffer.data()), buffer.size(), deadline_);
    if (read.error != 0) {
      error.assign(read.error, boost::system::system_category());
    } else if (read.bytes == 0) {
      error = boost::asio::error::eof;
    } else {
      error = {};
    }
    return read.bytes;
  }

  // The concept asks for it; nothing calls it.
  template <class Buffers>
  std::size_t read_some(const Buffers& buffers);

 private:
  TcpSocket& socket_;
  Deadline deadline_;
};

// Takes from a reply what the protocol uses. Beast's own message would keep
// every header in a node of its own.
class ReplyParser final : public http::basic_parser<false> {
 public:
  explicit ReplyParser(std::size_t max_body_bytes) {
    body_limit(max_body_bytes);
  }

  HttpReply take() { return std::move(reply_); }
  int status() const { return reply_.status; }

 private:
  void on_request_impl(http::verb, beast::string_view, beast::string_view, int,
                       error_code&) override {}

  void on_response_impl(int code, beast::string_view, int,
                        error_code&) override {
    reply_.status = code;
  }

  void on_field_impl(http::field known, beast::string_view name,
                     beast::string_view value, error_code&) override {
    if (known != http::field::unknown) return;
    if (is(name, protocol::kStatusHeader)) {
      reply_.lamina_status = to_std(value);
    } else if (is(name, protocol::kDurableHeader)) {
      reply_.durable = value == "true";
    }
  }

  void on_header_impl(error_code&) override {}

  void on_body_init_impl(const boost::optional<std::uint64_t>& content_length,
                         error_code&) override {
    // A length that was only announced takes no memory beyond this.
    constexpr std::uint64_t kMostReserved = 1u << 20;
    reply_.body.reserve(std::min(content_length.value_or(0), kMostReserved));
  }

  std::size_t on_body_impl(beast::string_view part, error_code&) override {
    reply_.body.append(part.data(), part.size());
    return part.size();
  }

  void on_chunk_header_impl(std::uint64_t, beast::string_view,
                            error_code&) override {}

  std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view part,
                                 error_code& error) override {
    return on_body_impl(part, error);
  }

  void on_finish_impl(error_code&) override {}

  static bool is(beast::string_view name, std::string_view wanted) {
    return beast::iequals(name, {wanted.data(), wanted.size()});
  }

  HttpReply reply_;
};

Status to_status(const error_code& error, std::size_t max_reply_bytes) {
  if (error == boost::system::errc::timed_out) {
    return Status::deadline_exceeded("no whole reply in time");
  }
  if (error == http::error::end_of_stream) {
    return Status::unavailable("the connection was closed before a reply");
  }
  if (error == http::error::partial_message) {
    return Status::unavailable("the connection was closed within the reply");
  }
  if (error == http::error::body_limit) {
    return Status::resource_exhausted("the reply is larger than " +
                                      std::to_string(max_reply_bytes) +
                                      " bytes");
  }
  if (error.category() == boost::system::system_category()) {
    return Status::unavailable("the connection broke: " + error.message());
  }
  return Status::internal("the reply is not HTTP: " + error.message());
}

class BeastConnection final : public Connection {
 public:
  BeastConnection(TcpSocket socket, std::string_view common_headers,
                  std::size_t max_reply_bytes)
      : socket_(std::move(socket)),
        common_headers_(common_headers),
        max_reply_bytes_(max_reply_bytes) {
    received_.reserve(kReceiveBytes);
  }

  Result<HttpReply> exchange(const HttpRequest& request,
                             Deadline deadline) override {
    state_ = ConnectionState::closed;  // Unless the end is reached.
    write_head(request);
    const int error = socket_.send(head_, request.body, deadline).error;
    if (error == ETIMEDOUT) {
      return Status::deadline_exceeded("the request could not be sent in time");
    }
    // After any other error a reply may still be there: a server that refuses
    // a large body answers and closes before it has read all.
    return read_reply(deadline);
  }

  ConnectionState state() const override { return state_; }
  bool is_quiet() const override { return socket_.is_quiet(); }

 private:
  // A length stands also where there is no body: without one, some servers wait
  // for the body of a DELETE.
  void write_head(const HttpRequest& request) {
    head_.clear();
    head_.append(request.method).append(" ").append(request.target);
    head_.append(" HTTP/1.1\r\n").append(common_headers_);
    if (!request.body.empty()) {
      head_.append("\r\nContent-Type: ").append(protocol::kJsonContentType);
    }
    if (!request.durability.empty()) {
      head_.append("\r\n").append(protocol::kDurabilityHeader);
      head_.append(": ").append(request.durability);
    }
    head_.append("\r\nContent-Length: ");
    head_.append(std::to_string(request.body.size())).append("\r\n\r\n");
  }

  Result<HttpReply> read_reply(Deadline deadline) {
    ReplyParser parser(max_reply_bytes_);
    ReplyStream stream(socket_, deadline);
    error_code error;
    http::read(stream, received_, parser, error);
    if (error) {
      const bool may_still_come = error == boost::system::errc::timed_out;
      if (!parser.got_some() && !may_still_come) {
        state_ = ConnectionState::closed_before_reply;
      }
      return to_status(error, max_reply_bytes_);
    }
    // Bytes behind the reply answer no request of ours.
    const bool is_final = parser.status() >= 200;
    if (is_final && parser.keep_alive() && received_.size() == 0) {
      state_ = ConnectionState::open;
    }
    return parser.take();
  }

  TcpSocket socket_;
  std::string_view common_headers_;  // Of the transport.
  std::size_t max_reply_bytes_;
  ConnectionState state_ = ConnectionState::open;
  std::string head_;
  beast::flat_buffer received_;
};

class BeastTransport final : public Transport {
 public:
  BeastTransport(const Url& url, const TransportLimits& limits,
                 std::string_view api_key)
      : url_(url),
        common_headers_("Host: " + url.authority()),
        limits_(limits) {
    if (api_key.empty()) return;
    common_headers_.append("\r\n").append(protocol::kApiKeyHeader);
    common_headers_.append(": ").append(api_key);
  }

  Result<std::unique_ptr<Connection>> connect(Deadline deadline) override {
    const Deadline own_deadline = Clock::now() + limits_.connect_timeout;
    Result<TcpSocket> socket = TcpSocket::connect(
        url_.host, url_.port, std::min(deadline, own_deadline));
    if (socket.ok()) {
      return std::unique_ptr<Connection>(std::make_unique<BeastConnection>(
          std::move(*socket), common_headers_, limits_.max_reply_bytes));
    }
    const bool is_late =
        socket.status().code() == StatusCode::deadline_exceeded;
    if (is_late && own_deadline < deadline) {
      return Status::unavailable(
          "cannot connect: no answer within " +
          std::to_string(limits_.connect_timeout.count()) + " ms");
    }
    return socket.status();
  }

 private:
  const Url url_;
  std::string common_headers_;  // Of every request, the last without its end.
  const TransportLimits limits_;
};

}  // namespace

std::unique_ptr<Transport> make_beast_transport(const Url& url,
                                                const TransportLimits& limits,
                                                std::string_view api_key) {
  return std::make_unique<BeastTransport>(url, limits, api_key);
}

}  // namespace lamina::client
