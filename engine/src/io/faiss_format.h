#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "lamina/options.h"

// The part of FAISS's index files that we read and write: a flat index, alone
// or under ids.
//
//   "IxFI" (inner product), "IxF2" (L2) or "IxFl" (other metrics)
//   common fields: see FaissHead
//   float count as 8 bytes, then dimension * rows float32
//
//   "IxMp" or "IxM2" (ids)
//   common fields
//   the flat index, whole
//   row count as 8 bytes, then an id of 8 bytes, signed, for each row
//
// Little-endian, as FAISS writes the host's own bytes.
namespace lamina::io {

inline constexpr std::string_view kFaissFlatInnerProduct = "IxFI";
inline constexpr std::string_view kFaissFlatL2 = "IxF2";
inline constexpr std::string_view kFaissFlat = "IxFl";
inline constexpr std::string_view kFaissIdMap = "IxMp";
inline constexpr std::string_view kFaissIdMap2 = "IxM2";

inline constexpr std::uint32_t kFaissInnerProduct = 0;
inline constexpr std::uint32_t kFaissL2 = 1;
inline constexpr std::uint32_t kFaissL1 = 2;

// Two numbers that FAISS writes between its fields and reads past.
inline constexpr std::uint64_t kFaissFiller = 1u << 20;

// Where the fields lie that every index has, from its four letters on.
struct FaissHead {
  static constexpr std::size_t kDimension = 4;   // int32
  static constexpr std::size_t kRows = 8;        // int64
  static constexpr std::size_t kFiller = 16;     // 2 * int64
  static constexpr std::size_t kIsTrained = 32;  // 1 byte
  static constexpr std::size_t kMetric = 33;     // int32
  static constexpr std::size_t kBytes = 37;
  // A metric above kFaissL2 has a parameter behind: float32.
  static constexpr std::size_t kMetricArgumentBytes = 4;
};

}  // namespace lamina::io
