#include <utility>

#include "arms/arm.h"
#include "core/clock.h"

namespace lamina::bench {
namespace {

class CollectionArm : public Arm {
 public:
  CollectionArm(const Workload& work, std::shared_ptr<Collection> collection,
                std::uint64_t injected_ns)
      : work_(work),
        collection_(std::move(collection)),
        injected_ns_(injected_ns) {}

  void call(std::size_t query, Reply& reply) override {
    Result<std::vector<Hit>> hits =
        collection_->query(work_.data.query(query), {.top_k = work_.k});
    if (hits.ok()) {
      reply.hits = *std::move(hits);
    } else {
      reply.status = hits.status();
    }
    if (injected_ns_ != 0) spin(injected_ns_);
  }

 private:
  const Workload& work_;
  std::shared_ptr<Collection> collection_;
  std::uint64_t injected_ns_;
};

}  // namespace

std::unique_ptr<Arm> make_collection_arm(const Workload& work,
                                         std::shared_ptr<Collection> collection,
                                         std::uint64_t injected_ns) {
  return std::make_unique<CollectionArm>(work, std::move(collection),
                                         injected_ns);
}

}  // namespace lamina::bench
