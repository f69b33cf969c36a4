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
#include "arms/graph_peers.h"

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
      : space(base.columns),
        index(&space, base.rows, kGraphLinks, kGraphBuildWidth) {
    for (std::size_t row = 0; row < base.rows; ++row)
      index.addPoint(base.row(row), row);
  }

  Status search(const float* query, std::size_t width,
                std::span<std::int64_t> rows) try {
    index.setEf(width);
    auto found = index.searchKnn(query, kPeerK);  // Worst on top.
    for (std::size_t i = found.size(); i > 0; --i, found.pop())
      rows[i - 1] = static_cast<std::int64_t>(found.top().second);
    return {};
  } catch (const std::exception& error) {
    return Status::internal(std::string("hnswlib: ") + error.what());
  }

  hnswlib::InnerProductSpace space;
  hnswlib::HierarchicalNSW<float> index;
};

}  // namespace

Status add_hnswlib_peers(const PeerData& data, Peers* peers,
                         std::vector<NotMeasured>* not_measured) try {
  if (!cpu_can_run()) {
    not_measured->push_back(
        {"hnswlib on " + data.set.name,
         "it is compiled for AVX-512, which this CPU does not have"});
    return {};
  }
  PeerInfo info{.name = "hnswlib"};
  const BuildMeter meter;
  auto graph = std::make_shared<Graph>(data.unit_base);
  meter.stop(&info);
  const NpyMatrix<float>& queries = data.unit_queries;
  return add_graph_peers(
      data, info,
      [graph, &queries](std::size_t query, std::size_t width,
                        std::span<std::int64_t> rows) {
        return graph->search(queries.row(query), width, rows);
      },
      peers, not_measured);
} catch (const std::exception& error) {
  return Status::internal(std::string("hnswlib: ") + error.what());
}

}  // namespace lamina::bench
