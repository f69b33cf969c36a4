#include <cblas.h>

#include <algorithm>

#include "arms/arm.h"
#include "arms/best_scores.h"

namespace lamina::bench {
namespace {

class SgemvArm : public Arm {
 public:
  explicit SgemvArm(const Workload& work)
      : work_(work),
        dimension_(work.data.base.columns),
        matrix_(work.data.base.values),
        query_(dimension_),
        scores_(work.data.base.rows) {
    for (std::size_t row = 0; row < scores_.size(); ++row)
      normalise(std::span(matrix_).subspan(row * dimension_, dimension_));
    openblas_set_num_threads(1);
  }

  void call(std::size_t query, Reply& reply) override {
    const VectorView values = work_.data.query(query);
    std::copy(values.begin(), values.end(), query_.begin());
    normalise(query_);
    cblas_sgemv(CblasRowMajor, CblasNoTrans, static_cast<int>(scores_.size()),
                static_cast<int>(dimension_), 1.0f, matrix_.data(),
                static_cast<int>(dimension_), query_.data(), 1, 0.0f,
                scores_.data(), 1);
    select_best(scores_, work_.k, &best_);
    reply.hits.clear();
    for (const RowScore& best : best_)
      reply.hits.push_back({.id = best.row, .score = best.score});
  }

 private:
  const Workload& work_;
  std::size_t dimension_;
  std::vector<float> matrix_;
  std::vector<float> query_;
  std::vector<float> scores_;
  std::vector<RowScore> best_;
};

}  // namespace

std::unique_ptr<Arm> make_sgemv_arm(const Workload& work) {
  return std::make_unique<SgemvArm>(work);
}

std::string blas_description() {
  return std::string(openblas_get_config()) + ", core " +
         openblas_get_corename();
}

}  // namespace lamina::bench
