#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "access_setup.h"
#include "configuration.h"
#include "httplib_transport.h"
#include "lamina/database.h"
#include "lifecycle.h"
#include "router.h"

namespace lamina::server {
namespace {

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

int fail(const Status& status) {
  std::fprintf(stderr, "lamina-server: %s\n", status.to_string().c_str());
  return exit_code(status);
}

void report_recovery(const Database& database) {
  for (const CollectionRecovery& found : database.recovery()) {
    if (!found.status.ok()) {
      std::fprintf(stderr, "collection '%s' is damaged and stays closed: %s\n",
                   found.name.c_str(), found.status.to_string().c_str());
    } else if (found.torn_bytes > 0) {
      std::fprintf(stderr,
                   "collection '%s': %llu writes read back; cut off: %llu "
                   "bytes that a crash left unfinished, %llu whole writes "
                   "among them that did not wait for the disk\n",
                   found.name.c_str(),
                   static_cast<unsigned long long>(found.replayed_writes),
                   static_cast<unsigned long long>(found.torn_bytes),
                   static_cast<unsigned long long>(found.torn_writes));
    }
  }
}

// The first line is for programs that started the server: it listens.
void greet(const Configuration& configuration, unsigned port) {
  const bool synced = configuration.durability == to_string(Durability::fsync);
  const std::string data =
      std::filesystem::absolute(configuration.data_dir).lexically_normal();
  const std::string url =
      "http://" + configuration.host + ":" + std::to_string(port);
  std::printf("listening on %s\n", url.c_str());
  std::printf("data in %s; a write survives %s\n", data.c_str(),
              synced ? "a power cut (durability fsync)"
                     : "a crash of the server (durability os)");
  std::fflush(stdout);
}

int run(const Configuration& configuration) {
  DatabaseOptions options;
  if (configuration.durability == to_string(Durability::fsync)) {
    options.durability = Durability::fsync;
  }
  options.sync_interval =
      std::chrono::milliseconds(configuration.sync_interval_ms);
  Result<std::unique_ptr<Database>> database =
      Database::open(configuration.data_dir, options);
  if (!database.ok()) return fail(database.status());
  report_recovery(**database);

  Result<std::unique_ptr<Catalog>> catalog = Catalog::open(
      std::filesystem::path(configuration.data_dir) / "server.json");
  if (!catalog.ok()) return fail(catalog.status());
  ServerState state(*std::move(catalog));
  state.strict = configuration.compat == "strict";
  const Status guarded = set_up_access(configuration, &state.guard);
  if (!guarded.ok()) return fail(guarded);
  const Router router(**database, state);
  HttplibTransport transport(
      [&](const Request& request) { return router.handle(request); },
      configuration.transport);
  const Status bound = transport.bind(configuration.host, configuration.port);
  if (!bound.ok()) return fail(bound);
  if (!configuration.unix_socket.empty()) {
    const Status taken = transport.bind_unix(configuration.unix_socket);
    if (!taken.ok()) return fail(taken);
  }

  const SignalWatcher signals([&] { transport.stop(); });
  greet(configuration, transport.port());
  const Status served = transport.serve();
  return served.ok() ? kOk : fail(served);
}

int main(int argc, char** argv) {
  Configuration configuration;
  const std::optional<ExitCode> ended =
      read_configuration(argc, argv, &configuration, std::cout, std::cerr);
  return ended.has_value() ? *ended : run(configuration);
}

}  // namespace
}  // namespace lamina::server

int main(int argc, char** argv) { return lamina::server::main(argc, argv); }
