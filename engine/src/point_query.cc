#include "point_query.h"

#include <algorithm>
#include <utility>

#include "kernels/kernels.h"
#include "search/exact_score.h"
#include "search/set_scan.h"

namespace lamina {

Result<PointQuery> PointQuery::prepare(const PointTable& table,
                                       const QueryOptions& options) {
  PointQuery query(table, options);
  if (!query.view_) return Status::unavailable("the collection is broken");
  if (options.filter.empty()) return query;
  Result<filter::Matching> matching = table.matching(options.filter);
  if (!matching.ok()) return matching.status();
  query.matching_ = *std::move(matching);
  return query;
}

std::size_t PointQuery::matching_count() const {
  return matching_ ? matching_->rows.count() : rows().size();
}

search::FlatQuery PointQuery::flat_query(VectorView vector,
                                         bool excludes_one) const {
  // Each of the two is at most 2^63 - 1, so the sum cannot wrap.
  const std::uint64_t wanted = options_.top_k + options_.offset;
  const std::size_t k = std::min<std::uint64_t>(wanted, rows().size());
  return {.vector = vector,
          .k = k + (excludes_one ? 1 : 0),
          .score_threshold = options_.score_threshold};
}

// What a graph leaves undone is scanned, all of it at once.
void PointQuery::answer(std::span<search::FlatQuery> queries) const {
  while (!queries.empty() && walk(&queries.front())) {
    queries = queries.subspan(1);
  }
  if (!queries.empty()) scan(queries);
}

bool PointQuery::walks_graph() const {
  return graph_ != nullptr &&
         graph_->has_a_say(options_, matching_ ? &matching_->rows : nullptr);
}

bool PointQuery::walk(search::FlatQuery* query) const {
  return graph_ != nullptr &&
         graph_->search(options_, matching_ ? &matching_->rows : nullptr,
                        query);
}

void PointQuery::scan(std::span<search::FlatQuery> queries) const {
  if (matching_) {
    search::set_scan(rows(), matching_->rows, queries, options_.threads);
  } else {
    search::parallel_flat_scan(rows(), queries, options_.threads);
  }
}

bool PointQuery::passes(double score) const {
  if (!options_.score_threshold) return true;
  const float shown = search::to_user_score(score);
  return larger_is_better(rows().metric()) ? shown >= *options_.score_threshold
                                           : shown <= *options_.score_threshold;
}

std::span<const search::ScoredRow> PointQuery::cut(
    search::FlatQuery* answered, const PointId* excluded) const {
  std::vector<search::ScoredRow>& best = answered->best;
  if (excluded != nullptr) {
    std::erase_if(best, [&](const search::ScoredRow& scored) {
      return rows().id(scored.row) == *excluded;
    });
  }
  const auto end = std::partition_point(
      best.begin(), best.end(),
      [&](const search::ScoredRow& scored) { return passes(scored.score); });
  const auto passing = static_cast<std::size_t>(end - best.begin());
  const std::size_t begin = std::min<std::uint64_t>(options_.offset, passing);
  const std::size_t count =
      std::min<std::uint64_t>(options_.top_k, passing - begin);
  return std::span(best).subspan(begin, count);
}

std::span<const search::ScoredRow> PointQuery::best_rows(
    VectorView vector, const PointId* excluded,
    search::FlatScanStats* stats) const {
  // Keeps its memory from query to query, so that none need allocate.
  thread_local search::FlatQuery query;
  std::vector<search::ScoredRow> memory = std::move(query.best);
  query = flat_query(vector, excluded != nullptr);
  query.best = std::move(memory);
  answer({&query, 1});
  if (stats != nullptr) *stats = query.stats;
  return cut(&query, excluded);
}

std::vector<Hit> PointQuery::hits(
    std::span<const search::ScoredRow> rows) const {
  std::vector<Hit> hits(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) write_hit(rows[i], &hits[i]);
  return hits;
}

void PointQuery::write_hit(const search::ScoredRow& scored, Hit* hit) const {
  hit->id = rows().id(scored.row);
  hit->score = search::to_user_score(scored.score);
  hit->version = rows().version(scored.row);
  hit->vector.reset();
  hit->payload.reset();
  if (options_.with_vector) {
    const VectorView vector = rows().vector(scored.row);
    hit->vector.emplace(vector.begin(), vector.end());
  }
  if (options_.with_payload) hit->payload = rows().payload(scored.row);
}

std::vector<std::vector<Hit>> PointQuery::batch(
    std::span<const VectorView> vectors) const {
  std::vector<search::FlatQuery> queries;
  queries.reserve(vectors.size());
  for (const VectorView vector : vectors) {
    queries.push_back(flat_query(vector, false));
  }
  answer(queries);
  std::vector<std::vector<Hit>> lists;
  lists.reserve(vectors.size());
  for (search::FlatQuery& query : queries) {
    lists.push_back(hits(cut(&query, nullptr)));
  }
  return lists;
}

std::string_view PointQuery::plan_of(const search::FlatScanStats& scan) const {
  if (scan.by_graph) return "hnsw";
  if (scan.along_axes) return "flat, principal axes";
  return rows().has_centers() ? "flat, centred" : "flat";
}

QueryStats PointQuery::stats(const search::FlatScanStats& scan) const {
  return {.plan = plan_of(scan),
          .filter_plan = matching_ ? matching_->plan : std::string_view(),
          .kernel = kernels::active().name,
          .rows_matching = matching_count(),
          .rows_scanned = scan.rows_scanned,
          .rows_refined = scan.rows_refined,
          .rows_rescored = scan.rows_rescored};
}

}  // namespace lamina
