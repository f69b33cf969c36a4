#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "lamina/result.h"
#include "storage/group_commit.h"
#include "storage/log_reader.h"
#include "storage/log_writer.h"
#include "storage/numbered_name.h"

namespace lamina::storage {

// By the number of its first record.
inline constexpr NumberedName kSegmentName = {"wal-", ".log"};

// The log of a collection: segments, each a file that is named for its first
// record. Only the last is written to; all others are wholly on the disk.
//
// Thread safety: what is about durability may run beside anything; all else
// excludes each other.
class Log {
 public:
  // Makes the files of an empty log; their bytes are on the disk when it
  // returns, their names may not be.
  static Status create(const std::filesystem::path& directory);

  // The records that a log must have: those behind `begin`, up to `end` at
  // least.
  struct Wanted {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::size_t dimension = 0;
    Metric metric = Metric::cosine;
  };
  // What was read of a log.
  struct Found {
    std::unique_ptr<File> last_segment;
    ReplayResult last;  // Of the last segment.
    std::map<std::uint64_t, std::uint64_t> segment_bytes;  // By first record.
    std::uint64_t record_count = 0;
  };
  enum class Access { read, write };

  // Reads back every record behind `begin`, and changes nothing.
  //   data_loss: as replay_log(), or records are missing.
  static Result<Found> read(const std::filesystem::path& directory,
                            const Wanted& wanted, Access access,
                            const ApplyRecord& apply);

  // Goes on behind what was read for writing.
  static Result<std::unique_ptr<Log>> resume(
      const std::filesystem::path& directory, Found found);

  // Logs a record of end_record() as number `sequence`, one more than the last.
  //   As LogWriter::append(); data_loss after an fdatasync that failed.
  Status append(std::string record, std::uint64_t sequence);

  // As those of GroupCommit.
  Status wait_durable(std::uint64_t sequence) {
    return commit_.wait_durable(sequence);
  }
  std::uint64_t durable_sequence() const { return commit_.durable_sequence(); }

  // Ends the segment, whose last record is `last_sequence`, and begins another.
  // All that was written is on the disk when it returns. When it fails, the log
  // goes on in the old segment, unless the error is data_loss.
  Status rotate(std::uint64_t last_sequence);

  // Removes the segments that begin at `sequence` or before, which must be the
  // end of one of them.
  Status forget_before(std::uint64_t sequence);

  // Of all segments, without the space taken ahead.
  std::uint64_t bytes() const;

  // Makes a later loss of any of it, the last record was `last_sequence`,
  // detectable. Nothing may be appended after it.
  Status close(std::uint64_t last_sequence);

 private:
  Log(std::filesystem::path directory, std::unique_ptr<LogWriter> writer,
      std::uint64_t first_sequence, std::uint64_t last_sequence);

  Result<std::unique_ptr<LogWriter>> make_segment(std::uint64_t sequence);

  std::filesystem::path directory_;
  std::unique_ptr<LogWriter> writer_;
  std::uint64_t first_sequence_;                   // Of the segment written to.
  std::map<std::uint64_t, std::uint64_t> sealed_;  // First record; bytes.
  Status broken_;  // Why nothing more may be appended.
  GroupCommit commit_;
};

}  // namespace lamina::storage
