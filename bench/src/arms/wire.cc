#include <utility>

#include "arms/arm.h"
#include "arms/raw_socket.h"
#include "protocol/query_json.h"

namespace lamina::bench {
namespace {

class WireArm : public Arm {
 public:
  WireArm(const Workload& work, RawSocket connection)
      : connection_(std::move(connection)) {
    for (const std::string& body : work.bodies)
      requests_.push_back(encode_request("POST", work.path, body));
  }

  void call(std::size_t query, Reply& reply) override {
    reply.status = connection_.exchange(requests_[query], &reply.body);
  }

  Result<std::vector<Hit>> hits(const Reply& reply) const override {
    const std::string_view message = reply.body;
    if (!message.starts_with("HTTP/1.1 200 "))
      return Status::internal("answered " + reply.body.substr(0, 200));
    return protocol::decode_hits_reply(message.substr(head_length(message)));
  }

 private:
  RawSocket connection_;
  std::vector<std::string> requests_;
};

}  // namespace

Result<std::unique_ptr<Arm>> make_wire_arm(const Workload& work, int port) {
  Result<RawSocket> connection = RawSocket::connect(port);
  if (!connection.ok()) return connection.status();
  return std::unique_ptr<Arm>(
      std::make_unique<WireArm>(work, *std::move(connection)));
}

}  // namespace lamina::bench
