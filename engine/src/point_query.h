#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "filter/filter_engine.h"
#include "lamina/options.h"
#include "lamina/result.h"
#include "lamina/results.h"
#include "point_table.h"
#include "search/flat_scan.h"

namespace lamina {

// What is asked of a PointTable: the options, and the rows that their filter
// lets pass, found once for any number of vectors.
//
// It keeps the rows as they are when it is prepared, and needs the table as it
// is only for that and for walking a graph.
//
// Lifetime: the table and the options must outlive it.
class PointQuery {
 public:
  // The options must have passed validate_query_options().
  //   invalid_argument: what the filter's evaluation says.
  //   unavailable: the table is broken.
  static Result<PointQuery> prepare(const PointTable& table,
                                    const QueryOptions& options);

  // On rows that were looked up before, for options without a filter.
  PointQuery(std::shared_ptr<const rows::RowView> view,
             const QueryOptions& options)
      : view_(std::move(view)), options_(options) {}

  // Whether the table must not be written to until the rows are found.
  bool walks_graph() const;

  // The rows that answer, best first, `excluded` left out. They are in memory
  // of the calling thread's, and stay until its next query.
  std::span<const search::ScoredRow> best_rows(
      VectorView vector, const PointId* excluded,
      search::FlatScanStats* stats = nullptr) const;

  std::vector<Hit> hits(std::span<const search::ScoredRow> rows) const;
  void write_hit(const search::ScoredRow& scored, Hit* hit) const;

  // The hits of each vector.
  std::vector<std::vector<Hit>> batch(
      std::span<const VectorView> vectors) const;

  QueryStats stats(const search::FlatScanStats& scan) const;

 private:
  PointQuery(const PointTable& table, const QueryOptions& options)
      : view_(table.rows().view()), graph_(table.graph()), options_(options) {}

  const rows::RowView& rows() const { return *view_; }

  std::size_t matching_count() const;
  search::FlatQuery flat_query(VectorView vector, bool excludes_one) const;
  void answer(std::span<search::FlatQuery> queries) const;
  bool walk(search::FlatQuery* query) const;
  void scan(std::span<search::FlatQuery> queries) const;
  bool passes(double score) const;
  std::string_view plan_of(const search::FlatScanStats& scan) const;
  // The part of an answer that the options leave.
  std::span<const search::ScoredRow> cut(search::FlatQuery* answered,
                                         const PointId* excluded) const;

  std::shared_ptr<const rows::RowView> view_;
  const search::LiveGraph* graph_ = nullptr;  // Null without one.
  const QueryOptions& options_;
  std::optional<filter::Matching> matching_;  // Absent without a filter.
};

}  // namespace lamina
