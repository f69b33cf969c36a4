#include "support/raw_http_store.h"

#include <httplib.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "protocol/binary_points.h"
#include "protocol/binary_query.h"
#include "protocol/collection_json.h"
#include "protocol/http_error.h"
#include "protocol/media_type.h"
#include "protocol/paths.h"
#include "protocol/payload_json.h"
#include "protocol/points_json.h"
#include "protocol/query_json.h"
#include "protocol/search_parameters.h"
#include "types/filter_check.h"
#include "types/validate.h"

namespace lamina::test {
namespace {

constexpr const char* kJson = "application/json";

httplib::Headers headers_of(const WriteOptions& options) {
  if (!options.durability) return {};
  return {{std::string(protocol::kDurabilityHeader),
           std::string(to_string(*options.durability))}};
}

// The reply of a request that succeeded.
Result<httplib::Response> check(httplib::Result result) {
  if (!result) {
    return Status::unavailable(httplib::to_string(result.error()));
  }
  if (result->status == 200) return std::move(*result);
  return protocol::from_http(
      result->status,
      result->get_header_value(std::string(protocol::kStatusHeader).c_str()),
      result->body);
}

template <class Decode>
auto decode_body(const Result<httplib::Response>& reply, Decode decode)
    -> decltype(decode(std::string_view())) {
  if (!reply.ok()) return reply.status();
  return decode(reply->body);
}

Result<UpdateResult> decode_update(const Result<httplib::Response>& reply) {
  if (!reply.ok()) return reply.status();
  const std::string durable =
      reply->get_header_value(std::string(protocol::kDurableHeader).c_str());
  return protocol::decode_update_reply(reply->body, durable == "true");
}

std::string edit_path(const PayloadEdit& edit) {
  if (std::holds_alternative<DeletePayload>(edit)) {
    return "/payload/delete?wait=true";
  }
  if (std::holds_alternative<ClearPayload>(edit)) {
    return "/payload/clear?wait=true";
  }
  return "/payload?wait=true";
}

// Whether the vectors are rows of one matrix.
bool are_rows(std::span<const VectorView> vectors) {
  if (vectors.empty() || vectors.front().empty()) return false;
  for (const VectorView vector : vectors) {
    if (vector.size() != vectors.front().size()) return false;
  }
  return true;
}

bool are_rows(std::span<const Point> points) {
  std::vector<VectorView> vectors;
  for (const Point& point : points) vectors.push_back(point.vector);
  return are_rows(vectors);
}

Result<std::vector<Hit>> decode_one_list(std::string_view body) {
  Result<std::vector<std::vector<Hit>>> lists =
      protocol::decode_hits_tensors(body);
  if (!lists.ok()) return lists.status();
  if (lists->size() != 1) return Status::internal("not one list of hits");
  return std::move(lists->front());
}

// Its calls check what JSON cannot carry, and counts that the protocol takes
// for "all".
class RawHttpCollection : public Collection {
 public:
  RawHttpCollection(std::shared_ptr<httplib::Client> http, std::string name)
      : http_(std::move(http)), name_(std::move(name)) {}

  Result<UpdateResult> upsert(std::span<const Point> points,
                              const WriteOptions& options) override {
    for (std::size_t i = 0; i < points.size(); ++i) {
      Status finite = validate_finite(
          points[i].vector, "points[" + std::to_string(i) + "].vector");
      if (!finite.ok()) return finite;
    }
    return decode_update(
        check(http_->Put(path("?wait=true").c_str(), headers_of(options),
                         protocol::encode_upsert(points), kJson)));
  }

  Result<UpdateResult> remove(const Selector& points,
                              const WriteOptions& options) override {
    Status valid = validate_selector(points);
    if (!valid.ok()) return valid;
    return decode_update(check(
        http_->Post(path("/delete?wait=true").c_str(), headers_of(options),
                    protocol::encode_remove(points), kJson)));
  }

  Result<UpdateResult> edit_payload(const Selector& points,
                                    const PayloadEdit& edit,
                                    const WriteOptions& options) override {
    Status valid = validate_selector(points);
    if (!valid.ok()) return valid;
    const std::string body = protocol::encode_edit_payload(points, edit);
    const bool is_put = std::holds_alternative<OverwritePayload>(edit);
    const std::string target = path(edit_path(edit));
    return decode_update(check(
        is_put
            ? http_->Put(target.c_str(), headers_of(options), body, kJson)
            : http_->Post(target.c_str(), headers_of(options), body, kJson)));
  }

  Result<UpdateResult> create_payload_index(
      std::string_view key, PayloadIndexType type,
      const WriteOptions& options) override {
    return decode_update(check(http_->Put(
        (protocol::index_path(name_) + "?wait=true").c_str(),
        headers_of(options), protocol::encode_create_index(key, type), kJson)));
  }

