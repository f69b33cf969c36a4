#include "engine/filter/filter_rows.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace lamina::test {

FilterRows::FilterRows(std::initializer_list<std::string_view> payloads,
                       std::size_t max_column_bytes)
    : rows_(1, Metric::dot), engine_(max_column_bytes) {
  for (const std::string_view payload : payloads) put(rows_.size(), payload);
}

void FilterRows::put(const PointId& id, std::string_view payload) {
  const float vector = 1.0f;
  const Result<Payload> checked = Payload::from_json(payload);
  REQUIRE_MESSAGE(checked.ok(), checked.status().to_string());
  rows_.put(id, {&vector, 1}, *checked, 1);
  engine_.put(rows_.find(id).value(), *checked);
}

void FilterRows::erase(const PointId& id) {
  const rows::Row row = rows_.find(id).value();
  rows_.erase(id);
  engine_.erase(row);
}

Result<filter::Matching> FilterRows::matching(const Filter& filter) const {
  return engine_.matching(filter, rows_);
}

std::vector<std::uint64_t> FilterRows::ids(const Filter& filter) const {
  const auto found = matching(filter);
  REQUIRE_MESSAGE(found.ok(), found.status().to_string());
  std::vector<std::uint64_t> ids;
  found->rows.for_each([&](std::size_t row) {
    ids.push_back(rows_.id(static_cast<rows::Row>(row)).number());
  });
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::string_view FilterRows::plan(const Filter& filter) const {
  return matching(filter).value().plan;
}

}  // namespace lamina::test
