#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "lamina/result.h"
#include "storage/file.h"
#include "storage/log_format.h"

namespace lamina::storage {

struct WholeRecord {
  bool found = false;
  RecordHeader header;
  std::string body;
};

// The record at `offset` if it is whole; not found when it is damaged, cut
// short, or not there at all.
Result<WholeRecord> read_record(const File& file, std::uint64_t offset,
                                std::uint64_t file_size);

// A part of a file of records: a whole record, or bytes that belong to none.
struct Stretch {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  WholeRecord record;  // Not found: damage.
};

// Visits what is in a file from `offset` on, in order, whatever its state.
// Zeros, as a log has them behind its end, are passed over.
Status walk_records(const File& file, std::uint64_t offset,
                    const std::function<Status(const Stretch&)>& visit);

}  // namespace lamina::storage
