#include "connection_pool.h"

#include <doctest/doctest.h>

#include <optional>
#include <thread>
#include <vector>

#include "scripted_transport.h"

namespace lamina::client {
namespace {

using std::chrono::milliseconds;
using test::Script;
using test::ScriptedTransport;

Deadline after(milliseconds time) { return Clock::now() + time; }

// A pool over a script.
struct Fixture {
  Script script;
  ConnectionPool pool;

  explicit Fixture(std::size_t max_connections = 2,
                   milliseconds idle_timeout = milliseconds(10'000))
      : pool(std::make_unique<ScriptedTransport>(script),
             {.max_connections = max_connections,
              .idle_timeout = idle_timeout}) {}

  ConnectionPool::Lease take() {
    return pool.take(after(milliseconds(5'000))).value();
  }
};

TEST_CASE("a connection that stays open is used again") {
  Fixture fixture;
  CHECK(fixture.take().is_fresh());
  CHECK_FALSE(fixture.take().is_fresh());
  CHECK(fixture.script.connect_count == 1);
}

TEST_CASE("the connection used last is used first") {
  Fixture fixture;
  {
    std::optional<ConnectionPool::Lease> first(fixture.take());
    ConnectionPool::Lease second = fixture.take();
    first.reset();
  }
  ConnectionPool::Lease lease = fixture.take();
  REQUIRE(lease->exchange({}, after(milliseconds(0))).ok());
  CHECK(fixture.script.last_used == 2);
}

TEST_CASE("a connection that did not end well is closed, not kept") {
  Fixture fixture;
  fixture.script.steps.push_back(
      {.reply = Status::internal("garbage"), .after = ConnectionState::closed});
  {
    ConnectionPool::Lease lease = fixture.take();
    CHECK_FALSE(lease->exchange({}, after(milliseconds(0))).ok());
  }
  CHECK(fixture.script.open_count == 0);
  CHECK(fixture.take().is_fresh());
}

TEST_CASE("connections that rested beyond the idle timeout are closed") {
  Fixture fixture(2, milliseconds(20));
  {
    ConnectionPool::Lease first = fixture.take();
    ConnectionPool::Lease second = fixture.take();
  }
  std::this_thread::sleep_for(milliseconds(40));
  CHECK(fixture.take().is_fresh());
  CHECK(fixture.script.open_count == 1);
}

TEST_CASE("a rested connection that something came on is not used") {
  Fixture fixture;
  fixture.take();
  fixture.script.is_quiet = false;
  SUBCASE("after a rest") {
    std::this_thread::sleep_for(milliseconds(600));
    CHECK(fixture.take().is_fresh());
  }
  SUBCASE("at once nobody looks, as looking costs a system call") {
    CHECK_FALSE(fixture.take().is_fresh());
  }
}

TEST_CASE("waiting for a connection ends at the deadline") {
  Fixture fixture(1);
  ConnectionPool::Lease held = fixture.take();
  const Clock::time_point start = Clock::now();
  const auto taken = fixture.pool.take(start + milliseconds(50));
  REQUIRE_FALSE(taken.ok());
  CHECK(taken.status().code() == StatusCode::deadline_exceeded);
  CHECK(Clock::now() - start >= milliseconds(50));
  CHECK(fixture.script.connect_count == 1);
}

TEST_CASE("a waiting call gets the connection that is given back") {
  Fixture fixture(1);
  std::optional<ConnectionPool::Lease> held(fixture.take());
  bool was_fresh = true;
  std::thread waiter([&] { was_fresh = fixture.take().is_fresh(); });
  std::this_thread::sleep_for(milliseconds(20));
  held.reset();
  waiter.join();
  CHECK_FALSE(was_fresh);
}

TEST_CASE("a refused connection leaves its place free") {
  Fixture fixture(1);
  fixture.script.refuses = true;
  for (int i = 0; i < 3; ++i) {
    const auto taken = fixture.pool.take(after(milliseconds(5'000)));
    REQUIRE_FALSE(taken.ok());
    CHECK(taken.status().code() == StatusCode::unavailable);
  }
  fixture.script.refuses = false;
  CHECK(fixture.take().is_fresh());
}

TEST_CASE("no more connections than allowed exist under many threads") {
  Fixture fixture(3);
  std::atomic<int> most = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        ConnectionPool::Lease lease = fixture.take();
        const int open = fixture.script.open_count;
        int seen = most;
        while (open > seen && !most.compare_exchange_weak(seen, open)) {
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(most <= 3);
  CHECK(fixture.script.connect_count <= 3);
}

}  // namespace
}  // namespace lamina::client
