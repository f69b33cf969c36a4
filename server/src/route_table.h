#pragma once

#include <span>
#include <string_view>

#include "api_keys.h"
#include "query_parameters.h"
#include "routes/call.h"

namespace lamina::server {

// One thing that the server does.
struct Route {
  std::string_view method;
  // "/collections/{c}/points/{id}": {c}, {id} and {field} stand for one segment
  // each.
  std::string_view pattern;
  Permission needed;
  ParameterSet parameters;
  Reply (*run)(const Call& call);
};

// Whether it may make the server's data larger. What takes away is let through
// when there is no room.
bool adds_data(const Route& route);

// All of them. Where two patterns fit one path, the earlier counts.
std::span<const Route> routes();

}  // namespace lamina::server
