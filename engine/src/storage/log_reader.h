#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "lamina/result.h"
#include "storage/file.h"
#include "storage/record_body.h"

namespace lamina::storage {

struct ReplayResult {
  LogHeader header;
  std::uint64_t record_count = 0;
  std::uint64_t last_sequence = 0;
  // Behind the last whole record.
  std::uint64_t end = 0;
  // From `end` on: up to the last byte that is not zero, and how many whole
  // records are among them.
  std::uint64_t torn_bytes = 0;
  std::uint64_t torn_records = 0;
};

// What a log may end with.
enum class LogEnd {
  // All of it was synced before anything newer was written.
  synced,
  // Writes that a crash of the process or of the machine cut short or left out.
  open
};

// What the records of a log or snapshot are handed to, one at a time.
using ApplyRecord =
    std::function<Status(std::uint64_t sequence, RecordBody body)>;

// Reads a log from its start and hands every record to `apply`, in order; what
// it cannot be applied for is damage. Stops at the first record that is not
// whole. At an open end that is a torn tail, and counted, unless a record
// behind it says that what is missing was on the disk.
//   data_loss: damage before the end, or records out of sequence; names file
//   and offset.
//   invalid_argument: a log of a version that this program does not know.
Result<ReplayResult> replay_log(const File& file, std::size_t dimension,
                                Metric metric, LogEnd log_end,
                                const ApplyRecord& apply);

// Reads `count` whole records, numbered from 1, that start at `offset`, and
// nothing may follow.
//   data_loss: any damage.
Status read_records(const File& file, std::uint64_t offset, std::uint64_t count,
                    std::size_t dimension, Metric metric,
                    const ApplyRecord& apply);

}  // namespace lamina::storage
