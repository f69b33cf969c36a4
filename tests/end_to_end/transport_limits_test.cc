// Every limit of the transport over a real server: what is just allowed is
// served, one more is refused, and a thousand times as much neither takes long
// nor memory.

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <fstream>
#include <functional>
#include <string>

#include "support/raw_http.h"
#include "support/server_process.h"

namespace lamina::test {
namespace {

using Clock = std::chrono::steady_clock;

// What docs/http-api.md says.
constexpr std::size_t kRequestLineBytes = 8 << 10;
constexpr std::size_t kHeadBytes = 32 << 10;
constexpr std::size_t kHeaderLines = 100;
constexpr std::size_t kBodyBytes = 32 << 20;

constexpr std::string_view kLine = "POST /v1/noop HTTP/1.1\r\n";
constexpr std::string_view kHost = "Host: localhost\r\n";

// The most memory that the server had at a time, in bytes.
std::size_t peak_memory(const ServerProcess& server) {
  std::ifstream status("/proc/" + std::to_string(server.pid()) + "/status");
  std::string word;
  while (status >> word && word != "VmHWM:") {
  }
  std::size_t kilobytes = 0;
  status >> kilobytes;
  return kilobytes << 10;
}

// Sends as much as the server takes, and reads what it says.
int status_of(const ServerProcess& server, std::string_view bytes) {
  RawConnection connection = RawConnection::open(server.port()).value();
  static_cast<void>(connection.send(bytes));
  const Result<RawReply> reply = connection.read_reply();
  return reply.ok() ? reply->status : 0;
}

std::string with_request_line(std::size_t bytes) {
  std::string request = "GET /v1/noop?";
  const std::string version = " HTTP/1.1";
  request.append(bytes - request.size() - version.size(), 'a');
  return request.append(version).append("\r\n").append(kHost).append("\r\n");
}

std::string with_head(std::size_t bytes) {
  std::string request = std::string(kLine).append(kHost).append("A: ");
  request.append(bytes - request.size() - 4, 'a');
  return request.append("\r\n\r\n");
}

std::string with_header_lines(std::size_t count) {
  std::string request = std::string(kLine).append(kHost);
  for (std::size_t i = 1; i < count; ++i) request.append("A: b\r\n");
  return request.append("\r\n");
}

// Of a body above the limit only a part is sent: the rest of its bytes would
// not be looked at.
std::string with_body(std::size_t bytes) {
  const std::size_t sent = bytes > kBodyBytes ? 10 : bytes;
  return std::string(kLine)
      .append(kHost)
      .append("Content-Length: ")
      .append(std::to_string(bytes))
      .append("\r\n\r\n")
      .append(sent, 'x');
}

std::string hex(std::size_t number) {
  std::string digits;
  for (; number > 0; number /= 16) {
    digits.insert(digits.begin(), "0123456789abcdef"[number % 16]);
  }
  return digits;
}

std::string with_one_chunk(std::size_t bytes) {
  const std::size_t sent = bytes > kBodyBytes ? 10 : bytes;
  return std::string(kLine)
      .append(kHost)
      .append("Transfer-Encoding: chunked\r\n\r\n")
      .append(hex(bytes))
      .append("\r\n")
      .append(sent, 'x')
      .append("\r\n0\r\n\r\n");
}

void check_limit(std::size_t limit, int refusal,
                 const std::function<std::string(std::size_t)>& request) {
  const std::unique_ptr<ServerProcess> server =
      std::move(ServerProcess::start()).value();
  const std::size_t memory = peak_memory(*server);
  CHECK(status_of(*server, request(limit)) == 200);
  CHECK(status_of(*server, request(limit + 1)) == refusal);
  const std::string huge = request(1'000 * limit);
  const Clock::time_point begin = Clock::now();
  CHECK(status_of(*server, huge) == refusal);
  CHECK(Clock::now() - begin < std::chrono::seconds(1));
  CHECK(peak_memory(*server) - memory < (70u << 20));
  CHECK(status_of(*server, request(limit)) == 200);
}

TEST_CASE("request line: 8 KiB are served, more is 414") {
  check_limit(kRequestLineBytes, 414, with_request_line);
}

TEST_CASE("head: 32 KiB are served, more is 431") {
  check_limit(kHeadBytes, 431, with_head);
}

TEST_CASE("headers: 100 are served, more is 431") {
  check_limit(kHeaderLines, 431, with_header_lines);
}

TEST_CASE("body: 32 MiB are served, more is 413") {
  check_limit(kBodyBytes, 413, with_body);
}

TEST_CASE("body in chunks: 32 MiB are served, more is 413") {
  check_limit(kBodyBytes, 413, with_one_chunk);
}

TEST_CASE("chunks without end are refused where the limit is passed") {
  const std::unique_ptr<ServerProcess> server =
      std::move(ServerProcess::start()).value();
  const std::size_t memory = peak_memory(*server);
  RawConnection connection = RawConnection::open(server->port()).value();
  Status sent = connection.send(std::string(kLine).append(kHost).append(
      "Transfer-Encoding: chunked\r\n\r\n"));
  const std::string chunk = "100000\r\n" + std::string(0x100000, 'x') + "\r\n";
  for (int i = 0; i < 33; ++i) sent = connection.send(chunk);
  CHECK(connection.read_reply().value().status == 413);
  CHECK(peak_memory(*server) - memory < (70u << 20));
}

}  // namespace
}  // namespace lamina::test
