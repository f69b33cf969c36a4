// The real server is killed while clients write with fsync.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "crash/batches.h"
#include "lamina/client.h"
#include "support/random_points.h"
#include "support/server_process.h"
#include "support/temporary_directory.h"

namespace lamina::crash {
namespace {

constexpr int kKills = 40;

// Writes until the server is gone; returns how many batches were acknowledged.
std::uint64_t write_until_killed(const std::string& url, std::uint64_t writer,
                                 std::uint64_t next,
                                 std::atomic<std::uint64_t>* acknowledged) {
  auto client = Client::connect(url).value();
  auto items = client->open_collection(kCollection);
  if (!items.ok()) return 0;
  std::uint64_t batch = next;
  while (write_batch(**items, writer, batch)) {
    ++batch;
    ++*acknowledged;
  }
  return batch - next;
}

TEST_CASE(
    "a killed server has lost nothing that a client was told is on the "
    "disk") {
  const test::TemporaryDirectory directory;
  test::ServerProcessOptions options;
  options.data_dir = directory.path() / "data";
  options.flags = {"--durability", "fsync"};
  test::Random random(7);
  std::array<History, kWriters> histories;
  Verdict verdict;
  for (int kill = 0; kill <= kKills; ++kill) {
    auto server = test::ServerProcess::start(options).value();
    auto client = Client::connect(server->url()).value();
    if (kill == 0) {
      CollectionOptions collection;
      collection.dimension = kDimension;
      REQUIRE(client->create_collection(kCollection, collection).ok());
    }
    auto items = client->open_collection(kCollection).value();
    for (std::uint64_t writer = 0; writer < kWriters; ++writer) {
      const std::uint64_t recent =
          std::max<std::uint64_t>(histories[writer].next, 40);
      verify(*items, writer, histories[writer],
             kill == kKills ? 0 : recent - 40, &verdict);
    }
    if (kill == kKills) break;
    std::array<std::uint64_t, kWriters> counts{};
    std::atomic<std::uint64_t> acknowledged{0};
    std::vector<std::thread> threads;
    for (std::uint64_t writer = 0; writer < kWriters; ++writer) {
      threads.emplace_back([&, writer] {
        counts[writer] = write_until_killed(
            server->url(), writer, histories[writer].next, &acknowledged);
      });
    }
    // Every kill comes while they are at work.
    const auto patience =
        std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (acknowledged < kWriters &&
           std::chrono::steady_clock::now() < patience) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::this_thread::sleep_for(
        std::chrono::microseconds(random.below(30'000)));
    server->kill();
    for (std::thread& thread : threads) thread.join();
    for (std::uint64_t writer = 0; writer < kWriters; ++writer) {
      histories[writer].killed_after(counts[writer]);
    }
  }
  std::uint64_t written = 0;
  for (const History& history : histories) written += history.next;
  MESSAGE(kKills << " kills, " << written << " batches");
  CHECK(written >= 2 * kWriters * kKills);
  CHECK(verdict.lost == 0);
  CHECK(verdict.torn == 0);
  CHECK(verdict.invented == 0);
}

}  // namespace
}  // namespace lamina::crash
