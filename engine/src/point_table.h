#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "filter/filter_engine.h"
#include "lamina/options.h"
#include "lamina/payload_edit.h"
#include "lamina/result.h"
#include "lamina/results.h"
#include "lamina/selector.h"
#include "rows/row_table.h"
#include "search/live_graph.h"
#include "storage/record_body.h"

namespace lamina {

// The points of a collection in memory: their rows, and what is kept beside
// these to find them by their payload. Writes are done in two steps: what can
// fail is prepared, then, once the log has it, applied.
//
// Thread safety: const calls may run concurrently; all else excludes
// everything.
class PointTable {
 public:
  // What a row's payload is to become.
  struct NewPayload {
    rows::Row row;
    Payload payload;
  };

  PointTable(std::size_t dimension, Metric metric);

  PointTable(const PointTable&) = delete;
  PointTable& operator=(const PointTable&) = delete;

  const rows::RowTable& rows() const { return rows_; }

  // For what is kept beside the vectors to make scans faster.
  rows::RowTable& rows() { return rows_; }

  // Keeps a graph of all vectors from here on.
  void start_graph(const HnswOptions& options);
  // Null when there is none.
  search::LiveGraph* graph() { return graph_.get(); }
  const search::LiveGraph* graph() const { return graph_.get(); }

  // Gives all memory back.
  void clear();

  void put(std::span<const Point> points, std::uint64_t sequence);
  void erase(std::span<const PointId> ids);
  void set_payloads(std::vector<NewPayload> payloads, std::uint64_t sequence);

  // What set_payloads() is to be given for an edit.
  //   not_found: one of the ids is not there.
  //   invalid_argument: the edit cannot be read, or a payload would leave its
  //   limits.
  Result<std::vector<NewPayload>> edited(const PayloadEdit& edit,
                                         std::span<const PointId> ids) const;

  // Whether an index on `key` can be made.
  //   invalid_argument: not a path, or kMaxPayloadIndexes are there.
  Status check_index(std::string_view key) const;
  // Builds one, beside queries. check_index() must have passed.
  Result<filter::FilterEngine::NewIndex> make_index(
      std::string_view key, PayloadIndexType type) const {
    return filter_.make_index(key, type, rows_);
  }
  void set_index(filter::FilterEngine::NewIndex index) {
    filter_.set_index(std::move(index));
  }
  void drop_index(std::string_view key);
  std::vector<PayloadIndexInfo> indexes() const { return filter_.indexes(); }

  // Does what a record of the log says. Up to `known` the table has, of some
  // points, later states already: these stay, and points may be missing that a
  // later record removes.
  //   As the calls above: no program of ours wrote such a record.
  Status apply(std::uint64_t sequence, const storage::RecordBody& body,
               std::uint64_t known);

  // Does what a record of a snapshot says.
  //   data_loss: no program of ours wrote such a record.
  Status load(const storage::RecordBody& body);

  // What the points would take in a snapshot.
  std::uint64_t live_bytes() const;

  //   invalid_argument: what validate_filter() says.
  Result<filter::Matching> matching(const Filter& filter) const {
    return filter_.matching(filter, rows_);
  }

  // The ids that a selector stands for; it must have passed
  // validate_selector(). Those of a list may not all be there.
  //   invalid_argument: more than kMaxSelectedPoints.
  Result<std::vector<PointId>> select(const Selector& points) const;

 private:
  void put(const Point& point, std::uint64_t sequence);
  bool is_known(const PointId& id, std::uint64_t sequence) const;
  Status create_index(const storage::CreateIndexBody& index);
  Status apply_edit(std::uint64_t sequence, const PayloadEdit& edit,
                    std::vector<PointId> ids, bool catching_up);

  rows::RowTable rows_;
  filter::FilterEngine filter_;
  std::unique_ptr<search::LiveGraph> graph_;
};

}  // namespace lamina
