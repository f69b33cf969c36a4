#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include "access_setup.h"
#include "configuration.h"
#include "httplib_transport.h"
#include "lamina/database.h"
#include "lifecycle.h"
#include "router.h"
#include "service_manager.h"

namespace lamina::server {
namespace {

struct CommandLine {
  int argc = 0;
  const char* const* argv = nullptr;
};

int exit_code(const Status& status) {
  switch (status.code()) {
    case StatusCode::ok:
      return kOk;
    case StatusCode::invalid_argument:
    case StatusCode::not_found:
      return kBadConfiguration;
    case StatusCode::unavailable:
      return kTaken;
    case StatusCode::data_loss:
      return kDamaged;
    default:
      return kInternal;
  }
}

int fail(const Log& log, const Status& status) {
  log.write(LogLevel::error, "cannot-go-on",
            {{"error", std::string_view(status.to_string())}});
  return exit_code(status);
}

void report_recovery(const Database& database, const Log& log) {
  for (const CollectionRecovery& found : database.recovery()) {
    if (!found.status.ok()) {
      // Damaged, so it stays closed.
      log.write(LogLevel::error, "collection-closed",
                {{"collection", std::string_view(found.name)},
                 {"error", std::string_view(found.status.to_string())}});
    } else if (found.torn_bytes > 0) {
      // What a crash left unfinished, and whole writes that did not wait for
      // the disk.
      log.write(LogLevel::warning, "writes-cut-off",
                {{"collection", std::string_view(found.name)},
                 {"read_back", found.replayed_writes},
                 {"cut_off_bytes", found.torn_bytes},
                 {"cut_off_writes", found.torn_writes}});
    }
  }
}

// The first line is for programs that started the server: it listens.
void greet(const Configuration& configuration, unsigned port) {
  const bool synced = configuration.durability == to_string(Durability::fsync);
  const std::string data =
      std::filesystem::absolute(configuration.data_dir).lexically_normal();
  const bool is_ipv6 = configuration.host.find(':') != std::string::npos;
  const std::string host =
      is_ipv6 ? "[" + configuration.host + "]" : configuration.host;
  const std::string url = "http://" + host + ":" + std::to_string(port);
  std::printf("listening on %s\n", url.c_str());
  std::printf("page for people: %s/ui\n", url.c_str());
  std::printf("data in %s; a write survives %s\n", data.c_str(),
              synced ? "a power cut (durability fsync)"
                     : "a crash of the server (durability os)");
  std::fflush(stdout);
}

DatabaseOptions database_options(const Configuration& configuration) {
  DatabaseOptions options;
  if (configuration.durability == to_string(Durability::fsync)) {
    options.durability = Durability::fsync;
  }
  options.sync_interval =
      std::chrono::milliseconds(configuration.sync_interval_ms);
  return options;
}

Status set_up(const Configuration& configuration, ServerState* state) {
  state->strict = configuration.compat == "strict";
  state->slow = std::chrono::milliseconds(configuration.slow_query_ms);
  state->reserves.set_limits(configuration.data_dir,
                             configuration.min_free_disk,
                             configuration.max_memory);
  return set_up_access(configuration, &state->guard);
}

Status bind(const Configuration& configuration, Transport* transport) {
  const Status bound = transport->bind(configuration.host, configuration.port);
  if (!bound.ok() || configuration.unix_socket.empty()) return bound;
  return transport->bind_unix(configuration.unix_socket);
}

void set_level(const Configuration& configuration, Log* log) {
  log->set_level(*log_level_named(configuration.log_level));
}

void set_up_log(const Configuration& configuration, Log* log) {
  log->set_format(configuration.log_format == "json" ? LogFormat::json
                                                     : LogFormat::text);
  set_level(configuration, log);
}

// What may change while the server runs: keys and the log's level. All else
// stays as it was, and so do these when they cannot be read.
void reload(const CommandLine& command_line, ServerState* state) {
  Configuration configuration;
  std::ostringstream said;
  const bool ended = read_configuration(command_line.argc, command_line.argv,
                                        &configuration, said, said)
                         .has_value();
  Status read = ended ? Status::invalid_argument(said.str()) : Status();
  if (read.ok()) read = set_up_keys(configuration, &state->guard);
  if (!read.ok()) {
    state->log.write(LogLevel::error, "not-reloaded",
                     {{"error", std::string_view(read.to_string())}});
    return;
  }
  set_level(configuration, &state->log);
  state->log.write(LogLevel::info, "reloaded", {});
}

LifecycleActions actions(const CommandLine& command_line,
                         const Configuration& configuration,
                         const ServiceManager& manager, ServerState* state,
                         Transport* transport) {
  LifecycleActions actions;
  actions.drain = [&manager, state] {
    state->draining = true;
    manager.notify("STOPPING=1");
    state->log.write(LogLevel::info, "draining", {});
  };
  actions.stop = [transport] { transport->stop(); };
  actions.reload = [command_line, state] { reload(command_line, state); };
  actions.beat = [&manager] { manager.notify("WATCHDOG=1"); };
  actions.stop_delay =
      std::chrono::milliseconds(configuration.shutdown_delay_ms);
  actions.beat_interval = manager.watchdog_interval();
  return actions;
}

int serve(const CommandLine& command_line, const Configuration& configuration,
          Store& store, ServerState* state) {
  const Router router(store, *state);
  HttplibTransport transport(
      [&](const Request& request) { return router.handle(request); },
      configuration.transport);
  const Status bound = bind(configuration, &transport);
  if (!bound.ok()) return fail(state->log, bound);

  const ServiceManager manager;
  const SignalWatcher signals(
      actions(command_line, configuration, manager, state, &transport));
  greet(configuration, transport.port());
  manager.notify("READY=1");
  const Status served = transport.serve();
  return served.ok() ? kOk : fail(state->log, served);
}

int run(const CommandLine& command_line, const Configuration& configuration) {
  block_signals();  // Collections may have threads of their own.
  Log log;
  set_up_log(configuration, &log);
  Result<std::unique_ptr<Database>> database =
      Database::open(configuration.data_dir, database_options(configuration));
  if (!database.ok()) return fail(log, database.status());
  report_recovery(**database, log);
  Result<std::unique_ptr<Catalog>> catalog = Catalog::open(
      std::filesystem::path(configuration.data_dir) / "server.json");
  if (!catalog.ok()) return fail(log, catalog.status());
  ServerState state(*std::move(catalog));
  set_up_log(configuration, &state.log);
  const Status ready = set_up(configuration, &state);
  if (!ready.ok()) return fail(log, ready);
  return serve(command_line, configuration, **database, &state);
}

int main(int argc, char** argv) {
  Configuration configuration;
  const std::optional<ExitCode> ended =
      read_configuration(argc, argv, &configuration, std::cout, std::cerr);
  if (ended.has_value()) return *ended;
  return run({argc, argv}, configuration);
}

}  // namespace
}  // namespace lamina::server

int main(int argc, char** argv) { return lamina::server::main(argc, argv); }
