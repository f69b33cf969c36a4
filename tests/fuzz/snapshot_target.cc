#include "fuzz/memory_file.h"
#include "fuzz/record_bytes.h"
#include "fuzz/record_seeds.h"
#include "fuzz/scratch.h"
#include "fuzz/targets.h"
#include "point_table.h"
#include "storage/snapshot.h"

namespace lamina::fuzz {
namespace {

// Loads a snapshot as opening a collection does.
Result<storage::SnapshotHeader> load(std::string* bytes, PointTable* table,
                                     std::uint64_t* count) {
  return storage::read_snapshot(
      MemoryFile(bytes), kRecordDimension, kRecordMetric,
      [&](std::uint64_t sequence, const storage::RecordBody& body) {
        check(sequence == ++*count, "records are numbered from one on");
        return table->load(body);
      });
}

void check_rows(const PointTable& table) {
  const rows::RowTable& rows = table.rows();
  check(rows.by_id().size() == rows.size(), "each id has a row");
  for (const auto& [id, row] : rows.by_id()) {
    check(row < rows.size() && rows.id(row) == id, "and a row its id");
  }
}

void run(std::string_view input) {
  std::string bytes(input);
  std::uint64_t count = 0;
  PointTable table(kRecordDimension, kRecordMetric);
  const auto header = load(&bytes, &table, &count);
  check(bytes == input, "reading changes nothing");
  check_rows(table);
  if (!header.ok()) return;
  check(header->record_count == count, "no record is lost, and none added");
  bytes += '\0';
  PointTable other(kRecordDimension, kRecordMetric);
  check(!load(&bytes, &other, &(count = 0)).ok(), "nothing may follow");
}

void change(Random* random, const ChangeBytes& change_bytes,
            std::string* input) {
  change_records(kSnapshotLayout, random, change_bytes, input);
}

std::string snapshot_of(const std::vector<std::string>& records) {
  const std::filesystem::path path = scratch() / "snapshot";
  {
    const auto writer = storage::SnapshotWriter::create(path).value();
    for (const std::string& record : records) {
      check(writer->add(record).ok(), "a snapshot takes a record");
    }
    const Status finished = writer->finish({.dimension = kRecordDimension,
                                            .begin_sequence = 3,
                                            .end_sequence = 9});
    check(finished.ok(), "a snapshot is finished");
  }
  return read_whole(path);
}

std::vector<std::string> seeds() {
  const std::string whole = snapshot_of(snapshot_records());
  return {whole, snapshot_of({}), snapshot_of(log_records()),
          whole.substr(0, whole.size() - 9)};
}

}  // namespace

Target snapshot_target() {
  return {.name = "snapshot",
          .what =
              "Snapshots, their checksums set right after most changes, "
              "loaded into the table of points. A snapshot is read whole "
              "or refused, and each id has one row.",
          .run = run,
          .seeds = seeds,
          .words = {"LAMINASN", std::string("\x03\0\0\0", 4),
                    std::string("\xff\xff\xff\xff", 4),
                    std::string("\0\0\0\0\0\0\0\x80", 8), "{\"a\":1}"},
          .change = change};
}

}  // namespace lamina::fuzz
