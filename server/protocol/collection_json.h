#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/options.h"
#include "lamina/result.h"
#include "lamina/results.h"
#include "protocol/collection_settings.h"

// JSON of the collection routes. Decoders return invalid_argument with the JSON
// path of what is wrong; encoders of replies write the whole envelope, with
// `seconds` as its "time".
namespace lamina::protocol {

// PUT /collections/{c}
std::string encode_create_collection(const CollectionOptions& options);
Result<CollectionOptions> decode_create_collection(std::string_view body);

// GET /collections
std::string encode_collection_list_reply(std::span<const std::string> names,
                                         double seconds);
Result<std::vector<std::string>> decode_collection_list_reply(
    std::string_view body);

// GET /collections/{c}
std::string encode_collection_info_reply(const CollectionInfo& info,
                                         const CollectionSettings& settings,
                                         double seconds);
Result<CollectionInfo> decode_collection_info_reply(std::string_view name,
                                                    std::string_view body);

// GET /collections/{c}/exists
std::string encode_exists_reply(bool exists, double seconds);

// Routes that answer true or false: create, drop, flush.
std::string encode_bool_reply(bool value, double seconds);
Result<bool> decode_bool_reply(std::string_view body);

}  // namespace lamina::protocol
