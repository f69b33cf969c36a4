#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// In which order the arms of an experiment take their turns.
namespace lamina::bench {

// Rows of positions for `arms` arms such that each arm stands once at every
// position and follows each other arm equally often: neither the place in the
// row nor the predecessor favours an arm. `arms` rows when even, twice as many
// when odd.
std::vector<std::vector<std::size_t>> williams_square(std::size_t arms);

// A permutation of 0..count-1, the same for the same seed everywhere.
std::vector<std::size_t> shuffled(std::size_t count, std::uint64_t seed);

// The orders of one round: row b is that of superblock b. Arms are relabelled
// per round, so that a round does not repeat the neighbours of the one before.
std::vector<std::vector<std::size_t>> round_orders(std::size_t arms,
                                                   std::size_t superblocks,
                                                   std::uint64_t seed);

// The next number of a seeded sequence (splitmix64).
std::uint64_t next_random(std::uint64_t* state);

}  // namespace lamina::bench
