#include "types/payload_edit.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "lamina/limits.h"
#include "support/random_points.h"

namespace lamina {
namespace {

Payload payload_of(std::string_view json) {
  return Payload::from_json(json).value();
}

std::string edited(std::string_view before, const PayloadEdit& edit) {
  const PayloadEditor editor = PayloadEditor::read(edit).value();
  return std::string(editor.apply(payload_of(before)).value().json());
}

std::string set(std::string_view before, std::string_view members,
                std::string key = "") {
  return edited(before, SetPayload{payload_of(members), std::move(key)});
}

std::string without(std::string_view before, std::vector<std::string> keys) {
  return edited(before, DeletePayload{std::move(keys)});
}

Status refused(const PayloadEdit& edit) {
  return PayloadEditor::read(edit).status();
}

TEST_CASE("set replaces whole members and leaves the others as they stand") {
  CHECK(set("{}", R"({"a":1})") == R"({"a":1})");
  CHECK(set(R"({"a":{"x":1},"b":2.50})", R"({"a":{"y":2}})") ==
        R"({"a":{"y":2},"b":2.50})");
  CHECK(set(R"({"a":1,"b":2})", R"({"c":3,"a":4})") ==
        R"({"a":4,"b":2,"c":3})");
  CHECK(set(R"({"a":1})", "{}") == R"({"a":1})");
}

TEST_CASE("set takes a member away where the new one is null") {
  CHECK(set(R"({"a":1,"b":2})", R"({"a":null,"c":null})") == R"({"b":2})");
  // Only members of the payload itself: null further down is a value.
  CHECK(set("{}", R"({"a":{"b":null}})") == R"({"a":{"b":null}})");
}

TEST_CASE("set at a path merges there") {
  CHECK(set(R"({"a":{"b":{"x":1}},"c":1})", R"({"y":2})", "a.b") ==
        R"({"a":{"b":{"x":1,"y":2}},"c":1})");
  CHECK(set(R"({"a":{"x":1}})", R"({"x":null})", "a") == R"({"a":{}})");
  CHECK(set(R"({"a":[{"x":1},{"x":2}]})", R"({"x":9})", "a[1]") ==
        R"({"a":[{"x":1},{"x":9}]})");
  CHECK(set(R"({"a":[{"x":1},5]})", R"({"y":0})", "a[]") ==
        R"({"a":[{"x":1,"y":0},{"y":0}]})");
  CHECK(set(R"({"a.b":{},"c":1})", R"({"y":0})", "\"a.b\"") ==
        R"({"a.b":{"y":0},"c":1})");
}

TEST_CASE("set makes what is missing on the way, and replaces what is no way") {
  CHECK(set("{}", R"({"y":2})", "a.b") == R"({"a":{"b":{"y":2}}})");
  CHECK(set(R"({"a":7})", R"({"y":2})", "a.b") == R"({"a":{"b":{"y":2}}})");
  CHECK(set(R"({"a":[1]})", R"({"y":2})", "a.b") == R"({"a":{"b":{"y":2}}})");
  CHECK(set(R"({"a":{"b":1}})", R"({"y":2})", "a[0]") == R"({"a":[]})");
  CHECK(set(R"({"a":null})", R"({"y":2})", "a[].b") == R"({"a":[]})");
  CHECK(set("{}", R"({"y":2})", "a[3].b") == R"({"a":[]})");
  // An element that is not there is passed over.
  CHECK(set(R"({"a":[1]})", R"({"y":2})", "a[1]") == R"({"a":[1]})");
}

TEST_CASE(
    "overwrite keeps nothing, not even nulls apart, and clear leaves {}") {
  CHECK(edited(R"({"a":1})", OverwritePayload{payload_of(R"({"b":null})")}) ==
        R"({"b":null})");
  CHECK(edited(R"({"a":1})", OverwritePayload{}) == "{}");
  CHECK(edited(R"({"a":1})", ClearPayload{}) == "{}");
}

TEST_CASE("delete takes away what its paths name") {
  CHECK(without(R"({"a":1,"b":{"x":1,"y":2}})", {"a", "b.y"}) ==
        R"({"b":{"x":1}})");
  CHECK(without(R"({"a":1})", {"b", "a.b", "a[]", "a[0].c"}) == R"({"a":1})");
  CHECK(without(R"({"a":[{"x":1,"y":2},{"x":3},4]})", {"a[].x"}) ==
        R"({"a":[{"y":2},{},4]})");
  CHECK(without(R"({"a":[{"x":1},{"x":3}]})", {"a[1].x"}) ==
        R"({"a":[{"x":1},{}]})");
  CHECK(without(R"({"a":{"b":[1,2]}})", {"a.b[]"}) == R"({"a":{"b":[]}})");
  CHECK(without(R"({"a":[[1,2],[3]]})", {"a[][]"}) == R"({"a":[[],[]]})");
  // Of two paths one may lie inside the other.
  CHECK(without(R"({"a":{"b":1,"c":2}})", {"a.b", "a"}) == "{}");
}

TEST_CASE("keys with escapes and other alphabets stay what they are") {
  CHECK(set(R"({"\u00e4\n":1,"b\"":2})", R"({"c":3})") ==
        "{\"\u00e4\\n\":1,\"b\\\"\":2,\"c\":3}");
  CHECK(without("{\"k\u00e4se\":1,\"\":2}", {"k\u00e4se"}) == R"({"":2})");
}

TEST_CASE("an edit that cannot be read names the field") {
  const auto message = [](const PayloadEdit& edit) {
    const Status status = refused(edit);
    CHECK(status.code() == StatusCode::invalid_argument);
    return status.message();
  };
  for (const char* bad :
       {"a.", ".a", "[]", "a[", "a[x]", "a..b", "\"a", "a b]"}) {
    CAPTURE(bad);
    CHECK(message(SetPayload{{}, bad}).starts_with("key: "));
    CHECK(message(DeletePayload{{"a", bad}}).starts_with("keys[1]: "));
  }
  CHECK(message(DeletePayload{{""}}).starts_with("keys[0]: "));
  CHECK(message(DeletePayload{{"a[0]"}}).starts_with("keys[0]: "));
  CHECK(message(DeletePayload{}).starts_with("keys has 0 entries"));
  const std::vector<std::string> many(kMaxPayloadKeys + 1, "a");
  CHECK(message(DeletePayload{many}).starts_with("keys has 1001 entries"));
}

TEST_CASE("a payload that would grow beyond the limits is refused") {
  std::string path = "a";
  for (std::size_t i = 1; i < kMaxJsonDepth; ++i) path += ".a";
  const Payload member = payload_of(R"({"x":1})");
  const PayloadEditor deep =
      PayloadEditor::read(SetPayload{member, path}).value();
  CHECK(deep.apply({}).status().code() == StatusCode::invalid_argument);
  const PayloadEditor fits =
      PayloadEditor::read(SetPayload{member, path.substr(2)}).value();
  CHECK(fits.apply({}).ok());

  const std::string half(kMaxPayloadBytes / 2, 'x');
  const Payload large = payload_of("{\"a\":\"" + half + "\"}");
  const PayloadEditor grow =
      PayloadEditor::read(
          SetPayload{payload_of("{\"b\":\"" + half + "\"}"), ""})
          .value();
  CHECK(grow.apply(large).status().code() == StatusCode::invalid_argument);
  CHECK(grow.apply({}).ok());
}

// Random payloads over few keys, so that paths often meet them.
class RandomText {
 public:
  explicit RandomText(std::uint64_t seed) : random_(seed) {}

