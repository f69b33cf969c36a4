#include "arms/arm.h"
#include "search/exact_score.h"
#include "search/flat_scan.h"

namespace lamina::bench {
namespace {

class KernelArm : public Arm {
 public:
  KernelArm(const Workload& work, const rows::RowTable& table)
      : work_(work), table_(table) {
    best_.reserve(work.k);
  }

  void call(std::size_t query, Reply& reply) override {
    search::flat_scan(table_, work_.data.query(query), work_.k, &best_);
    // The caller's buffer: sixteen bytes a hit, nothing is allocated.
    reply.hits.resize(best_.size());
    for (std::size_t i = 0; i < best_.size(); ++i) {
      reply.hits[i].id = table_.id(best_[i].row);
      reply.hits[i].score = search::to_user_score(best_[i].score);
    }
  }

 private:
  const Workload& work_;
  const rows::RowTable& table_;
  std::vector<search::ScoredRow> best_;
};

}  // namespace

std::unique_ptr<Arm> make_kernel_arm(const Workload& work,
                                     const rows::RowTable& table) {
  return std::make_unique<KernelArm>(work, table);
}

}  // namespace lamina::bench
