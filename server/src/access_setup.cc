#include "access_setup.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace lamina::server {

Result<ApiKeys> read_keys(const Configuration& configuration) {
  if (!configuration.api_keys_file.empty()) {
    return ApiKeys::read_file(configuration.api_keys_file);
  }
  const char* credentials = std::getenv("CREDENTIALS_DIRECTORY");
  if (credentials == nullptr) return ApiKeys();
  const std::string file = std::string(credentials) + "/api_keys";
  return std::filesystem::exists(file) ? ApiKeys::read_file(file) : ApiKeys();
}

Status set_up_keys(const Configuration& configuration, Guard* guard) {
  Result<ApiKeys> keys = read_keys(configuration);
  if (!keys.ok()) return keys.status();
  if (keys->empty() && !is_loopback(configuration.host) &&
      !configuration.allow_unauthenticated) {
    return Status::invalid_argument(
        "whoever reaches " + configuration.host +
        " could read and write: give --api-keys-file, or say "
        "--allow-unauthenticated");
  }
  guard->set_keys(*std::move(keys));
  return {};
}

Status set_up_access(const Configuration& configuration, Guard* guard) {
  guard->set_origins(configuration.cors_origins);
  std::vector<std::string> hosts = configuration.allowed_hosts;
  if (is_loopback(configuration.host)) {
    hosts.insert(hosts.end(),
                 {"localhost", "127.0.0.1", "[::1]", configuration.host});
  }
  guard->set_hosts(std::move(hosts));
  return set_up_keys(configuration, guard);
}

}  // namespace lamina::server