  Result<UpdateResult> drop_payload_index(
      std::string_view key, const WriteOptions& options) override {
    Status valid = validate_path("key", key);
    if (!valid.ok()) return valid;
    return decode_update(check(
        http_->Delete((protocol::index_path(name_, key) + "?wait=true").c_str(),
                      headers_of(options))));
  }

  Result<std::vector<Record>> get(std::span<const PointId> ids,
                                  const GetOptions& options) const override {
    return decode_body(post("", protocol::encode_retrieve(ids, options)),
                       protocol::decode_records_reply);
  }

  Result<Record> get(const PointId& id,
                     const GetOptions& options) const override {
    Result<Record> record =
        decode_body(check(http_->Get(protocol::point_path(name_, id).c_str())),
                    protocol::decode_record_reply);
    if (record.ok() && !options.with_payload) record->payload.reset();
    if (record.ok() && !options.with_vector) record->vector.reset();
    return record;
  }

  Result<std::vector<Hit>> query(VectorView vector,
                                 const QueryOptions& options) const override {
    Status valid = validate_query_options(options);
    if (valid.ok()) valid = validate_finite(vector, "query");
    if (!valid.ok()) return valid;
    return decode_body(post("/query", protocol::encode_query(vector, options)),
                       protocol::decode_hits_reply);
  }

  Result<std::vector<Hit>> query_by_id(
      const PointId& id, const QueryOptions& options) const override {
    Status valid = validate_query_options(options);
    if (!valid.ok()) return valid;
    return decode_body(
        post("/query", protocol::encode_query_by_id(id, options)),
        protocol::decode_hits_reply);
  }

  Result<std::vector<std::vector<Hit>>> query_batch(
      std::span<const VectorView> vectors,
      const QueryOptions& options) const override {
    Status valid = validate_query_options(options);
    for (std::size_t i = 0; valid.ok() && i < vectors.size(); ++i) {
      valid = validate_finite(vectors[i], "queries[" + std::to_string(i) + "]");
    }
    if (!valid.ok()) return valid;
    return decode_body(
        post("/query/batch", protocol::encode_query_batch(vectors, options)),
        protocol::decode_hits_batch_reply);
  }

  Result<ScrollPage> scroll(const ScrollOptions& options) const override {
    Status valid = validate_scroll_options(options);
    if (!valid.ok()) return valid;
    return decode_body(post("/scroll", protocol::encode_scroll(options)),
                       protocol::decode_scroll_reply);
  }

  Result<std::uint64_t> count(const Filter& filter) const override {
    Status valid = validate_filter(filter);
    if (!valid.ok()) return valid;
    return decode_body(post("/count", protocol::encode_count(filter)),
                       protocol::decode_count_reply);
  }

  Result<std::vector<FacetHit>> facet(
      std::string_view key, const FacetOptions& options) const override {
    Status valid = validate_facet(key, options);
    if (!valid.ok()) return valid;
    return decode_body(
        check(http_->Post(protocol::facet_path(name_).c_str(),
                          protocol::encode_facet(key, options), kJson)),
        protocol::decode_facet_reply);
  }

  Result<CollectionInfo> info() const override {
    return decode_body(
        check(http_->Get(protocol::collection_path(name_).c_str())),
        [&](std::string_view body) {
          return protocol::decode_collection_info_reply(name_, body);
        });
  }

  Status flush() override {
    return decode_body(check(http_->Post(protocol::flush_path(name_).c_str(),
                                         "", kJson)),
                       protocol::decode_bool_reply)
        .status();
  }

 private:
  std::string path(std::string_view below) const {
    return protocol::points_path(name_) + std::string(below);
  }

  Result<httplib::Response> post(std::string_view below,
                                 const std::string& body) const {
    return check(http_->Post(path(below).c_str(), body, kJson));
  }

 protected:
  const std::string& name() const { return name_; }
  httplib::Client& http() const { return *http_; }

 private:
  std::shared_ptr<httplib::Client> http_;
  std::string name_;
};

class BinaryHttpCollection final : public RawHttpCollection {
 public:
  BinaryHttpCollection(std::shared_ptr<httplib::Client> http, std::string name,
                       std::size_t dimension)
      : RawHttpCollection(std::move(http), std::move(name)),
        dimension_(dimension) {}

  using RawHttpCollection::get;

  Result<UpdateResult> upsert(std::span<const Point> points,
                              const WriteOptions& options) override {
    if (!are_rows(points)) return RawHttpCollection::upsert(points, options);
    return decode_update(
        check(http().Put(own("/points?wait=true").c_str(), headers_of(options),
                         protocol::encode_upsert_tensors(points), kTensors)));
  }

