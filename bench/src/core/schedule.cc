#include "core/schedule.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lamina::bench {

std::vector<std::vector<std::size_t>> williams_square(std::size_t arms) {
  std::vector<std::size_t> first;  // 0, 1, m-1, 2, m-2, ...
  for (std::size_t i = 0; i < arms; ++i)
    first.push_back(i % 2 == 1 ? (i + 1) / 2 : (arms - i / 2) % arms);

  std::vector<std::vector<std::size_t>> rows;
  for (std::size_t shift = 0; shift < arms; ++shift) {
    std::vector<std::size_t> row;
    for (std::size_t arm : first) row.push_back((arm + shift) % arms);
    rows.push_back(std::move(row));
  }
  if (arms % 2 == 0) return rows;
  for (std::size_t i = 0; i < arms; ++i)
    rows.emplace_back(rows[i].rbegin(), rows[i].rend());
  return rows;
}

std::uint64_t next_random(std::uint64_t* state) {
  std::uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[next_random(&seed) % i]);
  return order;
}

std::vector<std::vector<std::size_t>> round_orders(std::size_t arms,
                                                   std::size_t superblocks,
                                                   std::uint64_t seed) {
  const std::vector<std::vector<std::size_t>> square = williams_square(arms);
  const std::vector<std::size_t> labels = shuffled(arms, seed);
  std::vector<std::vector<std::size_t>> orders;
  for (std::size_t b = 0; b < superblocks; ++b) {
    std::vector<std::size_t> order;
    for (std::size_t position : square[b % square.size()])
      order.push_back(labels[position]);
    orders.push_back(std::move(order));
  }
  return orders;
}

}  // namespace lamina::bench
