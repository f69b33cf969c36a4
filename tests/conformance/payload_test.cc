#include <functional>
#include <string>

#include "lamina/limits.h"
#include "rungs.h"

// Writes of payloads and by filter, on every rung, and once more after the
// directory was opened again.

namespace lamina::test {
namespace {

using where::match;

Result<std::uint64_t> edit(Rungs& rungs, const Selector& points,
                           const PayloadEdit& change) {
  return rungs.ask_items([&](Collection& items) {
    return sequence_of(items.edit_payload(points, change));
  });
}

Result<std::uint64_t> remove(Rungs& rungs, const Selector& points) {
  return rungs.ask_items(
      [&](Collection& items) { return sequence_of(items.remove(points)); });
}

std::string payload_at(Rungs& rungs, const PointId& id) {
  const Result<Record> record =
      rungs.ask_items([&](Collection& items) { return items.get(id); });
  return std::string(record.value().payload->json());
}

std::vector<PointId> ids(Rungs& rungs) {
  const Result<ScrollPage> page = rungs.ask_items(
      [](Collection& items) { return items.scroll({.limit = 1'000}); });
  std::vector<PointId> found;
  for (const Record& record : page.value().points) found.push_back(record.id);
  return found;
}

// Points 1 to 5 with {"n": id, "odd": true or false}.
void put_five(Rungs& rungs) {
  rungs.create_items({.dimension = 2, .metric = Metric::dot});
  const std::vector<float> vector{1.0f, 2.0f};
  std::vector<Point> points;
  for (std::uint64_t id = 1; id <= 5; ++id) {
    points.push_back(
        {.id = id,
         .vector = vector,
         .payload = payload_of("{\"n\":" + std::to_string(id) + ",\"odd\":" +
                               (id % 2 == 1 ? "true" : "false") + "}")});
  }
  rungs.compare_items(
      [&](Collection& items) { return sequence_of(items.upsert(points)); });
}

const Filter kOdd = Filter::all_of({match("odd", true)});

TEST_CASE("payloads are merged, overwritten, thinned out and cleared by id") {
  Rungs rungs;
  put_five(rungs);
  CHECK(edit(rungs, PointId(1), SetPayload{payload_of(R"({"a":{"b":1}})"), ""})
            .value() == 2);
  CHECK(edit(rungs, std::vector<PointId>{1, 2},
             SetPayload{payload_of(R"({"c":2})"), "a"})
            .value() == 3);
  CHECK(edit(rungs, PointId(3), OverwritePayload{payload_of(R"({"x":null})")})
            .value() == 4);
  CHECK(edit(rungs, std::vector<PointId>{1, 4}, DeletePayload{{"n", "a.b"}})
            .value() == 5);
  CHECK(edit(rungs, PointId(5), ClearPayload{}).value() == 6);
  for (int opened = 0; opened < 2; ++opened) {
    CHECK(payload_at(rungs, 1) == R"({"odd":true,"a":{"c":2}})");
    CHECK(payload_at(rungs, 2) == R"({"n":2,"odd":false,"a":{"c":2}})");
    CHECK(payload_at(rungs, 3) == R"({"x":null})");
    CHECK(payload_at(rungs, 4) == R"({"odd":false})");
    CHECK(payload_at(rungs, 5) == "{}");
    rungs.reopen_directory();
  }
}

TEST_CASE("the named verbs are the edits") {
  Rungs rungs;
  put_five(rungs);
  const Payload a = payload_of(R"({"a":1})");
  rungs.compare_items([&](Collection& items) {
    return sequence_of(items.set_payload(PointId(1), a));
  });
  rungs.compare_items([&](Collection& items) {
    return sequence_of(items.overwrite_payload(PointId(2), a));
  });
  rungs.compare_items([&](Collection& items) {
    return sequence_of(items.delete_payload(PointId(3), {"n"}));
  });
  rungs.compare_items([&](Collection& items) {
    return sequence_of(items.clear_payload(PointId(4)));
  });
  CHECK(payload_at(rungs, 1) == R"({"n":1,"odd":true,"a":1})");
  CHECK(payload_at(rungs, 2) == R"({"a":1})");
  CHECK(payload_at(rungs, 3) == R"({"odd":true})");
  CHECK(payload_at(rungs, 4) == "{}");
}

TEST_CASE("a filter is looked at once, when the write is made") {
  Rungs rungs;
  put_five(rungs);
  // Takes the points out of its own filter.
  CHECK(edit(rungs, kOdd, SetPayload{payload_of(R"({"odd":false})"), ""}).ok());
  CHECK(edit(rungs, kOdd, ClearPayload{}).value() == 3);  // Matches none.
  CHECK(edit(rungs, Filter::all_of({where::range("n", {.gte = 4})}),
             OverwritePayload{payload_of(R"({"odd":true})")})
            .ok());
  CHECK(remove(rungs, Filter::all_of({match("n", std::int64_t{2})})).ok());
  for (int opened = 0; opened < 2; ++opened) {
    CHECK(ids(rungs) == std::vector<PointId>{1, 3, 4, 5});
    CHECK(payload_at(rungs, 1) == R"({"n":1,"odd":false})");
    CHECK(payload_at(rungs, 3) == R"({"n":3,"odd":false})");
    CHECK(payload_at(rungs, 4) == R"({"odd":true})");
    rungs.reopen_directory();
  }
  CHECK(remove(rungs, kOdd).ok());
  CHECK(ids(rungs) == std::vector<PointId>{1, 3});
}

TEST_CASE("an edit is a write of the points that it changes, and no others") {
  Rungs rungs;
  put_five(rungs);
  CHECK(edit(rungs, kOdd, ClearPayload{}).value() == 2);
  const std::vector<float> vector{1.0f, 1.0f};
  const auto hits =
      rungs.ask_items([&](Collection& items) { return items.query(vector); });
  REQUIRE(hits.ok());
  REQUIRE(hits->size() == 5);
  for (const Hit& hit : *hits) {
    CHECK(hit.version == (hit.id.number() % 2 == 1 ? 2 : 1));
  }
}

TEST_CASE("a selector that names nothing is refused, and all must be said") {
  Rungs rungs;
  put_five(rungs);
  const StatusCode bad = StatusCode::invalid_argument;
  for (const Selector& nothing :
       {Selector(), Selector(std::vector<PointId>()), Selector(Filter()),
        Selector(Filter::any_of({}))}) {
    CHECK(remove(rungs, nothing).status().code() == bad);
    CHECK(edit(rungs, nothing, ClearPayload{}).status().code() == bad);
  }
  CHECK(ids(rungs).size() == 5);
  CHECK(edit(rungs, Selector::all(), ClearPayload{}).value() == 2);
  CHECK(payload_at(rungs, 3) == "{}");
  CHECK(remove(rungs, Selector::all()).value() == 3);
  CHECK(ids(rungs).empty());
}

TEST_CASE("an edit that fails for one point changes none") {
  Rungs rungs;
  put_five(rungs);
  const SetPayload set{payload_of(R"({"a":1})"), ""};
  CHECK(edit(rungs, std::vector<PointId>{1, 2, 99}, set).status().code() ==
        StatusCode::not_found);
  // Too deep only where there is something at the path already.
  std::string path = "a";
  for (std::size_t i = 1; i < kMaxJsonDepth; ++i) path += ".a";
  CHECK(edit(rungs, kOdd, SetPayload{payload_of(R"({"x":1})"), path})
            .status()
            .code() == StatusCode::invalid_argument);
  CHECK(payload_at(rungs, 1) == R"({"n":1,"odd":true})");
  // Nor does it take a sequence number.
  CHECK(edit(rungs, PointId(1), set).value() == 2);
}

TEST_CASE("edits that cannot be read are refused in the same words") {
  Rungs rungs;
  put_five(rungs);
  const std::vector<std::string> many(kMaxPayloadKeys + 1, "a");
  for (const PayloadEdit& bad :
       {PayloadEdit(SetPayload{{}, "a."}),
        PayloadEdit(SetPayload{{}, std::string(kMaxPathBytes + 1, 'a')}),
        PayloadEdit(DeletePayload{}), PayloadEdit(DeletePayload{{"a", "["}}),
        PayloadEdit(DeletePayload{{"a[0]"}}),
        PayloadEdit(DeletePayload{many})}) {
    CHECK(edit(rungs, PointId(1), bad).status().code() ==
          StatusCode::invalid_argument);
  }
  CHECK(edit(rungs, std::vector<PointId>(kMaxBatchPoints + 1), ClearPayload{})
            .status()
            .code() == StatusCode::invalid_argument);
}

TEST_CASE("a filter that is not valid is refused, and changes nothing") {
  Rungs rungs;
  put_five(rungs);
  for (const Filter& bad :
       {Filter::all_of({match("a.", true)}),
        Filter::none_of({where::datetime_range("a", {.gte = "yesterday"})}),
        Filter::at_least(0, {match("a", true)})}) {
    CHECK(remove(rungs, bad).status().code() == StatusCode::invalid_argument);
    CHECK(edit(rungs, bad, ClearPayload{}).status().code() ==
          StatusCode::invalid_argument);
  }
  CHECK(ids(rungs).size() == 5);
}

TEST_CASE("a dropped collection takes no writes of payloads") {
  Rungs rungs;
  put_five(rungs);
  rungs.compare_store(
      [](Store& store) { return store.drop_collection("items"); });
  CHECK(edit(rungs, kOdd, ClearPayload{}).status().code() ==
        StatusCode::not_found);
  CHECK(remove(rungs, kOdd).status().code() == StatusCode::not_found);
}

}  // namespace
}  // namespace lamina::test
