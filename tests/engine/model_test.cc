// A collection on a directory beside a model of it: ten thousand random writes
// and restarts, and it must hold what the model holds.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lamina/database.h"
#include "support/random_points.h"
#include "support/temporary_directory.h"

namespace lamina {
namespace {

constexpr std::size_t kDimension = 8;
constexpr std::uint64_t kIds = 300;
constexpr int kSteps = 10'000;
constexpr std::array<const char*, 3> kKeys = {"a", "b", "c"};

// A payload of the model: a few keys with small numbers.
using Members = std::map<std::string, std::int64_t>;

std::string json_of(const Members& members) {
  std::string json = "{";
  for (const auto& [key, value] : members) {
    if (json.size() > 1) json += ',';
    json += '"' + key + "\":" + std::to_string(value);
  }
  return json + '}';
}

Payload payload_of(const std::string& json) {
  return Payload::from_json(json).value();
}

struct ModelPoint {
  std::vector<float> vector;
  Members members;
  std::uint64_t version = 0;
};

class Run {
 public:
  explicit Run(std::uint64_t seed,
               const std::optional<HnswOptions>& hnsw = std::nullopt)
      : random_(seed) {
    CollectionOptions options;
    options.dimension = kDimension;
    options.metric = Metric::euclid;
    options.hnsw = hnsw;
    db_ = Database::open(directory_.path() / "db").value();
    items_ = db_->create_collection("items", options).value();
  }

  void step() {
    switch (random_.below(12)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
        return upsert();
      case 5:
        return remove();
      case 6:
        return remove_by_filter();
      case 7:
        return set();
      case 8:
        return overwrite();
      case 9:
        return erase_keys();
      case 10:
        return random_.below(4) == 0 ? toggle_index() : clear();
      default:
        if (random_.below(25) == 0) restart();
    }
  }

  void check_counts() {
    CHECK(items_->count().value() == model_.size());
    const Choice choice = random_choice();
    CHECK(items_->count(choice.filter).value() == matching(choice).size());
  }

  // Everything that is stored.
  void check_contents() {
    ScrollOptions all;
    all.limit = kIds + 1;
    all.with_vector = true;
    const ScrollPage page = items_->scroll(all).value();
    REQUIRE(page.points.size() == model_.size());
    auto expected = model_.begin();
    for (const Record& record : page.points) {
      CHECK(record.id == expected->first);
      CHECK(record.vector == expected->second.vector);
      // Members come in the order of their writes; the model has them sorted.
      CHECK(members_of(*record.payload) == expected->second.members);
      ++expected;
    }
  }

  // Every live point is the nearest to its own vector, and no dead one appears.
  void check_queries() {
    QueryOptions options;
    options.top_k = kIds + 1;
    for (const auto& [id, point] : model_) {
      const auto hits = items_->query(point.vector, options).value();
      REQUIRE(hits.size() == model_.size());
      CHECK(hits.front().id == id);
      CHECK(hits.front().score == 0.0f);
      CHECK(hits.front().version == point.version);
      for (const Hit& hit : hits) CHECK(model_.contains(hit.id));
    }
    const Choice choice = random_choice();
    options.filter = choice.filter;
    const std::vector<PointId> live = matching(choice);
    for (const PointId& id : live) {
      const auto hits = items_->query(model_.at(id).vector, options).value();
      CHECK(hits.size() == live.size());
      CHECK(hits.front().id == id);
    }
  }

  // As check_queries(), of the few nearest, which a graph may look for. Returns
  // how many queries a graph answered.
  std::size_t check_near() {
    std::size_t by_graph = 0;
    std::array<Hit, 3> hits;
    for (const auto& [id, point] : model_) {
      QueryOptions options;
      options.top_k = hits.size();
      options.hnsw_ef = 32;
      QueryStats stats;
      const auto found =
          items_->query_into(point.vector, options, hits, &stats);
      REQUIRE(found.value() == std::min(hits.size(), model_.size()));
      CHECK(hits[0].id == id);
      for (std::size_t i = 0; i < *found; ++i) {
        CHECK(model_.contains(hits[i].id));
      }
      if (stats.plan == "hnsw") ++by_graph;
    }
    return by_graph;
  }

