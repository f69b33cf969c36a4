#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/kernels.h"
#include "lamina/limits.h"
#include "lamina/options.h"
#include "rows/aligned_array.h"

namespace lamina::search {

// Links of a node on one level but the lowest, where there are twice as many.
inline constexpr std::size_t kMaxGraphLinks = kMaxHnswM;

// A vector of a graph, numbered in the order of adding.
using Node = std::uint32_t;

// How vectors become bytes, for every node of one graph. What the metric sees
// is kept: cosine compares vectors of length 1 by their distance, euclid by
// their distance, dot by their product. The first two do not change when all
// vectors are moved, so codes are of the difference to a common centre, which
// leaves the bytes to what tells vectors apart.
struct CodeSpace {
  Metric metric = Metric::cosine;
  std::size_t dimension = 0;
  // What values are multiplied with first, so that squares of very large ones
  // stay finite. Unused under cosine.
  double unit = 1.0;
  // padded(dimension) values; all zero under dot.
  std::vector<float> center{};
};

// The space that suits these vectors, one behind the other; never manhattan.
CodeSpace choose_code_space(Metric metric, std::size_t dimension,
                            std::span<const float> vectors);

// A coded vector that distances are taken from. Keeps its memory.
struct CodedVector {
  std::vector<std::int8_t> codes{};  // stride() values.
  std::int32_t code_offset = 0;
  float scale = 0.0f;
  float square = 0.0f;  // What scale * codes adds to a squared distance.
};

// The codes of a graph's nodes. Nothing moves or grows.
//
// Thread safety: put() of one node may run beside reads of others.
class NodeCodes {
 public:
  NodeCodes(CodeSpace space, std::size_t capacity);
  // A copy of the first `count` nodes with more room.
  NodeCodes(const NodeCodes& smaller, std::size_t count, std::size_t capacity);

  const CodeSpace& space() const { return space_; }

  // Codes a vector that has passed validate_vector().
  void code(VectorView vector, CodedVector* coded) const;
  // A node as it was coded.
  void read(Node node, CodedVector* coded) const;

  void put(Node node, const CodedVector& coded);

  // Starts to fetch what distances() will read.
  void prefetch(Node node) const {
    const std::uint8_t* row = codes_.get() + node * stride_;
    for (std::size_t j = 0; j < stride_; j += rows::kCacheLineBytes) {
      __builtin_prefetch(row + j);
    }
    __builtin_prefetch(&terms_[node]);
  }

  // Smaller is nearer: squared distances, or products with their sign changed.
  // At most kMostDistances at a time, one more than the longest list of links.
  void distances(const CodedVector& from, const Node* nodes, std::size_t count,
                 float* distances) const;
  static constexpr std::size_t kMostDistances = 2 * kMaxGraphLinks + 1;

  // For files: stride() bytes and one Terms a node.
  struct Terms {
    float scale;
    float square;
    std::int32_t code_offset;
  };
  std::size_t stride() const { return stride_; }
  std::span<std::uint8_t> raw_codes(std::size_t count) const {
    return {codes_.get(), count * stride_};
  }
  std::span<Terms> raw_terms(std::size_t count) const {
    return {terms_.get(), count};
  }

 private:
  void allocate(std::size_t capacity);

  CodeSpace space_;
  std::size_t stride_;
  float product_weight_;  // Of the product in a distance, with its sign.
  rows::AlignedArray<std::uint8_t> codes_;
  rows::AlignedArray<Terms> terms_;
  const kernels::KernelSet& kernels_ = kernels::active();
};

}  // namespace lamina::search
