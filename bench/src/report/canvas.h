#pragma once

#include <string>
#include <string_view>

// What charts are drawn with.
namespace lamina::bench {

// How all charts share out their room.
inline constexpr double kWidth = 960.0;
inline constexpr double kLabelWidth = 225.0;
inline constexpr double kRightMargin = 80.0;
inline constexpr double kBarHeight = 18.0;
inline constexpr double kRowHeight = 30.0;

constexpr double us(double ns) { return ns / 1000.0; }

// One inline SVG. All positions are the chart's own pixels; colours are names
// of the page's CSS variables, line kinds names of its classes (html.cc), so
// that a chart follows light and dark. A `tip` shows under the mouse.
class Canvas {
 public:
  Canvas(double height, std::string_view title);

  void rect(double x, double y, double width, double height,
            std::string_view colour, std::string_view tip = "");
  void line(double x1, double y1, double x2, double y2, std::string_view kind);
  void dot(double x, double y, double radius, std::string_view colour);
  // `points`: "x,y x,y ...".
  void path(std::string_view points, std::string_view colour);
  // `anchor`: "start", "middle" or "end".
  void text(double x, double y, std::string_view words,
            std::string_view anchor = "start", bool soft = false);
  // A coloured square and its meaning; returns where the next one may stand.
  double key(double x, double y, std::string_view colour,
             std::string_view words);

  std::string take() { return svg_ + "</svg>\n"; }

  static std::string number(double value);

 private:
  std::string svg_;
};

// Maps [low, high] to the space between the labels and the right margin.
struct Scale {
  double low;
  double high;

  double x(double value) const {
    return kLabelWidth +
           (value - low) / (high - low) * (kWidth - kLabelWidth - kRightMargin);
  }
};

// A number as it stands at an axis.
std::string tick_text(double value);

// Vertical lines with figures under them.
void draw_axis(Canvas& canvas, const Scale& scale, double top, double bottom,
               std::string_view unit);

}  // namespace lamina::bench