  void restart() {
    items_.reset();
    db_.reset();
    db_ = Database::open(directory_.path() / "db").value();
    CHECK(db_->recovery().at(0).replayed_writes == sequence_);
    items_ = db_->open_collection("items").value();
  }

 private:
  // A member that points must have, and the filter that asks for it.
  struct Choice {
    std::string key;
    std::int64_t value;
    Filter filter;
  };

  Choice random_choice() {
    const std::string key = random_key();
    const auto value = static_cast<std::int64_t>(random_.below(10));
    return {key, value, Filter::all_of({where::match(key, value)})};
  }

  std::vector<PointId> matching(const Choice& choice) const {
    std::vector<PointId> ids;
    for (const auto& [id, point] : model_) {
      const auto member = point.members.find(choice.key);
      if (member != point.members.end() && member->second == choice.value) {
        ids.push_back(id);
      }
    }
    return ids;
  }

  std::string random_key() { return kKeys[random_.below(kKeys.size())]; }

  PointId random_id() {
    const std::uint64_t number = random_.below(kIds);
    if (number % 5 == 0) return PointId::from_name(std::to_string(number));
    return number;
  }

  Members random_members() {
    Members members;
    for (const char* key : kKeys) {
      if (random_.below(2) == 0) {
        members[key] = static_cast<std::int64_t>(random_.below(10));
      }
    }
    return members;
  }

  static Members members_of(const Payload& payload) {
    Members members;
    const std::string text(payload.json());
    for (const char* key : kKeys) {
      const std::size_t at = text.find('"' + std::string(key) + "\":");
      if (at != std::string::npos)
        members[key] = std::stoll(text.substr(at + 4));
    }
    CHECK(json_of(members).size() == text.size());
    return members;
  }

  void acknowledged(const Result<UpdateResult>& written) {
    REQUIRE_MESSAGE(written.ok(), written.status().to_string());
    CHECK(written->sequence == ++sequence_);
  }

  void upsert() {
    std::vector<std::vector<float>> vectors(1 + random_.below(4));
    std::vector<Point> points;
    for (std::vector<float>& vector : vectors) {
      vector = random_.vector(kDimension);
      const PointId id = random_id();
      ModelPoint& point = model_[id];
      point = {vector, random_members(), sequence_ + 1};
      points.push_back({id, vector, payload_of(json_of(point.members))});
    }
    acknowledged(items_->upsert(points));
  }

  void remove() {
    const std::vector<PointId> ids = {random_id(), random_id()};
    for (const PointId& id : ids) model_.erase(id);
    acknowledged(items_->remove(ids));
  }

  void remove_by_filter() {
    const Choice choice = random_choice();
    for (const PointId& id : matching(choice)) model_.erase(id);
    acknowledged(items_->remove(choice.filter));
  }

  // Some points, chosen by id or by a filter, and how to say so.
  struct Chosen {
    std::vector<PointId> ids;
    Selector selector;
  };

  Chosen choose() {
    if (random_.below(2) == 0 || model_.empty()) {
      const Choice choice = random_choice();
      return {matching(choice), choice.filter};
    }
    std::vector<PointId> ids;
    for (std::uint64_t i = 0; i < 3; ++i) {
      auto point = model_.lower_bound(random_id());
      if (point == model_.end()) point = model_.begin();
      ids.push_back(point->first);
    }
    return {ids, ids};
  }

  template <class Change>
  void edit(const PayloadEdit& payload_edit, const Change& change) {
    const Chosen chosen = choose();
    acknowledged(items_->edit_payload(chosen.selector, payload_edit));
    for (const PointId& id : chosen.ids) {
      ModelPoint& point = model_.at(id);
      change(&point.members);
      point.version = sequence_;
    }
  }

  void set() {
    const Members fresh = random_members();
    const std::string gone = random_key();
    // One of the members is taken away by a null.
    std::string json = json_of(fresh);
    if (!fresh.contains(gone)) {
      json.insert(1, '"' + gone + "\":null" + (fresh.empty() ? "" : ","));
    }
    edit(SetPayload{payload_of(json), ""}, [&](Members* members) {
      if (!fresh.contains(gone)) members->erase(gone);
      for (const auto& [key, value] : fresh) (*members)[key] = value;
    });
  }

