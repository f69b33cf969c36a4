#include <algorithm>
#include <string>
#include <vector>

#include "report/canvas.h"
#include "report/charts.h"
#include "report/numbers.h"

namespace lamina::bench {
namespace {

std::vector<const Contrast*> family(const BenchResult& result,
                                    std::string_view name) {
  std::vector<const Contrast*> found;
  for (const Contrast& contrast : result.contrasts) {
    if (contrast.family == name) found.push_back(&contrast);
  }
  return found;
}

// One bar of the waterfall: what lies between two heights.
struct Fall {
  std::string label;
  double from;
  double to;
  const Contrast* step;
};

std::vector<Fall> waterfall_bars(const BenchResult& result) {
  const double first = us(static_cast<double>(result.arm("L0")->wall_ns.p50));
  const double whole = us(static_cast<double>(result.arm("L7")->wall_ns.p50));
  std::vector<Fall> bars{{"L0 kernel", 0.0, first, nullptr}};
  double height = first;
  for (const Contrast* step : family(result, "ladder")) {
    const std::string id = step->id.substr(0, step->id.find('-'));
    bars.push_back({"+ " + id + " " + result.arm(id)->label, height,
                    height + us(step->value), step});
    height += us(step->value);
  }
  bars.push_back({"non-additivity", height, whole, nullptr});
  bars.push_back({"L7 as measured", 0.0, whole, nullptr});
  return bars;
}

std::string fall_text(const BenchResult& result, const Fall& bar) {
  if (bar.step == nullptr)
    return microseconds((bar.to - bar.from) * 1000.0) + " us";
  return signed_microseconds(bar.step->value) + " us " +
         interval_text(bar.step->interval, bar.step->rounds.size()) + ", " +
         verdict(*bar.step, result);
}

void draw_fall(Canvas& canvas, const BenchResult& result, const Scale& scale,
               const Fall& bar, double y) {
  const double left = std::min(bar.from, bar.to);
  const double right = std::max(bar.from, bar.to);
  const char* colour = bar.step == nullptr    ? "grey"
                       : !bar.step->resolved  ? "sky"
                       : bar.step->value < 0. ? "green"
                                              : "orange";
  canvas.text(kLabelWidth - 10, y + 13, bar.label, "end");
  if (bar.step != nullptr) {
    // What lies within the band cannot be told from nothing.
    const double floor = us(bar.step->noise_floor_ns);
    const double left_end = scale.x(std::max(bar.from - floor, scale.low));
    const double right_end = scale.x(std::min(bar.from + floor, scale.high));
    canvas.rect(left_end, y - 4, right_end - left_end, kBarHeight + 8, "band",
                "noise floor");
  }
  canvas.rect(scale.x(left), y, std::max(scale.x(right) - scale.x(left), 1.5),
              kBarHeight, colour, fall_text(result, bar));
  double end = scale.x(right);
  if (bar.step != nullptr && bar.step->interval) {
    const double low = scale.x(bar.from + us(bar.step->interval->low));
    const double high = scale.x(bar.from + us(bar.step->interval->high));
    const double middle = y + kBarHeight / 2.0;
    canvas.line(low, middle, high, middle, "whisker");
    canvas.line(low, middle - 4, low, middle + 4, "whisker");
    canvas.line(high, middle - 4, high, middle + 4, "whisker");
    end = std::max(end, high);
  }
  const std::string words = bar.step == nullptr
                                ? microseconds((bar.to - bar.from) * 1000.0)
                                : signed_microseconds(bar.step->value);
  canvas.text(end + 8, y + 13, words);
}

}  // namespace

std::string waterfall_chart(const BenchResult& result) {
  const std::vector<Fall> bars = waterfall_bars(result);
  double highest = 0.0;
  for (const Fall& bar : bars) {
    highest = std::max({highest, bar.from, bar.to});
    if (bar.step != nullptr && bar.step->interval)
      highest = std::max(highest, bar.from + us(bar.step->interval->high));
  }
  const Scale scale{0.0, highest * 1.06};
  const double bottom = 40.0 + kRowHeight * static_cast<double>(bars.size());
  Canvas canvas(bottom + 24,
                "What each rung adds to one query, in microseconds");
  double x = canvas.key(kLabelWidth, 16, "orange", "adds, resolved");
  x = canvas.key(x, 16, "green", "saves, resolved");
  x = canvas.key(x, 16, "sky", "not resolved");
  canvas.key(x, 16, "band", "noise floor");
  draw_axis(canvas, scale, 30, bottom, "us");
  double y = 38.0;
  for (const Fall& bar : bars) {
    draw_fall(canvas, result, scale, bar, y);
    y += kRowHeight;
  }
  return canvas.take();
}

std::string cpu_chart(const BenchResult& result) {
  std::vector<const ArmResult*> arms;
  double highest = 1.0;
  for (const ArmResult& arm : result.arms) {
    // The harness and what is there twice tell nothing here.
    if (arm.id == "P0" || arm.id.size() > 2) continue;
    arms.push_back(&arm);
    highest = std::max(highest, us(arm.cpu.wall_ns));
  }
  const Scale scale{0.0, highest * 1.03};
  const double bottom = 40.0 + kRowHeight * static_cast<double>(arms.size());
  Canvas canvas(bottom + 24, "Client CPU, server CPU and dead time of a call");
  double x = canvas.key(kLabelWidth, 16, "blue", "client CPU");
  x = canvas.key(x, 16, "orange", "server CPU");
  canvas.key(x, 16, "grey", "dead: neither runs");
  draw_axis(canvas, scale, 30, bottom, "us");
  double y = 38.0;
  for (const ArmResult* arm : arms) {
    canvas.text(kLabelWidth - 10, y + 13, arm->id + " " + arm->label, "end");
    double at = 0.0;
    const auto part = [&](double ns, const char* colour, const char* what) {
      if (ns <= 0.0) return;
      canvas.rect(scale.x(at), y, scale.x(at + us(ns)) - scale.x(at),
                  kBarHeight, colour,
                  std::string(what) + " " + microseconds(ns) + " us");
      at += us(ns);
    };
    part(arm->cpu.client_ns, "blue", "client CPU");
    part(arm->cpu.server_ns, "orange", "server CPU");
    part(arm->cpu.dead_ns(), "grey", "dead");
    canvas.text(scale.x(at) + 8, y + 13, microseconds(arm->cpu.wall_ns));
    y += kRowHeight;
  }
  return canvas.take();
}

}  // namespace lamina::bench
