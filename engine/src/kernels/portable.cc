// The reference: plain loops that every CPU runs.
#include "kernels/kernels.h"
#include "kernels/select.inc"

namespace lamina::kernels {
namespace {

constexpr std::size_t kLanes = 16;

double fold(const double (&lanes)[kLanes]) {
  double sums[kLanes];
  for (std::size_t j = 0; j < kLanes; ++j) sums[j] = lanes[j];
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t j = 0; j < half; ++j) sums[j] += sums[j + half];
  }
  return sums[0];
}

double dot(const float* a, const float* b, std::size_t count) {
  double lanes[kLanes] = {};
  for (std::size_t i = 0; i < count; i += kLanes) {
    for (std::size_t j = 0; j < kLanes; ++j) {
      lanes[j] += double{a[i + j]} * double{b[i + j]};
    }
  }
  return fold(lanes);
}

double squared_distance(const float* a, const float* b, std::size_t count) {
  double lanes[kLanes] = {};
  for (std::size_t i = 0; i < count; i += kLanes) {
    for (std::size_t j = 0; j < kLanes; ++j) {
      const double difference = double{a[i + j]} - double{b[i + j]};
      lanes[j] += difference * difference;
    }
  }
  return fold(lanes);
}

std::int32_t dot_row(const std::uint8_t* row, const std::int16_t* query,
                     std::size_t stride) {
  std::int32_t sum = 0;
  for (std::size_t j = 0; j < stride; ++j) {
    sum += std::int32_t{row[j]} * std::int32_t{query[j]};
  }
  return sum;
}

std::size_t select_rows(const CodedRows& rows, const CodedQuery& query,
                        float threshold, Candidate* out) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::int32_t sum =
        dot_row(rows.codes + i * rows.stride, query.wide, rows.stride) -
        query.code_offset;
    count += select_row(rows, query, i, sum, threshold, out + count);
  }
  return count;
}

}  // namespace

const KernelSet portable = {"portable", select_rows, dot, squared_distance};

}  // namespace lamina::kernels
