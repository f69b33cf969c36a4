#include "routes/binary.h"

#include <string>
#include <utility>
#include <vector>

#include "lamina/limits.h"
#include "lamina/version.h"
#include "protocol/binary_points.h"
#include "protocol/binary_query.h"
#include "protocol/media_type.h"
#include "protocol/paths.h"
#include "protocol/query_json.h"
#include "protocol/search_parameters.h"
#include "query_parameters.h"
#include "route_table.h"
#include "routes/conditional_writes.h"
#include "types/json_writer.h"

namespace lamina::server {
namespace {

using protocol::ErrorOrigin;
using protocol::Media;
using protocol::QueryVectors;
using protocol::SearchParameters;

Reply refuse_content(const Call& call, const std::string& taken) {
  Reply reply = call.refuse(
      protocol::kUnsupportedMedia,
      Status::invalid_argument("Content-Type: this route takes " + taken));
  reply.headers.emplace_back("Accept", taken);  // RFC 9110, 15.5.16.
  return reply;
}

Reply refuse_accept(const Call& call) {
  return call.refuse(
      protocol::kNotAcceptable,
      Status::invalid_argument("Accept: this route answers " +
                               std::string(protocol::kJsonMedia) + " or " +
                               std::string(protocol::kTensorsMedia)));
}

// A reply in one of the two forms.
Reply answer(const Call& call, Media media, std::string body) {
  Reply reply = call.json(std::move(body));
  if (media == Media::tensors) reply.content_type = protocol::kTensorsMedia;
  return reply;
}

// The vectors of a query, with what the metadata says beside them.
Result<QueryVectors> read_queries(const Call& call, Media media,
                                  const Collection& collection,
                                  SearchParameters* parameters) {
  if (media == Media::tensors) {
    return protocol::decode_query_tensors(call.body(), parameters);
  }
  const Result<CollectionInfo> info = collection.info();
  if (!info.ok()) return info.status();
  return protocol::decode_query_floats(call.body(), info->dimension);
}

Reply refuse_queries(const Call& call, const Status& status) {
  if (status.field() == protocol::kBodyField) {
    return call.refuse(protocol::kLengthMismatch, status);
  }
  return call.error(status, ErrorOrigin::request_body);
}

Result<std::vector<std::vector<Hit>>> run(const Collection& collection,
                                          const QueryVectors& queries,
                                          const QueryOptions& options) {
  if (queries.views.size() > 1) {
    return collection.query_batch(queries.views, options);
  }
  Result<std::vector<Hit>> hits =
      collection.query(queries.views.front(), options);
  if (!hits.ok()) return hits.status();
  std::vector<std::vector<Hit>> lists;
  lists.push_back(*std::move(hits));
  return lists;
}

std::string encode_hits(const Call& call, Media media,
                        const std::vector<std::vector<Hit>>& lists,
                        const SearchParameters& parameters) {
  const double seconds = call.seconds();
  if (media == Media::tensors) {
    return protocol::encode_hits_tensors(lists, parameters.payload);
  }
  protocol::QueryRequest request;
  request.payload = parameters.payload;
  const std::vector<protocol::QueryRequest> requests(lists.size(), request);
  return protocol::encode_hits_batch_reply(lists, requests, seconds);
}

}  // namespace

Reply get_v1(const Call& call) {
  JsonWriter json;
  json.begin_object();
  json.key("name").string("lamina");
  json.key("version").string(kVersion);
  json.key("requests").begin_array();
  for (const std::string_view media :
       {protocol::kJsonMedia, protocol::kBytesMedia, protocol::kFloatsMedia,
        protocol::kTensorsMedia}) {
    json.string(media);
  }
  json.end_array().key("replies").begin_array();
  json.string(protocol::kJsonMedia).string(protocol::kTensorsMedia);
  json.end_array().key("routes").begin_array();
  for (const Route& route : routes()) {
    if (!route.pattern.starts_with("/v1")) continue;
    json.string(std::string(route.method) + " " + std::string(route.pattern));
  }
  json.end_array().key("limits").begin_object();
  json.key("body_bytes").uint64(protocol::kMaxBodyBytes);
  json.key("points").uint64(kMaxBatchPoints);
  json.key("queries").uint64(kMaxBatchQueries);
  json.end_object().end_object();
  return call.json(json.take());
}

Reply v1_query(const Call& call) {
  const std::optional<Media> content =
      protocol::content_media(call.request().content_type);
  if (!content.has_value() || *content == Media::json) {
    return refuse_content(call, std::string(protocol::kFloatsMedia) + ", " +
                                    std::string(protocol::kBytesMedia) + ", " +
                                    std::string(protocol::kTensorsMedia));
  }
  const std::optional<Media> accepted =
      protocol::accepted_media(call.request().accept);
  if (!accepted.has_value()) return refuse_accept(call);
  SearchParameters parameters;
  const Status read = for_each_parameter(
      call.request().query, [&](std::string_view name, std::string_view value) {
        return protocol::read_search_parameter(name, value, &parameters);
      });
  if (!read.ok()) return call.error(read, ErrorOrigin::query_parameters);

  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  const Result<QueryVectors> queries =
      read_queries(call, *content, **collection, &parameters);
  if (!queries.ok()) return refuse_queries(call, queries.status());
  call.end_parsing();
  const Result<std::vector<std::vector<Hit>>> lists =
      run(**collection, *queries, parameters.options);
  if (!lists.ok()) return call.error(lists.status());
  return answer(call, *accepted,
                encode_hits(call, *accepted, *lists, parameters));
}

Reply v1_upsert(const Call& call) {
  if (protocol::content_media(call.request().content_type) != Media::tensors) {
    return refuse_content(call, std::string(protocol::kTensorsMedia));
  }
  const Result<protocol::PointBatch> batch =
      protocol::decode_upsert_tensors(call.body());
  if (!batch.ok()) return call.error(batch.status(), ErrorOrigin::request_body);
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  const Result<UpdateResult> result = upsert_where(call, **collection, *batch);
  if (!result.ok()) return call.error(result.status());
  return call.written(*result);
}

Reply v1_get(const Call& call) {
  const std::optional<Media> accepted =
      protocol::accepted_media(call.request().accept);
  if (!accepted.has_value()) return refuse_accept(call);
  const Result<protocol::RetrieveRequest> request =
      protocol::decode_retrieve(call.body());
  if (!request.ok()) {
    return call.error(request.status(), ErrorOrigin::request_body);
  }
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  const Result<std::vector<Record>> records =
      (*collection)->get(request->ids, request->options);
  if (!records.ok()) return call.error(records.status());
  const double seconds = call.seconds();
  return answer(
      call, *accepted,
      *accepted == Media::tensors
          ? protocol::encode_records_tensors(*records, request->payload)
          : protocol::encode_records_reply(*records, request->payload,
                                           seconds));
}

Reply v1_scroll(const Call& call) {
  const std::optional<Media> accepted =
      protocol::accepted_media(call.request().accept);
  if (!accepted.has_value()) return refuse_accept(call);
  const Result<protocol::ScrollRequest> request =
      protocol::decode_scroll(call.body());
  if (!request.ok()) {
    return call.error(request.status(), ErrorOrigin::request_body);
  }
  if (*accepted == Media::tensors && request->options.order_by.has_value()) {
    return call.error(Status::invalid_argument(
        "order_by: its values have no tensor; accept JSON for it"));
  }
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  const Result<ScrollPage> page = (*collection)->scroll(request->options);
  if (!page.ok()) return call.error(page.status());
  const double seconds = call.seconds();
  return answer(
      call, *accepted,
      *accepted == Media::tensors
          ? protocol::encode_scroll_tensors(*page, request->payload)
          : protocol::encode_scroll_reply(*page, request->payload, seconds));
}

}  // namespace lamina::server
