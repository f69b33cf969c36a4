#include "thread_pool.h"

#include <doctest/doctest.h>

#include <atomic>
#include <latch>

namespace lamina::server {
namespace {

TEST_CASE("work beyond the limit waits its turn, and the pool says so") {
  ThreadPool pool(2);
  std::latch release(1);
  std::atomic<int> begun{0};
  std::atomic<int> done{0};
  const auto work = [&] {
    ++begun;
    release.wait();
    ++done;
  };
  CHECK(pool.run(work));
  CHECK(pool.run(work));
  while (begun < 2) std::this_thread::yield();
  CHECK_FALSE(pool.is_short());
  CHECK(pool.run(work));
  CHECK(pool.is_short());
  CHECK(begun == 2);
  release.count_down();
  pool.join();
  CHECK(done == 3);
  CHECK_FALSE(pool.is_short());
}

TEST_CASE("joining waits for work that was taken") {
  std::atomic<int> done{0};
  {
    ThreadPool pool(8);
    for (int i = 0; i < 8; ++i) CHECK(pool.run([&] { ++done; }));
  }
  CHECK(done == 8);
}

}  // namespace
}  // namespace lamina::server
