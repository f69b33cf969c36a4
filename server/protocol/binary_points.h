#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/result.h"
#include "lamina/results.h"
#include "protocol/payload_selector.h"
#include "protocol/points_json.h"

// Points as tensors, in the layout of the files that `lamina import` and
// `lamina export` know:
//
//   vectors   F32 [n, dimension]
//   ids       U64, uuids U8 [m, 16], is_uuid U8: n ids, see IdTensors
//   payloads  U8, a line of JSON for each point, each ended by "\n"; an empty
//             line is no payload
namespace lamina::protocol {

// PUT /v1/collections/{c}/points
std::string encode_upsert_tensors(std::span<const Point> points);
Result<PointBatch> decode_upsert_tensors(std::string_view body);

// Replies of POST /v1/collections/{c}/points/get and .../scroll. The vectors
// and payloads are there when they were asked for. "next_page_offset" is in the
// metadata, as the id is written in a path.
std::string encode_records_tensors(std::span<const Record> records,
                                   const PayloadSelector& payload);
Result<std::vector<Record>> decode_records_tensors(std::string_view body);
std::string encode_scroll_tensors(const ScrollPage& page,
                                  const PayloadSelector& payload);
Result<ScrollPage> decode_scroll_tensors(std::string_view body);

}  // namespace lamina::protocol
