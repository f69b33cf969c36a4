#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "transport.h"

namespace lamina::test {

// What a connection does with one request.
struct Step {
  Result<client::HttpReply> reply;
  client::ConnectionState after = client::ConnectionState::open;
};

inline Step good_step(int status = 200, std::string body = "") {
  client::HttpReply reply;
  reply.status = status;
  reply.body = std::move(body);
  return {.reply = std::move(reply)};
}

// What a server does that has closed the connection in the meantime.
inline Step stale_step() {
  return {.reply = Status::unavailable("closed"),
          .after = client::ConnectionState::closed_before_reply};
}

// What the connections of a ScriptedTransport are to do, and what they did.
struct Script {
  std::mutex mutex;
  std::deque<Step> steps;  // Taken in turn; when none is left, good_step().
  std::atomic<int> connect_count = 0;
  std::atomic<int> open_count = 0;
  std::atomic<int> exchange_count = 0;
  std::atomic<int> last_used = 0;  // Number of the connection, from 1.
  std::atomic<bool> refuses = false;
  std::atomic<bool> is_quiet = true;
};

class ScriptedConnection final : public client::Connection {
 public:
  ScriptedConnection(Script& script, int number)
      : script_(script), number_(number) {
    ++script_.open_count;
  }
  ~ScriptedConnection() override { --script_.open_count; }

  Result<client::HttpReply> exchange(const client::HttpRequest&,
                                     client::Deadline) override {
    ++script_.exchange_count;
    script_.last_used = number_;
    const std::lock_guard lock(script_.mutex);
    Step step = good_step();
    if (!script_.steps.empty()) {
      step = std::move(script_.steps.front());
      script_.steps.pop_front();
    }
    state_ = step.after;
    return step.reply;
  }

  client::ConnectionState state() const override { return state_; }
  bool is_quiet() const override { return script_.is_quiet; }

 private:
  Script& script_;
  const int number_;
  client::ConnectionState state_ = client::ConnectionState::open;
};

// Connections without a socket, that do what a script says.
class ScriptedTransport final : public client::Transport {
 public:
  explicit ScriptedTransport(Script& script) : script_(script) {}

  Result<std::unique_ptr<client::Connection>> connect(
      client::Deadline) override {
    const int number = ++script_.connect_count;
    if (script_.refuses) return Status::unavailable("refused");
    return std::unique_ptr<client::Connection>(
        std::make_unique<ScriptedConnection>(script_, number));
  }

 private:
  Script& script_;
};

}  // namespace lamina::test
