#pragma once

#include <cstdint>
#include <string_view>

#include "lamina/options.h"
#include "lamina/selector.h"
#include "lamina/status.h"

// What the public calls check of their arguments, once, before anything is
// touched. Every rung that takes a value from outside calls these.
namespace lamina {

//   invalid_argument: the name rule of Store::create_collection is broken.
Status validate_collection_name(std::string_view name);

// not_found, in the words of every rung. A name that breaks the rule names no
// collection.
Status missing_collection(std::string_view name);

Status validate_collection_options(const CollectionOptions& options);

// A vector to store or to query with. `what` names it in messages:
// "points[3].vector", "query".
Status validate_vector(VectorView vector, std::size_t dimension, Metric metric,
                       std::string_view what);

// A value that no float vector may hold, whatever its collection.
Status validate_finite(VectorView vector, std::string_view what);

// 1 to kMaxCount.
Status validate_positive_count(std::string_view field, std::uint64_t value);

// top_k, offset, score_threshold and threads.
Status validate_query_options(const QueryOptions& options);

// Names something, by ids or by a filter that is valid and has conditions.
Status validate_selector(const Selector& points);

// A path, as a payload index and the like are given one. `field` names it.
Status validate_path(std::string_view field, std::string_view path);

// limit and order_by; offset is not with order_by.
Status validate_scroll_options(const ScrollOptions& options);

// key and limit.
Status validate_facet(std::string_view key, const FacetOptions& options);

// A batch has at least one and at most `most` entries.
Status validate_batch_size(std::string_view field, std::size_t size,
                           std::size_t most);

}  // namespace lamina
