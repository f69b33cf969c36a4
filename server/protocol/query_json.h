#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/options.h"
#include "lamina/result.h"
#include "lamina/results.h"
#include "protocol/payload_selector.h"

// JSON of the query routes. Decoders return invalid_argument with the JSON path
// of what is wrong; encoders of replies write the whole envelope, with
// `seconds` as its "time".
namespace lamina::protocol {

// POST /collections/{c}/points/query. By vector, by the vector of a stored
// point, or neither: then points in id order, as a scroll.
struct QueryRequest {
  bool has_vector = false;  // The vector may be one of no values.
  std::vector<float> vector;
  std::optional<PointId> id;
  QueryOptions options;
  PayloadSelector payload;

  bool by_vector() const { return has_vector; }
};

std::string encode_query(VectorView vector, const QueryOptions& options);
std::string encode_query_by_id(const PointId& id, const QueryOptions& options);
Result<QueryRequest> decode_query(std::string_view body);
std::string encode_hits_reply(std::span<const Hit> hits,
                              const PayloadSelector& payload, double seconds);
Result<std::vector<Hit>> decode_hits_reply(std::string_view body);

// POST /collections/{c}/points/query/batch
std::string encode_query_batch(std::span<const VectorView> vectors,
                               const QueryOptions& options);
Result<std::vector<QueryRequest>> decode_query_batch(std::string_view body);
// One list of hits, and the selector it was asked with, per query.
std::string encode_hits_batch_reply(std::span<const std::vector<Hit>> lists,
                                    std::span<const QueryRequest> requests,
                                    double seconds);
Result<std::vector<std::vector<Hit>>> decode_hits_batch_reply(
    std::string_view body);

// POST /collections/{c}/points/search and /points/search/batch: what queries by
// vector were before there was a query route. They mean the same, and are
// answered without "points".
Result<QueryRequest> decode_search(std::string_view body);
std::string encode_search_reply(std::span<const Hit> hits,
                                const PayloadSelector& payload, double seconds);
Result<std::vector<QueryRequest>> decode_search_batch(std::string_view body);
std::string encode_search_batch_reply(std::span<const std::vector<Hit>> lists,
                                      std::span<const QueryRequest> requests,
                                      double seconds);

}  // namespace lamina::protocol
