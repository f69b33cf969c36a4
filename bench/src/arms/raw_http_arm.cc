#include <utility>

#include "arms/arm.h"
#include "arms/raw_http.h"
#include "protocol/query_json.h"

namespace lamina::bench {
namespace {

class RawHttpArm : public Arm {
 public:
  RawHttpArm(const Workload& work, std::unique_ptr<RawHttp> http, bool honest)
      : work_(work),
        http_(std::move(http)),
        port_(http_->local_port()),
        honest_(honest) {}

  void call(std::size_t query, Reply& reply) override {
    if (!honest_) {
      reply.status =
          http_->post(work_.json.path, work_.json.bodies[query], &reply.body);
      return;
    }
    const std::string body =
        protocol::encode_query(work_.data.query(query), {.top_k = work_.k});
    reply.status = http_->post(work_.json.path, body, &reply.body);
    if (!reply.status.ok()) return;
    Result<std::vector<Hit>> hits = protocol::decode_hits_reply(reply.body);
    if (hits.ok()) {
      reply.hits = *std::move(hits);
    } else {
      reply.status = hits.status();
    }
  }

  Result<std::vector<Hit>> hits(const Reply& reply) const override {
    if (http_->local_port() != port_)
      return Status::internal("cpp-httplib's client connected again");
    if (honest_) return reply.hits;
    return protocol::decode_hits_reply(reply.body);
  }

 private:
  const Workload& work_;
  std::unique_ptr<RawHttp> http_;
  int port_;
  bool honest_;
};

}  // namespace

Result<std::unique_ptr<Arm>> make_raw_http_arm(const Workload& work, int port,
                                               bool honest) {
  Result<std::unique_ptr<RawHttp>> http = RawHttp::connect(port);
  if (!http.ok()) return http.status();
  if (!(*http)->nodelay())
    return Status::internal("TCP_NODELAY is off on cpp-httplib's socket");
  return std::unique_ptr<Arm>(
      std::make_unique<RawHttpArm>(work, *std::move(http), honest));
}

}  // namespace lamina::bench
