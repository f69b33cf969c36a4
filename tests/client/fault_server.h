#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace lamina::test {

// The server's end of one connection, as a script sees it.
//
// Thread safety: none, but for shut_down() while the script runs.
class Peer {
 public:
  explicit Peer(int descriptor) : descriptor_(descriptor) {}
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  ~Peer();

  // Takes what has come, waiting for something; false at the end of the stream.
  bool receive();
  // Head and body of the next request; nothing at the end of the stream.
  std::optional<std::string> read_request();
  void send(std::string_view bytes);
  // Reads and forgets until the client closes.
  void wait_for_close();
  // Ends our sending side only.
  void finish_sending();
  // The close to come is one that the client sees as a reset.
  void close_by_reset();

  // For the server, which calls them one at a time: ends every wait of the
  // script, and closes.
  void shut_down();
  void close();

 private:
  int descriptor_;
  std::string received_;
};

// A server on 127.0.0.1 that does to each connection what a script says, so
// that the client can be shown every way in which a server fails. The script
// runs on a thread per connection; the connection closes when it returns.
class FaultServer {
 public:
  using Script = std::function<void(Peer&)>;

  explicit FaultServer(Script script);
  ~FaultServer();
  FaultServer(const FaultServer&) = delete;
  FaultServer& operator=(const FaultServer&) = delete;

  std::uint16_t port() const { return port_; }
  std::string url() const;
  int connection_count() const { return connection_count_; }

 private:
  struct Running {
    explicit Running(int descriptor) : peer(descriptor) {}
    Peer peer;
    std::thread thread;
    bool is_done = false;
  };

  void accept_all();
  void join_finished();

  Script script_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> connection_count_ = 0;
  std::mutex mutex_;  // Guards what follows.
  bool is_stopping_ = false;
  std::list<Running> running_;
  std::thread acceptor_;
};

// A whole HTTP reply. `headers` are whole lines: "Connection: close\r\n".
std::string http_reply(int status, std::string_view body,
                       std::string_view headers = "");

// A right answer to the requests that the tests send: GET /collections (one
// collection, "a"), PUT, and GET of a point (a record with that id).
std::string right_answer(std::string_view request);

// A script that gives right answers until the client closes.
void answer_rightly(Peer& peer);

// A port that nobody listens on.
std::uint16_t unused_port();

}  // namespace lamina::test
