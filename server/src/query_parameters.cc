#include "query_parameters.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

#include "protocol/paths.h"

namespace lamina::server {
namespace {

Status malformed(std::string_view name, std::string_view allowed) {
  return Status::invalid_argument(std::string(name) + ": must be " +
                                  std::string(allowed));
}

bool read_count(std::string_view value, std::uint64_t* count) {
  const char* end = value.data() + value.size();
  const auto read = std::from_chars(value.data(), end, *count);
  return read.ec == std::errc() && read.ptr == end;
}

Status check_timeout(std::string_view value) {
  std::uint64_t seconds = 0;
  if (!read_count(value, &seconds))
    return malformed("timeout", "whole seconds");
  if (seconds > 0) return {};
  return Status::invalid_field("timeout",
                               "value 0 invalid, must be 1 or larger");
}

Status check_consistency(std::string_view value) {
  if (value.empty() || value == "majority" || value == "quorum" ||
      value == "all") {
    return {};
  }
  std::uint64_t replicas = 0;
  if (!read_count(value, &replicas)) {
    return malformed("consistency", "a number, majority, quorum or all");
  }
  if (replicas > 0) return {};
  return Status::invalid_field("consistency",
                               "value 0 invalid, must be 1 or larger");
}

Status check_ordering(std::string_view value) {
  const bool known = value == "weak" || value == "medium" || value == "strong";
  return known ? Status() : malformed("ordering", "weak, medium or strong");
}

Status read_wait(std::string_view value, bool* wait) {
  *wait = value == "true";
  return *wait || value == "false" ? Status()
                                   : malformed("wait", "true or false");
}

Status read_parameter(std::string_view name, std::string_view value,
                      ParameterSet set, QueryParameters* parameters) {
  if (name == "timeout") return check_timeout(value);
  if (set == ParameterSet::read && name == "consistency") {
    return check_consistency(value);
  }
  if (set == ParameterSet::write && name == "ordering") {
    return check_ordering(value);
  }
  if (set == ParameterSet::write && name == "wait") {
    return read_wait(value, &parameters->wait);
  }
  return {};
}

}  // namespace

Status for_each_parameter(
    std::string_view query,
    const std::function<Status(std::string_view name, std::string_view value)>&
        take) {
  std::string value;
  while (!query.empty()) {
    const std::string_view item = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), item.size() + 1));
    const std::size_t equals = std::min(item.find('='), item.size());
    if (!protocol::decode_segment(
            item.substr(std::min(item.size(), equals + 1)), &value)) {
      return Status::invalid_argument("malformed percent-encoding");
    }
    if (item.empty()) continue;
    const Status status = take(item.substr(0, equals), value);
    if (!status.ok()) return status;
  }
  return {};
}

Result<QueryParameters> parse_query_parameters(std::string_view query,
                                               ParameterSet set) {
  QueryParameters parameters;
  if (set == ParameterSet::none) return parameters;
  const Status read = for_each_parameter(
      query, [&](std::string_view name, std::string_view value) {
        return read_parameter(name, value, set, &parameters);
      });
  if (!read.ok()) return read;
  return parameters;
}

}  // namespace lamina::server
