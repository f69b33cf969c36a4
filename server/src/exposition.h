#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace lamina::server {

// Writes metrics in the text format that Prometheus reads, version 0.0.4.
//
//   Exposition text;
//   text.begin("requests_total", "counter", "requests answered");
//   text.add({{"method", "GET"}}, 3);
//
// Names of metrics and labels are the caller's to get right; values of labels
// may hold anything.
class Exposition {
 public:
  using Labels =
      std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // What follows, up to the next begin(), are values of this metric.
  void begin(std::string_view name, std::string_view type,
             std::string_view help);
  void add(Labels labels, std::uint64_t value, std::string_view suffix = "");
  void add(Labels labels, double value, std::string_view suffix = "");

  // A metric of one value.
  template <class Value>
  void single(std::string_view name, std::string_view type,
              std::string_view help, Value value) {
    begin(name, type, help);
    add({}, value);
  }

  std::string take() { return std::move(text_); }

 private:
  void add_line(Labels labels, std::string_view value, std::string_view suffix);

  std::string text_;
  std::string_view name_;
};

// The shortest digits that read back as the value: "0.00025".
std::string decimal(double value);

}  // namespace lamina::server
