#include "guard.h"

#include <algorithm>
#include <utility>

namespace lamina::server {
namespace {

constexpr Denial kForeignHost{
    {403, "unknown-host"},
    "Host names none of this server's names; see --allowed-host"};
constexpr Denial kForeignOrigin{
    {403, "unknown-origin"},
    "pages of another origin may not ask; see --cors-origin"};
constexpr Denial kNoKey{
    {401, "unauthenticated"},
    "a key is needed, in api-key or as Authorization: Bearer"};
constexpr Denial kUnknownKey{{401, "unauthenticated"}, "the key is not known"};
constexpr Denial kReadOnlyKey{{403, "read-only-key"},
                              "the key is for reading only"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

// "[::1]" of "[::1]:6333", "localhost" of "localhost:6333".
std::string_view without_port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const std::size_t bracket = host.rfind(']');
  const bool is_port = colon != std::string_view::npos &&
                       (bracket == std::string_view::npos || colon > bracket);
  return is_port ? host.substr(0, colon) : host;
}

std::string_view key_of(const Request& request) {
  constexpr std::string_view kBearer = "Bearer ";
  if (!request.api_key.empty()) return request.api_key;
  const std::string_view value = request.authorization;
  if (!equals_ignoring_case(value.substr(0, kBearer.size()), kBearer)) {
    return {};
  }
  return value.substr(kBearer.size());
}

}  // namespace

void Guard::set_keys(ApiKeys keys) {
  auto replaced = std::make_shared<const ApiKeys>(std::move(keys));
  const std::lock_guard lock(mutex_);
  has_keys_ = !replaced->empty();
  keys_.swap(replaced);
}

std::shared_ptr<const ApiKeys> Guard::keys() const {
  const std::lock_guard lock(mutex_);
  return keys_;
}

std::optional<Denial> Guard::check(const Request& request,
                                   Permission needed) const {
  const std::optional<Denial> denial = find_denial(request, needed);
  if (denial.has_value()) ++denied_;
  return denial;
}

std::optional<Denial> Guard::find_denial(const Request& request,
                                         Permission needed) const {
  if (!knows_host(request.host)) return kForeignHost;
  if (!may_come_from(request)) return kForeignOrigin;
  if (needed == Permission::none) return {};
  return check_key(request, needed);
}

// A request of HTTP/1.0 may have no Host; no browser sends one like that.
bool Guard::knows_host(std::string_view host) const {
  if (hosts_.empty() || host.empty()) return true;
  return std::any_of(hosts_.begin(), hosts_.end(),
                     [name = without_port(host)](const std::string& known) {
                       return equals_ignoring_case(name, known);
                     });
}

// Browsers let any page send a POST; only who may read the answer is up to the
// server. So what they say of the page has to be looked at before anything is
// done.
bool Guard::may_come_from(const Request& request) const {
  if (request.origin.empty() || allowed_origin(request) != nullptr) return true;
  const std::size_t scheme_end = request.origin.find("://");
  return scheme_end != std::string_view::npos &&
         equals_ignoring_case(request.origin.substr(scheme_end + 3),
                              request.host);
}

const std::string* Guard::allowed_origin(const Request& request) const {
  if (request.origin.empty()) return nullptr;
  const auto found = std::find_if(
      origins_.begin(), origins_.end(), [&](const std::string& origin) {
        return origin == "*" || origin == request.origin;
      });
  return found != origins_.end() ? &*found : nullptr;
}

std::optional<Denial> Guard::check_key(const Request& request,
                                       Permission needed) const {
  if (!has_keys_) return {};
  const std::shared_ptr<const ApiKeys> known = keys();
  const std::string_view key = key_of(request);
  if (key.empty()) return kNoKey;
  const Permission permission = known->permission_of(key);
  if (permission >= needed) return {};
  return permission == Permission::none ? kUnknownKey : kReadOnlyKey;
}

bool is_loopback(std::string_view host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

}  // namespace lamina::server
