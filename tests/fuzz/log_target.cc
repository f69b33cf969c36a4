#include "fuzz/memory_file.h"
#include "fuzz/record_bytes.h"
#include "fuzz/record_seeds.h"
#include "fuzz/targets.h"
#include "lamina/limits.h"
#include "storage/log_reader.h"
#include "storage/log_writer.h"
#include "storage/whole_record.h"

namespace lamina::fuzz {
namespace {

using storage::LogEnd;

struct Replayed {
  Result<storage::ReplayResult> result;
  std::string records;  // As they would be written again.
};

// What was read is written, and reads back as the same.
std::string written(const storage::RecordBody& body) {
  std::string record = encode(body, kRecordDimension);
  storage::seal_record(&record, 1, 0);
  storage::RecordHeader header;
  check(storage::decode_record_header(record, &header), "a record is one");
  const auto again = storage::decode_record_body(
      header.type,
      record.substr(storage::kRecordHeaderBytes, header.body_length),
      kRecordDimension, kRecordMetric);
  check(again.ok(), "a record that is written can be read");
  std::string second = encode(*again, kRecordDimension);
  storage::seal_record(&second, 1, 0);
  check(second == record, "a record that is written reads back");
  return record;
}

Replayed replay(std::string* bytes, LogEnd log_end) {
  std::string records;
  Result<storage::ReplayResult> result = storage::replay_log(
      MemoryFile(bytes), kRecordDimension, kRecordMetric, log_end,
      [&](std::uint64_t, const storage::RecordBody& body) {
        records += written(body);
        return Status();
      });
  return {std::move(result), std::move(records)};
}

// What salvage sees of a log: all that is whole, wherever it stands.
std::uint64_t count_whole_records(std::string* bytes) {
  std::uint64_t count = 0;
  std::uint64_t end = storage::kLogHeaderBytes;
  const Status walked = storage::walk_records(
      MemoryFile(bytes), end, [&](const storage::Stretch& stretch) {
        check(stretch.offset >= end && stretch.bytes > 0, "walks go forward");
        end = stretch.offset + stretch.bytes;
        count += stretch.record.found;
        return Status();
      });
  check(walked.ok(), "any file can be walked over");
  return count;
}

// Goes on behind a log that was read, closes it, and reads it again.
void go_on(std::string bytes, const Replayed& read) {
  const storage::ReplayResult& before = *read.result;
  auto writer =
      storage::LogWriter::resume(std::make_unique<MemoryFile>(&bytes), before);
  check(writer.ok(), "a log that was read can be gone on with");
  const Replayed again = replay(&bytes, LogEnd::open);
  check(again.result.ok() && again.records == read.records &&
            again.result->torn_bytes == 0,
        "a log that is opened again has the same records, and no torn tail");
  std::string record = log_records().front();
  storage::seal_record(&record, before.last_sequence + 1, before.last_sequence);
  check((*writer)->append(record).ok() &&
            (*writer)->finish(before.last_sequence + 1).ok(),
        "it takes one more");
  const Replayed closed = replay(&bytes, LogEnd::synced);
  check(closed.result.ok() &&
            closed.result->record_count == before.record_count + 1 &&
            closed.records.starts_with(read.records),
        "a log that was closed is whole, with one more");
  bytes.resize(before.end);
  check(!replay(&bytes, LogEnd::open).result.ok(),
        "what was closed does not lose a record unseen");
}

void run(std::string_view input) {
  std::string bytes(input);
  const std::uint64_t whole_records = count_whole_records(&bytes);
  const Replayed open = replay(&bytes, LogEnd::open);
  const Replayed synced = replay(&bytes, LogEnd::synced);
  check(bytes == input, "reading changes nothing");
  if (synced.result.ok()) {
    check(open.result.ok() && open.records == synced.records,
          "what may end anywhere may end whole");
  }
  if (!open.result.ok()) return;
  check(open.result->record_count <= whole_records,
        "salvage finds all that opening finds");
  // Numbers end there; a first record of 0 is before the first.
  const std::uint64_t last = open.result->last_sequence;
  // One in eight is enough, as space for a megabyte is taken ahead.
  if (last < kMaxCount && input.size() % 8 == 0) go_on(bytes, open);
}

void change(Random* random, const ChangeBytes& change_bytes,
            std::string* input) {
  change_records(kLogLayout, random, change_bytes, input);
}

std::string log_of(std::vector<std::string> records, std::uint64_t first,
                   std::uint64_t unsynced) {
  std::string bytes = storage::encode_log_header(first, first - 1);
  std::uint64_t sequence = first;
  for (std::string& record : records) {
    const std::uint64_t durable =
        sequence - first >= unsynced ? sequence - 1 - unsynced : first - 1;
    storage::seal_record(&record, sequence++, durable);
    bytes += record;
  }
  return bytes;
}

std::vector<std::string> seeds() {
  const std::string whole = log_of(log_records(), 1, 0);
  const std::string unsynced = log_of(log_records(), 7, 100);
  std::string with_hole = unsynced;
  with_hole.replace(120, 64, 64, '\0');
  std::string closed = whole;
  closed.replace(0, storage::kLogHeaderBytes,
                 storage::encode_log_header(1, log_records().size()));
  return {whole,
          unsynced,
          with_hole,
          closed,
          whole + std::string(64, '\0'),
          whole.substr(0, whole.size() - 13),
          log_of({}, 1, 0),
          log_of(snapshot_records(), 1, 0)};
}

}  // namespace

Target log_target() {
  return {.name = "log",
          .what =
              "The log, its checksums set right after most changes. A log "
              "that is opened, closed and opened again has the same "
              "records; what was closed loses none unseen; each record is "
              "written as it was read.",
          .run = run,
          .seeds = seeds,
          .words = {"LAMINALG", std::string("\x03\0\0\0", 4),
                    std::string("\xff\xff\xff\xff", 4),
                    std::string("\0\0\0\0\0\0\0\x80", 8), "{\"a\":1}"},
          .change = change};
}

}  // namespace lamina::fuzz
