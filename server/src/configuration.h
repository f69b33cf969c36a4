#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "lamina/options.h"
#include "transport_options.h"

namespace lamina::server {

// What the process says to whoever started it. docs/server.md has them.
enum ExitCode {
  kOk = 0,
  kBadConfiguration = 2,
  kTaken = 3,  // The directory is locked, or the address is in use.
  kDamaged = 4,
  kInternal = 70,
};

// All that can be set from outside. The defaults are those of the program.
struct Configuration {
  std::string data_dir = "./lamina-data";
  std::string host = "127.0.0.1";
  std::uint16_t port = 6333;
  std::string unix_socket;  // Empty: none.
  std::string durability = std::string(to_string(Durability::os));
  std::uint32_t sync_interval_ms = 1000;
  std::string compat = "lenient";
  std::string api_keys_file;
  bool allow_unauthenticated = false;
  std::vector<std::string> allowed_hosts;
  std::vector<std::string> cors_origins;
  std::uint64_t min_free_disk = 100u << 20;  // Bytes; 0: no limit.
  std::uint64_t max_memory = 0;              // Bytes; 0: no limit.
  std::string log_format = "text";
  std::string log_level = "info";
  std::uint32_t slow_query_ms = 0;  // 0: none is slow.
  std::uint32_t shutdown_delay_ms = 0;
  TransportOptions transport;
};

// Reads the command line, the environment and a file. A flag counts more than
// LAMINA_ and its name in the environment, that more than the file, and that
// more than the default.
//
// Returns nothing when the server is to run; else the exit code to end with:
// something was only asked for (help, version, what the settings are), or is
// wrong. What there is to say then was written to `out` or `err`.
std::optional<ExitCode> read_configuration(int argc, const char* const* argv,
                                           Configuration* configuration,
                                           std::ostream& out,
                                           std::ostream& err);

}  // namespace lamina::server
