#include "configuration.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>
#include <utility>

#include "server_name.h"

namespace lamina::server {
namespace {

// What is asked of the command line alone, beside the settings.
struct Request {
  std::string file;
  bool print = false;
  bool check = false;
};

void add_storage_options(Configuration* configuration, CLI::App* app) {
  app->add_option("--data-dir", configuration->data_dir,
                  "Where collections are kept; made when it is not there")
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
}

void add_network_options(Configuration* configuration, CLI::App* app) {
  app->add_option("--host", configuration->host,
                  "Address to listen on. One that other machines reach takes "
                  "keys, or --allow-unauthenticated")
      ->capture_default_str();
  app->add_option("--port", configuration->port, "0 picks a free one")
      ->capture_default_str();
  app->add_option("--unix-socket", configuration->unix_socket,
                  "Socket file to listen on as well; only its owner may use it")
      ->capture_default_str();
  app->add_option("--busy-poll-us", configuration->transport.busy_poll_us,
                  "How long a thread asks for the next request of its "
                  "connection before it sleeps; takes a processor each")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  app->add_option("--max-connections", configuration->transport.max_connections,
                  "Connections at a time; one more gets 503")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
}

void add_access_options(Configuration* configuration, CLI::App* app) {
  app->add_option("--api-keys-file", configuration->api_keys_file,
                  "Keys that let callers in: 'read KEY' or 'write KEY' a line; "
                  "else the systemd credential api_keys, when there is one");
  app->add_flag("--allow-unauthenticated", configuration->allow_unauthenticated,
                "Listen on an address that other machines reach without keys: "
                "whoever reaches it may read and write")
      ->capture_default_str();
  app->add_option("--allowed-host", configuration->allowed_hosts,
                  "Further names that requests may have in Host. Only names of "
                  "this machine are allowed on a loopback address; elsewhere "
                  "all are, unless some are given here")
      ->delimiter(',');
  app->add_option("--cors-origin", configuration->cors_origins,
                  "Origins whose pages may ask, as https://example.org; * for "
                  "all")
      ->delimiter(',');
}

void add_operation_options(Configuration* configuration, CLI::App* app) {
  app->add_option("--min-free-disk", configuration->min_free_disk,
                  "Writes are refused with 507 while less of the disk is free: "
                  "bytes, or with KiB, MiB, GiB; 0 never refuses")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str();
  app->add_option("--max-memory", configuration->max_memory,
                  "Writes are refused with 507 while the process has more "
                  "memory, in the same units; 0 never refuses")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str();
  app->add_option("--log-format", configuration->log_format,
                  "How lines on standard error are written")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app->add_option("--log-level", configuration->log_level,
                  "What is told; debug has a line for every request")
      ->check(CLI::IsMember({"error", "warning", "info", "debug"}))
      ->capture_default_str();
  app->add_option("--slow-query-ms", configuration->slow_query_ms,
                  "Requests that take as long are told; 0: none")
      ->capture_default_str();
  app->add_option("--shutdown-delay-ms", configuration->shutdown_delay_ms,
                  "How long after SIGTERM requests are still taken, while "
                  "/readyz already says no")
      ->check(CLI::Range(0, 3'600'000))
      ->capture_default_str();
}

void add_requests(Request* request, CLI::App* app) {
  app->set_version_flag("--version", kServerName);
  app->add_option("--config", request->file,
                  "TOML file of settings: the names below without '--'")
      ->envname("LAMINA_CONFIG")
      ->configurable(false);
  app->add_flag("--print-config", request->print,
                "Say what the settings are, as such a file, and end")
      ->configurable(false);
  app->add_flag("--check-config", request->check,
                "Look at the settings and end: 0, or 2 when one is wrong")
      ->configurable(false);
}

// "LAMINA_DATA_DIR" for "--data-dir".
void name_in_environment(CLI::App* app) {
  for (CLI::Option* option : app->get_options()) {
    if (!option->get_configurable() || option->get_lnames().empty()) continue;
    std::string name = "LAMINA_" + option->get_lnames().front();
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
      return c == '-' ? '_' : c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
    });
    option->envname(name);
  }
}

// A command line, and what is read from one.
struct CommandLine {
  CommandLine() {
    app.get_help_ptr()->configurable(false);
    add_requests(&request, &app);
    add_storage_options(&configuration, &app);
    add_network_options(&configuration, &app);
    add_access_options(&configuration, &app);
    add_operation_options(&configuration, &app);
    app.get_option("--version")->configurable(false);
    name_in_environment(&app);
  }

  // The library takes words from the back.
  void parse(const std::vector<std::string>& words) {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  }

  Configuration configuration;
  Request request;
  CLI::App app{"Vector search over HTTP, a subset of the Qdrant REST API",
               "lamina-server"};
};

// One setting of the file, which must be one of the program's.
void check_item(const CLI::ConfigItem& item, const CLI::Option* option) {
  if (option == nullptr || !option->get_configurable()) {
    throw CLI::ConfigError("there is no setting '" + item.fullname() + "'",
                           CLI::ExitCodes::ConfigError);
  }
  for (const std::string& value : item.inputs) {
    // The library ends a value at '#', also between quotes.
    if (value.find('"') == std::string::npos) continue;
    throw CLI::ConfigError(item.name + ": a value holds neither '\"' nor '#'",
                           CLI::ExitCodes::ConfigError);
  }
}

// The settings of a file that neither a flag nor the environment overrides, as
// flags. The library itself would let the file win over the environment.
std::vector<std::string> read_file(const std::string& file,
                                   const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_file(file)) {
    const CLI::Option* option = item.parents.empty()
                                    ? app.get_option_no_throw("--" + item.name)
                                    : nullptr;
    check_item(item, option);
    if (option->count() > 0) continue;
    for (const std::string& value : item.inputs) {
      if (value.empty()) continue;  // As it is printed when nothing is set.
      words.push_back("--" + item.name + "=" + value);
    }
  }
  return words;
}

}  // namespace

std::optional<ExitCode> read_configuration(int argc, const char* const* argv,
                                           Configuration* configuration,
                                           std::ostream& out,
                                           std::ostream& err) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  CommandLine first;
  CommandLine second;
  CommandLine* read = &first;
  try {
    first.parse(words);
    if (!first.request.file.empty()) {
      for (std::string& word : read_file(first.request.file, first.app)) {
        words.push_back(std::move(word));
      }
      read = &second;
      second.parse(words);
    }
  } catch (const CLI::ParseError& error) {
    return read->app.exit(error, out, err) == 0 ? kOk : kBadConfiguration;
  }
  *configuration = read->configuration;
  if (read->request.print) out << read->app.config_to_str(true, false);
  if (read->request.print || read->request.check) return kOk;
  return {};
}

}  // namespace lamina::server
