#pragma once

#include <string>
#include <string_view>

#include "lamina/options.h"
#include "lamina/result.h"
#include "protocol/payload_selector.h"

// What a binary query has beside its vectors: in the query string, or in the
// metadata of its tensors.
namespace lamina::protocol {

struct SearchParameters {
  QueryOptions options;
  PayloadSelector payload;
};

// Bytes of a "filter" in a query string.
inline constexpr std::size_t kMaxFilterTextBytes = 64u << 10;

// Takes one parameter: limit, offset, score_threshold, ef, exact, with_payload,
// with_vector, filter. The last three are JSON, as in the body of a JSON query.
//   invalid_argument: no such parameter, or its value is malformed.
Status read_search_parameter(std::string_view name, std::string_view value,
                             SearchParameters* parameters);

// The same options as a query string, without "?".
std::string encode_search_parameters(const QueryOptions& options);

}  // namespace lamina::protocol
