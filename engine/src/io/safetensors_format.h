#pragma once

#include <cstdint>
#include <string_view>

// How points lie in a safetensors file: 8 bytes of length, a JSON header of
// that length, then the bytes of the tensors without gaps.
//
//   ids       U64 [n]      the points whose ids are numbers, ...
//   uuids     U8 [m, 16]   ... then those whose ids are UUIDs
//   vectors   F32 [n + m, dimension]   rows in the order of the ids
//   payloads  U8 [bytes]   a line of JSON for each row, each ended by "\n"
//
// "__metadata__" holds {"metric": "cosine"}.
namespace lamina::io {

inline constexpr std::string_view kIdsName = "ids";
inline constexpr std::string_view kUuidsName = "uuids";
inline constexpr std::string_view kVectorsName = "vectors";
inline constexpr std::string_view kPayloadsName = "payloads";
inline constexpr std::string_view kTensorNames[] = {
    kIdsName, kUuidsName, kVectorsName, kPayloadsName};
inline constexpr std::string_view kMetricKey = "metric";

inline constexpr std::uint64_t kMaxHeaderBytes = 1u << 20;

}  // namespace lamina::io
