#include "arms/raw_http.h"

#include <arpa/inet.h>
#include <httplib.h>
#include <netinet/tcp.h>

#include <exception>
#include <utility>

#include "protocol/paths.h"

namespace lamina::bench {
namespace {

constexpr const char* kJson = "application/json";

Status check(const httplib::Result& result) {
  if (!result)
    return Status::unavailable("no reply: " +
                               httplib::to_string(result.error()));
  if (result->status != 200) {
    return Status::internal("answered " + std::to_string(result->status) +
                            ": " + result->body.substr(0, 200));
  }
  return {};
}

}  // namespace

struct RawHttp::Impl {
  explicit Impl(int port) : client("127.0.0.1", port) {
    client.set_keep_alive(true);
    client.set_tcp_nodelay(true);
  }

  httplib::Client client;
};

Result<std::unique_ptr<RawHttp>> RawHttp::connect(int port) {
  std::unique_ptr<RawHttp> http(new RawHttp(std::make_unique<Impl>(port)));
  try {
    // Connects: the library does so with the first request only.
    httplib::Result hello = http->impl_->client.Get("/");
    if (Status answered = check(hello); !answered.ok()) return answered;
  } catch (const std::exception& error) {
    return Status::internal(std::string("cpp-httplib: ") + error.what());
  }
  return http;
}

RawHttp::RawHttp(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RawHttp::~RawHttp() = default;

Status RawHttp::post(const std::string& path, const std::string& body,
                     std::string* reply) {
  try {
    httplib::Result result = impl_->client.Post(path, body, kJson);
    if (Status answered = check(result); !answered.ok()) return answered;
    *reply = std::move(result->body);
    return {};
  } catch (const std::exception& error) {
    return Status::internal(std::string("cpp-httplib: ") + error.what());
  }
}

Status RawHttp::write(std::string_view method, const std::string& path,
                      const std::string& body, Durability durability,
                      std::string* reply, bool* durable) {
  try {
    const httplib::Headers headers{{std::string(protocol::kDurabilityHeader),
                                    std::string(to_string(durability))}};
    httplib::Result result =
        method == "PUT" ? impl_->client.Put(path, headers, body, kJson)
                        : impl_->client.Post(path, headers, body, kJson);
    if (Status answered = check(result); !answered.ok()) return answered;
    *durable = result->get_header_value(
                   std::string(protocol::kDurableHeader)) == "true";
    *reply = std::move(result->body);
    return {};
  } catch (const std::exception& error) {
    return Status::internal(std::string("cpp-httplib: ") + error.what());
  }
}

bool RawHttp::nodelay() const {
  int on = 0;
  socklen_t length = sizeof on;
  return getsockopt(impl_->client.socket(), IPPROTO_TCP, TCP_NODELAY, &on,
                    &length) == 0 &&
         on != 0;
}

int RawHttp::local_port() const {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  if (getsockname(impl_->client.socket(), reinterpret_cast<sockaddr*>(&address),
                  &length) != 0)
    return -1;
  return ntohs(address.sin_port);
}

}  // namespace lamina::bench
