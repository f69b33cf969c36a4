#include "storage/group_commit.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace lamina::storage {
namespace {

// Counts syncs, makes each take a while, and fails from a chosen one on.
class SlowFile : public File {
 public:
  Result<std::string> read_at(std::uint64_t, std::size_t) const override {
    return std::string();
  }
  Status write_at(std::uint64_t, std::string_view) override { return {}; }
  Status sync() override {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const int number = ++syncs;
    return number >= fails_from ? Status::io_error("fdatasync: EIO") : Status();
  }
  Status truncate(std::uint64_t) override { return {}; }
  Result<std::uint64_t> size() const override { return std::uint64_t{0}; }
  const std::filesystem::path& path() const override { return path_; }

  std::atomic<int> syncs{0};
  int fails_from = 1 << 30;

 private:
  std::filesystem::path path_ = "log";
};

TEST_CASE("writers that wait together share a sync") {
  SlowFile file;
  GroupCommit commit(file, 0);
  constexpr int kThreads = 8;
  constexpr int kWrites = 20;
  std::atomic<std::uint64_t> next{0};
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kWrites; ++i) {
        const std::uint64_t sequence = ++next;
        commit.wrote(sequence);
        if (!commit.wait_durable(sequence).ok()) ++failures;
        if (commit.durable_sequence() < sequence) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(failures == 0);
  CHECK(file.syncs >= kWrites);
  CHECK(file.syncs < kThreads * kWrites / 2);
}

TEST_CASE("what is already durable costs no sync") {
  SlowFile file;
  GroupCommit commit(file, 7);
  CHECK(commit.wait_durable(7).ok());
  CHECK(file.syncs == 0);
}

TEST_CASE("the first failed sync is final, and is not tried again") {
  SlowFile file;
  file.fails_from = 2;
  GroupCommit commit(file, 0);
  commit.wrote(1);
  CHECK(commit.wait_durable(1).ok());
  commit.wrote(2);
  CHECK(commit.wait_durable(2).code() == StatusCode::data_loss);
  commit.wrote(3);
  CHECK(commit.wait_durable(3).code() == StatusCode::data_loss);
  CHECK(commit.failure().code() == StatusCode::data_loss);
  CHECK(commit.wait_durable(1).ok());
  CHECK(file.syncs == 2);
}

}  // namespace
}  // namespace lamina::storage
