// A process that embeds the engine is killed in the middle of its writes, over
// and over on one directory.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "crash/batches.h"
#include "lamina/database.h"
#include "support/random_points.h"
#include "support/temporary_directory.h"

namespace lamina::crash {
namespace {

using Counts = std::array<std::uint64_t, kWriters>;

struct Setup {
  std::string durability;
  std::string acknowledgement = "ack-late";
  int kills = 0;
};

// Runs the writer, kills it some time after its first acknowledgement, and
// returns how many each of its threads gave.
Counts run_and_kill(const std::filesystem::path& directory, const Setup& setup,
                    const std::array<History, kWriters>& histories,
                    std::chrono::microseconds life) {
  std::vector<std::string> words = {LAMINA_CRASH_WRITER, directory.string(),
                                    setup.durability, setup.acknowledgement};
  for (const History& history : histories) {
    words.push_back(std::to_string(history.next));
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  Counts counts{};
  const auto count = [&](const char* bytes, ssize_t size) {
    for (ssize_t i = 0; i < size; ++i) {
      ++counts[static_cast<std::size_t>(bytes[i])];
    }
  };
  char bytes[4096];
  count(bytes, ::read(ends[0], bytes, 1));  // It is at work.
  std::this_thread::sleep_for(life);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFSIGNALED(status));
  ssize_t got = 0;
  while ((got = ::read(ends[0], bytes, sizeof bytes)) > 0) count(bytes, got);
  ::close(ends[0]);
  return counts;
}

// One directory with its data, through `kills` lives.
void run_on_one_directory(const Setup& setup, int kills, test::Random* random,
                          Verdict* verdict, std::uint64_t* written) {
  const test::TemporaryDirectory directory;
  const auto path = directory.path() / "db";
  {
    CollectionOptions options;
    options.dimension = kDimension;
    auto db = Database::open(path).value();
    REQUIRE(db->create_collection(kCollection, options).ok());
  }
  std::array<History, kWriters> histories;
  for (int kill = 1; kill <= kills; ++kill) {
    const std::chrono::microseconds life(random->below(10'000));
    const Counts counts = run_and_kill(path, setup, histories, life);
    auto db = Database::open(path).value();
    REQUIRE(db->recovery().at(0).status.ok());
    auto items = db->open_collection(kCollection).value();
    for (std::uint64_t writer = 0; writer < kWriters; ++writer) {
      const std::uint64_t begin = histories[writer].next;
      histories[writer].killed_after(counts[writer]);
      // What this life wrote, and in the end all of it once more.
      verify(*items, writer, histories[writer], kill == kills ? 0 : begin,
             verdict);
    }
  }
  for (const History& history : histories) *written += history.next;
}

Verdict run(const Setup& setup) {
  constexpr int kKillsPerDirectory = 20;  // Replay time grows with the log.
  test::Random random(99);
  Verdict verdict;
  std::uint64_t written = 0;
  for (int kill = 0; kill < setup.kills; kill += kKillsPerDirectory) {
    run_on_one_directory(setup,
                         std::min(kKillsPerDirectory, setup.kills - kill),
                         &random, &verdict, &written);
  }
  MESSAGE(setup.kills << " kills, " << written << " batches, " << verdict.lost
                      << " lost, " << verdict.torn << " torn");
  return verdict;
}

TEST_CASE("200 kills during fsync writes lose nothing and tear no batch") {
  const Verdict verdict = run({.durability = "fsync", .kills = 200});
  CHECK(verdict.lost == 0);
  CHECK(verdict.torn == 0);
  CHECK(verdict.invented == 0);
}

TEST_CASE("writes in the operating system survive kills as well") {
  const Verdict verdict = run({.durability = "os", .kills = 40});
  CHECK(verdict.lost == 0);
  CHECK(verdict.torn == 0);
  CHECK(verdict.invented == 0);
}

TEST_CASE("a writer that acknowledges too early is caught") {
  const Verdict verdict =
      run({.durability = "fsync", .acknowledgement = "ack-early", .kills = 20});
  CHECK(verdict.lost > 0);
}

}  // namespace
}  // namespace lamina::crash
