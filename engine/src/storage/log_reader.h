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
  // Bytes of a record that was cut short, from `end` on.
  std::uint64_t torn_bytes = 0;
};

// Reads a log from its start and hands every record to `apply`, in order, one
// at a time; what it cannot be applied for is damage. A record that is damaged
// with nothing readable behind it is a torn tail: replay stops there and counts
// it.
//   data_loss: damage with whole records behind it, or records out of sequence;
//   names file and offset.
//   invalid_argument: a log of another version.
Result<ReplayResult> replay_log(
    const File& file, std::size_t dimension, Metric metric,
    const std::function<Status(std::uint64_t sequence, RecordBody body)>&
        apply);

}  // namespace lamina::storage
