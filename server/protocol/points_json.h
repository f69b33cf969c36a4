#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/options.h"
#include "lamina/result.h"
#include "lamina/results.h"
#include "lamina/selector.h"
#include "protocol/payload_selector.h"
#include "types/json_reader.h"
#include "types/json_writer.h"

// JSON of the point routes. Decoders return invalid_argument with the JSON path
// of what is wrong; encoders of replies write the whole envelope, with
// `seconds` as its "time".
namespace lamina::protocol {

// Which points of an upsert are written. Those that are not there are inserted
// unless the mode is update_only; those that are there are replaced unless it
// is insert_only, or they do not match the filter.
enum class UpdateMode { upsert, insert_only, update_only };

struct UpsertCondition {
  UpdateMode mode = UpdateMode::upsert;
  Filter filter{};

  bool writes_all() const {
    return mode == UpdateMode::upsert && filter.empty();
  }
};

// Points read from a body, with the storage that their views point into.
// Movable, not copyable: a copy's views would point into the original.
class PointBatch {
 public:
  PointBatch() = default;
  PointBatch(PointBatch&&) = default;
  PointBatch& operator=(PointBatch&&) = default;

  // `ids` with the rows of a matrix of `dimension` columns, and with payloads
  // or none. There is a row for each id, and a payload unless there are none.
  static PointBatch from_rows(std::span<const PointId> ids,
                              std::vector<float> values, std::size_t dimension,
                              std::vector<Payload> payloads);

  std::span<const Point> points() const { return points_; }
  const UpsertCondition& condition() const { return condition_; }

 private:
  friend Result<PointBatch> read_upsert(const JsonValue& root);
  std::vector<float> values_;
  std::vector<Point> points_;
  UpsertCondition condition_;
};

// PUT /collections/{c}/points, as {"points": [...]} or {"batch": {...}}
std::string encode_upsert(std::span<const Point> points);
Result<PointBatch> decode_upsert(std::string_view body);
// The same for a value inside a body.
Result<PointBatch> read_upsert(const JsonValue& root);

// POST /collections/{c}/points/delete
std::string encode_remove(const Selector& points);
Result<Selector> decode_remove(std::string_view body);
Result<Selector> read_remove(const JsonValue& root);

// Reply of every write. `waited` is the request's "wait": completed or
// acknowledged.
std::string encode_update_reply(const UpdateResult& result, bool waited,
                                double seconds);
// Its "result".
void write_update(const UpdateResult& result, bool waited, JsonWriter* json);
// `durable` comes from the Lamina-Durable header.
Result<UpdateResult> decode_update_reply(std::string_view body, bool durable);

// POST /collections/{c}/points
struct RetrieveRequest {
  std::vector<PointId> ids;
  GetOptions options;
  PayloadSelector payload;
};
std::string encode_retrieve(std::span<const PointId> ids,
                            const GetOptions& options);
Result<RetrieveRequest> decode_retrieve(std::string_view body);
std::string encode_records_reply(std::span<const Record> records,
                                 const PayloadSelector& payload,
                                 double seconds);
Result<std::vector<Record>> decode_records_reply(std::string_view body);

// GET /collections/{c}/points/{id}
std::string encode_record_reply(const Record& record, double seconds);
Result<Record> decode_record_reply(std::string_view body);

// POST /collections/{c}/points/scroll
struct ScrollRequest {
  ScrollOptions options;
  PayloadSelector payload;
};
std::string encode_scroll(const ScrollOptions& options);
Result<ScrollRequest> decode_scroll(std::string_view body);
std::string encode_scroll_reply(const ScrollPage& page,
                                const PayloadSelector& payload, double seconds);
Result<ScrollPage> decode_scroll_reply(std::string_view body);

// POST /collections/{c}/points/count
std::string encode_count(const Filter& filter);
Result<Filter> decode_count(std::string_view body);
std::string encode_count_reply(std::uint64_t count, double seconds);
Result<std::uint64_t> decode_count_reply(std::string_view body);

}  // namespace lamina::protocol
