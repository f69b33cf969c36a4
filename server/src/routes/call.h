#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lamina/store.h"
#include "protocol/http_error.h"
#include "transport.h"

namespace lamina::server {

// The query parameters that mean something to the server.
struct QueryParameters {
  bool wait = false;  // As in the protocol; writes are applied either way.
};

// One request on its way through a route, with what the path and the query
// said.
//
// Lifetime: lives for one Router::handle().
class Call {
 public:
  Call(Store& store, const Request& request)
      : store_(store), request_(request) {}

  Store& store() const { return store_; }
  std::string_view body() const { return request_.body; }

  // The decoded segments that stand at {c}, {id} and {field} in the route's
  // pattern.
  std::string collection_name;
  std::string point_id;
  std::string field_name;
  QueryParameters parameters;
  WriteOptions write_options;  // From Lamina-Durability.

  Result<std::shared_ptr<Collection>> open_collection() const {
    return store_.open_collection(collection_name);
  }

  // Since the request came, for "time" in the envelope.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         began_)
        .count();
  }

  // Answers with a body that is the whole envelope.
  Reply json(std::string body) const;

  // As json(), for a write: says whether it is known to be on the disk.
  Reply written(const UpdateResult& result) const;

  Reply error(const Status& status, protocol::ErrorOrigin origin =
                                        protocol::ErrorOrigin::engine) const;

 private:
  Store& store_;
  const Request& request_;
  const std::chrono::steady_clock::time_point began_ =
      std::chrono::steady_clock::now();
};

}  // namespace lamina::server
