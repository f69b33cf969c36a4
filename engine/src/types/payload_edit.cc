#include "types/payload_edit.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "lamina/limits.h"
#include "types/json_writer.h"
#include "types/validate.h"

namespace lamina {
namespace {

using Step = JsonPath::Step;
using StepKind = JsonPath::StepKind;
using Steps = std::span<const Step>;

// Recursion in this file is bounded by the number of steps of a path.

// Writes the members of `source` into the place that some steps name.
class Merger {
 public:
  Merger(const JsonValue& source, JsonWriter* json)
      : members_(source.members()), json_(*json) {}

  // What becomes of `value`, null where there is nothing yet.
  void write(const JsonValue* value, Steps steps) const {
    if (steps.empty()) return write_merged(value);
    if (steps.front().kind == StepKind::key) return write_object(value, steps);
    write_array(value, steps);
  }

 private:
  const JsonValue* find_new(std::string_view key) const {
    const auto found =
        std::find_if(members_.begin(), members_.end(),
                     [&](const auto& member) { return member.key == key; });
    return found == members_.end() ? nullptr : &found->value;
  }

  static std::vector<JsonValue::Member> members_of(const JsonValue* value) {
    if (value == nullptr || value->kind() != JsonKind::object) return {};
    return value->members();
  }

  void write_member(std::string_view key, const JsonValue& value) const {
    if (value.is_null()) return;
    json_.key(key).raw(value.compact_text());
  }

  void write_merged(const JsonValue* value) const {
    const std::vector<JsonValue::Member> old = members_of(value);
    json_.begin_object();
    for (const JsonValue::Member& member : old) {
      if (const JsonValue* fresh = find_new(member.key); fresh != nullptr) {
        write_member(member.key, *fresh);
      } else {
        json_.key(member.key).raw(member.value.compact_text());
      }
    }
    for (const JsonValue::Member& member : members_) {
      const bool is_written = std::any_of(
          old.begin(), old.end(),
          [&](const auto& other) { return other.key == member.key; });
      if (!is_written) write_member(member.key, member.value);
    }
    json_.end_object();
  }

  void write_object(const JsonValue* value, Steps steps) const {
    const std::string& key = steps.front().key;
    bool is_found = false;
    json_.begin_object();
    for (const JsonValue::Member& member : members_of(value)) {
      json_.key(member.key);
      if (member.key == key) {
        is_found = true;
        write(&member.value, steps.subspan(1));
      } else {
        json_.raw(member.value.compact_text());
      }
    }
    if (!is_found) {
      json_.key(key);
      write(nullptr, steps.subspan(1));
    }
    json_.end_object();
  }

  void write_array(const JsonValue* value, Steps steps) const {
    const Step& step = steps.front();
    json_.begin_array();
    if (value != nullptr && value->kind() == JsonKind::array) {
      std::size_t index = 0;
      for (const JsonValue& element : value->elements()) {
        const bool is_meant =
            step.kind == StepKind::every_element || step.index == index;
        ++index;
        if (is_meant) {
          write(&element, steps.subspan(1));
        } else {
          json_.raw(element.compact_text());
        }
      }
    }
    json_.end_array();
  }

  std::vector<JsonValue::Member> members_;
  JsonWriter& json_;
};

// Paths that agree with where we are, as what is left of them.
using Rest = std::vector<Steps>;

bool names_place(const Rest& rest) {
  return std::any_of(rest.begin(), rest.end(),
                     [](Steps steps) { return steps.empty(); });
}

// The paths whose next step `goes_on`, behind that step.
template <class GoesOn>
Rest follow(const Rest& rest, const GoesOn& goes_on) {
  Rest next;
  for (const Steps steps : rest) {
    if (goes_on(steps.front())) next.push_back(steps.subspan(1));
  }
  return next;
}

void write_without(const JsonValue& value, const Rest& rest, JsonWriter* json);

void write_object_without(const JsonValue& object, const Rest& rest,
                          JsonWriter* json) {
  json->begin_object();
  for (const JsonValue::Member& member : object.members()) {
    const Rest next = follow(rest, [&](const Step& step) {
      return step.kind == StepKind::key && step.key == member.key;
    });
    if (names_place(next)) continue;
    json->key(member.key);
    write_without(member.value, next, json);
  }
  json->end_object();
}

void write_array_without(const JsonValue& array, const Rest& rest,
                         JsonWriter* json) {
  json->begin_array();
  std::size_t index = 0;
  for (const JsonValue& element : array.elements()) {
    const Rest next = follow(rest, [&](const Step& step) {
      return step.kind == StepKind::every_element ||
             (step.kind == StepKind::element && step.index == index);
    });
    ++index;
    if (!names_place(next)) write_without(element, next, json);
  }
  json->end_array();
}

void write_without(const JsonValue& value, const Rest& rest, JsonWriter* json) {
  if (!rest.empty() && value.kind() == JsonKind::object) {
    return write_object_without(value, rest, json);
  }
  if (!rest.empty() && value.kind() == JsonKind::array) {
    return write_array_without(value, rest, json);
  }
  json->raw(value.compact_text());
}

}  // namespace

Result<PayloadEditor> PayloadEditor::read(const PayloadEdit& edit) {
  PayloadEditor editor;
  Status status;
  if (const auto* set = std::get_if<SetPayload>(&edit)) {
    status = editor.read_set(*set);
  } else if (const auto* overwrite = std::get_if<OverwritePayload>(&edit)) {
    editor.payload_ = overwrite->payload;
  } else if (const auto* erase = std::get_if<DeletePayload>(&edit)) {
    status = editor.read_delete(*erase);
  }  // Else to clear, which replaces by {}.
  if (!status.ok()) return status;
  return editor;
}

Status PayloadEditor::read_set(const SetPayload& edit) {
  kind_ = Kind::merge;
  payload_ = edit.payload;
  Result<JsonDocument> document = JsonDocument::parse(payload_.json());
  if (!document.ok()) return document.status();
  document_ = *std::move(document);
  if (edit.key.empty()) {
    paths_.emplace_back();
    return {};
  }
  return add_path("key", edit.key);
}

Status PayloadEditor::read_delete(const DeletePayload& edit) {
  kind_ = Kind::erase;
  Status size = validate_batch_size("keys", edit.keys.size(), kMaxPayloadKeys);
  if (!size.ok()) return size;
  for (const std::string& key : edit.keys) {
    const std::string field = "keys[" + std::to_string(paths_.size()) + "]";
    Status added = add_path(field, key);
    if (!added.ok()) return added;
    if (paths_.back().steps().back().kind == StepKind::element) {
      return Status::invalid_argument(
          field + ": names one element of an array, which is not deleted");
    }
  }
  return {};
}

Status PayloadEditor::add_path(std::string_view field, std::string_view text) {
  Status valid = validate_path(field, text);
  if (valid.ok()) paths_.push_back(JsonPath::parse(text).value());
  return valid;
}

Result<Payload> PayloadEditor::apply(const Payload& payload) const {
  if (kind_ == Kind::replace) return payload_;
  const Result<JsonDocument> document = JsonDocument::parse(payload.json());
  if (!document.ok()) return document.status();
  const JsonValue root = document->root();
  JsonWriter json;
  if (kind_ == Kind::merge) {
    Merger(document_->root(), &json).write(&root, paths_.front().steps());
  } else {
    Rest rest;
    for (const JsonPath& path : paths_) rest.emplace_back(path.steps());
    write_without(root, rest, &json);
  }
  return Payload::from_json(json.text());
}

}  // namespace lamina
