#include <array>

#include "fuzz/targets.h"
#include "protocol/payload_selector.h"
#include "types/json_reader.h"
#include "types/payload_edit.h"

namespace lamina::fuzz {
namespace {

std::string_view take_line(std::string_view* input) {
  const std::string_view line = input->substr(0, input->find('\n'));
  input->remove_prefix(std::min(input->size(), line.size() + 1));
  return line;
}

// Done twice it comes to the same as done once, and what comes of it is a
// payload.
void check_edit(const PayloadEdit& edit, const Payload& payload) {
  const Result<PayloadEditor> editor = PayloadEditor::read(edit);
  if (!editor.ok()) return;
  const Result<Payload> once = editor->apply(payload);
  if (!once.ok()) return;
  check(Payload::from_json(once->json()).value() == *once,
        "an edited payload is one");
  const Result<Payload> twice = editor->apply(*once);
  check(twice.ok() && *twice == *once, "twice is the same as once");
}

void check_selector(std::string_view text, const Payload& payload) {
  const Result<JsonDocument> document = JsonDocument::parse(text);
  if (!document.ok()) return;
  const Result<protocol::PayloadSelector> selector =
      protocol::read_payload_selector(document->root(), "with_payload");
  if (!selector.ok()) return;
  const Payload part = selector->apply(payload);
  check(Payload::from_json(part.json()).value() == part,
        "a part of a payload is one");
  check(selector->apply(part) == part, "a part of a part is the part");
}

// A payload, a path or selector, and what is to be put there: a line each.
void run(std::string_view input) {
  const std::size_t choice = take_choice(&input) % 4;
  const Result<Payload> payload = Payload::from_json(take_line(&input));
  if (!payload.ok()) return;
  const std::string key(take_line(&input));
  if (choice == 0) return check_selector(key, *payload);
  if (choice == 1) {
    std::vector<std::string> keys = {key};
    while (!input.empty()) keys.emplace_back(take_line(&input));
    return check_edit(DeletePayload{std::move(keys)}, *payload);
  }
  const Result<Payload> given = Payload::from_json(take_line(&input));
  if (!given.ok()) return;
  if (choice == 2) return check_edit(SetPayload{*given, key}, *payload);
  check_edit(OverwritePayload{*given}, *payload);
}

std::vector<std::string> seeds() {
  constexpr std::string_view kPayload =
      R"({"a":{"b":[{"c":1,"d":null},{"c":2},3]},"e.f":"g","h":[[1],[2]]})"
      "\n";
  const std::string payload(kPayload);
  return {
      with_choice(0, payload + R"(["a.b[].c","h[][]"])"),
      with_choice(0, payload + R"({"exclude":["a.b[].c","\"e.f\""]})"),
      with_choice(0, payload + R"({"include":["a.b","a.b[].d"]})"),
      with_choice(0, payload + "true"),
      with_choice(1, payload + "a.b[].c\nh[]\n\"e.f\""),
      with_choice(1, payload + "a.b[1]"),
      with_choice(2, payload + "a.b[].new\n" + R"({"x":1,"c":null})"),
      with_choice(2, payload + "h[0]\n" + R"({"x":{"y":[]}})"),
      with_choice(2, payload + "\n" + R"({"a":null,"z":1})"),
      with_choice(3, payload + "\n" + R"({"z":1})"),
  };
}

}  // namespace

Target edits_target() {
  return {.name = "edits",
          .what =
              "Edits of payloads, and selectors of parts of them. What "
              "comes of either is a payload, and doing it twice comes to "
              "the same.",
          .run = run,
          .seeds = seeds,
          .words = {"[]", "[0]", ".", "\n", "\"a\":", "{\"a\":{}}", "null",
                    "include", "exclude", "a.b", "[].c", "{}"},
          .most_bytes = 512};
}

}  // namespace lamina::fuzz
