#include "progress.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "output.h"
#include "terminal.h"

namespace lamina::tool {
namespace {

constexpr std::chrono::milliseconds kTerminalInterval{100};
constexpr std::chrono::milliseconds kLineInterval{5000};

// Goes to the start of the line and clears it.
constexpr const char* kClearLine = "\r\x1b[K";

}  // namespace

Progress::Progress(std::string step, bool quiet)
    : step_(std::move(step)),
      quiet_(quiet),
      on_terminal_(stderr_is_terminal()),
      begin_(Clock::now()),
      last_(begin_) {}

Progress::~Progress() {
  if (drawn_) std::fputs(kClearLine, stderr);
}

void Progress::update(std::uint64_t points, double share) {
  if (!begun_) {
    begun_ = true;
    first_points_ = points;
    first_share_ = share;
  }
  const Clock::time_point now = Clock::now();
  if (quiet_ ||
      now - last_ < (on_terminal_ ? kTerminalInterval : kLineInterval)) {
    return;
  }
  last_ = now;
  const std::string text = line(points, share);
  if (on_terminal_) {
    std::fprintf(stderr, "%s%s", kClearLine, text.c_str());
    std::fflush(stderr);
    drawn_ = true;
  } else {
    std::fprintf(stderr, "%s\n", text.c_str());
  }
}

double Progress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

std::string Progress::line(std::uint64_t points, double share) const {
  const double elapsed = seconds();
  const double rate = static_cast<double>(points - first_points_) / elapsed;
  char percent[16];
  std::snprintf(percent, sizeof percent, "%5.1f %%", 100.0 * share);
  std::string text = step_ + " " + percent + ", " + with_commas(points) +
                     " points, " +
                     with_commas(static_cast<std::uint64_t>(rate)) + "/s";
  const double gained = share - first_share_;
  if (gained > 0.0) {
    text += ", " + clock_text(elapsed * (1.0 - share) / gained) + " left";
  }
  return text;
}

std::string clock_text(double seconds) {
  constexpr double kMost = 1e6;  // Some eleven days: no better guess.
  const int whole = static_cast<int>(std::min(seconds, kMost) + 0.5);
  char text[32];
  if (whole >= 3600) {
    std::snprintf(text, sizeof text, "%d:%02d:%02d", whole / 3600,
                  whole / 60 % 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%d:%02d", whole / 60, whole % 60);
  }
  return text;
}

}  // namespace lamina::tool
