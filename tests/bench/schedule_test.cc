#include "core/schedule.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

using lamina::bench::round_orders;
using lamina::bench::shuffled;
using lamina::bench::williams_square;

namespace {

using Order = std::vector<std::size_t>;

bool is_permutation_of_arms(Order order, std::size_t arms) {
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < arms; ++i) {
    if (order.size() != arms || order[i] != i) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a Williams square balances places and predecessors") {
  for (std::size_t arms : {2u, 4u, 6u, 7u, 12u, 16u}) {
    CAPTURE(arms);
    const std::vector<Order> rows = williams_square(arms);
    // An odd number needs every neighbour twice.
    const std::size_t times = arms % 2 == 0 ? 1 : 2;
    REQUIRE(rows.size() == times * arms);
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> places;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> neighbours;
    for (const Order& row : rows) {
      REQUIRE(is_permutation_of_arms(row, arms));
      for (std::size_t i = 0; i < arms; ++i) {
        ++places[{i, row[i]}];
        if (i > 0) ++neighbours[{row[i - 1], row[i]}];
      }
    }
    CHECK(places.size() == arms * arms);
    for (const auto& [place, count] : places) CHECK(count == times);
    CHECK(neighbours.size() == arms * (arms - 1));
    for (const auto& [pair, count] : neighbours) CHECK(count == times);
  }
}

TEST_CASE("a seed gives one permutation, another seed another") {
  CHECK(shuffled(16, 1) == shuffled(16, 1));
  CHECK(shuffled(16, 1) != shuffled(16, 2));
  CHECK(is_permutation_of_arms(shuffled(16, 3), 16));
  CHECK(shuffled(1, 1) == Order{0});
}

TEST_CASE("every superblock of a round runs every arm once") {
  const std::vector<Order> orders = round_orders(16, 40, 5);
  REQUIRE(orders.size() == 40);
  for (const Order& order : orders) CHECK(is_permutation_of_arms(order, 16));
}
