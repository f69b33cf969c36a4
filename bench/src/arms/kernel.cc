#include "arms/arm.h"
#include "rows/row_table.h"
#include "search/exact_score.h"
#include "search/flat_scan.h"

namespace lamina::bench {
namespace {

class KernelArm : public Arm {
 public:
  KernelArm(const Workload& work, const rows::RowTable& table)
      : work_(work), table_(table) {
    scan_.best.reserve(work.k);
  }

  void call(std::size_t query, Reply& reply) override {
    scan_.vector = work_.data.query(query);
    scan_.k = work_.k;
    search::flat_scan(table_, {0, static_cast<rows::Row>(table_.size())},
                      {&scan_, 1});
    const std::vector<search::ScoredRow>& best = scan_.best;
    // The caller's buffer: sixteen bytes a hit, nothing is allocated.
    reply.hits.resize(best.size());
    for (std::size_t i = 0; i < best.size(); ++i) {
      reply.hits[i].id = table_.id(best[i].row);
      reply.hits[i].score = search::to_user_score(best[i].score);
    }
  }

 private:
  const Workload& work_;
  const rows::RowTable& table_;
  search::FlatQuery scan_;
};

}  // namespace

std::unique_ptr<Arm> make_kernel_arm(const Workload& work,
                                     const rows::RowTable& table) {
  return std::make_unique<KernelArm>(work, table);
}

}  // namespace lamina::bench
