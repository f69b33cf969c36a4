#pragma once

#include <cstddef>
#include <cstdint>

namespace lamina {

// What the engine accepts. A server or client may be stricter, never laxer.
// Every length that comes from outside is held against one of these before
// memory is taken.

inline constexpr std::size_t kMaxDimension = 65'536;
inline constexpr std::size_t kMaxCollectionNameBytes = 255;
inline constexpr std::size_t kMaxPayloadBytes = 16u << 20;
inline constexpr std::size_t kMaxJsonDepth = 64;

// Points in one upsert, ids in one remove or get.
inline constexpr std::size_t kMaxBatchPoints = 100'000;

// Queries in one query_batch.
inline constexpr std::size_t kMaxBatchQueries = 10'000;

// Conditions of one filter, those inside others too; levels of filters inside
// filters, where nested and min_should count for one more; and values in all
// its lists: of match_any, match_except, has_id.
inline constexpr std::size_t kMaxFilterConditions = 10'000;
inline constexpr std::size_t kMaxFilterDepth = 32;
inline constexpr std::size_t kMaxFilterValues = 100'000;

// Paths in one DeletePayload, and bytes of one path.
inline constexpr std::size_t kMaxPayloadKeys = 1'000;
inline constexpr std::size_t kMaxPathBytes = 4'096;

// Payload indexes of a collection.
inline constexpr std::size_t kMaxPayloadIndexes = 64;

// Points that one write may change through a filter.
inline constexpr std::size_t kMaxSelectedPoints = 50'000'000;

// What a graph may be asked for: HnswOptions, and QueryOptions::hnsw_ef.
inline constexpr std::uint32_t kMinHnswM = 4;
inline constexpr std::uint32_t kMaxHnswM = 128;
inline constexpr std::uint32_t kMinHnswEf = 4;
inline constexpr std::uint32_t kMaxHnswEf = 4'096;

// Threads for one query.
inline constexpr std::size_t kMaxThreads = 256;

// Bytes that one write may take in the log, payloads included.
inline constexpr std::size_t kMaxWriteBytes = 1u << 30;

// Larger counts are a negative number by mistake. Within the bound, memory is
// taken for the points that exist, not for the number that was asked.
inline constexpr std::uint64_t kMaxCount = (std::uint64_t{1} << 63) - 1;

}  // namespace lamina
