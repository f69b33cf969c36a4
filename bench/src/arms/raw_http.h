#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "lamina/options.h"
#include "lamina/result.h"

namespace lamina::bench {

// cpp-httplib's client as a careful user sets it up by hand: keep-alive and
// TCP_NODELAY, which it leaves off.
//
// Thread safety: none.
class RawHttp {
 public:
  static Result<std::unique_ptr<RawHttp>> connect(int port);

  ~RawHttp();

  // Each returns the reply's body.
  //   unavailable: no reply.  internal: a reply other than 200.
  Status post(const std::string& path, const std::string& body,
              std::string* reply);
  // `*durable` tells what the server said of the write.
  Status write(std::string_view method, const std::string& path,
               const std::string& body, Durability durability,
               std::string* reply, bool* durable);

  // TCP_NODELAY as the kernel reports it, and the connection's own port: a
  // port that changes tells that the library has connected again.
  bool nodelay() const;
  int local_port() const;

 private:
  struct Impl;
  explicit RawHttp(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace lamina::bench
