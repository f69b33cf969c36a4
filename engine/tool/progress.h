#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace lamina::tool {

// Tells on stderr how far a long step is: a line that is drawn anew on a
// terminal, else a line every few seconds.
//
// Thread safety: one thread at a time.
class Progress {
 public:
  // `step` is what is being done: "importing". Nothing is told when `quiet`.
  Progress(std::string step, bool quiet);
  // Leaves the terminal with an empty line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `points` are done, which is `share` (0 to 1) of all. The first call says
  // where the step begins; its rate counts from there.
  void update(std::uint64_t points, double share);

  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  std::string line(std::uint64_t points, double share) const;

  std::string step_;
  bool quiet_;
  bool on_terminal_;
  bool drawn_ = false;
  bool begun_ = false;
  std::uint64_t first_points_ = 0;
  double first_share_ = 0.0;
  Clock::time_point begin_;
  Clock::time_point last_;  // When something was last told.
};

// "0:05", "12:34", "3:00:00".
std::string clock_text(double seconds);

}  // namespace lamina::tool
