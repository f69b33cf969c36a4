#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fuzz/target.h"
#include "storage/record_body.h"

// Files of records, and changes to them that leave their checksums right.
namespace lamina::fuzz {

struct RecordsLayout {
  std::size_t head_bytes = 0;  // Its last four are its checksum.
  // Of the number of records in the head; 0 when it has none.
  std::size_t count_offset = 0;
};

inline constexpr RecordsLayout kLogLayout = {.head_bytes = 32};
inline constexpr RecordsLayout kSnapshotLayout = {.head_bytes = 64,
                                                  .count_offset = 32};

// Changes the head, a record, their order or number, or what stands behind
// them. Now and then bytes anywhere, which no checksum then covers.
void change_records(const RecordsLayout& layout, Random* random,
                    const ChangeBytes& change_bytes, std::string* bytes);

// Puts the checksum of all bytes before it into the last four.
void seal_with_crc(std::string* bytes);

// The record that says so, not yet numbered.
std::string encode(const storage::RecordBody& body, std::size_t dimension);

}  // namespace lamina::fuzz
