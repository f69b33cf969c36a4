#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lamina/store.h"
#include "support/random_points.h"

namespace lamina {
class LocalCollection;
}

// Writes whose effect is known, and what a collection must hold after them.
namespace lamina::fault {

inline constexpr char kCollection[] = "items";

// A point's vector and payload are each made from one number.
struct Stored {
  std::uint64_t vector = 0;
  std::uint64_t payload = 0;

  bool operator==(const Stored&) const = default;
};

using State = std::map<std::uint64_t, Stored>;  // By id.

struct Write {
  enum class Kind { upsert, remove, edit };
  Kind kind = Kind::upsert;
  std::vector<std::uint64_t> ids{};
  std::uint64_t value = 0;
};

// Write number `number` of the writer with the ids from `first_id` on, of which
// it has `id_count`: upserts of one point and of several, removals, and edits
// of payloads. What it has stored so far is `state`.
Write choose_write(std::uint64_t first_id, std::uint64_t id_count,
                   std::uint64_t number, const State& state);

void apply_write(const Write& write, State* state);

Result<UpdateResult> issue(Collection& items, const Write& write,
                           Durability durability);

// The engine's own class of what a Database on disk hands out.
LocalCollection& local(Collection& items);

CollectionOptions collection_options(std::size_t dimension);

// Everything that is in the collection.
//   internal: a point that no write makes: its id, vector and payload do not
//   belong together.
Result<State> read_state(const Collection& items);

// For messages: the first point that differs.
std::string difference(const State& expected, const State& actual);

}  // namespace lamina::fault
