#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace lamina::server {

enum class LogLevel { error, warning, info, debug };
enum class LogFormat { text, json };

std::string_view to_string(LogLevel level);
std::optional<LogLevel> log_level_named(std::string_view name);

struct LogField {
  std::string_view name;
  std::variant<std::string_view, std::uint64_t, double> value;
};

// Lines about what happens, on standard error. What a request holds, keys,
// vectors and payloads, is never given to it.
//
// Thread safety: all calls may run concurrently, but for set_format(), which
// comes before the first line.
class Log {
 public:
  void set_format(LogFormat format) { format_ = format; }
  void set_level(LogLevel level) { level_ = level; }

  // To be asked before the fields of a line are gathered: a line that is not
  // written costs this.
  bool writes(LogLevel level) const {
    return level <= level_.load(std::memory_order_relaxed);
  }

  // Writes one line, should its level be wanted.
  //   2026-05-01T12:00:00.123Z warning slow-request route="..." ms=12.5
  void write(LogLevel level, std::string_view event,
             std::initializer_list<LogField> fields) const;

 private:
  LogFormat format_ = LogFormat::text;
  std::atomic<LogLevel> level_{LogLevel::info};
};

// The line without its end, as of now.
std::string log_line(LogFormat format, LogLevel level, std::string_view event,
                     std::initializer_list<LogField> fields);

}  // namespace lamina::server
