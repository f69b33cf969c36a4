#pragma once

#include <cstdint>
#include <filesystem>

#include "lamina/status.h"
#include "rows/fair_shared_mutex.h"
#include "search/live_graph.h"

// A graph kept beside a collection's log, so that opening need not build it
// again. It is a cache: what it says is checked, and what the log knows better
// is left out. docs/file-format.md specifies every byte.
namespace lamina {

// Writes the graph's current index: to another file first, so that a crash
// leaves the old one or the new one. For the thread that builds. The rows' lock
// is taken for a few thousand nodes at a time.
Status save_graph(const std::filesystem::path& path,
                  const search::LiveGraph& graph,
                  rows::FairSharedMutex& rows_mutex);

// Puts what is in the file in place of `graph`'s index. Rows that changed after
// it was written become pending. `last_sequence` is that of the log: a file
// that knows more is of another history. On an error the graph is as before.
//   not_found: no such file.
//   data_loss: not what save_graph() wrote for such a collection.
Status load_graph(const std::filesystem::path& path,
                  std::uint64_t last_sequence, search::LiveGraph* graph);

}  // namespace lamina
