#include "search/live_graph.h"

#include <algorithm>
#include <utility>

namespace lamina::search {
namespace {

// The vectors that a code space is chosen from.
constexpr std::uint64_t kMostSampleRows = 1024;

// A graph of fewer nodes is not worth replacing.
constexpr std::size_t kFewNodes = 1024;

// Dead nodes are at most one in so many.
constexpr std::size_t kDeadShare = 4;

// So many pending rows of the current index go before its successor.
constexpr std::size_t kManyPending = 8 * GraphIndex::kBatchRows;

}  // namespace

LiveGraph::LiveGraph(const rows::RowTable& table, const HnswOptions& options)
    : table_(table), options_(options), current_(empty_index()) {
  current_->put_all(table.size());
  for (rows::Row row = 0; row < table.size(); ++row) {
    last_version_ = std::max(last_version_, table.version(row));
  }
}

// The sample does not depend on when building begins, so neither does the
// graph.
std::unique_ptr<GraphIndex> LiveGraph::empty_index() const {
  return std::make_unique<GraphIndex>(
      table_.metric(), table_.dimension(),
      GraphOptions{.m = options_.m, .ef_construct = options_.ef_construct},
      std::clamp<std::uint64_t>(options_.full_scan_threshold, 1,
                                kMostSampleRows));
}

void LiveGraph::put(rows::Row row) {
  current_->put(row);
  if (successor_) successor_->put(row);
  last_version_ = std::max(last_version_, table_.version(row));
}

void LiveGraph::erase(rows::Row row) {
  current_->erase(row);
  if (successor_) successor_->erase(row);
}

void LiveGraph::adopt(std::unique_ptr<GraphIndex> index) {
  current_ = std::move(index);
}

bool LiveGraph::has_a_say(const QueryOptions& options,
                          const RowSet* filter) const {
  const std::size_t rows = filter != nullptr ? filter->count() : table_.size();
  return !options.exact && rows > options_.full_scan_threshold;
}

bool LiveGraph::search(const QueryOptions& options, const RowSet* filter,
                       FlatQuery* query) const {
  if (!has_a_say(options, filter)) return false;
  const std::size_t ef = options.hnsw_ef.value_or(options_.ef_construct);
  return current_->search(table_, ef, filter, query);
}

bool LiveGraph::must_be_replaced() const {
  return current_->node_count() > kFewNodes &&
         current_->dead_count() * kDeadShare > current_->node_count();
}

GraphIndex::Batch LiveGraph::take() {
  at_work_ = current_.get();
  if (table_.size() <= options_.full_scan_threshold) return {};
  if (!successor_ && must_be_replaced()) {
    std::unique_ptr<GraphIndex> successor = empty_index();
    successor->put_all(table_.size());
    successor_ = std::move(successor);
  }
  if (successor_ && current_->pending_count() < kManyPending) {
    at_work_ = successor_.get();
  }
  return at_work_->take(table_);
}

void LiveGraph::link(const GraphIndex::Batch& batch) { at_work_->link(batch); }

LiveGraph::Replaced LiveGraph::publish(const GraphIndex::Batch& batch) {
  Replaced replaced;
  replaced.graph = at_work_->publish(batch);
  if (successor_ && successor_->pending_count() == 0) {
    replaced.index = std::exchange(current_, std::move(successor_));
  }
  return replaced;
}

}  // namespace lamina::search
