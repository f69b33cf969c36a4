#pragma once

#include <vector>

#include "lamina/payload.h"
#include "rows/row_table.h"
#include "search/row_set.h"
#include "types/json_path.h"
#include "types/json_reader.h"

namespace lamina::listing {

// Calls visit(row) for each row to look at.
template <class Visit>
void for_each_row(const rows::RowTable& table, const search::RowSet* matching,
                  const Visit& visit) {
  if (matching != nullptr) {
    matching->for_each(
        [&](std::size_t row) { visit(static_cast<rows::Row>(row)); });
    return;
  }
  for (std::size_t row = 0; row < table.size(); ++row) {
    visit(static_cast<rows::Row>(row));
  }
}

// Calls visit(value) for each value that stands at `path`; an array stands for
// its elements.
template <class Visit>
void for_each_value(const Payload& payload, const JsonPath& path,
                    const Visit& visit) {
  if (payload.empty()) return;
  const Result<JsonDocument> document = JsonDocument::parse(payload.json());
  if (!document.ok()) return;  // Cannot be: payloads are checked.
  std::vector<JsonValue> values;
  path.collect(document->root(), &values);
  for (const JsonValue& value : values) {
    if (value.kind() != JsonKind::array) {
      visit(value);
      continue;
    }
    for (const JsonValue& element : value.elements()) visit(element);
  }
}

}  // namespace lamina::listing
