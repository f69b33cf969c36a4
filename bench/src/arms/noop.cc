#include "arms/arm.h"

namespace lamina::bench {
namespace {

class NoopArm : public Arm {
 public:
  void call(std::size_t, Reply&) override {}
};

}  // namespace

std::unique_ptr<Arm> make_noop_arm() { return std::make_unique<NoopArm>(); }

}  // namespace lamina::bench
