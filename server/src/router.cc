#include "router.h"

#include <exception>
#include <string>

#include "path_match.h"
#include "protocol/paths.h"
#include "request_log.h"
#include "route_table.h"

namespace lamina::server {
namespace {

using protocol::ErrorOrigin;

// The method under which a request's route stands in the table. The transport
// leaves the body of an answer to HEAD out.
std::string_view table_method(std::string_view method) {
  return method == "HEAD" ? "GET" : method;
}

const Route* find_route(std::string_view method, const PathSegments& path) {
  for (const Route& route : routes()) {
    if (route.method == method && path.match(route.pattern)) return &route;
  }
  return nullptr;
}

// "GET, HEAD, PUT": what may be done at a path; empty when nothing is there.
std::string allowed_methods(const PathSegments& path) {
  std::string methods;
  for (const Route& route : routes()) {
    if (!path.match(route.pattern)) continue;
    if (!methods.empty()) methods += ", ";
    methods += route.method;
    if (route.method == "GET") methods += ", HEAD";
  }
  return methods;
}

Reply no_route(const Call& call, const PathSegments& path) {
  const std::string allowed = allowed_methods(path);
  if (allowed.empty()) {
    return call.error(Status::not_found("there is nothing at this path"));
  }
  if (call.request().method == "OPTIONS") {
    Reply reply;
    reply.status = 204;
    reply.headers.emplace_back("Allow", allowed);
    return reply;
  }
  Reply reply =
      call.refuse(protocol::kMethodNotAllowed,
                  Status::invalid_argument("this path answers " + allowed +
                                           ", not this method"));
  reply.headers.emplace_back("Allow", allowed);
  return reply;
}

Result<std::optional<Durability>> parse_durability(std::string_view value) {
  if (value.empty()) return std::optional<Durability>();
  for (const Durability known : {Durability::os, Durability::fsync}) {
    if (value == to_string(known)) return std::optional(known);
  }
  return Status::invalid_argument(std::string(protocol::kDurabilityHeader) +
                                  " must be os or fsync");
}

Status read_path(const PathSegments& path, const Route& route, Call* call) {
  const bool decoded =
      protocol::decode_segment(path.at("{c}", route.pattern),
                               &call->collection_name) &&
      protocol::decode_segment(path.at("{id}", route.pattern),
                               &call->point_id) &&
      protocol::decode_segment(path.at("{field}", route.pattern),
                               &call->field_name);
  return decoded ? Status()
                 : Status::invalid_argument("malformed %-escape in the path");
}

// Reads what every route needs of a request, and runs the route.
Reply run(const Request& request, const PathSegments& path, const Route& route,
          Call* call) {
  const Status status = read_path(path, route, call);
  if (!status.ok()) return call->error(status);
  Result<QueryParameters> parameters =
      parse_query_parameters(request.query, route.parameters);
  if (!parameters.ok()) {
    return call->error(parameters.status(), ErrorOrigin::query_parameters);
  }
  call->parameters = *parameters;
  Result<std::optional<Durability>> durability =
      parse_durability(request.durability);
  if (!durability.ok()) return call->error(durability.status());
  call->write_options.durability = *durability;
  return route.run(*call);
}

// Answers instead of the route when the request may not go there. A browser
// asks with OPTIONS what it may send, and has no key in it.
std::optional<Reply> deny(const Route* route, const Call& call) {
  const Permission needed = call.request().method == "OPTIONS"
                                ? Permission::none
                            : route != nullptr ? route->needed
                                               : Permission::read;
  const std::optional<Denial> denial =
      call.state().guard.check(call.request(), needed);
  if (!denial.has_value()) return {};
  Reply reply = call.refuse(
      denial->problem, Status::invalid_argument(std::string(denial->text)));
  if (reply.status == 401) {
    reply.headers.emplace_back("WWW-Authenticate", "Bearer");
  }
  return reply;
}

// Answers instead of a route that would need what there is too little of.
std::optional<Reply> refuse_for_want(const Route& route, const Call& call) {
  if (!adds_data(route)) return {};
  const Reserves::Lack lack = call.state().reserves.check();
  if (lack == Reserves::Lack::none) return {};
  return call.error(Status::resource_exhausted(
      lack == Reserves::Lack::disk
          ? "too little room is left on the disk; see --min-free-disk"
          : "the server has no more memory; see --max-memory"));
}

// Lets the browser hand the answer to a page of another origin.
void allow_origin(const Call& call, Reply* reply) {
  const std::string* origin = call.state().guard.allowed_origin(call.request());
  if (origin == nullptr) return;
  reply->headers.emplace_back("Access-Control-Allow-Origin", *origin);
  reply->headers.emplace_back("Vary", "Origin");
  reply->headers.emplace_back("Access-Control-Expose-Headers",
                              "Lamina-Durable, Lamina-Status, Server-Timing");
  if (call.request().method != "OPTIONS") return;
  reply->headers.emplace_back("Access-Control-Allow-Methods",
                              "GET, POST, PUT, PATCH, DELETE");
  reply->headers.emplace_back("Access-Control-Allow-Headers",
                              "api-key, authorization, content-type, "
                              "lamina-durability, lamina-timing, "
                              "traceparent, x-request-id");
  reply->headers.emplace_back("Access-Control-Max-Age", "600");
}

Reply find_and_run(const Request& request, ServerState* state, Call* call) {
  call->is_own = request.path == "/v1" || request.path.starts_with("/v1/");
  const std::optional<PathSegments> path = PathSegments::split(request.path);
  if (!path) return call->error(Status::not_found("no path is that deep"));
  const Route* route = find_route(table_method(request.method), *path);
  if (std::optional<Reply> denied = deny(route, *call)) return *denied;
  if (route == nullptr) return no_route(*call, *path);

  std::optional<Reply> refused = refuse_for_want(*route, *call);
  Reply reply = refused.has_value() ? *std::move(refused)
                                    : run(request, *path, *route, call);
  if (request.wants_timing) {
    reply.headers.emplace_back("Server-Timing", call->server_timing());
  }
  const std::chrono::nanoseconds took = call->elapsed();
  state->counts.add(static_cast<std::size_t>(route - routes().data()),
                    reply.status, took);
  log_request(*call, *route, reply, took);
  return reply;
}

}  // namespace

Reply Router::handle(const Request& request) const {
  Call call(store_, *state_, request);
  try {
    Reply reply = find_and_run(request, state_, &call);
    allow_origin(call, &reply);
    return reply;
  } catch (const std::exception&) {
    // The only one we know of is bad_alloc. What it says is not for clients.
    return call.error(Status::internal("the request could not be handled"));
  }
}

}  // namespace lamina::server
