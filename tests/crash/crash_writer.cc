// crash_writer DIRECTORY os|fsync ack-late|ack-early NEXT...
//
// Writes batches from several threads, writer w from NEXT[w] on, until it is
// killed. After each acknowledged batch it writes one byte, the writer's
// number, to stdout: what the parent reads is what it may insist on.
// "ack-early" writes the byte before the batch: a fault that the test must see.
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include "crash/batches.h"
#include "lamina/database.h"

namespace {

void acknowledge(std::uint64_t writer) {
  const char byte = static_cast<char>(writer);
  if (::write(STDOUT_FILENO, &byte, 1) != 1) std::_Exit(3);
}

}  // namespace

int main(int argc, char** argv) {
  namespace crash = lamina::crash;
  if (argc != 4 + static_cast<int>(crash::kWriters)) return 2;
  lamina::DatabaseOptions options;
  options.durability = std::string_view(argv[2]) == "fsync"
                           ? lamina::Durability::fsync
                           : lamina::Durability::os;
  const bool early = std::string_view(argv[3]) == "ack-early";
  auto db = lamina::Database::open(argv[1], options).value();
  auto items = db->open_collection(crash::kCollection).value();
  std::vector<std::thread> writers;
  for (std::uint64_t writer = 0; writer < crash::kWriters; ++writer) {
    const std::uint64_t begin = std::strtoull(argv[4 + writer], nullptr, 10);
    writers.emplace_back([&items, early, writer, begin] {
      for (std::uint64_t batch = begin;; ++batch) {
        if (early) acknowledge(writer);
        if (!crash::write_batch(*items, writer, batch)) std::_Exit(4);
        if (!early) acknowledge(writer);
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
}
