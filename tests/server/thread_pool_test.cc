#include "thread_pool.h"

#include <doctest/doctest.h>

#include <atomic>
#include <latch>

namespace lamina::server {
namespace {

TEST_CASE("work beyond the limit is turned away, and taken again later") {
  ThreadPool pool(2);
  std::latch release(1);
  std::atomic<int> done{0};
  const auto work = [&] {
    release.wait();
    ++done;
  };
  CHECK(pool.try_run(work));
  CHECK(pool.try_run(work));
  CHECK_FALSE(pool.try_run(work));
  release.count_down();
  while (!pool.try_run(work)) std::this_thread::yield();
  pool.join();
  CHECK(done == 3);
}

TEST_CASE("joining waits for work that was taken") {
  std::atomic<int> done{0};
  {
    ThreadPool pool(8);
    for (int i = 0; i < 8; ++i) CHECK(pool.try_run([&] { ++done; }));
  }
  CHECK(done == 8);
}

}  // namespace
}  // namespace lamina::server
