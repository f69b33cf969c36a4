#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/canvas.h"
#include "report/charts.h"

namespace lamina::bench {
namespace {

struct Strip {
  std::string label;
  std::string_view upper;
  std::string_view lower;
  std::string_view colour;
};

// [round][superblock] in microseconds.
std::vector<std::vector<double>> differences(const BenchResult& result,
                                             const Strip& strip) {
  const ArmResult& upper = *result.arm(strip.upper);
  const ArmResult& lower = *result.arm(strip.lower);
  std::vector<std::vector<double>> rounds;
  for (std::size_t r = 0; r < upper.block_p50_ns.size(); ++r) {
    std::vector<double>& round = rounds.emplace_back();
    for (std::size_t b = 0; b < upper.block_p50_ns[r].size(); ++b) {
      round.push_back(us(static_cast<double>(upper.block_p50_ns[r][b]) -
                         static_cast<double>(lower.block_p50_ns[r][b])));
    }
  }
  return rounds;
}

// The range that holds all but the wildest two percent of the dots.
Scale strip_scale(const std::vector<std::vector<std::vector<double>>>& strips) {
  std::vector<double> all;
  for (const auto& strip : strips) {
    for (const auto& round : strip)
      all.insert(all.end(), round.begin(), round.end());
  }
  std::sort(all.begin(), all.end());
  const auto at = [&](double share) {
    return all[static_cast<std::size_t>(share *
                                        static_cast<double>(all.size() - 1))];
  };
  const double low = std::min(at(0.01), 0.0);
  const double high = std::max(at(0.99), 0.0);
  const double margin = std::max((high - low) * 0.04, 0.1);
  return {low - margin, high + margin};
}

void draw_strip(Canvas& canvas, const Scale& scale, const Strip& strip,
                const std::vector<std::vector<double>>& rounds, double top,
                double height) {
  canvas.text(kLabelWidth - 10, top + height / 2.0 + 4, strip.label, "end");
  const double lane = height / static_cast<double>(rounds.size());
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    const double y = top + lane * (static_cast<double>(r) + 0.5);
    for (double value : rounds[r]) {
      if (value < scale.low || value > scale.high) continue;
      canvas.dot(scale.x(value), y, 2.2, strip.colour);
    }
    const double middle =
        scale.x(std::clamp(median(rounds[r]), scale.low, scale.high));
    canvas.line(middle, y - lane / 2.0, middle, y + lane / 2.0, "whisker");
  }
}

}  // namespace

std::string percentile_chart(const BenchResult& result) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kArms{
      {{"L0", "grey"},
       {"B0", "pink"},
       {"L1", "blue"},
       {"L4", "green"},
       {"L6", "red"},
       {"L7", "orange"}}};
  constexpr double kTop = 30.0;
  constexpr double kBottom = 330.0;
  // Up to p99.95, half a decade of 1 / (1 - p) after another.
  const auto tail = [](double p) { return -std::log10(1.0 - p); };
  const Scale scale{0.0, tail(0.9995)};
  double lowest = 1e300;
  double highest = 0.0;
  for (const auto& [id, colour] : kArms) {
    for (const auto& [p, ns] : result.arm(id)->curve) {
      lowest = std::min(lowest, us(static_cast<double>(ns)));
      highest = std::max(highest, us(static_cast<double>(ns)));
    }
  }
  lowest = std::log10(std::max(lowest, 0.01));
  highest = std::log10(std::max(highest, 0.02)) + 0.02;
  const auto y_of = [&](double value) {
    return kBottom - (std::log10(std::max(value, 0.01)) - lowest) /
                         (highest - lowest) * (kBottom - kTop);
  };
  Canvas canvas(kBottom + 40, "Time of a query over percentile");
  double x = kLabelWidth;
  for (const auto& [id, colour] : kArms)
    x = canvas.key(x, 14, colour,
                   result.arm(id)->id + " " + result.arm(id)->label);
  for (double decade = std::floor(lowest); decade <= highest; ++decade) {
    for (double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, decade);
      if (std::log10(value) < lowest || std::log10(value) > highest) continue;
      canvas.line(kLabelWidth, y_of(value), kWidth - kRightMargin, y_of(value),
                  "axis");
      canvas.text(kLabelWidth - 10, y_of(value) + 4, tick_text(value) + " us",
                  "end", true);
    }
  }
  constexpr std::array<std::pair<double, std::string_view>, 6> kTicks{
      {{0.0, "min"},
       {0.5, "p50"},
       {0.9, "p90"},
       {0.99, "p99"},
       {0.999, "p99.9"},
       {0.9995, "p99.95"}}};
  for (const auto& [p, words] : kTicks) {
    canvas.line(scale.x(tail(p)), kTop, scale.x(tail(p)), kBottom, "axis");
    canvas.text(scale.x(tail(p)), kBottom + 16, words, "middle", true);
  }
  for (const auto& [id, colour] : kArms) {
    std::string points;
    for (const auto& [p, ns] : result.arm(id)->curve) {
      points += Canvas::number(scale.x(tail(p))) + "," +
                Canvas::number(y_of(us(static_cast<double>(ns)))) + " ";
    }
    canvas.path(points, colour);
  }
  return canvas.take();
}

std::string strip_chart(const BenchResult& result) {
  const std::array<Strip, 6> strips{{
      {"A/A wire", "L4b", "L4", "grey"},
      {"A/A honest raw", "L6b", "L6", "grey"},
      {"A/A client", "L7b", "L7", "grey"},
      {"client - honest raw", "L7", "L6", "blue"},
      {"client - wire", "L7", "L4", "orange"},
      {"raw HTTP - wire", "L5", "L4", "red"},
  }};
  constexpr double kHeight = 64.0;
  constexpr double kGap = 14.0;
  std::vector<std::vector<std::vector<double>>> values;
  for (const Strip& strip : strips)
    values.push_back(differences(result, strip));
  const Scale scale = strip_scale(values);
  const double bottom =
      20.0 + (kHeight + kGap) * static_cast<double>(strips.size());
  Canvas canvas(bottom + 24, "Paired differences of every superblock");
  const double floor = us(result.noise_floor_ns);
  const double left = scale.x(std::max(-floor, scale.low));
  canvas.rect(left, 12, scale.x(std::min(floor, scale.high)) - left,
              bottom - 12, "band", "noise floor");
  draw_axis(canvas, scale, 12, bottom, "us");
  double top = 20.0;
  for (std::size_t i = 0; i < strips.size(); ++i) {
    draw_strip(canvas, scale, strips[i], values[i], top, kHeight);
    top += kHeight + kGap;
  }
  return canvas.take();
}

}  // namespace lamina::bench
