// Answering a query from a graph and the rows that wait to join it.
#include <algorithm>
#include <utility>

#include "lamina/limits.h"
#include "search/exact_score.h"
#include "search/graph_index.h"
#include "search/query_coder.h"

namespace lamina::search {
namespace {

// Rows that a scan reads in the time that a walk takes to follow one node, and
// in the time that scoring one pending row takes. Measured at 100,000 rows of
// 384 values.
constexpr std::size_t kScanRowsPerStep = 60;
constexpr std::size_t kScanRowsPerScore = 6;

// A walk that keeps more costs more than a scan.
constexpr std::size_t kMostHits = kMaxHnswEf;

// So many pending rows are scored in any case.
constexpr std::size_t kFewPending = 2 * GraphIndex::kBatchRows;

// How far fetching runs ahead of scoring.
constexpr std::size_t kRowsAhead = 3;

void score(const rows::RowTable& table, std::span<const rows::Row> rows,
           FlatQuery* query) {
  thread_local QueryCoder coder;
  const kernels::KernelSet& kernels = kernels::active();
  coder.begin(table, query->vector, kernels);
  const ExactScorer scorer(table, coder.padded(), coder.length(), kernels);
  query->best.clear();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + kRowsAhead < rows.size()) scorer.prefetch(rows[i + kRowsAhead]);
    query->best.push_back({scorer(rows[i]), rows[i]});
  }
  keep_best(BetterRow(table), query->k, &query->best);
}

}  // namespace

bool GraphIndex::search(const rows::RowTable& table, std::size_t ef,
                        const RowSet* filter, FlatQuery* query) const {
  thread_local CodedVector coded;
  thread_local std::vector<rows::Row> found;
  const std::size_t matching =
      filter != nullptr ? filter->count() : rows_.size();
  if (!graph_ || query->k > kMostHits ||
      (pending_count_ > kFewPending &&
       pending_count_ * kScanRowsPerScore > matching)) {
    return false;
  }
  found.clear();
  collect_pending(filter, &found);
  const std::size_t pending = found.size();
  const std::size_t linked = matching - pending;
  const std::size_t wanted = std::min(query->k, linked);
  ef = std::max(ef, query->k);
  graph_->codes().code(query->vector, &coded);
  std::size_t met = 0;
  std::size_t width = first_width(ef, linked);
  while (linked > 0) {
    if (width > 2 * ef && width * kScanRowsPerStep > matching) return false;
    met += collect(coded, width, filter, &found);
    if (found.size() - pending >= wanted) break;
    // The nearest are dead, or the filter's rows lie elsewhere: look further.
    found.resize(pending);
    width *= 2;
  }
  score(table, found, query);
  query->stats = {.rows_scanned = met + pending,
                  .rows_refined = met + pending,
                  .rows_rescored = found.size(),
                  .by_graph = true};
  return true;
}

// As many nodes as hold `ef` that count, were those spread evenly.
std::size_t GraphIndex::first_width(std::size_t ef, std::size_t linked) const {
  const std::size_t width = linked == 0
                                ? ef
                                : ef * (node_count() / linked) +
                                      ef * (node_count() % linked) / linked;
  return std::max(width, ef);
}

// Returns how many nodes were met.
std::size_t GraphIndex::collect(const CodedVector& query, std::size_t width,
                                const RowSet* filter,
                                std::vector<rows::Row>* found) const {
  const Graph::Found walked = graph_->search(query, width);
  for (const NearNode& near : walked.nodes) {
    // A node that is not published is still a pending row.
    if (near.node() >= node_rows_.size()) continue;
    const rows::Row row = node_rows_[near.node()];
    if (row == kNoRow || (filter != nullptr && !filter->contains(row)))
      continue;
    found->push_back(row);
  }
  return walked.met;
}

void GraphIndex::collect_pending(const RowSet* filter,
                                 std::vector<rows::Row>* found) const {
  for (const rows::Row row : pending_) {
    if (row == kNoRow || (filter != nullptr && !filter->contains(row)))
      continue;
    found->push_back(row);
  }
}

}  // namespace lamina::search
