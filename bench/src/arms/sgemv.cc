#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "arms/arm.h"

namespace lamina::bench {
namespace {

void normalise(float* values, std::size_t count) {
  const double square = std::inner_product(values, values + count, values, 0.0);
  const auto scale = static_cast<float>(1.0 / std::sqrt(square));
  for (std::size_t i = 0; i < count; ++i) values[i] *= scale;
}

class SgemvArm : public Arm {
 public:
  explicit SgemvArm(const Workload& work)
      : work_(work),
        dimension_(work.data.base.columns),
        matrix_(work.data.base.values),
        query_(dimension_),
        scores_(work.data.base.rows) {
    for (std::size_t row = 0; row < scores_.size(); ++row)
      normalise(matrix_.data() + row * dimension_, dimension_);
    openblas_set_num_threads(1);
  }

  void call(std::size_t query, Reply& reply) override {
    const VectorView values = work_.data.query(query);
    std::copy(values.begin(), values.end(), query_.begin());
    normalise(query_.data(), dimension_);
    cblas_sgemv(CblasRowMajor, CblasNoTrans, static_cast<int>(scores_.size()),
                static_cast<int>(dimension_), 1.0f, matrix_.data(),
                static_cast<int>(dimension_), query_.data(), 1, 0.0f,
                scores_.data(), 1);
    select_best(reply.hits);
  }

 private:
  // Keeps the best k in order. Few rows pass the comparison, so the loop is a
  // pass over the scores and little more.
  void select_best(std::vector<Hit>& best) const {
    best.clear();
    for (std::size_t row = 0; row < scores_.size(); ++row) {
      if (best.size() == work_.k && scores_[row] <= best.back().score) continue;
      if (best.size() == work_.k) best.pop_back();
      const auto place = std::find_if(
          best.begin(), best.end(),
          [&](const Hit& hit) { return hit.score < scores_[row]; });
      best.insert(place, Hit{.id = row, .score = scores_[row]});
    }
  }

  const Workload& work_;
  std::size_t dimension_;
  std::vector<float> matrix_;
  std::vector<float> query_;
  std::vector<float> scores_;
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
