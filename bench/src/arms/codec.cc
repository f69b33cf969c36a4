#include <utility>

#include "arms/arm.h"
#include "router.h"

namespace lamina::bench {
namespace {

class CodecArm : public Arm {
 public:
  CodecArm(const Workload& work, Store& store, bool binary)
      : encoded_(work.encoded(binary)), binary_(binary), router_(store) {}

  void call(std::size_t query, Reply& reply) override {
    server::Request request;
    request.method = "POST";
    request.path = encoded_.path;
    request.query = encoded_.query;
    request.content_type = encoded_.content_type;
    request.accept = encoded_.accept;
    request.body = encoded_.bodies[query];
    server::Reply answer = router_.handle(request);
    if (answer.status != 200)
      reply.status = Status::internal("route answered: " + answer.body);
    reply.body = std::move(answer.body);
  }

  Result<std::vector<Hit>> hits(const Reply& reply) const override {
    return decode_hits(reply.body, binary_);
  }

 private:
  const Workload::Encoded& encoded_;
  bool binary_;
  server::Router router_;
};

}  // namespace

std::unique_ptr<Arm> make_codec_arm(const Workload& work, Store& store,
                                    bool binary) {
  return std::make_unique<CodecArm>(work, store, binary);
}

}  // namespace lamina::bench
