#include "protocol/media_type.h"

#include <algorithm>
#include <charconv>

namespace lamina::protocol {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Takes what stands before the next separator.
std::string_view take(char separator, std::string_view* text) {
  const std::string_view item = text->substr(0, text->find(separator));
  text->remove_prefix(std::min(text->size(), item.size() + 1));
  return trim(item);
}

// The value of a parameter; empty when it is not there.
std::string_view parameter(std::string_view parameters, std::string_view name) {
  while (!parameters.empty()) {
    std::string_view value = take(';', &parameters);
    if (same(take('=', &value), name)) return trim(value);
  }
  return {};
}

// From 0 to 1; 1 when it is not given.
double weight(std::string_view parameters) {
  const std::string_view text = parameter(parameters, "q");
  double weight = 1.0;
  std::from_chars(text.data(), text.data() + text.size(), weight);
  return weight;
}

// How much a type is wanted, and how closely the range that says so names it.
struct Wish {
  int closeness = 0;
  double weight = 0.0;

  void look_at(std::string_view range, double range_weight,
               std::string_view type) {
    const int close = same(range, type)              ? 3
                      : same(range, "application/*") ? 2
                      : range == "*/*"               ? 1
                                                     : 0;
    if (close > closeness) *this = {close, range_weight};
  }
};

}  // namespace

std::optional<Media> content_media(std::string_view content_type) {
  const std::string_view type = take(';', &content_type);
  if (!parameter(content_type, "dtype").empty()) return std::nullopt;
  if (same(type, kJsonMedia)) return Media::json;
  if (same(type, kFloatsMedia) || same(type, kBytesMedia)) return Media::floats;
  if (same(type, kTensorsMedia)) return Media::tensors;
  return std::nullopt;
}

std::optional<Media> accepted_media(std::string_view accept) {
  if (trim(accept).empty()) return Media::json;
  Wish json;
  Wish tensors;
  while (!accept.empty()) {
    std::string_view item = take(',', &accept);
    const std::string_view range = take(';', &item);
    json.look_at(range, weight(item), kJsonMedia);
    tensors.look_at(range, weight(item), kTensorsMedia);
  }
  if (json.weight <= 0.0 && tensors.weight <= 0.0) return std::nullopt;
  if (tensors.weight > json.weight) return Media::tensors;
  const bool by_name = tensors.closeness > json.closeness;
  return by_name && tensors.weight == json.weight ? Media::tensors
                                                  : Media::json;
}

}  // namespace lamina::protocol
