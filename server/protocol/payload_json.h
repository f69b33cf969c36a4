#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/options.h"
#include "lamina/payload_edit.h"
#include "lamina/result.h"
#include "lamina/results.h"
#include "lamina/selector.h"
#include "types/json_reader.h"

// JSON of the routes that change, index and count payloads. Decoders return
// invalid_argument with the JSON path of what is wrong; encoders of replies
// write the whole envelope, with `seconds` as its "time". Writes are answered
// as those of points.
namespace lamina::protocol {

// An edit of payloads. Each kind has a route of its own:
//   POST /collections/{c}/points/payload          set
//   PUT  /collections/{c}/points/payload          overwrite
//   POST /collections/{c}/points/payload/delete   delete
//   POST /collections/{c}/points/payload/clear    clear
struct EditPayloadRequest {
  Selector points;
  PayloadEdit edit;
};

std::string encode_edit_payload(const Selector& points,
                                const PayloadEdit& edit);
Result<EditPayloadRequest> decode_set_payload(std::string_view body);
Result<EditPayloadRequest> decode_overwrite_payload(std::string_view body);
Result<EditPayloadRequest> decode_delete_payload(std::string_view body);
Result<EditPayloadRequest> decode_clear_payload(std::string_view body);
// The same for a value inside a body.
Result<EditPayloadRequest> read_set_payload(const JsonValue& root);
Result<EditPayloadRequest> read_overwrite_payload(const JsonValue& root);
Result<EditPayloadRequest> read_delete_payload(const JsonValue& root);
Result<EditPayloadRequest> read_clear_payload(const JsonValue& root);

// The method of an edit's route, and what stands there below "/points".
struct EditRoute {
  std::string_view method;
  std::string_view below;
};
EditRoute route_of(const PayloadEdit& edit);

// PUT /collections/{c}/index
struct CreateIndexRequest {
  std::string key;
  PayloadIndexType type = PayloadIndexType::keyword;
};
std::string encode_create_index(std::string_view key, PayloadIndexType type);
Result<CreateIndexRequest> decode_create_index(std::string_view body);

// POST /collections/{c}/facet
struct FacetRequest {
  std::string key;
  FacetOptions options;
};
std::string encode_facet(std::string_view key, const FacetOptions& options);
Result<FacetRequest> decode_facet(std::string_view body);
std::string encode_facet_reply(std::span<const FacetHit> hits, double seconds);
Result<std::vector<FacetHit>> decode_facet_reply(std::string_view body);

}  // namespace lamina::protocol
