#include "point_table.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "lamina/limits.h"
#include "types/json_path.h"
#include "types/payload_edit.h"
#include "types/validate.h"

namespace lamina {
namespace {

template <class... Calls>
struct Overloaded : Calls... {
  using Calls::operator()...;
};
template <class... Calls>
Overloaded(Calls...) -> Overloaded<Calls...>;  // Clang 14 wants it said.

}  // namespace

PointTable::PointTable(std::size_t dimension, Metric metric)
    : rows_(dimension, metric) {
  rows_.end_change();
}

void PointTable::start_graph(const HnswOptions& options) {
  graph_ = std::make_unique<search::LiveGraph>(rows_, options);
}

void PointTable::clear() {
  graph_.reset();
  rows_.clear();
  filter_.clear();
}

void PointTable::put(std::span<const Point> points, std::uint64_t sequence) {
  for (const Point& point : points) put(point, sequence);
}

void PointTable::put(const Point& point, std::uint64_t sequence) {
  const std::optional<rows::Row> old = rows_.find(point.id);
  // The graph has no use for a vector that it knows.
  const bool same_vector =
      old && std::ranges::equal(rows_.vector(*old), point.vector);
  rows_.put(point.id, point.vector, point.payload, sequence);
  const rows::Row row = rows_.find(point.id).value();
  filter_.put(row, point.payload);
  if (graph_ && !same_vector) graph_->put(row);
}

void PointTable::erase(std::span<const PointId> ids) {
  for (const PointId& id : ids) {
    const std::optional<rows::Row> row = rows_.find(id);
    if (!row) continue;
    rows_.erase(id);
    filter_.erase(*row);
    if (graph_) graph_->erase(*row);
  }
}

void PointTable::set_payloads(std::vector<NewPayload> payloads,
                              std::uint64_t sequence) {
  for (NewPayload& fresh : payloads) {
    filter_.put(fresh.row, fresh.payload);
    rows_.set_payload(fresh.row, std::move(fresh.payload), sequence);
  }
}

Result<std::vector<PointTable::NewPayload>> PointTable::edited(
    const PayloadEdit& edit, std::span<const PointId> ids) const {
  const Result<PayloadEditor> editor = PayloadEditor::read(edit);
  if (!editor.ok()) return editor.status();
  std::vector<NewPayload> payloads;
  payloads.reserve(ids.size());
  for (const PointId& id : ids) {
    const std::optional<rows::Row> row = rows_.find(id);
    if (!row) {
      return Status::not_found("No point with id " + id.to_string() + " found");
    }
    Result<Payload> payload = editor->apply(rows_.payload(*row));
    if (!payload.ok()) {
      return Status::invalid_argument("point " + id.to_string() + ": " +
                                      payload.status().message());
    }
    payloads.push_back({*row, *std::move(payload)});
  }
  return payloads;
}

Status PointTable::check_index(std::string_view key) const {
  Status valid = validate_path("key", key);
  if (!valid.ok()) return valid;
  const std::vector<PayloadIndexInfo> known = indexes();
  const bool is_new = std::none_of(
      known.begin(), known.end(), [&](const PayloadIndexInfo& index) {
        return JsonPath::parse(index.key).value() ==
               JsonPath::parse(key).value();
      });
  if (!is_new || known.size() < kMaxPayloadIndexes) return {};
  return Status::invalid_argument("the collection has " +
                                  std::to_string(kMaxPayloadIndexes) +
                                  " payload indexes, no more are allowed");
}

Status PointTable::create_index(const storage::CreateIndexBody& index) {
  Status valid = check_index(index.key);
  if (valid.ok()) valid = filter_.create_index(index.key, index.type, rows_);
  return valid;
}

void PointTable::drop_index(std::string_view key) { filter_.drop_index(key); }

// Whether the row of a point is of that write or a later one.
bool PointTable::is_known(const PointId& id, std::uint64_t sequence) const {
  const std::optional<rows::Row> row = rows_.find(id);
  return row && rows_.version(*row) >= sequence;
}

Status PointTable::apply(std::uint64_t sequence,
                         const storage::RecordBody& body, std::uint64_t known) {
  const bool catching_up = sequence <= known;
  return std::visit(
      Overloaded{[&](const storage::UpsertBody& upsert) -> Status {
                   for (const Point& point : upsert.points) {
                     if (!catching_up || !is_known(point.id, sequence)) {
                       put(point, sequence);
                     }
                   }
                   return {};
                 },
                 [&](const storage::RemoveBody& remove) -> Status {
                   std::vector<PointId> ids = remove.ids;
                   if (catching_up) {
                     std::erase_if(ids, [&](const PointId& id) {
                       return is_known(id, sequence);
                     });
                   }
                   erase(ids);
                   return {};
                 },
                 [&](const storage::EditPayloadBody& edit) -> Status {
                   return apply_edit(sequence, edit.edit, edit.ids,
                                     catching_up);
                 },
                 [&](const storage::CreateIndexBody& index) -> Status {
                   return create_index(index);
                 },
                 [&](const storage::DropIndexBody& index) -> Status {
                   drop_index(index.key);
                   return {};
                 },
                 [](const storage::RowsBody&) -> Status {
                   return Status::data_loss("rows stand only in snapshots");
                 }},
      body);
}

Status PointTable::apply_edit(std::uint64_t sequence, const PayloadEdit& edit,
                              std::vector<PointId> ids, bool catching_up) {
  if (catching_up) {
    std::erase_if(ids, [&](const PointId& id) {
      return !rows_.find(id) || is_known(id, sequence);
    });
  }
  Result<std::vector<NewPayload>> fresh = edited(edit, ids);
  if (!fresh.ok()) return fresh.status();
  set_payloads(*std::move(fresh), sequence);
  return {};
}

Status PointTable::load(const storage::RecordBody& body) {
  if (const auto* index = std::get_if<storage::CreateIndexBody>(&body)) {
    return create_index(*index);
  }
  const auto* rows = std::get_if<storage::RowsBody>(&body);
  if (rows == nullptr) {
    return Status::data_loss("snapshots hold rows and indexes only");
  }
  for (std::size_t i = 0; i < rows->rows.points.size(); ++i) {
    put(rows->rows.points[i], rows->versions[i]);
  }
  return {};
}

std::uint64_t PointTable::live_bytes() const {
  return rows_.size() * storage::row_bytes(rows_.dimension()) +
         rows_.payload_bytes();
}

Result<std::vector<PointId>> PointTable::select(const Selector& points) const {
  if (points.ids() != nullptr) return *points.ids();
  search::RowSet rows = search::RowSet::all(rows_.size());
  if (!points.filter()->empty()) {
    Result<filter::Matching> found = matching(*points.filter());
    if (!found.ok()) return found.status();
    rows = std::move(found->rows);
  }
  const std::size_t count = rows.count();
  if (count > kMaxSelectedPoints) {
    return Status::invalid_argument(
        "the filter matches " + std::to_string(count) + " points, at most " +
        std::to_string(kMaxSelectedPoints) + " can be changed in one write");
  }
  std::vector<PointId> ids;
  ids.reserve(count);
  rows.for_each([&](std::size_t row) {
    ids.push_back(rows_.id(static_cast<rows::Row>(row)));
  });
  return ids;
}

}  // namespace lamina
