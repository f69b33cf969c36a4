#include <algorithm>
#include <string>

#include "report/canvas.h"
#include "report/charts.h"
#include "report/numbers.h"

namespace lamina::bench {

std::string writes_chart(const BenchResult& result) {
  double highest = us(static_cast<double>(result.fdatasync_ns.p50));
  for (const WriteResult& write : result.writes)
    highest = std::max(highest, us(static_cast<double>(write.wall_ns.p50)));
  const Scale scale{0.0, highest * 1.05};
  const double bottom = 40.0 +
                        24.0 * static_cast<double>(result.writes.size()) +
                        10.0 * static_cast<double>(result.writes.size() / 3);
  Canvas canvas(bottom + 24, "Median time of a write");
  double x = canvas.key(kLabelWidth, 16, "grey", "engine in process");
  x = canvas.key(x, 16, "red", "raw HTTP");
  x = canvas.key(x, 16, "blue", "lamina::Client");
  canvas.text(x, 16, "line: one fdatasync on this disk", "start", true);
  draw_axis(canvas, scale, 30, bottom, "us");
  double y = 38.0;
  for (std::size_t i = 0; i < result.writes.size(); ++i) {
    const WriteResult& write = result.writes[i];
    const auto median_ns = static_cast<double>(write.wall_ns.p50);
    if (write.arm == "engine")
      canvas.text(kLabelWidth - 10, y + 37, write.op + ", " + write.durability,
                  "end");
    canvas.rect(scale.x(0.0), y, scale.x(us(median_ns)) - scale.x(0.0),
                kBarHeight,
                write.arm == "engine" ? "grey"
                : write.arm == "raw"  ? "red"
                                      : "blue",
                write.arm + " " + microseconds(median_ns) + " us");
    canvas.text(scale.x(us(median_ns)) + 8, y + 13, microseconds(median_ns));
    y += write.arm == "client" ? 34.0 : 24.0;
  }
  const double sync = scale.x(us(static_cast<double>(result.fdatasync_ns.p50)));
  canvas.line(sync, 30, sync, bottom, "whisker");
  return canvas.take();
}

}  // namespace lamina::bench
