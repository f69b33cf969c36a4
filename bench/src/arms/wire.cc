#include <utility>

#include "arms/arm.h"
#include "arms/raw_socket.h"

namespace lamina::bench {
namespace {

class WireArm : public Arm {
 public:
  WireArm(const Workload& work, RawSocket connection, bool binary)
      : connection_(std::move(connection)), binary_(binary) {
    const Workload::Encoded& encoded = work.encoded(binary);
    for (const std::string& body : encoded.bodies) {
      requests_.push_back(encode_request("POST", encoded.target(), body,
                                         encoded.content_type, encoded.accept));
    }
  }

  void call(std::size_t query, Reply& reply) override {
    reply.status = connection_.exchange(requests_[query], &reply.body);
  }

  Result<std::vector<Hit>> hits(const Reply& reply) const override {
    const std::string_view message = reply.body;
    if (!message.starts_with("HTTP/1.1 200 "))
      return Status::internal("answered " + reply.body.substr(0, 200));
    return decode_hits(message.substr(head_length(message)), binary_);
  }

 private:
  RawSocket connection_;
  bool binary_;
  std::vector<std::string> requests_;
};

}  // namespace

Result<std::unique_ptr<Arm>> make_wire_arm(const Workload& work, int port,
                                           bool binary) {
  Result<RawSocket> connection = RawSocket::connect(port);
  if (!connection.ok()) return connection.status();
  return std::unique_ptr<Arm>(
      std::make_unique<WireArm>(work, *std::move(connection), binary));
}

}  // namespace lamina::bench
