#include "search/node_codes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <utility>

#include "kernels/quantize.h"

namespace lamina::search {
namespace {

// Adding it to a code, and taking it off again, flips the top bit.
constexpr std::int32_t kCodeShift = 128;

double square(VectorView vector) {
  double sum = 0.0;
  for (const float value : vector) sum += double{value} * value;
  return sum;
}

// What a vector is multiplied with before its centre is taken off.
double factor_of(const CodeSpace& space, VectorView vector) {
  return space.metric == Metric::cosine ? 1.0 / std::sqrt(square(vector))
                                        : space.unit;
}

}  // namespace

CodeSpace choose_code_space(Metric metric, std::size_t dimension,
                            std::span<const float> vectors) {
  assert(metric != Metric::manhattan);
  CodeSpace space{.metric = metric, .dimension = dimension};
  space.center.assign(kernels::padded(dimension), 0.0f);
  const double largest = kernels::largest_magnitude(
      vectors.data(), vectors.size(), /*center=*/nullptr);
  if (largest > 0.0) space.unit = 1.0 / largest;
  if (metric == Metric::dot) return space;
  std::vector<double> sums(dimension, 0.0);
  const std::size_t count = vectors.size() / dimension;
  for (std::size_t i = 0; i < count; ++i) {
    const VectorView vector = vectors.subspan(i * dimension, dimension);
    const double factor = factor_of(space, vector);
    for (std::size_t j = 0; j < dimension; ++j) sums[j] += factor * vector[j];
  }
  for (std::size_t j = 0; j < dimension && count > 0; ++j) {
    space.center[j] = static_cast<float>(sums[j] / static_cast<double>(count));
  }
  return space;
}

NodeCodes::NodeCodes(CodeSpace space, std::size_t capacity)
    : space_(std::move(space)),
      stride_(kernels::padded(space_.dimension)),
      product_weight_(space_.metric == Metric::dot ? -1.0f : -2.0f) {
  allocate(capacity);
}

NodeCodes::NodeCodes(const NodeCodes& smaller, std::size_t count,
                     std::size_t capacity)
    : space_(smaller.space_),
      stride_(smaller.stride_),
      product_weight_(smaller.product_weight_) {
  allocate(capacity);
  std::ranges::copy(smaller.raw_codes(count), codes_.get());
  std::ranges::copy(smaller.raw_terms(count), terms_.get());
}

void NodeCodes::allocate(std::size_t capacity) {
  codes_ = rows::make_aligned_array<std::uint8_t>(capacity * stride_);
  terms_ = rows::make_aligned_array<Terms>(capacity);
}

void NodeCodes::code(VectorView vector, CodedVector* coded) const {
  coded->codes.resize(stride_);
  thread_local std::vector<float> padded;
  padded.assign(vector.begin(), vector.end());
  padded.resize(stride_, 0.0f);
  const kernels::Quantized quantized = kernels::quantize(
      {padded.data(), stride_, factor_of(space_, vector), space_.center.data()},
      coded->codes.data());
  coded->scale = quantized.scale;
  std::int32_t sum = 0;
  double code_square = 0.0;
  for (std::size_t j = 0; j < stride_; ++j) {
    const std::int32_t code = coded->codes[j];
    sum += code;
    code_square += code * code;
  }
  coded->code_offset = kCodeShift * sum;
  const double scale = quantized.scale;
  coded->square = space_.metric == Metric::dot
                      ? 0.0f
                      : static_cast<float>(scale * scale * code_square);
}

void NodeCodes::read(Node node, CodedVector* coded) const {
  coded->codes.resize(stride_);
  const std::uint8_t* row = codes_.get() + node * stride_;
  for (std::size_t j = 0; j < stride_; ++j) {
    coded->codes[j] = static_cast<std::int8_t>(row[j] ^ kCodeShift);
  }
  coded->scale = terms_[node].scale;
  coded->square = terms_[node].square;
  coded->code_offset = terms_[node].code_offset;
}

void NodeCodes::put(Node node, const CodedVector& coded) {
  std::uint8_t* row = codes_.get() + node * stride_;
  for (std::size_t j = 0; j < stride_; ++j) {
    row[j] = static_cast<std::uint8_t>(coded.codes[j] ^ kCodeShift);
  }
  terms_[node] = {coded.scale, coded.square, coded.code_offset};
}

void NodeCodes::distances(const CodedVector& from, const Node* nodes,
                          std::size_t count, float* distances) const {
  assert(count <= kMostDistances);
  std::int32_t dots[kMostDistances];
  const kernels::CodedRows rows = {.codes = codes_.get(), .stride = stride_};
  const kernels::CodedQuery query = {.codes = from.codes.data(),
                                     .code_offset = from.code_offset};
  kernels_.sum_listed(rows, query, nodes, count, dots);
  const float weight = product_weight_ * from.scale;
  for (std::size_t i = 0; i < count; ++i) {
    const Terms& terms = terms_[nodes[i]];
    distances[i] = from.square + terms.square +
                   weight * terms.scale * static_cast<float>(dots[i]);
  }
}

}  // namespace lamina::search
