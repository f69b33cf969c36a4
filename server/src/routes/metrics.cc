#include "routes/metrics.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "lamina/version.h"
#include "protocol/operations_json.h"
#include "route_table.h"
#include "types/json_writer.h"

namespace lamina::server {
namespace {

constexpr std::string_view kMetricsContentType =
    "text/plain; version=0.0.4; charset=utf-8";

std::string label_value(std::string_view text) {
  JsonWriter json;  // Label values are escaped as JSON strings are.
  json.string(text);
  return json.take();
}

void begin_metric(std::string_view name, std::string_view type,
                  std::string_view help, std::string* text) {
  text->append("# HELP ").append(name).append(" ").append(help);
  text->append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
}

void add_line(std::string_view name, const std::string& labels,
              const std::string& value, std::string* text) {
  text->append(name).append(labels).append(" ").append(value).append("\n");
}

// A number of /proc/self/status, such as "VmRSS", or 0.
std::uint64_t process_number(std::string_view field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(field)) continue;
    const std::size_t digits = line.find_first_of("0123456789");
    if (digits == std::string::npos) return 0;
    return std::strtoull(line.c_str() + digits, nullptr, 10);
  }
  return 0;
}

void add_collections(const Call& call, std::string* text) {
  const Result<std::vector<std::string>> names =
      call.store().list_collections();
  if (!names.ok()) return;
  begin_metric("collections_total", "gauge", "number of collections", text);
  add_line("collections_total", "", std::to_string(names->size()), text);
  begin_metric("collection_points", "gauge", "points in each collection", text);
  for (const std::string& name : *names) {
    const auto collection = call.store().open_collection(name);
    if (!collection.ok()) continue;
    const Result<std::uint64_t> count = (*collection)->count();
    if (!count.ok()) continue;
    add_line("collection_points", "{id=" + label_value(name) + "}",
             std::to_string(*count), text);
  }
}

std::string endpoint_labels(const Route& route) {
  return "{method=" + label_value(route.method) +
         ",endpoint=" + label_value(route.pattern);
}

void add_requests(const RequestCounts& counts, std::string* text) {
  const std::span<const Route> table = routes();
  begin_metric("rest_responses_total", "counter",
               "replies by route and hundreds of their status", text);
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (std::size_t hundreds = 0; hundreds < RequestCounts::kClasses;
         ++hundreds) {
      const std::uint64_t count = counts.of(i).replies[hundreds];
      if (count == 0) continue;
      add_line("rest_responses_total",
               endpoint_labels(table[i]) + ",status=\"" +
                   std::to_string(hundreds) + "xx\"}",
               std::to_string(count), text);
    }
  }
  begin_metric("rest_responses_duration_seconds_sum", "counter",
               "time spent in each route", text);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::uint64_t nanoseconds = counts.of(i).nanoseconds;
    if (nanoseconds == 0) continue;
    add_line("rest_responses_duration_seconds_sum",
             endpoint_labels(table[i]) + "}",
             std::to_string(static_cast<double>(nanoseconds) * 1e-9), text);
  }
}

std::string rfc3339(std::chrono::system_clock::time_point time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(
      std::chrono::floor<std::chrono::seconds>(time - day));
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02dZ",
                static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

}  // namespace

Reply get_metrics(const Call& call) {
  Reply reply;
  reply.content_type = kMetricsContentType;
  std::string* text = &reply.body;
  begin_metric("app_info", "gauge", "name and version", text);
  add_line("app_info",
           "{name=\"lamina\",version=" + label_value(kVersion) + "}", "1",
           text);
  add_collections(call, text);
  add_requests(call.state().counts, text);
  begin_metric("memory_resident_bytes", "gauge", "resident memory", text);
  add_line("memory_resident_bytes", "",
           std::to_string(process_number("VmRSS") * 1024), text);
  begin_metric("process_threads", "gauge", "threads", text);
  add_line("process_threads", "", std::to_string(process_number("Threads")),
           text);
  return reply;
}

Reply get_telemetry(const Call& call) {
  const Result<std::vector<std::string>> names =
      call.store().list_collections();
  if (!names.ok()) return call.error(names.status());
  return call.json(protocol::encode_telemetry_reply(
      rfc3339(call.state().started), names->size(), call.seconds()));
}

}  // namespace lamina::server
