#pragma once

#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <mutex>
#include <thread>

#include "rows/fair_shared_mutex.h"
#include "search/live_graph.h"

namespace lamina {

// Keeps a collection's graph up to date from a thread of its own. It holds the
// rows' lock only to copy a batch of vectors and to publish it, and keeps
// readers out only for the latter, some microseconds.
//
// Thread safety: all calls may run concurrently.
// Lifetime: graph and lock must outlive it; destruction waits for the batch
// that is being linked.
class GraphBuilder {
 public:
  // `file` is where the graph is kept; no path, no file.
  GraphBuilder(search::LiveGraph* graph, rows::FairSharedMutex* rows_mutex,
               std::filesystem::path file);
  ~GraphBuilder();
  GraphBuilder(const GraphBuilder&) = delete;
  GraphBuilder& operator=(const GraphBuilder&) = delete;

  // The file is no longer wanted.
  void forget_file();

  // There was a write.
  void wake();

  // Returns when all that was written before the call is linked, or memory ran
  // out and nothing more will be.
  void wait_until_idle();

 private:
  void run();
  void build();
  void give_up();
  bool build_batch();
  bool wait_for_work();
  void save();

  search::LiveGraph& graph_;
  rows::FairSharedMutex& rows_mutex_;
  std::size_t unsaved_nodes_ = 0;  // Of the thread

  std::mutex mutex_;  // Of what follows.
  std::filesystem::path file_;
  std::condition_variable changed_;
  bool work_ = true;
  bool idle_ = false;
  bool stop_ = false;
  bool gave_up_ = false;
  std::thread thread_;  // Last: it uses the rest.
};

}  // namespace lamina
