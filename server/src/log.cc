#include "log.h"

#include <array>
#include <chrono>
#include <cstdio>

#include "types/json_writer.h"
#include "utc_time.h"

namespace lamina::server {
namespace {

constexpr std::array<std::string_view, 4> kLevels = {"error", "warning", "info",
                                                     "debug"};

void write_value(const LogField& field, JsonWriter* json) {
  if (const auto* text = std::get_if<std::string_view>(&field.value)) {
    json->string(*text);
  } else if (const auto* count = std::get_if<std::uint64_t>(&field.value)) {
    json->uint64(*count);
  } else {
    json->float64(std::get<double>(field.value));
  }
}

std::string json_line(LogLevel level, std::string_view event,
                      std::initializer_list<LogField> fields) {
  JsonWriter json;
  json.begin_object();
  json.key("ts").string(rfc3339(std::chrono::system_clock::now()));
  json.key("level").string(to_string(level));
  json.key("event").string(event);
  for (const LogField& field : fields) {
    json.key(field.name);
    write_value(field, &json);
  }
  json.end_object();
  return json.take();
}

// Values are written as JSON has them, so that no text breaks out of its line.
std::string text_line(LogLevel level, std::string_view event,
                      std::initializer_list<LogField> fields) {
  std::string line = rfc3339(std::chrono::system_clock::now());
  line.append(" ").append(to_string(level)).append(" ").append(event);
  for (const LogField& field : fields) {
    JsonWriter value;
    write_value(field, &value);
    line.append(" ").append(field.name).append("=").append(value.text());
  }
  return line;
}

}  // namespace

std::string_view to_string(LogLevel level) {
  return kLevels[static_cast<std::size_t>(level)];
}

std::optional<LogLevel> log_level_named(std::string_view name) {
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    if (kLevels[i] == name) return static_cast<LogLevel>(i);
  }
  return {};
}

std::string log_line(LogFormat format, LogLevel level, std::string_view event,
                     std::initializer_list<LogField> fields) {
  return format == LogFormat::json ? json_line(level, event, fields)
                                   : text_line(level, event, fields);
}

void Log::write(LogLevel level, std::string_view event,
                std::initializer_list<LogField> fields) const {
  if (!writes(level)) return;
  const std::string line = log_line(format_, level, event, fields) + "\n";
  // One call, so that lines of two threads do not mix.
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace lamina::server
