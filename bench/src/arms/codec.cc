#include <utility>

#include "arms/arm.h"
#include "protocol/query_json.h"
#include "router.h"

namespace lamina::bench {
namespace {

class CodecArm : public Arm {
 public:
  CodecArm(const Workload& work, Store& store) : work_(work), router_(store) {}

  void call(std::size_t query, Reply& reply) override {
    server::Request request;
    request.method = "POST";
    request.path = work_.path;
    request.body = work_.bodies[query];
    server::Reply answer = router_.handle(request);
    if (answer.status != 200)
      reply.status = Status::internal("route answered: " + answer.body);
    reply.body = std::move(answer.body);
  }

  Result<std::vector<Hit>> hits(const Reply& reply) const override {
    return protocol::decode_hits_reply(reply.body);
  }

 private:
  const Workload& work_;
  server::Router router_;
};

}  // namespace

std::unique_ptr<Arm> make_codec_arm(const Workload& work, Store& store) {
  return std::make_unique<CodecArm>(work, store);
}

}  // namespace lamina::bench
