#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/filter/json_tree.h"
#include "engine/filter/naive_filter.h"
#include "lamina/filter.h"
#include "lamina/point_id.h"
#include "support/random_points.h"

namespace lamina::test {

// Makes up payloads and filters over the same few keys and values, so that
// matches are common; among the values are those that filters of others have
// stumbled over.
class RandomFilters {
 public:
  explicit RandomFilters(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return random_.below(count); }
  bool chance(std::size_t percent) { return below(100) < percent; }

  PointId id();
  JsonTree payload() { return object(3); }
  Filter filter() { return filter(2, /*in_nested=*/false); }
  std::string path();

  // Every path that a filter was given so far.
  const KnownPaths& paths() const { return paths_; }

 private:
  JsonTree value(std::size_t depth);
  JsonTree object(std::size_t depth);
  JsonTree number();
  Filter filter(std::size_t depth, bool in_nested);
  std::vector<where::Condition> conditions(std::size_t depth, bool in_nested);
  where::Condition condition(std::size_t depth, bool in_nested);
  where::Condition field_condition();
  std::vector<where::Value> list();
  where::Number bound();
  where::Bounds<where::Number> bounds();
  std::string text();
  std::string time();

  template <class T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

  Random random_;
  KnownPaths paths_;
};

}  // namespace lamina::test
