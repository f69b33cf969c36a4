// What a stream does is tested over a transport, but for what depends on the
// order in which streams go on.

#include "bounded_stream.h"

#include <doctest/doctest.h>
#include <sys/socket.h>

#include <array>
#include <string>
#include <string_view>

#include "descriptor.h"

namespace lamina::server {
namespace {

using Received = BoundedStream::Received;

// A stream, and the client at the other end of its socket.
class Pair {
 public:
  explicit Pair(BodyMemory* memory) : Pair(connected(), memory) {}

  // Sends all of it, with the stream reading; what the stream says in the end.
  Received receive(std::string_view bytes) {
    Received received = Received::partial;
    while (!bytes.empty() && received == Received::partial) {
      const ssize_t sent = send(client_.get(), bytes.data(), bytes.size(),
                                MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
      received = stream_.receive();
    }
    return received;
  }

  BoundedStream& stream() { return stream_; }

  // What the stream has sent.
  std::string sent() {
    CHECK(stream_.flush() == BoundedStream::Flushed::all);
    std::array<char, 4096> bytes;
    const ssize_t count =
        recv(client_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    return {bytes.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
  }

 private:
  static std::array<int, 2> connected() {
    std::array<int, 2> ends = {-1, -1};
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
    return ends;
  }
  Pair(std::array<int, 2> ends, BodyMemory* memory)
      : client_(ends[0]),
        server_(ends[1]),
        stream_(ends[1], kDeadlines, memory) {}

  static inline const Deadlines kDeadlines = {};
  const Descriptor client_;
  const Descriptor server_;
  BoundedStream stream_;
};

TEST_CASE("the bodies of all streams share a bounded memory") {
  const std::string body(2'000'000, 'x');
  const std::string start = "POST / HTTP/1.1\r\nHost: h\r\n";
  const std::string small = start + "Content-Length: 5\r\n\r\nhello";
  for (const std::string& request :
       {start + "Content-Length: 2000000\r\n\r\n" + body,
        start + "Transfer-Encoding: chunked\r\n\r\n1e8480\r\n" + body +
            "\r\n0\r\n\r\n"}) {
    BodyMemory memory(3'000'000);
    Pair first(&memory);
    const std::string_view all = request;
    CHECK(first.receive(all.substr(0, all.size() - 10)) == Received::partial);
    {
      Pair second(&memory);
      CHECK(second.receive(small) == Received::request);
      CHECK(second.receive(request) == Received::refused);
      const std::string reply = second.sent();
      CHECK(reply.starts_with("HTTP/1.1 503 "));
      CHECK(reply.find("\r\nRetry-After: 1\r\n") != std::string::npos);
    }
    CHECK(first.receive(all.substr(all.size() - 10)) == Received::request);
    CHECK(first.stream().take_body() == body);
    CHECK(first.receive(small) == Received::request);
    Pair third(&memory);
    CHECK(third.receive(request) == Received::request);
  }
}

}  // namespace
}  // namespace lamina::server
