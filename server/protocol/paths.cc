#include "protocol/paths.h"

namespace lamina::protocol {
namespace {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';
}

// The value of a hexadecimal digit, or -1.
int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string encode_segment(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    if (is_unreserved(c)) {
      encoded += c;
      continue;
    }
    encoded += '%';
    encoded += kHex[static_cast<unsigned char>(c) >> 4];
    encoded += kHex[static_cast<unsigned char>(c) & 0xF];
  }
  return encoded;
}

bool decode_segment(std::string_view text, std::string* decoded) {
  decoded->clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      *decoded += text[i];
      continue;
    }
    if (text.size() - i < 3) return false;
    const int high = hex_value(text[i + 1]);
    const int low = hex_value(text[i + 2]);
    if (high < 0 || low < 0) return false;
    *decoded += static_cast<char>(high << 4 | low);
    i += 2;
  }
  return true;
}

std::string collection_path(std::string_view name) {
  return "/collections/" + encode_segment(name);
}

std::string points_path(std::string_view name, std::string_view below) {
  return collection_path(name) + "/points" + std::string(below);
}

std::string point_path(std::string_view name, const PointId& id) {
  return points_path(name) + "/" + id.to_string();
}

std::string facet_path(std::string_view name) {
  return collection_path(name) + "/facet";
}

std::string index_path(std::string_view name) {
  return collection_path(name) + "/index";
}

std::string index_path(std::string_view name, std::string_view key) {
  return index_path(name) + "/" + encode_segment(key);
}

std::string own_path(std::string_view name, std::string_view below) {
  return "/v1" + collection_path(name) + std::string(below);
}

std::string flush_path(std::string_view name) {
  return own_path(name, "/flush");
}

}  // namespace lamina::protocol
