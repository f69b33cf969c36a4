#include "search/axis_query_coder.h"

#include <algorithm>
#include <cmath>

#include "kernels/quantize.h"
#include "search/slack.h"

namespace lamina::search {

const kernels::AxisQuery& AxisQueryCoder::code(const rows::AxisCodes& axes,
                                               Metric metric,
                                               const float* query,
                                               double factor) {
  const rows::Projection& projection = axes.projection();
  const rows::AxisCodes::Bounds& bounds = axes.bounds();
  const bool euclid = metric == Metric::euclid;
  codes_.resize(kernels::padded(projection.axis_count()));
  const rows::AxisCoded coded =
      projection.code(query, factor, /*from_the_mean=*/euclid, codes_.data());
  wide_.assign(codes_.begin(), codes_.end());
  std::int32_t sum = 0;
  for (const std::int8_t one : codes_) sum += one;

  // Euclid: -|q - x|^2 = 2 z.y - |y|^2 - |z|^2, z and y taken from the mean.
  // Cosine and dot: q.x = q.mean + q.y.
  const double times = euclid ? 2.0 : 1.0;
  const double length = std::sqrt(coded.square);
  double constant = -coded.square;
  double constant_error = coded.square * kFloatSlack;
  if (!euclid) {
    constant =
        kernels::active().dot(query, projection.mean(), projection.stride()) *
        factor;
    constant_error = std::fabs(constant) * kFloatSlack +
                     length * projection.mean_length() * kDoubleSlack;
  }
  const double missed = coded.residual + coded.rounding;
  coded_ = {
      .codes = codes_.data(),
      .wide = wide_.data(),
      .code_offset = 128 * sum,
      .scale = static_cast<float>(times) * coded.scale,
      .constant = static_cast<float>(constant),
      .base_error = kernels::round_up(constant_error +
                                      times * coded.norm * bounds.rounding *
                                          (1.0 + kFloatSlack) +
                                      kUnderflowSlack),
      .scale_weight =
          kernels::round_up(times * coded.norm * bounds.residual_per_scale *
                            (1.0 + 2.0 * kFloatSlack)),
      .norm_weight = kernels::round_up(
          times * (missed + coded.norm * kFloatSlack + length * kDoubleSlack) *
          (1.0 + 2.0 * kFloatSlack)),
      .rest_weight =
          kernels::round_up(times * (coded.rest + length * kDoubleSlack) *
                            (1.0 + 2.0 * kFloatSlack)),
      .bias_weight = static_cast<float>(kFloatSlack)};
  return coded_;
}

}  // namespace lamina::search
