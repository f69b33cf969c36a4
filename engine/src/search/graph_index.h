#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rows/row_table.h"
#include "search/flat_scan.h"
#include "search/graph.h"
#include "search/row_set.h"

namespace lamina::search {

// Which rows of a table are nodes of a graph, kept through every write. Rows
// whose vector is not linked yet are pending: a query scores each of them, so
// that it misses no point for being new. Nodes whose vector is gone are dead:
// walks go through them and they are in no answer.
//
// Thread safety: as the table's. Const calls may run concurrently; put(),
// erase() and publish() exclude everything but link(), which excludes only
// itself and publish().
class GraphIndex {
 public:
  // The code space is chosen from the first `sample_rows` rows put.
  GraphIndex(Metric metric, std::size_t dimension, const GraphOptions& options,
             std::size_t sample_rows);

  // The table's first `row_count` rows, all pending. Only when empty.
  void put_all(std::size_t row_count);

  // A row that is new, behind the last one, or has another vector.
  void put(rows::Row row);
  // A row was taken out, and the last one has its place.
  void erase(rows::Row row);

  // Rows that are nodes.
  std::size_t live_count() const { return rows_.size() - pending_count_; }
  std::size_t pending_count() const { return pending_count_; }
  std::size_t node_count() const { return node_rows_.size(); }
  std::size_t dead_count() const { return node_count() - live_count(); }

  // Linking takes three steps: take() copies the vectors of the pending rows
  // that came first, link() makes nodes of them, which takes long and holds up
  // nobody, publish() lets queries see them.
  struct Batch {
    std::vector<float> vectors;          // One behind the other
    std::vector<std::uint32_t> tickets;  // Of each
  };
  static constexpr std::size_t kBatchRows = 64;
  Batch take(const rows::RowTable& table) const;
  void link(const Batch& batch);
  // Returns what no reader uses any more, to be freed when nobody waits.
  std::unique_ptr<Graph> publish(const Batch& batch);

  // Answers a query by a walk that keeps the `ef` nearest nodes, and by scoring
  // the pending rows; scores are exact. With a filter only its rows count, and
  // the walk keeps as many nodes as it takes to find enough of them. False when
  // a scan would take less time or must decide; then `query` has no answer.
  bool search(const rows::RowTable& table, std::size_t ef, const RowSet* filter,
              FlatQuery* query) const;

  // For files: the graph, null when there is none, and of each node its row.
  const Graph* graph() const { return graph_.get(); }
  static constexpr rows::Row kNoRow = UINT32_MAX;
  std::span<const rows::Row> node_rows() const { return node_rows_; }
  // Takes over a graph and what its nodes stand for; all other rows become
  // pending. Only when empty.
  void adopt(std::unique_ptr<Graph> graph, std::vector<rows::Row> node_rows,
             std::size_t row_count);

 private:
  // What a row is: a node, or pending with a ticket. Tickets count up and wrap
  // around.
  static constexpr std::uint32_t kPending = 0x80000000u;

  void make_pending(rows::Row row);
  void forget(std::uint32_t state);
  rows::Row& pending_row(std::uint32_t state);
  void make_room(std::size_t nodes);
  std::size_t first_width(std::size_t ef, std::size_t linked) const;
  std::size_t collect(const CodedVector& query, std::size_t width,
                      const RowSet* filter,
                      std::vector<rows::Row>* found) const;
  void collect_pending(const RowSet* filter,
                       std::vector<rows::Row>* found) const;

  const Metric metric_;
  const std::size_t dimension_;
  const GraphOptions options_;
  const std::size_t sample_rows_;

  std::vector<std::uint32_t> rows_;   // State of each row
  std::vector<rows::Row> node_rows_;  // kNoRow when dead
  std::deque<rows::Row> pending_;     // In ticket order; kNoRow when gone
  std::uint32_t first_ticket_ = 0;    // Of pending_.front()
  std::size_t pending_count_ = 0;
  std::unique_ptr<Graph> graph_;  // Null until the first batch is published.
  std::unique_ptr<Graph> next_graph_;  // Of link(), with more room.
};

}  // namespace lamina::search
