#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "httplib_transport.h"
#include "lamina/database.h"
#include "lifecycle.h"
#include "router.h"
#include "server_name.h"

namespace lamina::server {
namespace {

// What the process says to whoever started it.
enum ExitCode {
  kOk = 0,
  kBadConfiguration = 2,
  kTaken = 3,  // The directory is locked, or the address is in use.
  kDamaged = 4,
  kInternal = 70,
};

struct Configuration {
  std::string data_dir = "./lamina-data";
  std::string host = "127.0.0.1";
  std::uint16_t port = 6333;
  std::string durability = std::string(to_string(Durability::os));
  std::uint32_t sync_interval_ms = 1000;
  std::string compat = "lenient";
  std::size_t max_connections = TransportOptions().max_connections;
};

void add_options(Configuration* configuration, CLI::App* app) {
  app->set_version_flag("--version", kServerName);
  app->add_option("--data-dir", configuration->data_dir,
                  "Where collections are kept; made when it is not there")
      ->capture_default_str();
  app->add_option("--host", configuration->host,
                  "Address to listen on. There is no authentication: whoever "
                  "reaches it may read and write")
      ->capture_default_str();
  app->add_option("--port", configuration->port, "0 picks a free one")
      ->capture_default_str();
  app->add_option("--durability", configuration->durability,
                  "What a write survives that does not say: os, a crash of "
                  "the server; fsync, a power cut")
      ->check(CLI::IsMember({"os", "fsync"}))
      ->capture_default_str();
  app->add_option("--sync-interval-ms", configuration->sync_interval_ms,
                  "After how long a write that does not wait for the disk is "
                  "put there; 0 leaves it to the operating system")
      ->check(CLI::Range(0, 3'600'000))
      ->capture_default_str();
  app->add_option("--compat", configuration->compat,
                  "Settings of a collection that have no effect here: lenient "
                  "keeps them and warns in its info; strict refuses them")
      ->check(CLI::IsMember({"strict", "lenient"}))
      ->capture_default_str();
  app->add_option("--max-connections", configuration->max_connections,
                  "Connections served at a time, a thread each")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
}

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
  const Router router(**database, state);
  TransportOptions transport_options;
  transport_options.max_connections = configuration.max_connections;
  HttplibTransport transport(
      [&](const Request& request) { return router.handle(request); },
      transport_options);
  const Status bound = transport.bind(configuration.host, configuration.port);
  if (!bound.ok()) return fail(bound);

  const SignalWatcher signals([&] { transport.stop(); });
  std::printf("listening on http://%s:%u\n", configuration.host.c_str(),
              static_cast<unsigned>(transport.port()));
  std::fflush(stdout);
  const Status served = transport.serve();
  return served.ok() ? kOk : fail(served);
}

int main(int argc, char** argv) {
  Configuration configuration;
  CLI::App app("Vector search over HTTP, a subset of the Qdrant REST API");
  add_options(&configuration, &app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kOk : kBadConfiguration;
  }
  return run(configuration);
}

}  // namespace
}  // namespace lamina::server

int main(int argc, char** argv) { return lamina::server::main(argc, argv); }
