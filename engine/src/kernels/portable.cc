// The reference: plain loops that every CPU runs.
#include "kernels/encode.inc"
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

// Sums term(a[i], b[i]) over the lanes.
template <class Term>
double sum(const float* a, const float* b, std::size_t count, Term term) {
  double lanes[kLanes] = {};
  for (std::size_t i = 0; i < count; i += kLanes) {
    for (std::size_t j = 0; j < kLanes; ++j) {
      lanes[j] += term(double{a[i + j]}, double{b[i + j]});
    }
  }
  return fold(lanes);
}

double dot(const float* a, const float* b, std::size_t count) {
  return sum(a, b, count, [](double x, double y) { return x * y; });
}

double squared_distance(const float* a, const float* b, std::size_t count) {
  return sum(a, b, count, [](double x, double y) {
    const double difference = x - y;
    return difference * difference;
  });
}

double absolute_distance(const float* a, const float* b, std::size_t count) {
  return sum(a, b, count, [](double x, double y) {
    const double difference = x - y;
    return difference < 0.0 ? -difference : difference;
  });
}

struct DotSums {
  // The query is widened a piece at a time, once for the four rows.
  static void of(const std::uint8_t* const (&row)[4], const CodedQuery& query,
                 std::size_t stride, std::int32_t (&sums)[4]) {
    for (std::int32_t& sum : sums) sum = -query.code_offset;
    for (std::size_t j = 0; j < stride; j += kRowAlignment) {
      std::int16_t wide[kRowAlignment];
      for (std::size_t i = 0; i < kRowAlignment; ++i) {
        wide[i] = query.codes[j + i];
      }
      for (std::size_t r = 0; r < 4; ++r) {
        for (std::size_t i = 0; i < kRowAlignment; ++i) {
          sums[r] += std::int32_t{row[r][j + i]} * std::int32_t{wide[i]};
        }
      }
    }
  }
};

struct DifferenceSums {
  static void of(const std::uint8_t* const (&row)[4], const CodedQuery& query,
                 std::size_t stride, std::int32_t (&sums)[4]) {
    for (std::size_t r = 0; r < 4; ++r) {
      std::int32_t total = 0;
      for (std::size_t j = 0; j < stride; ++j) {
        const std::int32_t difference =
            std::int32_t{row[r][j]} - std::int32_t{query.shifted[j]};
        total += difference < 0 ? -difference : difference;
      }
      sums[r] = total;
    }
  }
};

// The sums of 16 rows. Each byte of a group has a sum of its own until the end,
// so that compilers make vectors of the loop.
void sum_group(const std::uint8_t* codes, const AxisQuery& query,
               std::size_t axis_count, std::int32_t (&sums)[kInterleavedRows]) {
  constexpr std::size_t kBytes = kInterleavedRows * kInterleavedAxes;
  std::int32_t parts[kBytes] = {};
  for (std::size_t j = 0; j < axis_count; j += kInterleavedAxes) {
    std::int16_t factors[kBytes];
    for (std::size_t i = 0; i < kBytes; i += kInterleavedAxes) {
      __builtin_memcpy(factors + i, query.wide + j,
                       kInterleavedAxes * sizeof(factors[0]));
    }
    const std::uint8_t* group = codes + j * kInterleavedRows;
    for (std::size_t i = 0; i < kBytes; ++i) {
      const auto code = static_cast<std::int16_t>(group[i]);
      parts[i] += std::int32_t{code} * std::int32_t{factors[i]};
    }
  }
  for (std::size_t r = 0; r < kInterleavedRows; ++r) {
    const std::int32_t* part = parts + r * kInterleavedAxes;
    sums[r] = part[0] + part[1] + part[2] + part[3] - query.code_offset;
  }
}

void bound_rows(const AxisRows& rows, const AxisQuery* queries,
                std::size_t query_count, float* const* uppers) {
  for (std::size_t i = 0; i < rows.count; i += kInterleavedRows) {
    const std::uint8_t* codes = rows.codes + i * rows.axis_count;
    for (std::size_t q = 0; q < query_count; ++q) {
      std::int32_t sums[kInterleavedRows];
      sum_group(codes, queries[q], rows.axis_count, sums);
      for (std::size_t r = 0; r < kInterleavedRows; ++r) {
        uppers[q][i + r] = upper_of(rows, queries[q], i + r, sums[r]);
      }
    }
  }
}

void project(const std::int16_t* axes, std::size_t axis_count,
             std::size_t stride, const float* values, float* out) {
  for (std::size_t i = 0; i < axis_count; ++i) {
    const std::int16_t* axis = axes + i * stride;
    float lanes[kLanes] = {};
    for (std::size_t j = 0; j < stride; j += kLanes) {
      for (std::size_t r = 0; r < kLanes; ++r) {
        lanes[r] += static_cast<float>(axis[j + r]) * values[j + r];
      }
    }
    float total = 0.0f;
    for (const float lane : lanes) total += lane;
    out[i] = total;
  }
}

void add_scaled(float a, const float* x, float* y, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) y[i] += a * x[i];
}

}  // namespace

const KernelSet portable = {"portable",
                            select_run<DotSums>,
                            select_run<DifferenceSums>,
                            select_listed<DotSums>,
                            sum_listed<DotSums>,
                            bound_rows,
                            select_above_each,
                            project,
                            extent,
                            encode,
                            add_scaled,
                            dot,
                            squared_distance,
                            absolute_distance};

}  // namespace lamina::kernels
