#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "listing/listing.h"
#include "listing/payload_values.h"
#include "types/filter_number.h"

namespace lamina::listing {
namespace {

// The values that match can compare with.
std::optional<where::Value> facet_value(const JsonValue& value) {
  switch (value.kind()) {
    case JsonKind::boolean:
      return value.boolean();
    case JsonKind::string:
      return std::string(value.string());
    case JsonKind::number:
      break;
    default:
      return std::nullopt;
  }
  const where::Number number = read_json_number(value.number());
  const auto* integer = std::get_if<std::int64_t>(&number);
  if (integer == nullptr) return std::nullopt;
  return *integer;
}

}  // namespace

std::vector<FacetHit> facet(const rows::RowTable& table,
                            const search::RowSet* matching,
                            std::string_view key, std::uint64_t limit) {
  const JsonPath path = JsonPath::parse(key).value();
  std::map<where::Value, std::uint64_t> counts;
  std::set<where::Value> of_row;  // A value counts once for a point.
  for_each_row(table, matching, [&](rows::Row row) {
    of_row.clear();
    for_each_value(table.payload(row), path, [&](const JsonValue& value) {
      std::optional<where::Value> counted = facet_value(value);
      if (counted) of_row.insert(*std::move(counted));
    });
    for (const where::Value& value : of_row) ++counts[value];
  });
  std::vector<FacetHit> hits;
  hits.reserve(counts.size());
  for (const auto& [value, count] : counts) hits.push_back({value, count});
  // Stable: equal counts stay by value.
  std::stable_sort(
      hits.begin(), hits.end(),
      [](const FacetHit& a, const FacetHit& b) { return a.count > b.count; });
  hits.resize(std::min<std::uint64_t>(limit, hits.size()));
  return hits;
}

}  // namespace lamina::listing
