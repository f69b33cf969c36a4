#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "lamina/database.h"
#include "router.h"

namespace lamina::server {

// A router over a database in memory, called without a socket.
class Fixture {
 public:
  Reply call(std::string_view method, std::string_view target,
             std::string_view body = "", std::string_view durability = "") {
    const std::size_t mark = std::min(target.find('?'), target.size());
    Request request;
    request.method = method;
    request.path = target.substr(0, mark);
    request.query = target.substr(std::min(target.size(), mark + 1));
    request.body = body;
    request.durability = durability;
    return router_.handle(request);
  }

  // The status, and what does not change from run to run of the body.
  std::string ask(std::string_view method, std::string_view target,
                  std::string_view body = "") {
    const Reply reply = call(method, target, body);
    return std::to_string(reply.status) + " " +
           reply.body.substr(0, reply.body.rfind(",\"time\":"));
  }

  Reply handle(const Request& request) { return router_.handle(request); }
  ServerState& state() { return state_; }

  void create(std::string_view name = "c", std::string_view metric = "Dot") {
    const Reply reply = call("PUT", "/collections/" + std::string(name),
                             R"({"vectors":{"size":2,"distance":")" +
                                 std::string(metric) + R"("}})");
    REQUIRE(reply.status == 200);
  }

  // Points 1, 2 and 3 with vectors [1,0], [2,0] and [3,0].
  void fill() {
    create();
    const Reply reply = call("PUT", "/collections/c/points?wait=true",
                             R"({"points":[
        {"id":1,"vector":[1,0],"payload":{"a":1}},
        {"id":2,"vector":[2,0]},
        {"id":3,"vector":[3,0],"payload":{"a":3}}]})");
    REQUIRE(reply.status == 200);
  }

 private:
  std::unique_ptr<Database> database_ = Database::in_memory();
  ServerState state_;
  Router router_{*database_, state_};
};

// The part of an envelope that does not change from run to run.
inline std::string result_of(const Reply& reply) {
  return reply.body.substr(0, reply.body.rfind(",\"time\":"));
}

inline std::string header(const Reply& reply, std::string_view name) {
  for (const auto& [key, value] : reply.headers) {
    if (key == name) return value;
  }
  return {};
}

inline bool has(const Reply& reply, std::string_view text) {
  return reply.body.find(text) != std::string::npos;
}

}  // namespace lamina::server
