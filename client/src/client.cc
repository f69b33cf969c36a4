#include "lamina/client.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "beast_transport.h"
#include "protocol/collection_json.h"
#include "protocol/paths.h"
#include "remote_collection.h"
#include "session.h"
#include "types/validate.h"
#include "url.h"

namespace lamina {

using client::RemoteCollection;
using client::Session;

namespace {

std::string api_key_of(const ClientOptions& options) {
  if (!options.api_key.empty()) return options.api_key;
  const char* key = std::getenv("LAMINA_API_KEY");
  return key == nullptr ? "" : key;
}

bool is_visible(char c) { return c > ' ' && c <= '~'; }

}  // namespace

class Client::Impl : public Session {
 public:
  using Session::Session;
};

Result<std::unique_ptr<Client>> Client::connect(std::string_view url,
                                                const ClientOptions& options) {
  Result<client::Url> parsed = client::parse_url(url);
  if (!parsed.ok()) return parsed.status();
  Status positive =
      validate_positive_count("max_connections", options.max_connections);
  if (!positive.ok()) return positive;
  const std::string api_key = api_key_of(options);
  if (!std::ranges::all_of(api_key, is_visible)) {
    return Status::invalid_field(
        "api_key", "holds what no header can, must be printable ASCII");
  }

  auto impl = std::make_shared<Impl>(
      *parsed, options,
      client::make_beast_transport(*parsed,
                                   {.connect_timeout = options.connect_timeout,
                                    .max_reply_bytes = options.max_reply_bytes},
                                   api_key));
  return std::unique_ptr<Client>(new Client(std::move(impl)));
}

Client::Client(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Client::~Client() = default;

// A path cannot carry every bad name ("", "..") to the server, so that names
// are looked at here.

Result<std::shared_ptr<Collection>> Client::create_collection(
    std::string_view name, const CollectionOptions& options) {
  Status named = validate_collection_name(name);
  if (!named.ok()) return named;
  // On the wire m = 0 means no graph; here it is a mistake.
  Status valid = options.hnsw ? validate_collection_options(options) : Status();
  if (!valid.ok()) return valid;
  const std::string target = impl_->target(protocol::collection_path(name));
  const std::string body = protocol::encode_create_collection(options);
  const Result<bool> created =
      impl_->call({.method = "PUT", .target = target, .body = body},
                  protocol::decode_bool_reply);
  if (!created.ok()) return created.status();
  return std::shared_ptr<Collection>(
      std::make_shared<RemoteCollection>(impl_, name));
}

Result<std::shared_ptr<Collection>> Client::open_collection(
    std::string_view name) {
  if (!validate_collection_name(name).ok()) return missing_collection(name);
  auto collection = std::make_shared<RemoteCollection>(impl_, name);
  const Result<CollectionInfo> found = collection->info();
  if (!found.ok()) return found.status();
  return std::shared_ptr<Collection>(std::move(collection));
}

Result<std::vector<std::string>> Client::list_collections() const {
  const std::string target = impl_->target("/collections");
  return impl_->call({.method = "GET", .target = target},
                     protocol::decode_collection_list_reply);
}

Result<bool> Client::drop_collection(std::string_view name) {
  if (!validate_collection_name(name).ok()) return false;
  const std::string target = impl_->target(protocol::collection_path(name));
  return impl_->call({.method = "DELETE", .target = target},
                     protocol::decode_bool_reply);
}

}  // namespace lamina
