#include "url.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace lamina::client {
namespace {

constexpr std::string_view kScheme = "http://";

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9');
}

bool is_host_character(char c) {
  return is_alphanumeric(c) || c == '.' || c == '-' || c == '_';
}

// Of an IPv6 address between brackets, with a zone.
bool is_address_character(char c) {
  return is_host_character(c) || c == ':' || c == '%';
}

// What may stand in a path as it is; no '?', no '#', nothing that would end
// the request line.
bool is_path_character(char c) {
  return is_alphanumeric(c) ||
         std::string_view("/-._~%!$&'()*+,;=:@").find(c) !=
             std::string_view::npos;
}

bool is_all(std::string_view text, bool (*accept)(char)) {
  return std::all_of(text.begin(), text.end(), accept);
}

// Takes the host off the front of `text`. Empty when there is none.
std::string_view take_host(std::string_view& text) {
  if (!text.starts_with('[')) {
    const std::string_view host = text.substr(0, text.find(':'));
    text.remove_prefix(host.size());
    return is_all(host, is_host_character) ? host : std::string_view();
  }
  const std::size_t end = text.find(']');
  if (end == text.npos) return {};
  const std::string_view host = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  return is_all(host, is_address_character) ? host : std::string_view();
}

// ":6333", or nothing for the default.
bool read_port(std::string_view text, std::uint16_t* port) {
  if (text.empty()) return true;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + 1, end, *port);
  return text[0] == ':' && error == std::errc() && rest == end && *port != 0;
}

}  // namespace

std::string Url::authority() const {
  const bool is_ipv6 = host.find(':') != host.npos;
  return (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<Url> parse_url(std::string_view text) {
  const Status bad = Status::invalid_argument(
      "\"" + std::string(text) + "\" is not http://host[:port][/prefix]");
  if (!text.starts_with(kScheme)) return bad;
  std::string_view rest = text.substr(kScheme.size());

  const std::size_t slash = std::min(rest.find('/'), rest.size());
  std::string_view prefix = rest.substr(slash);
  while (prefix.ends_with('/')) prefix.remove_suffix(1);
  if (!is_all(prefix, is_path_character)) return bad;

  std::string_view authority = rest.substr(0, slash);
  Url url;
  url.host = take_host(authority);
  url.prefix = prefix;
  if (url.host.empty() || !read_port(authority, &url.port)) return bad;
  return url;
}

}  // namespace lamina::client
