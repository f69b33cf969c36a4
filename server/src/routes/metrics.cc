#include "routes/metrics.h"

#include <string>

#include "exposition.h"
#include "lamina/version.h"
#include "process_facts.h"
#include "protocol/operations_json.h"
#include "route_table.h"
#include "utc_time.h"

namespace lamina::server {
namespace {

constexpr std::string_view kMetricsContentType =
    "text/plain; version=0.0.4; charset=utf-8";

void add_collections(const Call& call, Exposition* text) {
  const Result<std::vector<std::string>> names =
      call.store().list_collections();
  if (!names.ok()) return;
  text->single("lamina_collections", "gauge", "number of collections",
               std::uint64_t{names->size()});
  text->begin("collection_points", "gauge", "points in each collection");
  for (const std::string& name : *names) {
    const auto collection = call.store().open_collection(name);
    if (!collection.ok()) continue;
    const Result<std::uint64_t> count = (*collection)->count();
    if (count.ok()) text->add({{"id", name}}, *count);
  }
}

void add_replies(const RequestCounts& counts, Exposition* text) {
  constexpr std::string_view kStatuses[RequestCounts::kClasses] = {
      "0xx", "1xx", "2xx", "3xx", "4xx", "5xx"};
  text->begin("rest_responses_total", "counter",
              "replies by route and hundreds of their status");
  for (std::size_t i = 0; i < routes().size(); ++i) {
    const Route& route = routes()[i];
    for (std::size_t hundreds = 0; hundreds < RequestCounts::kClasses;
         ++hundreds) {
      const std::uint64_t count = counts.of(i).replies[hundreds];
      if (count == 0) continue;
      text->add({{"method", route.method},
                 {"endpoint", route.pattern},
                 {"status", kStatuses[hundreds]}},
                count);
    }
  }
}

void add_durations(const Route& route, const RequestCounts::Route& counts,
                   Exposition* text) {
  std::uint64_t total = 0;
  const auto add_bucket = [&](std::size_t place, std::string_view bound) {
    total += counts.within[place];
    text->add(
        {{"method", route.method}, {"endpoint", route.pattern}, {"le", bound}},
        total, "_bucket");
  };
  for (std::size_t i = 0; i < RequestCounts::kBounds.size(); ++i) {
    add_bucket(i, decimal(RequestCounts::kBounds[i]));
  }
  add_bucket(RequestCounts::kBounds.size(), "+Inf");
  const double seconds = static_cast<double>(counts.nanoseconds) * 1e-9;
  text->add({{"method", route.method}, {"endpoint", route.pattern}}, seconds,
            "_sum");
  text->add({{"method", route.method}, {"endpoint", route.pattern}}, total,
            "_count");
}

void add_requests(const RequestCounts& counts, Exposition* text) {
  add_replies(counts, text);
  text->begin("rest_responses_duration_seconds", "histogram",
              "time from a whole request to its reply, by route");
  for (std::size_t i = 0; i < routes().size(); ++i) {
    if (counts.of(i).nanoseconds == 0) continue;
    add_durations(routes()[i], counts.of(i), text);
  }
}

void add_refusals(const ServerState& state, Exposition* text) {
  text->single("lamina_denied_requests_total", "counter",
               "requests without a key, or from where none may come",
               state.guard.denied());
  text->begin("lamina_refused_writes_total", "counter",
              "writes refused for want of room");
  text->add({{"reason", "disk"}}, state.reserves.refused(Reserves::Lack::disk));
  text->add({{"reason", "memory"}},
            state.reserves.refused(Reserves::Lack::memory));
  const std::optional<std::uint64_t> free = state.reserves.free_disk();
  if (free.has_value()) {
    text->single("lamina_disk_free_bytes", "gauge",
                 "room left where collections are kept", *free);
  }
}

void add_process(const ServerState& state, Exposition* text) {
  const std::uint64_t resident = process_status("VmRSS") * 1024;
  text->single("memory_resident_bytes", "gauge", "resident memory", resident);
  text->single("process_resident_memory_bytes", "gauge", "resident memory",
               resident);
  text->single("process_virtual_memory_bytes", "gauge", "addressed memory",
               process_status("VmSize") * 1024);
  text->single("process_threads", "gauge", "threads",
               process_status("Threads"));
  text->single("process_open_fds", "gauge", "open files", process_open_files());
  text->single("process_max_fds", "gauge", "how many may be; 0: any number",
               process_max_files());
  text->single("process_cpu_seconds_total", "counter", "processor time",
               process_cpu_seconds());
  text->single(
      "process_start_time_seconds", "gauge",
      "when the server started, since 1970",
      std::chrono::duration<double>(state.started.time_since_epoch()).count());
}

}  // namespace

Reply get_metrics(const Call& call) {
  Exposition text;
  text.begin("app_info", "gauge", "name and version");
  text.add({{"name", "lamina"}, {"version", kVersion}}, std::uint64_t{1});
  add_collections(call, &text);
  add_requests(call.state().counts, &text);
  add_refusals(call.state(), &text);
  add_process(call.state(), &text);
  Reply reply;
  reply.content_type = kMetricsContentType;
  reply.body = text.take();
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
