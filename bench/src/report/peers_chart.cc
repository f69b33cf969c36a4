#include <algorithm>
#include <cmath>

#include "report/canvas.h"
#include "report/numbers.h"
#include "report/peers.h"

namespace lamina::bench {
namespace {

constexpr double kTop = 30.0;
constexpr double kRecallWidth = 40.0;  // Beside the bars, to the right

// All data sets of a run share the axis, so that their charts can be compared.
Scale decades(const PeersResult& result) {
  if (result.rows.empty()) return {0.0, 1.0};
  double low = result.rows.front().query_us_p50;
  double high = low;
  for (const PeerRow& row : result.rows) {
    low = std::min(low, row.query_us_p50);
    high = std::max(high, row.query_us_p50);
  }
  // Room for the shortest bar, and for the figure behind the longest.
  return {std::floor(std::log10(low / 1.5)), std::log10(high * 4.0)};
}

void draw_decades(Canvas& canvas, const Scale& scale, double bottom) {
  for (double power = scale.low; power <= scale.high; power += 1.0) {
    const double x = scale.x(power);
    canvas.line(x, kTop, x, bottom, power == scale.low ? "zero" : "axis");
    canvas.text(x, bottom + 15, tick_text(std::pow(10.0, power)), "middle",
                true);
  }
  canvas.text(scale.x(scale.high), bottom + 15, "us", "start", true);
}

std::string_view colour(const PeerRow& row) {
  if (row.name.starts_with("hnswlib")) return "green";
  if (row.name.starts_with("faiss")) return "orange";
  if (row.name.starts_with("openblas")) return "grey";
  return "blue";
}

}  // namespace

std::string peers_chart(const PeersResult& result, const PeerDataInfo& data) {
  const auto count = static_cast<double>(
      std::count_if(result.rows.begin(), result.rows.end(),
                    [&](const PeerRow& row) { return row.data == data.name; }));
  const double bottom = kTop + 8 + 24.0 * count;
  const Scale scale = decades(result);
  Canvas canvas(bottom + 24, "Time of a query on " + data.name);
  double x = canvas.key(kLabelWidth, 16, "blue", "Lamina");
  x = canvas.key(x, 16, "orange", "FAISS");
  x = canvas.key(x, 16, "grey", "OpenBLAS");
  canvas.key(x, 16, "green", "hnswlib, approximate");
  canvas.text(kWidth - kRecallWidth / 2, 16, "recall@10", "end", true);
  draw_decades(canvas, scale, bottom);
  double y = kTop + 8;
  for (const PeerRow& row : result.rows) {
    if (row.data != data.name) continue;
    const std::string time = microseconds(row.query_us_p50 * 1000.0);
    const double end = scale.x(std::log10(row.query_us_p50));
    canvas.text(kLabelWidth - 10, y + 13, row.name, "end");
    canvas.rect(scale.x(scale.low), y, end - scale.x(scale.low), kBarHeight,
                colour(row), row.name + " " + time + " us");
    canvas.text(end + 8, y + 13, time);
    canvas.text(kWidth - kRecallWidth / 2, y + 13,
                recall_text(row.recall_at_10), "end");
    y += 24.0;
  }
  return canvas.take();
}

}  // namespace lamina::bench
