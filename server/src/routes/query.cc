#include "routes/query.h"

#include <algorithm>
#include <utility>

#include "lamina/limits.h"
#include "protocol/query_json.h"

namespace lamina::server {
namespace {

using protocol::ErrorOrigin;
using protocol::QueryRequest;

// Without a query there is nothing to rank by: points in id order, score 0.
Result<std::vector<Hit>> list_points(const Collection& collection,
                                     const QueryOptions& options) {
  ScrollOptions scroll;
  scroll.limit =
      std::min(kMaxCount - options.offset, options.top_k) + options.offset;
  scroll.filter = options.filter;
  scroll.with_payload = options.with_payload;
  scroll.with_vector = options.with_vector;
  Result<ScrollPage> page = collection.scroll(scroll);
  if (!page.ok()) return page.status();

  std::vector<Hit> hits;
  for (std::size_t i = options.offset; i < page->points.size(); ++i) {
    Record& record = page->points[i];
    Hit& hit = hits.emplace_back();
    hit.id = record.id;
    hit.vector = std::move(record.vector);
    hit.payload = std::move(record.payload);
  }
  return hits;
}

Result<std::vector<Hit>> run(const Collection& collection,
                             const QueryRequest& request) {
  if (request.by_vector()) {
    return collection.query(request.vector, request.options);
  }
  if (request.id.has_value()) {
    return collection.query_by_id(*request.id, request.options);
  }
  return list_points(collection, request.options);
}

bool same_options(const QueryOptions& a, const QueryOptions& b) {
  return a.top_k == b.top_k && a.offset == b.offset &&
         a.score_threshold == b.score_threshold &&
         a.with_payload == b.with_payload && a.with_vector == b.with_vector &&
         a.filter == b.filter;
}

// Whether one query_batch can answer all, in one pass over the vectors.
bool is_uniform(const std::vector<QueryRequest>& requests) {
  return !requests.empty() &&
         std::all_of(requests.begin(), requests.end(),
                     [&](const QueryRequest& request) {
                       return request.by_vector() &&
                              same_options(request.options,
                                           requests.front().options);
                     });
}

Result<std::vector<std::vector<Hit>>> run_batch(
    const Collection& collection, const std::vector<QueryRequest>& requests) {
  if (is_uniform(requests)) {
    std::vector<VectorView> vectors;
    vectors.reserve(requests.size());
    for (const QueryRequest& request : requests) {
      vectors.emplace_back(request.vector);
    }
    return collection.query_batch(vectors, requests.front().options);
  }
  std::vector<std::vector<Hit>> lists;
  for (const QueryRequest& request : requests) {
    Result<std::vector<Hit>> hits = run(collection, request);
    if (!hits.ok()) return hits.status();
    lists.push_back(*std::move(hits));
  }
  return lists;
}

// The two names that each of the routes goes by, and what they differ in.
using Decode = Result<QueryRequest> (*)(std::string_view body);
using Encode = std::string (*)(std::span<const Hit> hits,
                               const protocol::PayloadSelector& payload,
                               double seconds);
using DecodeBatch =
    Result<std::vector<QueryRequest>> (*)(std::string_view body);
using EncodeBatch = std::string (*)(std::span<const std::vector<Hit>> lists,
                                    std::span<const QueryRequest> requests,
                                    double seconds);

Reply answer(const Call& call, Decode decode, Encode encode) {
  Result<QueryRequest> request = decode(call.body());
  if (!request.ok()) {
    return call.error(request.status(), ErrorOrigin::request_body);
  }
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  Result<std::vector<Hit>> hits = run(**collection, *request);
  if (!hits.ok()) return call.error(hits.status());
  return call.json(encode(*hits, request->payload, call.seconds()));
}

Reply answer_batch(const Call& call, DecodeBatch decode, EncodeBatch encode) {
  Result<std::vector<QueryRequest>> requests = decode(call.body());
  if (!requests.ok()) {
    return call.error(requests.status(), ErrorOrigin::request_body);
  }
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  Result<std::vector<std::vector<Hit>>> lists =
      run_batch(**collection, *requests);
  if (!lists.ok()) return call.error(lists.status());
  return call.json(encode(*lists, *requests, call.seconds()));
}

}  // namespace

Reply query_points(const Call& call) {
  return answer(call, protocol::decode_query, protocol::encode_hits_reply);
}

Reply query_points_batch(const Call& call) {
  return answer_batch(call, protocol::decode_query_batch,
                      protocol::encode_hits_batch_reply);
}

Reply search_points(const Call& call) {
  return answer(call, protocol::decode_search, protocol::encode_search_reply);
}

Reply search_points_batch(const Call& call) {
  return answer_batch(call, protocol::decode_search_batch,
                      protocol::encode_search_batch_reply);
}

}  // namespace lamina::server
