#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/result.h"
#include "lamina/results.h"
#include "protocol/payload_selector.h"
#include "protocol/search_parameters.h"

// Binary bodies of POST /v1/collections/{c}/query.
namespace lamina::protocol {

// The field of an error about the length of a body.
inline constexpr std::string_view kBodyField = "body";

// Query vectors with the storage that they are views into.
struct QueryVectors {
  std::vector<float> values;
  std::vector<VectorView> views;
};

// Floats as they are, one vector after the other.
std::string encode_query_floats(std::span<const VectorView> vectors);
//   invalid_argument: the field is kBodyField when its length is no multiple of
//   a vector's, or there are more than kMaxBatchQueries.
Result<QueryVectors> decode_query_floats(std::string_view body,
                                         std::size_t dimension);

// The tensor "queries" F32 [q, dimension], of vectors of one dimension; what
// read_search_parameter() knows may stand in the metadata.
std::string encode_query_tensors(std::span<const VectorView> vectors);
Result<QueryVectors> decode_query_tensors(std::string_view body,
                                          SearchParameters* parameters);

// Hits of all queries, one after the other:
//
//   versions  U64 [n]
//   ids       U64, uuids U8 [m, 16], is_uuid U8: n ids, see IdTensors
//   scores    F32 [n]
//   counts    U32 [q], how many of them belong to each query
//   vectors, payloads: as those of points, when they were asked for
std::string encode_hits_tensors(std::span<const std::vector<Hit>> lists,
                                const PayloadSelector& payload);
Result<std::vector<std::vector<Hit>>> decode_hits_tensors(
    std::string_view body);

}  // namespace lamina::protocol
