#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "lamina/options.h"
#include "search/graph_index.h"

namespace lamina::search {

// The graph index of a table, and its successor while one is being built
// because too many nodes are dead. Both are told of every write, so that the
// one can take the place of the other at any time.
//
// Thread safety: as GraphIndex; take(), link() and publish() are for one
// thread.
class LiveGraph {
 public:
  LiveGraph(const rows::RowTable& table, const HnswOptions& options);

  // As GraphIndex.
  void put(rows::Row row);
  void erase(rows::Row row);

  // Whether search() would look for an answer: an exact one is not asked for,
  // and the rows are many.
  bool has_a_say(const QueryOptions& options, const RowSet* filter) const;
  // As GraphIndex; false as well when has_a_say() is.
  bool search(const QueryOptions& options, const RowSet* filter,
              FlatQuery* query) const;

  // The next piece of work: needs the table to stay as it is. Empty when there
  // is nothing to do.
  GraphIndex::Batch take();
  // The long part: nothing needs to stay as it is.
  void link(const GraphIndex::Batch& batch);
  // Shows what was linked to queries: needs the table for itself. Returns what
  // is to be freed when nobody waits.
  struct Replaced {
    std::unique_ptr<Graph> graph;
    std::unique_ptr<GraphIndex> index;
  };
  Replaced publish(const GraphIndex::Batch& batch);

  const HnswOptions& options() const { return options_; }
  const rows::RowTable& table() const { return table_; }
  const GraphIndex& index() const { return *current_; }
  // Takes the place of an index that has linked nothing.
  void adopt(std::unique_ptr<GraphIndex> index);
  // An index without rows, as this one's.
  std::unique_ptr<GraphIndex> empty_index() const;
  // The highest version of any row put since, by which a file tells what
  // changed after it was written.
  std::uint64_t last_version() const { return last_version_; }

 private:
  bool must_be_replaced() const;

  const rows::RowTable& table_;
  const HnswOptions options_;
  std::unique_ptr<GraphIndex> current_;
  std::unique_ptr<GraphIndex> successor_;
  GraphIndex* at_work_ = nullptr;  // That take() took from.
  std::uint64_t last_version_ = 0;
};

}  // namespace lamina::search