  Result<std::vector<Record>> get(std::span<const PointId> ids,
                                  const GetOptions& options) const override {
    return decode_body(
        post_own("/points/get", protocol::encode_retrieve(ids, options), kJson),
        protocol::decode_records_tensors);
  }

  // Floats where their length is right, tensors where it is for the server to
  // find that it is not.
  Result<std::vector<Hit>> query(VectorView vector,
                                 const QueryOptions& options) const override {
    Status valid = validate_query_options(options);
    if (!valid.ok()) return valid;
    const std::span<const VectorView> one(&vector, 1);
    if (!are_rows(one)) return RawHttpCollection::query(vector, options);
    const bool fits = vector.size() == dimension_;
    return decode_body(
        post_own("/query?" + protocol::encode_search_parameters(options),
                 fits ? protocol::encode_query_floats(one)
                      : protocol::encode_query_tensors(one),
                 fits ? kFloats : kTensors),
        decode_one_list);
  }

  Result<std::vector<std::vector<Hit>>> query_batch(
      std::span<const VectorView> vectors,
      const QueryOptions& options) const override {
    Status valid = validate_query_options(options);
    if (!valid.ok()) return valid;
    if (vectors.size() < 2 || !are_rows(vectors)) {
      return RawHttpCollection::query_batch(vectors, options);
    }
    return decode_body(
        post_own("/query?" + protocol::encode_search_parameters(options),
                 protocol::encode_query_tensors(vectors), kTensors),
        protocol::decode_hits_tensors);
  }

  Result<ScrollPage> scroll(const ScrollOptions& options) const override {
    if (options.order_by.has_value()) return RawHttpCollection::scroll(options);
    Status valid = validate_scroll_options(options);
    if (!valid.ok()) return valid;
    return decode_body(
        post_own("/points/scroll", protocol::encode_scroll(options), kJson),
        protocol::decode_scroll_tensors);
  }

 private:
  static constexpr const char* kTensors = protocol::kTensorsMedia.data();
  static constexpr const char* kFloats = protocol::kFloatsMedia.data();

  std::string own(std::string_view below) const {
    return protocol::own_path(name(), below);
  }

  Result<httplib::Response> post_own(std::string_view below,
                                     const std::string& body,
                                     const char* type) const {
    return check(
        http().Post(own(below).c_str(), {{"Accept", kTensors}}, body, type));
  }

  std::size_t dimension_;
};

class RawHttpStore final : public Store {
 public:
  RawHttpStore(std::uint16_t port, RawBodies bodies)
      : http_(std::make_shared<httplib::Client>("127.0.0.1", port)),
        bodies_(bodies) {
    http_->set_keep_alive(true);
    http_->set_tcp_nodelay(true);
    http_->set_url_encode(false);  // The protocol's paths are encoded already.
    http_->set_read_timeout(60);
  }

  Result<std::shared_ptr<Collection>> create_collection(
      std::string_view name, const CollectionOptions& options) override {
    Status named = validate_collection_name(name);
    if (!named.ok()) return named;
    // On the wire m = 0 means no graph; here it is a mistake.
    Status valid =
        options.hnsw ? validate_collection_options(options) : Status();
    if (!valid.ok()) return valid;
    const Result<bool> created = decode_body(
        check(http_->Put(protocol::collection_path(name).c_str(),
                         protocol::encode_create_collection(options), kJson)),
        protocol::decode_bool_reply);
    if (!created.ok()) return created.status();
    return handle(name, options.dimension);
  }

  Result<std::shared_ptr<Collection>> open_collection(
      std::string_view name) override {
    if (!validate_collection_name(name).ok()) return missing_collection(name);
    const Result<CollectionInfo> info =
        RawHttpCollection(http_, std::string(name)).info();
    if (!info.ok()) return info.status();
    return handle(name, info->dimension);
  }

  Result<std::vector<std::string>> list_collections() const override {
    return decode_body(check(http_->Get("/collections")),
                       protocol::decode_collection_list_reply);
  }

  Result<bool> drop_collection(std::string_view name) override {
    if (!validate_collection_name(name).ok()) return false;
    return decode_body(
        check(http_->Delete(protocol::collection_path(name).c_str())),
        protocol::decode_bool_reply);
  }

 private:
  std::shared_ptr<Collection> handle(std::string_view name,
                                     std::size_t dimension) const {
    if (bodies_ == RawBodies::json) {
      return std::make_shared<RawHttpCollection>(http_, std::string(name));
    }
    return std::make_shared<BinaryHttpCollection>(http_, std::string(name),
                                                  dimension);
  }

  std::shared_ptr<httplib::Client> http_;
  RawBodies bodies_;
};

}  // namespace

std::unique_ptr<Store> make_raw_http_store(std::uint16_t port,
                                           RawBodies bodies) {
  return std::make_unique<RawHttpStore>(port, bodies);
}

}  // namespace lamina::test
