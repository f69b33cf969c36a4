#include "filter/column_cache.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "types/json_reader.h"

namespace lamina::filter {
namespace {

// Null when it takes more than `max_bytes`.
std::shared_ptr<Column> build_column(const JsonPath& path,
                                     const rows::RowTable& rows,
                                     std::size_t max_bytes) {
  auto column = std::make_shared<Column>(path);
  for (rows::Row row = 0; row < rows.size(); ++row) {
    // Payloads are checked when they come in.
    const JsonDocument payload =
        JsonDocument::parse(rows.payload(row).json()).value();
    column->put(row, payload.root());
    if (column->bytes() > max_bytes) return nullptr;
  }
  return column;
}

}  // namespace

std::shared_ptr<ColumnCache::Entry> ColumnCache::entry_for(
    const JsonPath& path) const {
  std::shared_ptr<Entry>& entry = entries_[path];
  if (entry == nullptr) entry = std::make_shared<Entry>();
  entry->last_use = ++use_;
  return entry;
}

std::shared_ptr<const Column> ColumnCache::find(
    const JsonPath& path, const rows::RowTable& rows) const {
  std::unique_lock lock(mutex_);
  const std::shared_ptr<Entry> entry = entry_for(path);
  if (entry->column != nullptr) return entry->column;
  limit();
  lock.unlock();

  // Readers that want the same column wait here for the first of them; those
  // that want another do not.
  const std::lock_guard building(entry->building);
  lock.lock();
  if (entry->column != nullptr) return entry->column;
  lock.unlock();
  if (rows.size() > entry->too_many_rows / 2 && entry->too_many_rows > 0) {
    return nullptr;
  }
  std::shared_ptr<Column> column = build_column(path, rows, max_bytes_);
  if (column == nullptr) {
    entry->too_many_rows = rows.size();
    return nullptr;
  }
  lock.lock();
  entry->column = column;
  entry->bytes = column->bytes();
  limit();
  return column;
}

ColumnCache::Entries::iterator ColumnCache::least_recently_used() const {
  auto oldest = entries_.end();
  for (auto at = entries_.begin(); at != entries_.end(); ++at) {
    if (at->second->is_index()) continue;
    if (oldest == entries_.end() ||
        at->second->last_use < oldest->second->last_use) {
      oldest = at;
    }
  }
  return oldest;
}

void ColumnCache::limit() const {
  std::size_t count = 0;
  std::size_t bytes = 0;
  for (const auto& [path, entry] : entries_) {
    if (entry->is_index()) continue;
    ++count;
    bytes += entry->bytes;
  }
  while (count > kMaxColumns || bytes > max_bytes_) {
    const auto oldest = least_recently_used();
    bytes -= oldest->second->bytes;
    --count;
    entries_.erase(oldest);
  }
}

void ColumnCache::put(rows::Row row, const Payload& payload) {
  const auto is_built = [](const auto& entry) {
    return entry.second->column != nullptr;
  };
  if (std::none_of(entries_.begin(), entries_.end(), is_built)) return;
  const JsonDocument document = JsonDocument::parse(payload.json()).value();
  for (const auto& [path, entry] : entries_) {
    if (entry->column == nullptr) continue;
    entry->column->put(row, document.root());
    entry->bytes = entry->column->bytes();
  }
  limit();
}

void ColumnCache::erase(rows::Row row) {
  for (const auto& [path, entry] : entries_) {
    if (entry->column == nullptr) continue;
    entry->column->erase(row);
    entry->bytes = entry->column->bytes();
  }
}

void ColumnCache::clear() { entries_.clear(); }

Result<ColumnCache::NewIndex> ColumnCache::make_index(
    std::string_view key, PayloadIndexType type,
    const rows::RowTable& rows) const {
  Result<JsonPath> path = JsonPath::parse(key);
  if (!path.ok()) {
    return Status::invalid_field("field_name", path.status().message());
  }
  {
    const std::lock_guard lock(mutex_);
    const auto known = entries_.find(*path);
    const bool is_new = known == entries_.end() || !known->second->is_index();
    if (is_new && indexes().size() == kMaxIndexes) {
      return Status::invalid_argument("the collection has " +
                                      std::to_string(kMaxIndexes) +
                                      " payload indexes, no more are allowed");
    }
  }
  constexpr auto kNoBound = std::numeric_limits<std::size_t>::max();
  std::shared_ptr<Column> column = build_column(*path, rows, kNoBound);
  column->create_index(type);
  return NewIndex{*std::move(path), std::string(key), std::move(column)};
}

void ColumnCache::set_index(NewIndex index) {
  const std::shared_ptr<Entry> entry = entry_for(index.path);
  entry->column = std::move(index.column);
  entry->bytes = entry->column->bytes();
  entry->index_key = std::move(index.key);
}

bool ColumnCache::drop_index(std::string_view key) {
  const Result<JsonPath> path = JsonPath::parse(key);
  if (!path.ok()) return false;
  const auto known = entries_.find(*path);
  if (known == entries_.end() || !known->second->is_index()) return false;
  entries_.erase(known);
  return true;
}

std::vector<PayloadIndexInfo> ColumnCache::indexes() const {
  std::vector<PayloadIndexInfo> indexes;
  for (const auto& [path, entry] : entries_) {
    if (!entry->is_index()) continue;
    indexes.push_back({.key = entry->index_key,
                       .type = *entry->column->index_type(),
                       .point_count = entry->column->indexed_rows()});
  }
  return indexes;
}

}  // namespace lamina::filter
