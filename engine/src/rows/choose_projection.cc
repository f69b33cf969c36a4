#include "rows/choose_projection.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "rows/row_table.h"

namespace lamina::rows {
namespace {

constexpr std::size_t kLeastDimension = 128;
constexpr std::size_t kMostDimension = 2048;

// Multiplications that finding the covariance may take: bounds the sample.
constexpr std::size_t kMostProducts = std::size_t{1} << 31;
constexpr std::size_t kMostSamples = 8192;
constexpr std::size_t kQueries = 32;
constexpr std::size_t kAxesStep = 32;

// The answer that costs are estimated for.
constexpr double kUsualTopK = 10.0;

// What coding coordinates to bytes adds to a bound, relative to both lengths.
constexpr double kCodingError = 0.015;

// Costs in bytes read in order: a row that the first stage leaves is read from
// somewhere else, at the price of three times its codes, and the projection is
// two bytes a value. Measured on the reference work.
constexpr double kApart = 3.0;
constexpr double kProjection = 2.0;

// The first stage must be expected to save this much.
constexpr double kWorthwhile = 0.85;

// Vectors with their coordinates along all axes and their squared lengths.
struct Sketch {
  Samples values;
  Samples coordinates;
  std::vector<double> squares;
};

std::size_t sample_count(const RowTable& table) {
  const std::size_t square = table.stride() * table.stride();
  return std::min({table.size(), kMostSamples, kMostProducts / square});
}

// Evenly spaced rows, as the scan codes them.
Samples sample_rows(const RowTable& table) {
  Samples samples = {{}, sample_count(table), table.stride()};
  samples.values.resize(samples.count * samples.stride);
  for (std::size_t i = 0; i < samples.count; ++i) {
    const auto row = static_cast<Row>(i * table.size() / samples.count);
    const double factor = table.code_factor(row);
    const float* values = table.padded_vector(row);
    std::transform(
        values, values + samples.stride, samples[i],
        [factor](float value) { return static_cast<float>(value * factor); });
  }
  return samples;
}

std::vector<float> take_mean_away(Samples* samples) {
  std::vector<double> sums(samples->stride, 0.0);
  for (std::size_t i = 0; i < samples->count; ++i) {
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += (*samples)[i][j];
  }
  std::vector<float> mean(samples->stride);
  for (std::size_t j = 0; j < sums.size(); ++j) {
    mean[j] = static_cast<float>(sums[j] / static_cast<double>(samples->count));
  }
  for (std::size_t i = 0; i < samples->count; ++i) {
    for (std::size_t j = 0; j < mean.size(); ++j) (*samples)[i][j] -= mean[j];
  }
  return mean;
}

double dot(const float* a, const float* b, std::size_t count) {
  return kernels::active().dot(a, b, count);
}

Sketch sketch_of(const Samples& values, const Samples& axes) {
  Sketch sketch = {values, {}, {}};
  sketch.coordinates = {std::vector<float>(values.count * axes.count),
                        values.count, axes.count};
  for (std::size_t i = 0; i < values.count; ++i) {
    for (std::size_t j = 0; j < axes.count; ++j) {
      sketch.coordinates[i][j] =
          static_cast<float>(dot(values[i], axes[j], values.stride));
    }
    sketch.squares.push_back(dot(values[i], values[i], values.stride));
  }
  return sketch;
}

// The goodness that a row must reach among the samples to be in the answer of a
// query of the whole table.
double threshold_of(std::vector<double> goodness, std::size_t table_size) {
  const double part =
      static_cast<double>(goodness.size()) / static_cast<double>(table_size);
  const auto rank = static_cast<std::ptrdiff_t>(std::clamp(
      std::ceil(kUsualTopK * part), 1.0, static_cast<double>(goodness.size())));
  std::nth_element(goodness.begin(), goodness.begin() + rank - 1,
                   goodness.end(), std::greater<>());
  return goodness[static_cast<std::size_t>(rank) - 1];
}

// Adds to left[c] the part of the rows that (c + 1) * kAxesStep axes leave to
// query `q`.
void count_left(const Sketch& rows, const Sketch& queries, std::size_t q,
                const RowTable& table, std::vector<double>* left) {
  const bool euclid = table.metric() == Metric::euclid;
  const double times = euclid ? 2.0 : 1.0;
  const std::size_t count = rows.values.count;
  std::vector<double> biases(count, 0.0);
  std::vector<double> goodness(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (euclid) biases[i] = -rows.squares[i];
    goodness[i] =
        times * dot(queries.values[q], rows.values[i], rows.values.stride) +
        biases[i];
  }
  const double threshold = threshold_of(goodness, table.size());
  for (std::size_t i = 0; i < count; ++i) {
    double product = 0.0;
    double query_square = 0.0;
    double row_square = 0.0;
    for (std::size_t c = 0; c < left->size(); ++c) {
      for (std::size_t j = c * kAxesStep; j < (c + 1) * kAxesStep; ++j) {
        const double a = queries.coordinates[q][j];
        const double b = rows.coordinates[i][j];
        product += a * b;
        query_square += a * a;
        row_square += b * b;
      }
      const double rests = std::max(queries.squares[q] - query_square, 0.0) *
                           std::max(rows.squares[i] - row_square, 0.0);
      const double error = std::sqrt(rests) +
                           kCodingError * std::sqrt(query_square * row_square);
      if (times * (product + error) + biases[i] >= threshold) {
        (*left)[c] += 1.0 / static_cast<double>(count * queries.values.count);
      }
    }
  }
}

// How many axes cost least; 0 when whole codes do.
std::size_t cheapest_count(const RowTable& table, const Sketch& rows,
                           const Sketch& queries, CodingRule rule) {
  std::vector<double> left(rows.coordinates.stride / kAxesStep, 0.0);
  for (std::size_t q = 0; q < queries.values.count; ++q) {
    count_left(rows, queries, q, table, &left);
  }
  const auto size = static_cast<double>(table.size());
  const auto bytes = static_cast<double>(table.stride());
  double least = rule == CodingRule::always
                     ? std::numeric_limits<double>::infinity()
                     : kWorthwhile * size * bytes;
  std::size_t best = 0;
  for (std::size_t c = 0; c < left.size(); ++c) {
    const auto axes = static_cast<double>((c + 1) * kAxesStep);
    const double cost =
        size * (axes + left[c] * kApart * bytes) + kProjection * axes * bytes;
    if (cost >= least) continue;
    least = cost;
    best = (c + 1) * kAxesStep;
  }
  return best;
}

// Some of the samples as queries: under euclid taken from the mean as rows are,
// else as they were before the mean was taken away.
Samples sample_queries(const Samples& samples, const std::vector<float>& mean,
                       Metric metric) {
  Samples queries = {{}, std::min(kQueries, samples.count), samples.stride};
  for (std::size_t q = 0; q < queries.count; ++q) {
    const float* values = samples[q * samples.count / queries.count];
    for (std::size_t j = 0; j < samples.stride; ++j) {
      const float shift = metric == Metric::euclid ? 0.0f : mean[j];
      queries.values.push_back(values[j] + shift);
    }
  }
  return queries;
}

}  // namespace

std::shared_ptr<const Projection> choose_projection(const RowTable& table,
                                                    CodingRule rule) {
  const std::size_t dimension = table.dimension();
  if (rule == CodingRule::never || table.metric() == Metric::manhattan ||
      dimension < kLeastDimension || dimension > kMostDimension) {
    return nullptr;
  }
  Samples samples = sample_rows(table);
  std::vector<float> mean = take_mean_away(&samples);
  const std::size_t most = dimension / 2 / kAxesStep * kAxesStep;
  Samples axes = principal_axes(samples, dimension, most);
  const Sketch rows = sketch_of(samples, axes);
  const Sketch queries =
      sketch_of(sample_queries(samples, mean, table.metric()), axes);
  axes.count = cheapest_count(table, rows, queries, rule);
  if (axes.count == 0) return nullptr;
  return std::make_shared<Projection>(std::move(mean), axes, dimension);
}

}  // namespace lamina::rows
