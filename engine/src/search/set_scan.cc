#include "search/set_scan.h"

#include <limits>
#include <utility>
#include <vector>

#include "search/refiner.h"

namespace lamina::search {
namespace {

// Rows beyond k that are scored rather than bounded first.
constexpr std::size_t kScoredExtra = 32;

// Rows of which one must match for looking at each match alone to cost less
// than scanning all: a row that lies apart costs as much as some in order.
constexpr std::size_t kApart = 6;

// Rows whose bounds are looked at before a threshold is renewed.
constexpr std::size_t kListRows = 256;

// Looks at the rows that match, and no other.
void scan_matching(const rows::RowView& table, const RowSet& matching,
                   std::size_t count, FlatQuery* query) {
  thread_local Refiner refiner;
  thread_local std::vector<std::uint32_t> listed;
  thread_local std::vector<kernels::Candidate> unbounded;
  refiner.begin(table, *query, kernels::active());
  const bool score_all =
      table.metric() == Metric::manhattan || count <= query->k + kScoredExtra;
  constexpr float kNoLimit = std::numeric_limits<float>::infinity();
  unbounded.clear();
  listed.clear();
  matching.for_each([&](std::size_t row) {
    const auto place = static_cast<std::uint32_t>(row);
    if (score_all) {
      unbounded.push_back({-kNoLimit, kNoLimit, place});
      return;
    }
    listed.push_back(place);
    if (listed.size() < kListRows) return;
    refiner.refine(0, &listed);
    listed.clear();
  });
  refiner.refine(0, &listed);
  refiner.score(&unbounded);
  std::swap(query->best, refiner.scored());
  query->stats = {.rows_scanned = 0,
                  .rows_refined = refiner.refined_count(),
                  .rows_rescored = query->best.size()};
  keep_best(BetterRow(table), query->k, &query->best);
}

}  // namespace

void set_scan(const rows::RowView& table, const RowSet& matching,
              std::span<FlatQuery> queries, std::size_t threads) {
  const std::size_t count = matching.count();
  if (count * kApart <= table.size()) {
    for (FlatQuery& query : queries) {
      scan_matching(table, matching, count, &query);
    }
    return;
  }
  for (FlatQuery& query : queries) query.matching = &matching;
  parallel_flat_scan(table, queries, threads);
}

}  // namespace lamina::search
