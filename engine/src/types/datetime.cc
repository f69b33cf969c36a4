#include "types/datetime.h"

#include <chrono>

namespace lamina {
namespace {

constexpr std::int64_t kMicrosPerSecond = 1'000'000;
constexpr std::int64_t kSecondsPerDay = 86'400;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads a text from left to right; the first thing that is not as it must be
// makes all that follows fail.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool ok() const { return ok_; }
  bool at_end() const { return text_.empty(); }
  void fail() { ok_ = false; }

  // Exactly `count` digits, of a value from `least` to `most`.
  int number(std::size_t count, int least, int most) {
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i == text_.size() || !is_digit(text_[i])) return failed();
      value = value * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(count);
    return value < least || value > most ? failed() : value;
  }

  bool take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool take_letter(char lower) {
    return take(lower) || take(static_cast<char>(lower - 'a' + 'A'));
  }
  void require(char c) {
    if (!take(c)) fail();
  }

  // The digits behind a decimal point, as microseconds.
  std::int64_t fraction() {
    std::int64_t micros = 0;
    std::int64_t unit = kMicrosPerSecond / 10;
    if (text_.empty() || !is_digit(text_.front())) fail();
    while (!text_.empty() && is_digit(text_.front())) {
      micros += unit * (text_.front() - '0');
      unit /= 10;
      text_.remove_prefix(1);
    }
    return micros;
  }

 private:
  int failed() {
    ok_ = false;
    return 0;
  }

  std::string_view text_;
  bool ok_ = true;
};

std::int64_t read_days(Reader* reader) {
  const int year = reader->number(4, 0, 9999);
  reader->require('-');
  const int month = reader->number(2, 1, 12);
  reader->require('-');
  const int day = reader->number(2, 1, 31);
  const std::chrono::year_month_day date{
      std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
      std::chrono::day(static_cast<unsigned>(day))};
  if (!reader->ok() || !date.ok()) {
    reader->fail();
    return 0;
  }
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::int64_t read_micros_of_day(Reader* reader) {
  const int hour = reader->number(2, 0, 23);
  reader->require(':');
  const int minute = reader->number(2, 0, 59);
  std::int64_t micros = (hour * 60 + minute) * 60 * kMicrosPerSecond;
  if (!reader->take(':')) return micros;
  micros += reader->number(2, 0, 60) * kMicrosPerSecond;
  if (reader->take('.')) micros += reader->fraction();
  return micros;
}

// What to subtract to get UTC.
std::int64_t read_offset_seconds(Reader* reader) {
  if (reader->at_end() || reader->take_letter('z')) return 0;
  const bool west = reader->take('-');
  if (!west) reader->require('+');
  const int hours = reader->number(2, 0, 23);
  reader->take(':');
  const int minutes = reader->number(2, 0, 59);
  const std::int64_t seconds = (hours * 60 + minutes) * 60;
  return west ? -seconds : seconds;
}

}  // namespace

std::optional<std::int64_t> parse_datetime(std::string_view text) {
  Reader reader(text);
  const std::int64_t days = read_days(&reader);
  std::int64_t micros = days * kSecondsPerDay * kMicrosPerSecond;
  if (reader.ok() && !reader.at_end()) {
    if (!reader.take_letter('t')) reader.require(' ');
    micros += read_micros_of_day(&reader);
    micros -= read_offset_seconds(&reader) * kMicrosPerSecond;
  }
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  return micros;
}

}  // namespace lamina
