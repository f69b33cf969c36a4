#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api_keys.h"
#include "protocol/http_error.h"
#include "transport.h"

namespace lamina::server {

// Why a request does not get to its route.
struct Denial {
  protocol::Problem problem;
  std::string_view text;  // Constant: no byte of the request is in it.
};

// Who may ask what.
//
// Thread safety: all calls may run concurrently, but for set_hosts() and
// set_origins(), which come before the first request.
class Guard {
 public:
  // Names that a request may have in Host; empty lets all pass. A page that a
  // browser shows can have its own name point at this machine and then ask as
  // if it came from here; its name gives it away.
  void set_hosts(std::vector<std::string> names) { hosts_ = std::move(names); }

  // Origins, such as "https://example.org", whose pages may ask; "*" for all.
  void set_origins(std::vector<std::string> origins) {
    origins_ = std::move(origins);
  }

  // From now on only these count. While there are none, everybody may do all.
  void set_keys(ApiKeys keys);

  // Nothing when the request may go on to a route that asks for `needed`.
  std::optional<Denial> check(const Request& request, Permission needed) const;

  // What to say in Access-Control-Allow-Origin; null when nothing is to be
  // said.
  const std::string* allowed_origin(const Request& request) const;

  // How many requests check() has denied.
  std::uint64_t denied() const { return denied_; }

 private:
  std::optional<Denial> find_denial(const Request& request,
                                    Permission needed) const;
  bool knows_host(std::string_view host) const;
  bool may_come_from(const Request& request) const;
  std::optional<Denial> check_key(const Request& request,
                                  Permission needed) const;
  std::shared_ptr<const ApiKeys> keys() const;

  std::vector<std::string> hosts_;
  std::vector<std::string> origins_;
  mutable std::atomic<std::uint64_t> denied_{0};
  std::atomic<bool> has_keys_{false};  // Spares the lock where there are none.
  mutable std::mutex mutex_;
  std::shared_ptr<const ApiKeys> keys_ = std::make_shared<ApiKeys>();
};

// Only this machine can reach it: "localhost", "127.0.0.1", "::1".
bool is_loopback(std::string_view host);

}  // namespace lamina::server
