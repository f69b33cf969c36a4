#include "types/validate.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "lamina/limits.h"
#include "types/datetime.h"
#include "types/filter_check.h"
#include "types/json_path.h"
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

Status validate_order_by(const OrderBy& order) {
  Status path = validate_path("order_by.key", order.key);
  if (!path.ok() || !order.start_from) return path;
  if (const auto* real = std::get_if<double>(&*order.start_from)) {
    if (!std::isfinite(*real)) {
      return Status::invalid_argument("order_by.start_from: must be finite");
    }
  }
  if (const auto* time = std::get_if<std::string>(&*order.start_from)) {
    if (!parse_datetime(*time)) {
      return Status::invalid_argument(
          "order_by.start_from: not a time by RFC 3339");
    }
  }
  return {};
}

Status validate_between(std::string_view field, std::uint64_t value,
                        std::uint64_t least, std::uint64_t most) {
  if (value >= least && value <= most) return {};
  return Status::invalid_field(
      std::string(field),
      out_of_range(value, "from " + std::to_string(least) + " to " +
                              std::to_string(most)));
}

Status validate_hnsw(const HnswOptions& options, Metric metric) {
  if (metric == Metric::manhattan) {
    return Status::invalid_field(
        "hnsw", "does not go with manhattan, which is scanned exactly");
  }
  Status valid = validate_between("hnsw.m", options.m, kMinHnswM, kMaxHnswM);
  if (!valid.ok()) return valid;
  return validate_between("hnsw.ef_construct", options.ef_construct, kMinHnswEf,
                          kMaxHnswEf);
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
  return options.hnsw ? validate_hnsw(*options.hnsw, options.metric) : Status();
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
  if (options.hnsw_ef) {
    Status ef = validate_between("hnsw_ef", *options.hnsw_ef, 1, kMaxHnswEf);
    if (!ef.ok()) return ef;
  }
  if (options.score_threshold && !std::isfinite(*options.score_threshold)) {
    return Status::invalid_field("score_threshold", "must be finite");
  }
  return validate_filter(options.filter);
}

Status validate_selector(const Selector& points) {
  if (const std::vector<PointId>* ids = points.ids(); ids != nullptr) {
    return validate_batch_size("points", ids->size(), kMaxBatchPoints);
  }
  if (points.filter()->empty() && !points.is_all()) {
    return Status::invalid_field(
        "filter", "has no conditions; all points must be asked for as such");
  }
  return validate_filter(*points.filter());
}

Status validate_path(std::string_view field, std::string_view path) {
  if (path.size() > kMaxPathBytes) {
    return Status::invalid_argument(
        std::string(field) + ": a path of " + std::to_string(path.size()) +
        " bytes, at most " + std::to_string(kMaxPathBytes) + " are allowed");
  }
  const Status parsed = JsonPath::parse(path).status();
  if (parsed.ok()) return {};
  return Status::invalid_argument(std::string(field) + ": " + parsed.message());
}

Status validate_scroll_options(const ScrollOptions& options) {
  Status status = validate_positive_count("limit", options.limit);
  if (status.ok()) status = validate_filter(options.filter);
  if (!status.ok() || !options.order_by) return status;
  if (options.offset) {
    return Status::invalid_argument(
        "offset does not go with order_by; start_from of order_by, and a "
        "filter that leaves out the ids seen with that value, lead to the next "
        "page");
  }
  return validate_order_by(*options.order_by);
}

Status validate_facet(std::string_view key, const FacetOptions& options) {
  Status status = validate_path("key", key);
  if (status.ok()) status = validate_positive_count("limit", options.limit);
  if (status.ok()) status = validate_filter(options.filter);
  return status;
}

Status validate_batch_size(std::string_view field, std::size_t size,
                           std::size_t most) {
  if (size >= 1 && size <= most) return {};
  return Status::invalid_argument(
      std::string(field) + " has " + std::to_string(size) +
      " entries, must have 1 to " + std::to_string(most));
}

}  // namespace lamina