  void overwrite() {
    const Members fresh = random_members();
    edit(OverwritePayload{payload_of(json_of(fresh))},
         [&](Members* members) { *members = fresh; });
  }

  void erase_keys() {
    const std::string key = random_key();
    edit(DeletePayload{{key, "none"}},
         [&](Members* members) { members->erase(key); });
  }

  void clear() {
    edit(ClearPayload{}, [](Members* members) { members->clear(); });
  }

  void toggle_index() {
    const std::string key = random_key();
    acknowledged(random_.below(2) == 0 ? items_->drop_payload_index(key)
                                       : items_->create_payload_index(
                                             key, PayloadIndexType::integer));
  }

  test::TemporaryDirectory directory_;
  test::Random random_;
  std::unique_ptr<Database> db_;
  std::shared_ptr<Collection> items_;
  std::uint64_t sequence_ = 0;
  std::map<PointId, ModelPoint> model_;
};

TEST_CASE("ten thousand random writes and restarts leave what a model has") {
  Run run(2024);
  for (int step = 1; step <= kSteps; ++step) {
    CAPTURE(step);
    run.step();
    run.check_counts();
    if (step % 500 == 0) run.check_contents();
    if (step % 2'500 == 0) run.check_queries();
  }
  run.restart();
  run.check_contents();
  run.check_queries();
}

TEST_CASE("ten thousand random writes beside a graph leave what a model has") {
  Run run(2025, HnswOptions{.m = 8, .full_scan_threshold = 10});
  std::size_t by_graph = 0;
  for (int step = 1; step <= kSteps; ++step) {
    CAPTURE(step);
    run.step();
    run.check_counts();
    if (step % 100 == 0) by_graph += run.check_near();
    if (step % 2'500 == 0) run.check_contents();
  }
  run.restart();
  run.check_contents();
  by_graph += run.check_near();
  CHECK(by_graph > 0);
}

// The log of a collection, cut behind `size` bytes.
void cut_log(const std::filesystem::path& from, const std::filesystem::path& to,
             std::uintmax_t size) {
  std::filesystem::remove_all(to);
  std::filesystem::copy(from, to, std::filesystem::copy_options::recursive);
  std::filesystem::resize_file(to / "collection-1" / "wal-00000001.log", size);
}

TEST_CASE("a write of payloads that was cut anywhere is whole or not there") {
  const test::TemporaryDirectory directory;
  const auto running = directory.path() / "running";
  const auto whole = directory.path() / "whole";
  const std::vector<float> vector(kDimension, 1.0f);
  {
    CollectionOptions options;
    options.dimension = kDimension;
    auto db = Database::open(running).value();
    auto items = db->create_collection("items", options).value();
    for (const std::uint64_t id : {1u, 2u, 3u}) {
      REQUIRE(items->upsert({id, vector, payload_of(R"({"a":1})")}).ok());
    }
    REQUIRE(
        items
            ->set_payload(Filter::all_of({where::match("a", std::int64_t{1})}),
                          payload_of(R"({"b":2})"))
            .ok());
    // As they are when the process is killed now.
    std::filesystem::copy(running, whole,
                          std::filesystem::copy_options::recursive);
  }
  std::size_t done = 0;
  std::size_t undone = 0;
  for (std::uintmax_t size = 400; size < 640; ++size) {
    const auto cut = directory.path() / "cut";
    cut_log(whole, cut, size);
    auto db = Database::open(cut).value();
    REQUIRE(db->recovery().at(0).status.ok());
    auto items = db->open_collection("items").value();
    std::size_t with_b = 0;
    for (const std::uint64_t id : {1u, 2u, 3u}) {
      const Result<Record> record = items->get(id);
      if (!record.ok()) continue;  // Cut before the edit.
      with_b += record->payload->json() == R"({"a":1,"b":2})";
    }
    CAPTURE(size);
    CHECK((with_b == 0 || with_b == 3));
    (with_b == 3 ? done : undone) += 1;
  }
  CHECK(done > 0);
  CHECK(undone > 0);
}

}  // namespace
}  // namespace lamina
