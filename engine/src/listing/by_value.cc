#include <algorithm>
#include <optional>
#include <string>
#include <variant>

#include "listing/listing.h"
#include "listing/payload_values.h"
#include "types/datetime.h"
#include "types/filter_number.h"

namespace lamina::listing {
namespace {

// What rows are ordered by. Numbers come before times.
struct Key {
  bool is_time = false;
  where::Number value{};
};

struct Entry {
  Key key;
  rows::Row row;
};

std::partial_ordering compare_keys(const Key& a, const Key& b) {
  if (a.is_time != b.is_time) return a.is_time <=> b.is_time;
  return compare(a.value, b.value);
}

std::optional<Key> time_key(std::string_view text) {
  const std::optional<std::int64_t> micros = parse_datetime(text);
  if (!micros) return std::nullopt;
  return Key{true, *micros};
}

std::optional<Key> key_of(const JsonValue& value) {
  if (value.kind() == JsonKind::number) {
    return Key{false, read_json_number(value.number())};
  }
  if (value.kind() == JsonKind::string) return time_key(value.string());
  return std::nullopt;
}

std::optional<Key> start_of(const OrderBy& order) {
  if (!order.start_from) return std::nullopt;
  if (const auto* text = std::get_if<std::string>(&*order.start_from)) {
    return time_key(*text);
  }
  if (const auto* real = std::get_if<double>(&*order.start_from)) {
    return Key{false, *real};
  }
  return Key{false, std::get<std::int64_t>(*order.start_from)};
}

class Order {
 public:
  Order(const rows::RowTable& table, const OrderBy& order)
      : table_(table),
        is_descending_(order.direction == OrderBy::Direction::descending),
        start_(start_of(order)) {}

  bool lists(const Key& key) const {
    if (!start_) return true;
    return key.is_time == start_->is_time && !precedes(key, *start_);
  }

  bool operator()(const Entry& a, const Entry& b) const {
    if (precedes(a.key, b.key)) return true;
    if (precedes(b.key, a.key)) return false;
    return table_.id(a.row) < table_.id(b.row);
  }

 private:
  bool precedes(const Key& a, const Key& b) const {
    return is_descending_ ? compare_keys(b, a) < 0 : compare_keys(a, b) < 0;
  }

  const rows::RowTable& table_;
  bool is_descending_;
  std::optional<Key> start_;
};

}  // namespace

std::vector<OrderedRow> rows_by_value(const rows::RowTable& table,
                                      const search::RowSet* matching,
                                      const OrderBy& order_by,
                                      std::uint64_t count) {
  const Order order(table, order_by);
  const JsonPath path = JsonPath::parse(order_by.key).value();
  std::vector<Entry> entries;
  for_each_row(table, matching, [&](rows::Row row) {
    for_each_value(table.payload(row), path, [&](const JsonValue& value) {
      const std::optional<Key> key = key_of(value);
      if (key && order.lists(*key)) entries.push_back({*key, row});
    });
  });
  const std::size_t listed = std::min<std::uint64_t>(count, entries.size());
  std::partial_sort(entries.begin(),
                    entries.begin() + static_cast<std::ptrdiff_t>(listed),
                    entries.end(), order);
  std::vector<OrderedRow> ordered;
  ordered.reserve(listed);
  for (std::size_t i = 0; i < listed; ++i) {
    ordered.push_back({entries[i].row, entries[i].key.value});
  }
  return ordered;
}

}  // namespace lamina::listing
