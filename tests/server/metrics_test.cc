// Holds /metrics against the text format 0.0.4 and the rules that Prometheus'
// own checker has for names, which is not installed everywhere.

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "exposition.h"
#include "router_fixture.h"

namespace lamina::server {
namespace {

struct Sample {
  std::string name;
  std::map<std::string, std::string> labels;
  double value = 0;
};

struct Family {
  std::string type;
  bool has_help = false;
  std::vector<Sample> samples;
};

bool is_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || c == '_' || (c >= '0' && c <= '9');
  };
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') &&
         std::all_of(text.begin(), text.end(), fits);
}

// Takes a label's value, with both of its quotes, from the front.
std::string take_value(std::string_view* text) {
  REQUIRE(text->starts_with('"'));
  text->remove_prefix(1);
  std::string value;
  while (!text->starts_with('"')) {
    REQUIRE_FALSE(text->empty());
    if (text->front() == '\\') {
      text->remove_prefix(1);
      REQUIRE(std::string_view("n\"\\").find(text->front()) !=
              std::string_view::npos);
    }
    value += text->front();
    text->remove_prefix(1);
  }
  text->remove_prefix(1);
  return value;
}

Sample parse_sample(std::string_view line) {
  CAPTURE(line);
  Sample sample;
  const std::size_t name_end = line.find_first_of("{ ");
  REQUIRE(name_end != std::string_view::npos);
  sample.name = line.substr(0, name_end);
  CHECK(is_name(sample.name));
  line.remove_prefix(name_end);
  if (line.front() == '{') {
    do {
      line.remove_prefix(1);
      const std::size_t equals = line.find('=');
      REQUIRE(equals != std::string_view::npos);
      const std::string name(line.substr(0, equals));
      CHECK(is_name(name));
      line.remove_prefix(equals + 1);
      CHECK(sample.labels.emplace(name, take_value(&line)).second);
    } while (line.starts_with(','));
    REQUIRE(line.starts_with("} "));
    line.remove_prefix(1);
  }
  REQUIRE(line.starts_with(' '));
  const std::string digits(line.substr(1));
  char* end = nullptr;
  sample.value = std::strtod(digits.c_str(), &end);
  CHECK(end == digits.c_str() + digits.size());
  CHECK(sample.value >= 0);
  return sample;
}

// "name" of "# TYPE name counter", and the rest.
std::pair<std::string, std::string> parse_comment(std::string_view line) {
  const std::string_view text = line.substr(7);
  const std::size_t blank = text.find(' ');
  REQUIRE(blank != std::string_view::npos);
  return {std::string(text.substr(0, blank)),
          std::string(text.substr(blank + 1))};
}

// Every metric has its HELP, then its TYPE, then its values, all in one place.
std::map<std::string, Family> parse_exposition(const std::string& text) {
  REQUIRE(text.ends_with('\n'));
  std::map<std::string, Family> families;
  std::string current;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    if (line.starts_with("# HELP ")) {
      current = parse_comment(line).first;
      CHECK(families.count(current) == 0);
      families[current].has_help = true;
    } else if (line.starts_with("# TYPE ")) {
      const auto [name, type] = parse_comment(line);
      CHECK(name == current);
      CHECK(families[name].type.empty());
      families[name].type = type;
    } else {
      const Sample sample = parse_sample(line);
      Family& family = families[current];
      REQUIRE_FALSE(family.type.empty());
      const std::string suffix =
          sample.name.substr(std::min(current.size(), sample.name.size()));
      const bool fits =
          family.type == "histogram"
              ? suffix == "_bucket" || suffix == "_sum" || suffix == "_count"
              : suffix.empty();
      CHECK((sample.name.starts_with(current) && fits));
      family.samples.push_back(sample);
    }
  }
  return families;
}

void check_names(const std::string& name, const Family& family) {
  CAPTURE(name);
  CHECK(is_name(name));
  CHECK(family.has_help);
  const std::set<std::string> types = {"counter", "gauge", "histogram"};
  CHECK(types.count(family.type) == 1);
  CHECK(name.ends_with("_total") == (family.type == "counter"));
  for (const char* reserved : {"_sum", "_count", "_bucket"}) {
    CHECK_FALSE(name.ends_with(reserved));
  }
  for (const char* unit : {"_ms", "_milliseconds", "_kb", "_mib", "_minutes"}) {
    CHECK(name.find(unit) == std::string::npos);
  }
}

void check_no_value_twice(const Family& family) {
  std::set<std::pair<std::string, std::map<std::string, std::string>>> seen;
  for (const Sample& sample : family.samples) {
    CAPTURE(sample.name);
    CHECK(seen.emplace(sample.name, sample.labels).second);
  }
}

// Buckets only grow, and the last holds all that were counted.
void check_histogram(const Family& family) {
  double last_bound = -1;
  double last_count = 0;
  for (const Sample& sample : family.samples) {
    if (sample.name.ends_with("_bucket")) {
      const double bound = std::strtod(sample.labels.at("le").c_str(), nullptr);
      CHECK(bound > last_bound);
      CHECK(sample.value >= last_count);
      last_bound = bound;
      last_count = sample.value;
    } else if (sample.name.ends_with("_count")) {
      CHECK(last_bound == std::strtod("inf", nullptr));
      CHECK(sample.value == last_count);
      last_bound = -1;
      last_count = 0;
    }
  }
  CHECK(last_bound == -1);
}

TEST_CASE("metrics: the format and the names are Prometheus'") {
  Fixture fixture;
  fixture.fill();
  fixture.create("quote\" \xc3\xa9 name");
  for (int i = 0; i < 5; ++i) fixture.call("GET", "/collections/c");
  fixture.call("GET", "/collections/none");
  fixture.call("GET", "/metrics");
  const auto families = parse_exposition(fixture.call("GET", "/metrics").body);
  CHECK(families.size() >= 15);
  int histograms = 0;
  for (const auto& [name, family] : families) {
    check_names(name, family);
    check_no_value_twice(family);
    if (family.type != "histogram") continue;
    check_histogram(family);
    CHECK(family.samples.size() % (RequestCounts::kBounds.size() + 3) == 0);
    ++histograms;
  }
  CHECK(histograms == 1);
}

TEST_CASE("metrics: values of labels may hold anything") {
  Exposition text;
  text.begin("a_b", "gauge", "help");
  text.add({{"x", "q\"b\\n\n"}, {"y", ""}}, 0.25);
  CHECK(text.take() ==
        "# HELP a_b help\n# TYPE a_b gauge\n"
        "a_b{x=\"q\\\"b\\\\n\\n\",y=\"\"} 0.25\n");
}

TEST_CASE("metrics: a reply is counted in the bucket that it fits") {
  RequestCounts counts;
  counts.add(0, 200, std::chrono::microseconds(100));
  counts.add(0, 200, std::chrono::microseconds(101));
  counts.add(0, 500, std::chrono::seconds(11));
  CHECK(counts.of(0).within[0] == 1);
  CHECK(counts.of(0).within[1] == 1);
  CHECK(counts.of(0).within[RequestCounts::kBounds.size()] == 1);
  CHECK(decimal(RequestCounts::kBounds[0]) == "0.0001");
}

TEST_CASE("metrics: denied requests are counted") {
  Fixture fixture;
  fixture.state().guard.set_hosts({"localhost"});
  Request request;
  request.method = "GET";
  request.path = "/";
  request.host = "evil.example";
  fixture.handle(request);
  CHECK(
      has(fixture.call("GET", "/metrics"), "lamina_denied_requests_total 1\n"));
}

}  // namespace
}  // namespace lamina::server
