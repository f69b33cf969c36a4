#include "types/validate.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "lamina/limits.h"
#include "types/utf8.h"

namespace lamina {
namespace {

std::string out_of_range(std::uint64_t value, std::string_view allowed) {
  return "value " + std::to_string(value) + " invalid, must be " +
         std::string(allowed);
}

Status bad_name(std::string_view reason) {
  return Status::invalid_argument("collection name " + std::string(reason));
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

bool is_zero(VectorView vector) {
  return std::all_of(vector.begin(), vector.end(),
                     [](float value) { return value == 0.0f; });
}

}  // namespace

Status validate_collection_name(std::string_view name) {
  if (name.empty() || name.size() > kMaxCollectionNameBytes) {
    return bad_name("has " + std::to_string(name.size()) +
                    " bytes, must have 1 to " +
                    std::to_string(kMaxCollectionNameBytes));
  }
  if (name == "." || name == "..") return bad_name("must not be . or ..");
  if (name.find_first_of("/\\") != name.npos) {
    return bad_name("must not hold / or \\");
  }
  if (std::any_of(name.begin(), name.end(), is_control)) {
    return bad_name("must not hold control characters");
  }
  if (!is_valid_utf8(name)) return bad_name("must be valid UTF-8");
  return {};
}

Status missing_collection(std::string_view name) {
  return Status::not_found("Collection `" + std::string(name) +
                           "` doesn't exist!");
}

Status validate_collection_options(const CollectionOptions& options) {
  if (options.dimension == 0 || options.dimension > kMaxDimension) {
    return Status::invalid_field(
        "dimension",
        out_of_range(options.dimension,
                     "from 1 to " + std::to_string(kMaxDimension)));
  }
  return {};
}

Status validate_finite(VectorView vector, std::string_view what) {
  const auto bad = std::find_if(vector.begin(), vector.end(), [](float value) {
    return !std::isfinite(value);
  });
  if (bad == vector.end()) return {};
  return Status::invalid_argument(std::string(what) + "[" +
                                  std::to_string(bad - vector.begin()) +
                                  "] is not a finite float32");
}

Status validate_vector(VectorView vector, std::size_t dimension, Metric metric,
                       std::string_view what) {
  if (vector.size() != dimension) {
    return Status::invalid_argument(
        std::string(what) + ": Vector dimension error: expected dim: " +
        std::to_string(dimension) + ", got " + std::to_string(vector.size()));
  }
  Status finite = validate_finite(vector, what);
  if (!finite.ok()) return finite;
  if (metric == Metric::cosine && is_zero(vector)) {
    return Status::invalid_argument(
        std::string(what) +
        ": a zero vector has no direction, cosine cannot compare it");
  }
  return {};
}

Status validate_positive_count(std::string_view field, std::uint64_t value) {
  if (value == 0) {
    return Status::invalid_field(std::string(field),
                                 out_of_range(value, "1 or larger"));
  }
  if (value > kMaxCount) {
    return Status::invalid_field(
        std::string(field),
        out_of_range(value, std::to_string(kMaxCount) + " or smaller"));
  }
  return {};
}

Status validate_query_options(const QueryOptions& options) {
  Status count = validate_positive_count("top_k", options.top_k);
  if (!count.ok()) return count;
  if (!options.filter.empty()) {
    return Status::invalid_field("filter", "is not supported yet");
  }
  if (options.offset > kMaxCount) {
    return Status::invalid_field(
        "offset", out_of_range(options.offset,
                               std::to_string(kMaxCount) + " or smaller"));
  }
  if (options.threads < 1 || options.threads > kMaxThreads) {
    return Status::invalid_field(
        "threads", out_of_range(options.threads,
                                "from 1 to " + std::to_string(kMaxThreads)));
  }
  if (options.score_threshold && !std::isfinite(*options.score_threshold)) {
    return Status::invalid_field("score_threshold", "must be finite");
  }
  return {};
}

Status validate_batch_size(std::string_view field, std::size_t size,
                           std::size_t most) {
  if (size >= 1 && size <= most) return {};
  return Status::invalid_argument(
      std::string(field) + " has " + std::to_string(size) +
      " entries, must have 1 to " + std::to_string(most));
}

}  // namespace lamina
