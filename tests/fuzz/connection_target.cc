#include "bounded_stream.h"
#include "fuzz/scripted_socket.h"
#include "fuzz/targets.h"
#include "protocol/paths.h"

namespace lamina::fuzz {
namespace {

using server::BoundedStream;

constexpr char kEndOfField = '\n';

// Whether one is sent depends on what has arrived by then.
std::string without_continues(std::string replies) {
  constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  for (std::size_t at = replies.find(kContinue); at != std::string::npos;
       at = replies.find(kContinue, at)) {
    replies.erase(at, kContinue.size());
  }
  return replies;
}

BoundedStream::Received receive(BoundedStream& stream) {
  BoundedStream::Received received = stream.receive();
  while (received == BoundedStream::Received::partial) {
    received = stream.receive();
  }
  return received;
}

bool flush(BoundedStream& stream) {
  BoundedStream::Flushed flushed = stream.flush();
  while (flushed == BoundedStream::Flushed::some) flushed = stream.flush();
  return flushed == BoundedStream::Flushed::all;
}

// All that a server would see of a connection, and what it would answer.
std::string transcript(std::string_view sent, std::size_t piece_bytes) {
  static const server::Deadlines kDeadlines;
  begin_connection(sent, piece_bytes);
  BoundedStream stream(kScriptedSocket, kDeadlines);
  std::string seen;
  BoundedStream::Received received = receive(stream);
  while (received == BoundedStream::Received::request) {
    const server::RequestHead& head = stream.head();
    for (const std::string_view field :
         {head.method, head.path, head.query, head.content_type}) {
      seen.append(field) += kEndOfField;
    }
    const std::string body = stream.take_body();
    check(body.size() <= sent.size(), "a body is of bytes that came");
    seen.append(body) += kEndOfField;
    if (!head.keep_alive) break;
    received = receive(stream);
  }
  if (received == BoundedStream::Received::refused) {
    check(flush(stream), "a refusal is sent");
    while (stream.drain()) {
    }
    check(sent_back().ends_with('}'), "a refusal is a reply");
  }
  return seen + without_continues(sent_back());
}

std::string request(std::string_view headers, std::string_view body) {
  return "POST /a?b HTTP/1.1\r\nHost: h\r\n" + std::string(headers) + "\r\n" +
         std::string(body);
}

// The test of the test: a whole request is one.
bool reads_a_request() {
  const std::string text = request("Content-Length: 5\r\n", "hello");
  const std::string in_chunks = request("Transfer-Encoding: chunked\r\n",
                                        "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n");
  constexpr std::string_view kSeen = "POST\n/a\nb\n\nhello\n";
  return transcript(text, text.size()) == kSeen &&
         transcript(in_chunks, in_chunks.size()) == kSeen;
}

void run(std::string_view input) {
  static const bool reads = reads_a_request();
  check(reads, "a request is read over a scripted socket");
  const std::string whole = transcript(input, input.size());
  for (const std::size_t piece_bytes : {1, 5}) {
    check(transcript(input, piece_bytes) == whole,
          "it does not matter in which pieces requests arrive");
  }
}

std::vector<std::string> seeds() {
  const std::string one = request("Content-Length: 5\r\n", "hello");
  std::vector<std::string> seeds = {
      one + one + "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" +
          one,
      request("Content-Length: 5\r\nExpect: 100-continue\r\n", "hello") + one,
      request("Content-Length: 7\r\n", "hello"),
      request("", "hello") + one,
      "GET / HTTP/1.0\r\n\r\n" + one,
  };
  for (const std::string_view body :
       {"5\r\nhello\r\n0\r\n\r\n", "1\r\na\r\n2;x=\"y\"\r\nbc\r\n0\r\n\r\n",
        "0\r\nTrailer: 1\r\n\r\n", "-2\r\nab\r\n", "0x5\r\nhello\r\n",
        " 5\r\nhello\r\n", "FFFFFFFFFFFFFFFF\r\na\r\n", "\r\n",
        "5\nhello\n0\n\n", "5\r\nhelloX0\r\n\r\n"}) {
    seeds.push_back(request("Transfer-Encoding: chunked\r\n", body) + one);
  }
  return seeds;
}

}  // namespace

Target connection_target() {
  return {.name = "connections",
          .what =
              "Requests, one behind the other, as the server takes them "
              "off a connection. What it sees and answers does not depend "
              "on the pieces in which bytes arrive.",
          .run = run,
          .seeds = seeds,
          .words = {"\r\n", "\r\n\r\n", "0\r\n\r\n", "5\r\nhello\r\n",
                    "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n",
                    "Expect: 100-continue\r\n", "Connection: close\r\n",
                    "POST / HTTP/1.1\r\nHost: h\r\n", "GET / HTTP/1.1\r\n",
                    "Host: h\r\n", ";x=y", "ffffffff", "33554433"},
          .most_bytes = 1024};
}

}  // namespace lamina::fuzz
