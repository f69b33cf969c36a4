#include <array>
#include <cassert>

#include "experiments/peers.h"

namespace lamina::bench {
namespace {

struct Pair {
  std::string_view name;
  std::string_view over;
};

constexpr std::array kPairs{
    Pair{"lamina flat", "openblas sgemv"},
    Pair{"lamina flat", "faiss flat"},
    Pair{"lamina flat", "hnswlib 0.95"},
    Pair{"lamina flat", "hnswlib 0.99"},
    Pair{"lamina flat", "hnswlib 0.999"},
    Pair{"lamina hnsw 0.95", "hnswlib 0.95"},
    Pair{"lamina hnsw 0.99", "hnswlib 0.99"},
    Pair{"lamina hnsw 0.999", "hnswlib 0.999"},
    Pair{"lamina hnsw 0.99", "faiss hnsw 0.99"},
    Pair{"lamina hnsw 0.99", "lamina flat"},
    Pair{"lamina flat batch 100", "openblas sgemm batch 100"},
    Pair{"lamina flat batch 100", "faiss flat batch 100"},
    Pair{"lamina flat batch 100", "lamina flat"},
    Pair{"lamina flat 2 threads", "lamina flat"},
    // What a filter costs, or saves.
    Pair{"lamina flat, 50 % match", "lamina flat"},
    Pair{"lamina flat, 10 % match", "lamina flat"},
    Pair{"lamina flat, 1 % match", "lamina flat"},
    Pair{"lamina flat, 0.1 % match", "lamina flat"},
    Pair{"lamina flat, 50 % match, indexed", "lamina flat"},
    Pair{"lamina flat, 10 % match, indexed", "lamina flat"},
    Pair{"lamina flat, 1 % match, indexed", "lamina flat"},
    Pair{"lamina flat, 0.1 % match, indexed", "lamina flat"},
    // What the collection adds to its scan, and what instructions are worth.
    Pair{"lamina flat", "lamina flat avx512vnni"},
    Pair{"lamina flat avx512", "lamina flat avx512vnni"},
    Pair{"lamina flat avx2", "lamina flat avx512vnni"},
    Pair{"lamina flat portable", "lamina flat avx512vnni"},
};

const PeerRow* find(const std::vector<PeerRow>& rows, std::string_view data,
                    std::string_view name) {
  for (const PeerRow& row : rows) {
    if (row.data == data && row.name == name) return &row;
  }
  return nullptr;
}

PeerRatio ratio_of(const PeerRow& row, const PeerRow& over) {
  assert(row.round_us_p50.size() == over.round_us_p50.size());
  std::vector<double> ratios;
  for (std::size_t r = 0; r < row.round_us_p50.size(); ++r)
    ratios.push_back(row.round_us_p50[r] / over.round_us_p50[r]);
  return {row.data, row.name, over.name, median(ratios),
          sign_interval(ratios, 0.95)};
}

}  // namespace

std::vector<PeerRatio> peer_ratios(const std::vector<PeerRow>& rows) {
  std::vector<PeerRatio> ratios;
  std::string_view data;
  for (const PeerRow& first : rows) {
    if (first.data == data) continue;  // Rows of a data set stand together.
    data = first.data;
    for (const Pair& pair : kPairs) {
      const PeerRow* row = find(rows, data, pair.name);
      const PeerRow* over = find(rows, data, pair.over);
      if (row != nullptr && over != nullptr)
        ratios.push_back(ratio_of(*row, *over));
    }
  }
  return ratios;
}

}  // namespace lamina::bench
