#include "graph_builder.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>

#include "graph_file.h"

namespace lamina {
namespace {

// A graph is written again once so many nodes are new, or one in kSavedShare.
constexpr std::size_t kFewUnsaved = 10'000;
constexpr std::size_t kSavedShare = 4;

}  // namespace

GraphBuilder::GraphBuilder(search::LiveGraph* graph,
                           rows::FairSharedMutex* rows_mutex,
                           std::filesystem::path file)
    : graph_(*graph),
      rows_mutex_(*rows_mutex),
      file_(std::move(file)),
      thread_([this] { run(); }) {}

GraphBuilder::~GraphBuilder() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void GraphBuilder::forget_file() {
  const std::lock_guard lock(mutex_);
  file_.clear();
}

void GraphBuilder::wake() {
  const std::lock_guard lock(mutex_);
  work_ = true;
  idle_ = gave_up_;
  changed_.notify_all();
}

void GraphBuilder::wait_until_idle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return idle_; });
}

void GraphBuilder::run() {
  try {
    build();
  } catch (const std::bad_alloc&) {
    give_up();
  } catch (const std::length_error&) {
    give_up();
  }
}

// A batch may be half linked. What is not published stays pending, so answers
// stay right; opening the collection anew begins anew.
void GraphBuilder::give_up() {
  const std::lock_guard lock(mutex_);
  gave_up_ = true;
  idle_ = true;
  changed_.notify_all();
}

void GraphBuilder::build() {
  while (wait_for_work()) {
    while (build_batch()) {
    }
    if (unsaved_nodes_ >
        std::max(kFewUnsaved, graph_.index().node_count() / kSavedShare)) {
      save();
    }
  }
  if (unsaved_nodes_ > 0) save();
}

// False when there is nothing left to do, or no time to do it.
bool GraphBuilder::build_batch() {
  {
    const std::lock_guard lock(mutex_);
    if (stop_) return false;
  }
  search::GraphIndex::Batch batch;
  {
    const auto reading = rows_mutex_.read_lock();
    batch = graph_.take();
  }
  if (batch.tickets.empty()) return false;
  graph_.link(batch);
  search::LiveGraph::Replaced replaced;
  {
    const auto writing = rows_mutex_.write_lock();
    replaced = graph_.publish(batch);
  }
  unsaved_nodes_ += batch.tickets.size();
  return true;
}

bool GraphBuilder::wait_for_work() {
  std::unique_lock lock(mutex_);
  if (!work_) {
    idle_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return work_ || stop_; });
  }
  work_ = false;
  return !stop_;
}

// A graph that cannot be kept costs building it anew, nothing else.
void GraphBuilder::save() {
  std::filesystem::path file;
  {
    const std::lock_guard lock(mutex_);
    file = file_;
  }
  if (!file.empty()) (void)save_graph(file, graph_, rows_mutex_);
  unsaved_nodes_ = 0;
}

}  // namespace lamina
