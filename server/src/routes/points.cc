#include "routes/points.h"

#include "protocol/points_json.h"
#include "routes/conditional_writes.h"

namespace lamina::server {

using protocol::ErrorOrigin;

Reply upsert_points(const Call& call) {
  Result<protocol::PointBatch> batch = protocol::decode_upsert(call.body());
  if (!batch.ok()) return call.error(batch.status(), ErrorOrigin::request_body);
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  Result<UpdateResult> result = upsert_where(call, **collection, *batch);
  if (!result.ok()) return call.error(result.status());
  return call.written(*result);
}

Reply delete_points(const Call& call) {
  Result<Selector> points = protocol::decode_remove(call.body());
  if (!points.ok()) {
    return call.error(points.status(), ErrorOrigin::request_body);
  }
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  const auto passing = call.pass_gate();
  Result<UpdateResult> result =
      (*collection)->remove(*points, call.write_options);
  if (!result.ok()) return call.error(result.status());
  return call.written(*result);
}

Reply retrieve_points(const Call& call) {
  Result<protocol::RetrieveRequest> request =
      protocol::decode_retrieve(call.body());
  if (!request.ok()) {
    return call.error(request.status(), ErrorOrigin::request_body);
  }
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  Result<std::vector<Record>> records =
      (*collection)->get(request->ids, request->options);
  if (!records.ok()) return call.error(records.status());
  return call.json(protocol::encode_records_reply(*records, request->payload,
                                                  call.seconds()));
}

Reply get_point(const Call& call) {
  Result<PointId> id = PointId::parse(call.point_id);
  if (!id.ok()) {
    return call.error(Status::invalid_argument(
        "Can not recognize \"" + call.point_id + "\" as point id"));
  }
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  Result<Record> record = (*collection)->get(*id);
  if (!record.ok()) return call.error(record.status());
  return call.json(protocol::encode_record_reply(*record, call.seconds()));
}

Reply scroll_points(const Call& call) {
  Result<protocol::ScrollRequest> request =
      protocol::decode_scroll(call.body());
  if (!request.ok()) {
    return call.error(request.status(), ErrorOrigin::request_body);
  }
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  Result<ScrollPage> page = (*collection)->scroll(request->options);
  if (!page.ok()) return call.error(page.status());
  return call.json(
      protocol::encode_scroll_reply(*page, request->payload, call.seconds()));
}

Reply count_points(const Call& call) {
  const Result<Filter> filter = protocol::decode_count(call.body());
  if (!filter.ok()) {
    return call.error(filter.status(), ErrorOrigin::request_body);
  }
  Result<std::shared_ptr<Collection>> collection = call.open_collection();
  if (!collection.ok()) return call.error(collection.status());
  Result<std::uint64_t> count = (*collection)->count(*filter);
  if (!count.ok()) return call.error(count.status());
  return call.json(protocol::encode_count_reply(*count, call.seconds()));
}

}  // namespace lamina::server
