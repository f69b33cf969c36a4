#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "lamina/store.h"
#include "protocol/http_error.h"
#include "server_state.h"
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
  Call(Store& store, ServerState& state, const Request& request)
      : store_(store), state_(state), request_(request) {}

  Store& store() const { return store_; }
  ServerState& state() const { return state_; }
  Catalog& catalog() const { return *state_.catalog; }
  const Request& request() const { return request_; }
  std::string_view body() const { return request_.body; }

  // The decoded segments that stand at {c}, {id} and {field} in the route's
  // pattern.
  std::string collection_name;
  std::string point_id;
  std::string field_name;
  QueryParameters parameters;
  WriteOptions write_options;  // From Lamina-Durability.
  // Of one of Lamina's own routes, which tell of errors by RFC 9457.
  bool is_own = false;

  // The collection by its name or by an alias. Routes call it when they have
  // read the request: with it, parsing ends.
  Result<std::shared_ptr<Collection>> open_collection() const;

  // The name of the collection, should collection_name be an alias.
  std::string real_name() const {
    return catalog().find_alias(collection_name).value_or(collection_name);
  }

  // To be held while a write goes on.
  std::shared_lock<std::shared_mutex> pass_gate() const {
    return state_.writes.pass();
  }
  std::unique_lock<std::shared_mutex> pass_gate_alone() const {
    return state_.writes.pass_alone();
  }

  // The request was read, if not yet with open_collection().
  void end_parsing() const {
    if (request_.wants_timing) parsed_ = Clock::now();
  }

  // Since the request came, for "time" in the envelope. Routes call it when
  // they have all that the reply needs: with it, encoding begins.
  double seconds() const;

  std::chrono::nanoseconds elapsed() const { return Clock::now() - began_; }

  // "parse;dur=0.012, engine;dur=0.05, encode;dur=0.004", in milliseconds.
  std::string server_timing() const;

  // Answers with a body that is the whole envelope.
  Reply json(std::string body) const;

  // As json(), for a write: says whether it is known to be on the disk.
  Reply written(const UpdateResult& result) const;

  Reply error(const Status& status, protocol::ErrorOrigin origin =
                                        protocol::ErrorOrigin::engine) const;

  // An error of HTTP itself.
  Reply refuse(const protocol::Problem& problem, const Status& status) const;

 private:
  Status tell(const Status& status) const;

  using Clock = std::chrono::steady_clock;

  Store& store_;
  ServerState& state_;
  const Request& request_;
  const Clock::time_point began_ = Clock::now();
  // When asked for Server-Timing: the ends of parsing and of the engine's work.
  mutable std::optional<Clock::time_point> parsed_;
  mutable std::optional<Clock::time_point> answered_;
};

}  // namespace lamina::server
