#include "lamina/options.h"

namespace lamina {

std::string_view to_string(Metric metric) {
  switch (metric) {
    case Metric::cosine:
      return "cosine";
    case Metric::dot:
      return "dot";
    case Metric::euclid:
      return "euclid";
    case Metric::manhattan:
      return "manhattan";
  }
  return "unknown";
}

bool larger_is_better(Metric metric) {
  return metric == Metric::cosine || metric == Metric::dot;
}

std::string_view to_string(Durability durability) {
  return durability == Durability::fsync ? "fsync" : "os";
}

std::string_view to_string(PayloadIndexType type) {
  switch (type) {
    case PayloadIndexType::keyword:
      return "keyword";
    case PayloadIndexType::integer:
      return "integer";
    case PayloadIndexType::floating:
      return "float";
    case PayloadIndexType::boolean:
      return "bool";
    case PayloadIndexType::datetime:
      return "datetime";
    case PayloadIndexType::uuid:
      return "uuid";
    case PayloadIndexType::text:
      return "text";
  }
  return "unknown";
}

}  // namespace lamina