  std::string object(int depth) {
    std::string text = "{";
    for (const char* key : {"a", "b", "c"}) {
      if (random_.below(2) == 0) continue;
      if (text.size() > 1) text += ',';
      text += '"' + std::string(key) + "\":" + value(depth - 1);
    }
    return text + '}';
  }

  std::string path(bool to_one_element) {
    std::string text;
    const std::uint64_t count = 1 + random_.below(3);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (i > 0) text += '.';
      text += static_cast<char>('a' + random_.below(3));
      if (random_.below(3) == 0) text += "[]";
      const bool is_last = i + 1 == count;
      if ((!is_last || to_one_element) && random_.below(3) == 0) text += "[0]";
    }
    return text;
  }

 private:
  std::string value(int depth) {
    switch (depth <= 0 ? random_.below(3) : random_.below(5)) {
      case 0:
        return "null";
      case 1:
        return std::to_string(random_.below(9));
      case 2:
        return R"("s")";
      case 3:
        return object(depth);
      default:
        return '[' + value(depth - 1) + ',' + value(depth - 1) + ']';
    }
  }

  test::Random random_;
};

TEST_CASE("an edit done twice is the edit done once") {
  RandomText random(5);
  for (int i = 0; i < 20'000; ++i) {
    const std::string before = random.object(4);
    const PayloadEdit edits[] = {
        SetPayload{payload_of(random.object(2)), ""},
        SetPayload{payload_of(random.object(2)), random.path(true)},
        DeletePayload{{random.path(false), random.path(false)}},
    };
    for (const PayloadEdit& edit : edits) {
      const std::string once = edited(before, edit);
      CAPTURE(before);
      CAPTURE(once);
      CHECK(edited(once, edit) == once);
    }
  }
}

TEST_CASE("deleting paths together is deleting them one after another") {
  RandomText random(6);
  for (int i = 0; i < 20'000; ++i) {
    const std::string before = random.object(4);
    const std::string first = random.path(false);
    const std::string second = random.path(false);
    CAPTURE(before);
    CAPTURE(first);
    CAPTURE(second);
    CHECK(without(before, {first, second}) ==
          without(without(before, {first}), {second}));
  }
}

TEST_CASE("what is set at a path is found there, where a path leads") {
  RandomText random(7);
  for (int i = 0; i < 20'000; ++i) {
    const std::string before = random.object(4);
    const std::string path = random.path(true);
    const std::string after = set(before, R"({"new":7})", path);
    const JsonDocument document = JsonDocument::parse(after).value();
    std::vector<JsonValue> found;
    JsonPath::parse(path + ".new").value().collect(document.root(), &found);
    std::vector<JsonValue> places;
    JsonPath::parse(path).value().collect(document.root(), &places);
    CAPTURE(before);
    CAPTURE(path);
    CAPTURE(after);
    CHECK(found.size() == places.size());
    for (const JsonValue& value : found) CHECK(value.number() == "7");
    if (path.find('[') == std::string::npos) CHECK(found.size() == 1);
  }
}

}  // namespace
}  // namespace lamina
