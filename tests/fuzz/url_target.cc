#include "fuzz/targets.h"
#include "path_match.h"
#include "protocol/paths.h"
#include "protocol/search_parameters.h"
#include "query_parameters.h"
#include "route_table.h"

namespace lamina::fuzz {
namespace {

void check_segment(std::string_view segment) {
  check(segment.find('/') == std::string_view::npos && !segment.empty(),
        "a segment stands between slashes");
  std::string decoded;
  if (!protocol::decode_segment(segment, &decoded)) return;
  const std::string encoded = protocol::encode_segment(decoded);
  check(encoded.find_first_of("/?#& ") == std::string::npos,
        "a name that is encoded holds nothing with a meaning in a path");
  std::string again;
  check(protocol::decode_segment(encoded, &again) && again == decoded,
        "a name that is encoded reads back");
}

void read_path(std::string_view path) {
  const auto segments = server::PathSegments::split(path);
  if (!segments) return;
  for (const server::Route& route : server::routes()) {
    if (!segments->match(route.pattern)) continue;
    for (const std::string_view parameter : {"{c}", "{id}", "{field}"}) {
      const std::string_view value = segments->at(parameter, route.pattern);
      const bool has_it =
          route.pattern.find(parameter) != std::string_view::npos;
      check(has_it != value.empty(), "what a pattern names is there");
      if (has_it) check_segment(value);
    }
  }
}

void read_search_parameters(std::string_view query) {
  const auto read = [](std::string_view text) {
    protocol::SearchParameters parameters;
    const Status status = server::for_each_parameter(
        text, [&](std::string_view name, std::string_view value) {
          return protocol::read_search_parameter(name, value, &parameters);
        });
    return status.ok() ? Result(parameters) : status;
  };
  const auto parameters = read(query);
  if (!parameters.ok()) return;
  const std::string written =
      protocol::encode_search_parameters(parameters->options);
  const auto again = read(written);
  check(again.ok() &&
            protocol::encode_search_parameters(again->options) == written,
        "parameters of a search that are written read back");
}

void read_query(std::string_view query) {
  using server::ParameterSet;
  for (const ParameterSet set : {ParameterSet::none, ParameterSet::read,
                                 ParameterSet::write, ParameterSet::admin}) {
    const auto parameters = server::parse_query_parameters(query, set);
    check(parameters.ok() || set != ParameterSet::none,
          "a route without parameters passes them over");
  }
  read_search_parameters(query);
}

void run(std::string_view input) {
  const std::size_t at = input.find('?');
  read_path(input.substr(0, at));
  if (at != std::string_view::npos) read_query(input.substr(at + 1));
}

std::vector<std::string> seeds() {
  return {
      "/collections/a%20b/points/7?wait=true&ordering=strong&timeout=5",
      "/collections/..%2f..%2fetc/points?consistency=majority",
      "/collections/%2e%2e//index/a.b%5B%5D?timeout=0",
      "/collections/na\xc3\xafve/%zz",
      "//collections///a/",
      "/a/b/c/d/e/f/g/h/i",
      "/v1/collections/c/query?limit=5&offset=2&score_threshold=-1e-3&ef=64"
      "&exact=true&with_payload=%5B%22a%22%5D&with_vector=true"
      "&filter=%7B%22must%22%3A%5B%5D%7D",
      "?limit=18446744073709551615&score_threshold=nan",
      "?limit=&&=&offset",
      "?wait=%74%72%75%65&timeout=%",
      "/collections/c/points/550e8400-e29b-41d4-a716-446655440000?%00=%00",
  };
}

}  // namespace

Target url_target() {
  return {.name = "urls",
          .what =
              "Paths and query strings. A parameter of a path is one "
              "segment; names and the parameters of a search survive being "
              "encoded.",
          .run = run,
          .seeds = seeds,
          .words = {"/collections/",
                    "/points",
                    "/v1/",
                    "/query",
                    "/aliases",
                    "/snapshots",
                    "/index/",
                    "%2f",
                    "%2e",
                    "%00",
                    "%25",
                    "%",
                    "?",
                    "&",
                    "=",
                    "wait=",
                    "timeout=",
                    "ordering=",
                    "consistency=",
                    "limit=",
                    "offset=",
                    "score_threshold=",
                    "ef=",
                    "exact=",
                    "filter=",
                    "with_payload=",
                    "nan",
                    "inf"},
          .most_bytes = 512};
}

}  // namespace lamina::fuzz
