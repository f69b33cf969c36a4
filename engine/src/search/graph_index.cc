#include "search/graph_index.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace lamina::search {
namespace {

constexpr std::size_t kFirstCapacity = 1024;

// Room for half as many again, so that copying costs little a node.
std::size_t grown_capacity(std::size_t capacity, std::size_t wanted) {
  return std::max({kFirstCapacity, wanted, capacity + capacity / 2});
}

}  // namespace

GraphIndex::GraphIndex(Metric metric, std::size_t dimension,
                       const GraphOptions& options, std::size_t sample_rows)
    : metric_(metric),
      dimension_(dimension),
      options_(options),
      sample_rows_(sample_rows) {}

void GraphIndex::put_all(std::size_t row_count) {
  assert(rows_.empty());
  rows_.resize(row_count);
  std::iota(rows_.begin(), rows_.end(), kPending);
  pending_.resize(row_count);
  std::iota(pending_.begin(), pending_.end(), rows::Row{0});
  pending_count_ = row_count;
}

void GraphIndex::adopt(std::unique_ptr<Graph> graph,
                       std::vector<rows::Row> node_rows,
                       std::size_t row_count) {
  assert(rows_.empty() && graph->size() == node_rows.size());
  graph_ = std::move(graph);
  node_rows_ = std::move(node_rows);
  rows_.resize(row_count, kPending);
  for (std::size_t node = 0; node < node_rows_.size(); ++node) {
    const rows::Row row = node_rows_[node];
    if (row != kNoRow) rows_[row] = static_cast<std::uint32_t>(node);
  }
  for (rows::Row row = 0; row < row_count; ++row) {
    if (rows_[row] == kPending) make_pending(row);
  }
}

void GraphIndex::put(rows::Row row) {
  if (row == rows_.size()) {
    rows_.push_back(0);
  } else {
    forget(rows_[row]);
  }
  make_pending(row);
}

void GraphIndex::erase(rows::Row row) {
  forget(rows_[row]);
  const std::uint32_t last = rows_.back();
  if (row + 1 != rows_.size()) {
    rows_[row] = last;
    ((last & kPending) != 0 ? pending_row(last) : node_rows_[last]) = row;
  }
  rows_.pop_back();
}

void GraphIndex::make_pending(rows::Row row) {
  const auto ticket =
      first_ticket_ + static_cast<std::uint32_t>(pending_.size());
  rows_[row] = kPending | ticket;
  pending_.push_back(row);
  ++pending_count_;
}

// Of a row whose vector is gone.
void GraphIndex::forget(std::uint32_t state) {
  if ((state & kPending) == 0) {
    node_rows_[state] = kNoRow;
    return;
  }
  pending_row(state) = kNoRow;
  --pending_count_;
}

rows::Row& GraphIndex::pending_row(std::uint32_t state) {
  return pending_[(state - first_ticket_) & ~kPending];
}

GraphIndex::Batch GraphIndex::take(const rows::RowTable& table) const {
  const std::size_t most =
      graph_ ? kBatchRows : std::max(sample_rows_, kBatchRows);
  Batch batch;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    if (batch.tickets.size() == most) break;
    if (pending_[i] == kNoRow) continue;
    const VectorView vector = table.vector(pending_[i]);
    batch.vectors.insert(batch.vectors.end(), vector.begin(), vector.end());
    batch.tickets.push_back(first_ticket_ + static_cast<std::uint32_t>(i));
  }
  return batch;
}

void GraphIndex::link(const Batch& batch) {
  const std::span<const float> vectors = batch.vectors;
  const std::size_t count = batch.tickets.size();
  if (count == 0) return;
  if (!graph_) {
    const std::size_t sample =
        std::min(std::max<std::size_t>(sample_rows_, 1), count);
    next_graph_ = std::make_unique<Graph>(
        options_,
        choose_code_space(metric_, dimension_,
                          vectors.first(sample * dimension_)),
        grown_capacity(0, count));
  } else if (graph_->size() + count > graph_->capacity()) {
    next_graph_ = std::make_unique<Graph>(
        *graph_, grown_capacity(graph_->capacity(), graph_->size() + count));
  }
  Graph& graph = next_graph_ ? *next_graph_ : *graph_;
  thread_local CodedVector coded;
  for (std::size_t i = 0; i < count; ++i) {
    graph.codes().code(vectors.subspan(i * dimension_, dimension_), &coded);
    graph.add(coded);
  }
}

std::unique_ptr<Graph> GraphIndex::publish(const Batch& batch) {
  // All the memory that is needed, before anything changes.
  const std::size_t nodes = node_rows_.size() + batch.tickets.size();
  if (nodes > node_rows_.capacity()) node_rows_.reserve(2 * nodes);
  std::unique_ptr<Graph> replaced;
  if (next_graph_) replaced = std::exchange(graph_, std::move(next_graph_));
  for (const std::uint32_t ticket : batch.tickets) {
    const rows::Row row = pending_row(ticket);
    const auto node = static_cast<std::uint32_t>(node_rows_.size());
    node_rows_.push_back(row);
    if (row == kNoRow) continue;  // Overwritten or deleted meanwhile.
    rows_[row] = node;
    --pending_count_;
  }
  if (batch.tickets.empty()) return replaced;
  const std::uint32_t done = batch.tickets.back() + 1 - first_ticket_;
  pending_.erase(pending_.begin(), pending_.begin() + done);
  first_ticket_ += done;
  return replaced;
}

}  // namespace lamina::search
