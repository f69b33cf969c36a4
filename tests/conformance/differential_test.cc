#include "rungs.h"
#include "support/random_points.h"

// The same random operations on every rung, one step at a time: each answer
// must be the same everywhere, whatever it is.

namespace lamina::test {
namespace {

constexpr std::size_t kDimension = 5;
constexpr std::uint64_t kIdCount = 40;  // Few, so that ids meet again.

// Coarse values, so that vectors and scores are often equal; sometimes zero.
std::vector<float> coarse_vector(Random& random) {
  std::vector<float> vector(kDimension);
  for (float& value : vector) {
    value = static_cast<float>(random.below(5)) - 2.0f;
  }
  return vector;
}

PointId random_id(Random& random) {
  const std::uint64_t number = random.below(kIdCount);
  if (number % 4 == 0) return PointId::from_name(std::to_string(number));
  return number;
}

Payload random_payload(Random& random) {
  if (random.below(3) == 0) return {};
  return payload_of("{\"n\":" + std::to_string(random.next()) +
                    ",\"t\":" + std::to_string(random.below(4)) + "}");
}

Filter random_filter(Random& random) {
  const auto value = static_cast<std::int64_t>(random.below(4));
  switch (random.below(3)) {
    case 0:
      return Filter::all_of({where::match("t", value)});
    case 1:
      return Filter::none_of({where::range("t", {.gte = value})});
    default:
      return {};
  }
}

void upsert_some(Rungs& rungs, Random& random) {
  std::vector<std::vector<float>> vectors(random.below(6));
  std::vector<Point> points;
  for (std::vector<float>& vector : vectors) {
    vector = coarse_vector(random);
    if (random.below(50) == 0) vector.pop_back();  // Wrong dimension.
    points.push_back({.id = random_id(random),
                      .vector = vector,
                      .payload = random_payload(random)});
  }
  rungs.compare_items(
      [&](Collection& items) { return sequence_of(items.upsert(points)); });
}

void remove_some(Rungs& rungs, Random& random) {
  std::vector<PointId> ids(random.below(4));
  for (PointId& id : ids) id = random_id(random);
  rungs.compare_items(
      [&](Collection& items) { return sequence_of(items.remove(ids)); });
}

Selector random_selector(Random& random) {
  if (random.below(2) == 0) return random_filter(random);  // Perhaps refused.
  std::vector<PointId> ids(random.below(3));
  for (PointId& id : ids) id = random_id(random);
  return ids;
}

PayloadEdit random_edit(Random& random) {
  switch (random.below(4)) {
    case 0:
      return SetPayload{random_payload(random),
                        random.below(2) == 0 ? "" : "a"};
    case 1:
      return OverwritePayload{random_payload(random)};
    case 2:
      return DeletePayload{{random.below(2) == 0 ? "t" : "a.t", "n"}};
    default:
      return ClearPayload{};
  }
}

void edit_some(Rungs& rungs, Random& random) {
  const Selector points = random_selector(random);
  const PayloadEdit edit = random_edit(random);
  rungs.compare_items([&](Collection& items) {
    return sequence_of(items.edit_payload(points, edit));
  });
  if (random.below(5) != 0) return;
  const Selector gone = random_selector(random);
  rungs.compare_items(
      [&](Collection& items) { return sequence_of(items.remove(gone)); });
}

void list_some(Rungs& rungs, Random& random) {
  const Filter filter = random_filter(random);
  ScrollOptions scroll{.limit = 1 + random.below(15), .filter = filter};
  rungs.compare_items([&](Collection& items) { return items.scroll(scroll); });
  scroll.order_by = OrderBy{.key = random.below(2) == 0 ? "t" : "n"};
  if (random.below(2) == 0) {
    scroll.order_by->direction = OrderBy::Direction::descending;
  }
  rungs.compare_items([&](Collection& items) { return items.scroll(scroll); });
  rungs.compare_items(
      [&](Collection& items) { return items.facet("t", {.filter = filter}); });
  rungs.compare_items([&](Collection& items) { return items.count(filter); });
}

QueryOptions random_options(Random& random) {
  QueryOptions options;
  options.top_k = random.below(60);  // Sometimes 0, which is refused.
  options.offset = random.below(3) == 0 ? random.below(10) : 0;
  if (random.below(4) == 0) options.score_threshold = random.uniform();
  options.filter = random_filter(random);
  options.with_payload = random.below(2) == 0;
  options.with_vector = random.below(2) == 0;
  return options;
}

void query_some(Rungs& rungs, Random& random) {
  const QueryOptions options = random_options(random);
  std::vector<std::vector<float>> queries;
  std::vector<VectorView> views;
  for (int i = 0; i < 3; ++i) queries.push_back(coarse_vector(random));
  for (const std::vector<float>& query : queries) views.emplace_back(query);
  const PointId id = random_id(random);
  rungs.compare_items(
      [&](Collection& items) { return items.query(views[0], options); });
  rungs.compare_items(
      [&](Collection& items) { return items.query_by_id(id, options); });
  rungs.compare_items(
      [&](Collection& items) { return items.query_batch(views, options); });
}

void read_some(Rungs& rungs, Random& random) {
  std::vector<PointId> ids(1 + random.below(5));
  for (PointId& id : ids) id = random_id(random);
  rungs.compare_items([&](Collection& items) { return items.get(ids[0]); });
  rungs.compare_items([&](Collection& items) { return items.get(ids); });
  const ScrollOptions scroll{
      .offset = ids[0], .limit = random.below(15), .with_vector = true};
  rungs.compare_items([&](Collection& items) { return items.scroll(scroll); });
  rungs.compare_items([](Collection& items) { return items.info(); });
}

void run_steps(Metric metric, std::uint64_t seed) {
  Rungs rungs;
  rungs.create_items({.dimension = kDimension, .metric = metric});
  Random random(seed);
  for (int step = 0; step < 250; ++step) {
    CAPTURE(step);
    switch (random.below(6)) {
      case 0:
        upsert_some(rungs, random);
        break;
      case 1:
        remove_some(rungs, random);
        break;
      case 2:
        query_some(rungs, random);
        break;
      case 3:
        edit_some(rungs, random);
        break;
      case 4:
        list_some(rungs, random);
        break;
      default:
        read_some(rungs, random);
    }
  }
}

TEST_CASE("random operations have the same answers on every rung: cosine") {
  run_steps(Metric::cosine, 1);
}

TEST_CASE("random operations have the same answers on every rung: dot") {
  run_steps(Metric::dot, 2);
}

TEST_CASE("random operations have the same answers on every rung: euclid") {
  run_steps(Metric::euclid, 3);
}

TEST_CASE("random operations have the same answers on every rung: manhattan") {
  run_steps(Metric::manhattan, 4);
}

TEST_CASE("random reals have the same hits to the bit on every rung") {
  for (const Metric metric :
       {Metric::cosine, Metric::dot, Metric::euclid, Metric::manhattan}) {
    Rungs rungs;
    rungs.create_items({.dimension = 37, .metric = metric});
    const RandomPoints points(300, 37, 4);
    const RandomPoints queries(20, 37, 5);
    rungs.compare_items([&](Collection& items) {
      return sequence_of(items.upsert(points.points()));
    });
    for (const Point& query : queries.points()) {
      const auto hits = rungs.ask_items([&](Collection& items) {
        return items.query(query.vector, {.top_k = 50});
      });
      CHECK(hits.value().size() == 50);
    }
  }
}

}  // namespace
}  // namespace lamina::test
