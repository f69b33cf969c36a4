#include "report/canvas.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "report/table.h"

namespace lamina::bench {
namespace {

std::string tipped(std::string_view tag, std::string_view tip) {
  if (tip.empty()) return "/>\n";
  return "><title>" + escape_html(tip) + "</title></" + std::string(tag) +
         ">\n";
}

// 1, 2 or 5 times a power of ten: at most `most` of them fit `range`.
double tick_step(double range, double most) {
  const double rough = std::max(range / most, 1e-9);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10.0 * power;
}

}  // namespace

Canvas::Canvas(double height, std::string_view title) {
  svg_ = "<svg viewBox=\"0 0 " + number(kWidth) + " " + number(height) +
         "\" role=\"img\"><title>" + escape_html(title) + "</title>\n";
}

void Canvas::rect(double x, double y, double width, double height,
                  std::string_view colour, std::string_view tip) {
  svg_ += "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" +
          number(std::max(width, 0.0)) + "\" height=\"" + number(height) +
          "\" style=\"fill:var(--" + std::string(colour) + ")\"" +
          tipped("rect", tip);
}

void Canvas::line(double x1, double y1, double x2, double y2,
                  std::string_view kind) {
  svg_ += "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" +
          number(x2) + "\" y2=\"" + number(y2) + "\" class=\"" +
          std::string(kind) + "\"/>\n";
}

void Canvas::dot(double x, double y, double radius, std::string_view colour) {
  svg_ += "<circle cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"" +
          number(radius) + "\" style=\"fill:var(--" + std::string(colour) +
          ");fill-opacity:.55\"/>\n";
}

void Canvas::path(std::string_view points, std::string_view colour) {
  svg_ += "<polyline points=\"" + std::string(points) +
          "\" style=\"fill:none;stroke:var(--" + std::string(colour) +
          ");stroke-width:2\"/>\n";
}

void Canvas::text(double x, double y, std::string_view words,
                  std::string_view anchor, bool soft) {
  svg_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) +
          "\" text-anchor=\"" + std::string(anchor) + "\"" +
          (soft ? " class=\"soft\"" : "") + ">" + escape_html(words) +
          "</text>\n";
}

double Canvas::key(double x, double y, std::string_view colour,
                   std::string_view words) {
  rect(x, y - 10, 12, 12, colour);
  text(x + 18, y, words);
  return x + 40 + 6.6 * static_cast<double>(words.size());
}

std::string Canvas::number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string tick_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

// Vertical lines with figures under them.
void draw_axis(Canvas& canvas, const Scale& scale, double top, double bottom,
               std::string_view unit) {
  const double step = tick_step(scale.high - scale.low, 8.0);
  for (double tick = std::ceil(scale.low / step) * step;
       tick <= scale.high + step * 1e-6; tick += step) {
    const double value = std::abs(tick) < step * 1e-6 ? 0.0 : tick;
    canvas.line(scale.x(value), top, scale.x(value), bottom,
                value == 0.0 ? "zero" : "axis");
    canvas.text(scale.x(value), bottom + 15, tick_text(value), "middle", true);
  }
  canvas.text(kWidth - kRightMargin + 12, bottom + 15, unit, "start", true);
}

}  // namespace lamina::bench
