// hnswlib is a header that uses the instructions of its includer's flags, so at
// its best it needs more than our baseline. Only its own functions get them:
// given to the whole file they would reach templates of the standard library,
// whose copies from here the linker could keep for every other file, and the
// program would fail on an older CPU. Hence the C++ headers come first,
// without.
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <deque>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <list>
#include <mutex>
#include <queue>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "arms/build_meter.h"
#include "arms/peer.h"
#include "core/recall.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define LAMINA_HNSWLIB_AVX512 1
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")
// hnswlib's own switches; GCC 12 reads the pragma after the #ifdefs.
#define USE_AVX
#define USE_AVX512
#else
#define LAMINA_HNSWLIB_AVX512 0
#endif
#include <hnswlib/hnswlib.h>
#if LAMINA_HNSWLIB_AVX512
#pragma GCC pop_options
#endif

namespace lamina::bench {
namespace {

constexpr std::size_t kLinks = 16;  // M
constexpr std::size_t kBuildWidth = 200;
constexpr std::size_t kBuildThreads = 2;
constexpr std::array kRecalls{0.95, 0.99, 0.999};

bool cpu_can_run() {
#if LAMINA_HNSWLIB_AVX512
  return __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx2") &&
         __builtin_cpu_supports("fma");
#else
  return true;
#endif
}

struct Graph {
  explicit Graph(const NpyMatrix<float>& base)
      : space(base.columns), index(&space, base.rows, kLinks, kBuildWidth) {}

  hnswlib::InnerProductSpace space;
  hnswlib::HierarchicalNSW<float> index;
};

// Which links a graph gets depends on how the threads meet, so its recall
// varies a little from run to run.
void add_rows(const NpyMatrix<float>& base, std::atomic<std::size_t>* next,
              Graph* graph) {
  for (std::size_t row = (*next)++; row < base.rows; row = (*next)++)
    graph->index.addPoint(base.row(row), row);
}

std::shared_ptr<Graph> build_graph(const NpyMatrix<float>& base) {
  auto graph = std::make_shared<Graph>(base);
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::thread other([&] {
    try {
      add_rows(base, &next, graph.get());
    } catch (...) {
      failure = std::current_exception();
    }
  });
  try {
    add_rows(base, &next, graph.get());
  } catch (...) {
    other.join();
    throw;
  }
  other.join();
  if (failure) std::rethrow_exception(failure);
  return graph;
}

void search_graph(Graph* graph, std::size_t width, const float* query,
                  std::span<std::int64_t> rows) {
  graph->index.setEf(width);
  auto found = graph->index.searchKnn(query, kPeerK);  // Worst on top.
  for (std::size_t i = found.size(); i > 0; --i, found.pop())
    rows[i - 1] = static_cast<std::int64_t>(found.top().second);
}

double recall(const PeerData& data, Graph* graph, std::size_t width) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < data.unit_queries.rows; ++i) {
    std::array<std::int64_t, kPeerK> rows;
    rows.fill(-1);
    search_graph(graph, width, data.unit_queries.row(i), rows);
    found += true_answers(data.set, i, rows);
  }
  return static_cast<double>(found) /
         static_cast<double>(kPeerK * data.unit_queries.rows);
}

class HnswlibPeer : public Peer {
 public:
  HnswlibPeer(PeerInfo info, const NpyMatrix<float>& queries,
              std::shared_ptr<Graph> graph, std::size_t width)
      : Peer(std::move(info)),
        queries_(queries),
        graph_(std::move(graph)),
        width_(width) {}

  Status search(std::size_t first, std::span<std::int64_t> rows) override try {
    search_graph(graph_.get(), width_, queries_.row(first), rows);
    return {};
  } catch (const std::exception& error) {
    return Status::internal(std::string("hnswlib: ") + error.what());
  }

 private:
  const NpyMatrix<float>& queries_;
  std::shared_ptr<Graph> graph_;
  std::size_t width_;
};

std::string peer_name(double wanted) {
  char text[32];
  std::snprintf(text, sizeof text, "hnswlib %g", wanted);
  return text;
}

// Steps the width of the search up until each recall is met, so that every row
// is close to the fastest that meets it.
void add_widths(const PeerData& data, const std::shared_ptr<Graph>& graph,
                PeerInfo info, Peers* peers,
                std::vector<NotMeasured>* not_measured) {
  std::size_t width = kPeerK;
  double reached = recall(data, graph.get(), width);
  for (double wanted : kRecalls) {
    info.name = peer_name(wanted);
    while (reached < wanted && width < data.unit_base.rows) {
      width = std::min(width + 1 + width / 8, data.unit_base.rows);
      reached = recall(data, graph.get(), width);
    }
    if (reached < wanted) {
      not_measured->push_back(
          {info.name + " on " + data.set.name, "no ef reaches that recall"});
      continue;
    }
    info.note = "M=16, ef_construction=200, ef=" + std::to_string(width);
    peers->push_back(
        std::make_unique<HnswlibPeer>(info, data.unit_queries, graph, width));
  }
}

}  // namespace

Status add_hnswlib_peers(const PeerData& data, Peers* peers,
                         std::vector<NotMeasured>* not_measured) try {
  if (!cpu_can_run()) {
    not_measured->push_back(
        {"hnswlib on " + data.set.name,
         "it is compiled for AVX-512, which this CPU does not have"});
    return {};
  }
  PeerInfo info{.name = "", .build_threads = kBuildThreads};
  const BuildMeter meter;
  std::shared_ptr<Graph> graph = build_graph(data.unit_base);
  meter.stop(&info);
  add_widths(data, graph, info, peers, not_measured);
  return {};
} catch (const std::exception& error) {
  return Status::internal(std::string("hnswlib: ") + error.what());
}

}  // namespace lamina::bench
