#include "search/query_coder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/quantize.h"
#include "search/slack.h"

namespace lamina::search {
void QueryCoder::begin(const rows::RowView& table, VectorView query,
                       const kernels::KernelSet& kernels) {
  metric_ = table.metric();
  dimension_ = table.dimension();
  stride_ = table.stride();
  kernels_ = &kernels;
  if (capacity_ < stride_) {
    query_ = rows::make_aligned_array<float>(stride_);
    codes_ = rows::make_aligned_array<std::int8_t>(stride_);
    shifted_codes_ = rows::make_aligned_array<std::uint8_t>(stride_);
    capacity_ = stride_;
  }
  std::copy(query.begin(), query.end(), query_.get());
  std::fill(query_.get() + dimension_, query_.get() + stride_, 0.0f);
  length_ = std::sqrt(kernels.dot(query_.get(), query_.get(), stride_));
  factor_ = metric_ == Metric::cosine ? 1.0 / length_ : 1.0;
  if (larger_is_better(metric_)) code(nullptr);
}

const kernels::CodedQuery& QueryCoder::for_chunk(const rows::RowView& table,
                                                 rows::Row row) {
  const float* center = table.center(row);
  switch (metric_) {
    case Metric::cosine:
    case Metric::dot:
      shift_by(center, table.center_length(row));
      break;
    case Metric::euclid:
      move_to(center);
      break;
    case Metric::manhattan:
      snap_to(center, table.grid_step(row));
      break;
  }
  return coded_;
}

// Euclid: -|q - x|^2 = 2 z.y - |y|^2 - |z|^2, z and y taken from the centre.
void QueryCoder::move_to(const float* center) {
  const double square = code(center);
  coded_.constant = static_cast<float>(-square);
  // Differences of floats lose nothing that matters in double.
  coded_.base_error = kernels::round_up(square * kFloatSlack + kUnderflowSlack);
}

// Cosine and dot: q.x = q.center + q.y.
void QueryCoder::shift_by(const float* center, double center_length) {
  double constant = 0.0;
  if (center != nullptr) {
    constant = kernels_->dot(query_.get(), center, stride_) * factor_;
  }
  coded_.constant = static_cast<float>(constant);
  coded_.base_error = kernels::round_up(
      std::fabs(constant) * kFloatSlack +
      length_ * factor_ * center_length * kDoubleSlack + kUnderflowSlack);
}

// Manhattan: with z = s d + t and y = s c + r on one grid, the sum of |z - y|
// is s times the sum of |d - c|, but for the sums of |t| and |r|.
void QueryCoder::snap_to(const float* center, float grid_step) {
  const kernels::Quantized coded = kernels::quantize_on_grid(
      query_.get(), dimension_, center, grid_step, codes_.get());
  spread_codes();
  coded_ = {.codes = codes_.get(),
            .shifted = shifted_codes_.get(),
            .code_offset = 0,
            .scale = -1.0f,
            .constant = 0.0f,
            .base_error = kernels::round_up(
                double{coded.residual} * (1.0 + kFloatSlack) +
                double{coded.norm} * kFloatSlack + kUnderflowSlack),
            .norm_weight = static_cast<float>(kFloatSlack),
            .residual_weight = static_cast<float>(1.0 + kFloatSlack),
            .bias_weight = 0.0f};
}

// The codes in their other forms; returns their sum.
std::int32_t QueryCoder::spread_codes() {
  std::int32_t sum = 0;
  for (std::size_t j = 0; j < stride_; ++j) {
    shifted_codes_[j] = static_cast<std::uint8_t>(codes_[j] + 128);
    sum += codes_[j];
  }
  return sum;
}

// Returns |z|^2.
double QueryCoder::code(const float* center) {
  const kernels::Quantized coded =
      kernels::quantize({query_.get(), stride_, factor_, center}, codes_.get());
  const std::int32_t sum = spread_codes();
  const double times = metric_ == Metric::euclid ? 2.0 : 1.0;
  coded_ = {.codes = codes_.get(),
            .shifted = shifted_codes_.get(),
            .code_offset = 128 * sum,
            .scale = static_cast<float>(times) * coded.scale,
            .constant = 0.0f,
            .base_error = 0.0f,
            .norm_weight = kernels::round_up(
                times * (1.0 + kFloatSlack) *
                (double{coded.residual} + double{coded.norm} * kFloatSlack)),
            .residual_weight = kernels::round_up(
                times * std::sqrt(coded.square) * (1.0 + 2.0 * kFloatSlack)),
            .bias_weight = static_cast<float>(kFloatSlack)};
  return coded.square;
}

float QueryCoder::goodness_of(float score_threshold) const {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  // Two steps: one for rounding a score to float, one for rounding here.
  const float worse = larger_is_better(metric_) ? -kInfinity : kInfinity;
  const float limit =
      std::nextafter(std::nextafter(score_threshold, worse), worse);
  if (larger_is_better(metric_)) return limit;
  if (limit < 0.0f) return 0.0f;  // No distance is below zero.
  if (metric_ == Metric::manhattan) return -limit;
  return std::nextafter(static_cast<float>(-double{limit} * double{limit}),
                        -kInfinity);
}

}  // namespace lamina::search
