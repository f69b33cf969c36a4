#include "fault/workload.h"

#include <charconv>
#include <utility>

#include "guarded_collection.h"
#include "local_collection.h"

namespace lamina::fault {
namespace {

std::vector<float> vector_of(std::uint64_t id, std::uint64_t value,
                             std::size_t dimension) {
  std::vector<float> vector(dimension,
                            static_cast<float>((id * 31 + value) % 1009));
  vector[0] = static_cast<float>(value);  // Exact below 2^24.
  return vector;
}

std::string payload_of(std::uint64_t id, std::uint64_t value) {
  return "{\"id\":" + std::to_string(id) + ",\"v\":" + std::to_string(value) +
         "}";
}

std::vector<PointId> point_ids(const Write& write) {
  return {write.ids.begin(), write.ids.end()};
}

Result<UpdateResult> issue_upsert(Collection& items, const Write& write,
                                  std::size_t dimension,
                                  const WriteOptions& options) {
  std::vector<std::vector<float>> vectors;
  std::vector<Point> points;
  for (const std::uint64_t id : write.ids) {
    vectors.push_back(vector_of(id, write.value, dimension));
    points.push_back({id, vectors.back(),
                      Payload::from_json(payload_of(id, write.value)).value()});
  }
  return items.upsert(points, options);
}

std::uint64_t value_in(std::string_view json) {
  constexpr std::string_view kKey = "\"v\":";
  const std::size_t at = json.find(kKey);
  std::uint64_t value = 0;
  if (at != std::string_view::npos) {
    std::from_chars(json.data() + at + kKey.size(), json.data() + json.size(),
                    value);
  }
  return value;
}

Result<Stored> stored_in(const Record& record) {
  const std::uint64_t id = record.id.number();
  const std::vector<float>& vector = record.vector.value();
  const Stored stored = {static_cast<std::uint64_t>(vector[0]),
                         value_in(record.payload->json())};
  if (vector != vector_of(id, stored.vector, vector.size()) ||
      record.payload->json() != payload_of(id, stored.payload)) {
    return Status::internal("point " + std::to_string(id) +
                            " is not what any write made it");
  }
  return stored;
}

}  // namespace

Write choose_write(std::uint64_t first_id, std::uint64_t id_count,
                   std::uint64_t number, const State& state) {
  test::Random random(first_id * 1'000'003 + number);
  const std::uint64_t kind = random.below(10);
  Write write;
  // Number 0 stands for nothing in a State.
  write.value = number + 1;
  if (kind < 3) write.kind = kind < 1 ? Write::Kind::remove : Write::Kind::edit;
  const std::uint64_t count = random.below(2) == 0 ? 1 : 4;
  const std::uint64_t start = random.below(id_count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t id = first_id + (start + i) % id_count;
    // An edit of what is not there is refused.
    if (write.kind == Write::Kind::upsert || state.contains(id)) {
      write.ids.push_back(id);
    }
  }
  if (write.ids.empty()) {
    write.kind = Write::Kind::upsert;
    write.ids.push_back(first_id + start);
  }
  return write;
}

void apply_write(const Write& write, State* state) {
  for (const std::uint64_t id : write.ids) {
    switch (write.kind) {
      case Write::Kind::upsert:
        (*state)[id] = {write.value, write.value};
        break;
      case Write::Kind::remove:
        state->erase(id);
        break;
      case Write::Kind::edit:
        (*state)[id].payload = write.value;
        break;
    }
  }
}

Result<UpdateResult> issue(Collection& items, const Write& write,
                           Durability durability) {
  const WriteOptions options = {.durability = durability};
  switch (write.kind) {
    case Write::Kind::upsert:
      return issue_upsert(items, write, items.info()->dimension, options);
    case Write::Kind::remove:
      return items.remove(point_ids(write), options);
    case Write::Kind::edit:
      break;
  }
  const std::string json = "{\"v\":" + std::to_string(write.value) + "}";
  return items.set_payload(point_ids(write), Payload::from_json(json).value(),
                           options);
}

LocalCollection& local(Collection& items) {
  return static_cast<LocalCollection&>(
      static_cast<GuardedCollection&>(items).inside());
}

CollectionOptions collection_options(std::size_t dimension) {
  CollectionOptions options;
  options.dimension = dimension;
  options.metric = Metric::dot;
  return options;
}

Result<State> read_state(const Collection& items) {
  State state;
  ScrollOptions options;
  options.limit = 1'000;
  options.with_vector = true;
  do {
    const Result<ScrollPage> page = items.scroll(options);
    if (!page.ok()) return page.status();
    for (const Record& record : page->points) {
      const Result<Stored> stored = stored_in(record);
      if (!stored.ok()) return stored.status();
      state[record.id.number()] = *stored;
    }
    options.offset = page->next_offset;
  } while (options.offset);
  return state;
}

std::string difference(const State& expected, const State& actual) {
  const auto text = [](const State& state, std::uint64_t id) {
    const auto found = state.find(id);
    if (found == state.end()) return std::string("absent");
    return std::to_string(found->second.vector) + "/" +
           std::to_string(found->second.payload);
  };
  State both = expected;
  both.insert(actual.begin(), actual.end());
  for (const auto& [id, stored] : both) {
    const std::string left = text(expected, id);
    const std::string right = text(actual, id);
    if (left == right) continue;
    return "point " + std::to_string(id) + " should be " + left + " and is " +
           right;
  }
  return "no difference";
}

}  // namespace lamina::fault
