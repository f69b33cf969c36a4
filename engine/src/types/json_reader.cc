#include "types/json_reader.h"

#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <deque>
#include <limits>

#include "types/number_text.h"
#include "types/utf8.h"

namespace lamina {
namespace {

// How RapidJSON 1.1.0 may be used. Iterative: nesting takes heap, not stack.
// Numbers as strings: its own conversion reads out of bounds on some 27-byte
// inputs, and rounds wrongly. Validated encoding: it lets bad UTF-8 pass.
constexpr unsigned kParseFlags = rapidjson::kParseIterativeFlag |
                                 rapidjson::kParseNumbersAsStringsFlag |
                                 rapidjson::kParseValidateEncodingFlag;

// One value, or one key. A container's node is followed by those of its
// content, so that a document is one block of memory and needs no recursion.
struct Node {
  JsonKind kind = JsonKind::null;
  // An array of nothing but short numbers. Its elements have no nodes.
  bool is_number_run = false;
  std::uint8_t depth = 0;
  std::uint32_t size = 0;
  std::uint32_t end = 0;    // Index behind the last node of the content.
  std::string_view text;    // As it stands in the source.
  std::string_view string;  // A string or key, unescaped.
};

struct Tree {
  std::vector<Node> nodes;
  // Strings that differ from their source, because they hold escapes. A deque:
  // its elements stay where they are.
  std::deque<std::string> unescaped;
};

// The source text as RapidJSON reads it. It ends with the view, not with a NUL.
class Source {
 public:
  using Ch = char;

  explicit Source(std::string_view text)
      : begin_(text.data()),
        next_(text.data()),
        end_(text.data() + text.size()) {}

  char Peek() const { return next_ == end_ ? '\0' : *next_; }
  char Take() { return next_ == end_ ? '\0' : *next_++; }
  std::size_t Tell() const { return static_cast<std::size_t>(next_ - begin_); }

  const char* position() const { return next_; }
  const char* end() const { return end_; }
  void move_to(const char* position) { next_ = position; }

  // Called by nobody: RapidJSON wants them for parsing in place.
  char* PutBegin() { return nullptr; }
  void Put(char) {}
  std::size_t PutEnd(char*) { return 0; }

 private:
  const char* begin_;
  const char* next_;
  const char* end_;
};

bool is_white_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

bool stands_between_tokens(char c) {
  return is_white_space(c) || c == ',' || c == ':';
}

// Takes RapidJSON's events and appends nodes. An event that returns false ends
// the parsing; error() then says why. Scalars and keys come when the source is
// behind them, containers when it is still before the bracket.
class TreeBuilder {
 public:
  TreeBuilder(Source* source, std::size_t max_depth, Tree* tree)
      : source_(*source),
        token_begin_(source->position()),
        max_depth_(max_depth),
        tree_(*tree) {}

  const std::string& error() const { return error_; }

  bool Null() { return add_scalar(JsonKind::null); }
  bool Bool(bool) { return add_scalar(JsonKind::boolean); }
  bool RawNumber(const char*, rapidjson::SizeType, bool) {
    return add_scalar(JsonKind::number);
  }
  bool String(const char* text, rapidjson::SizeType length, bool) {
    return add_string({text, length});
  }
  bool Key(const char* text, rapidjson::SizeType length, bool) {
    return add_string({text, length});
  }
  bool StartObject() { return open(JsonKind::object); }
  bool StartArray() {
    if (!open(JsonKind::array)) return false;
    take_number_run();
    return true;
  }
  bool EndArray(rapidjson::SizeType count) {
    Node& node = tree_.nodes[open_.back()];
    close(node.is_number_run ? node.size : count);
    return true;
  }
  bool EndObject(rapidjson::SizeType count) {
    if (!check_keys(open_.back())) return false;
    close(count);
    return true;
  }

  // Never called, as numbers come as text; RapidJSON wants them to exist.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }

 private:
  bool fail(std::string message) {
    error_ = std::move(message);
    return false;
  }

  Node& add(JsonKind kind) {
    while (stands_between_tokens(*token_begin_)) ++token_begin_;
    Node& node = tree_.nodes.emplace_back();
    node.kind = kind;
    node.end = static_cast<std::uint32_t>(tree_.nodes.size());
    node.text = {token_begin_, source_.position()};
    token_begin_ = source_.position();
    return node;
  }

  bool add_scalar(JsonKind kind) {
    add(kind);
    return true;
  }

  bool add_string(std::string_view value) {
    Node& node = add(JsonKind::string);
    const std::string_view source = node.text.substr(1, node.text.size() - 2);
    if (source.size() == value.size()) {  // An escape is longer than its value.
      node.string = source;
      return true;
    }
    // "\udc00" alone passes RapidJSON and would be no valid UTF-8 any more.
    if (!is_valid_utf8(value)) return fail("unpaired surrogate in a string");
    node.string = tree_.unescaped.emplace_back(value);
    return true;
  }

  bool open(JsonKind kind) {
    if (open_.size() == max_depth_) {
      return fail("nested deeper than " + std::to_string(max_depth_) +
                  " levels");
    }
    add(kind);
    ++token_begin_;
    open_.push_back(static_cast<std::uint32_t>(tree_.nodes.size() - 1));
    return true;
  }

  // Reads over an array of numbers at once; RapidJSON then sees it empty.
  void take_number_run() {
    const NumberRun run =
        scan_number_run(source_.position() + 1, source_.end());
    if (run.count == 0) return;
    Node& node = tree_.nodes.back();
    node.is_number_run = true;
    node.size = static_cast<std::uint32_t>(run.count);
    // RapidJSON takes one more character for the '[' that it stands before.
    source_.move_to(run.closing_bracket - 1);
  }

  void close(std::uint32_t size) {
    Node& node = tree_.nodes[open_.back()];
    node.size = size;
    node.end = static_cast<std::uint32_t>(tree_.nodes.size());
    token_begin_ = source_.position() + 1;
    node.text = {node.text.data(), token_begin_};
    ++node.depth;
    open_.pop_back();
    if (open_.empty()) return;
    Node& parent = tree_.nodes[open_.back()];
    parent.depth = std::max(parent.depth, node.depth);
  }

  bool check_keys(std::uint32_t object) {
    keys_.clear();
    const std::vector<Node>& nodes = tree_.nodes;
    for (std::size_t key = object + 1; key < nodes.size();
         key = nodes[key + 1].end) {
      keys_.push_back(nodes[key].string);
    }
    std::sort(keys_.begin(), keys_.end());
    const auto twin = std::adjacent_find(keys_.begin(), keys_.end());
    if (twin == keys_.end()) return true;
    return fail("duplicate key \"" + std::string(utf8_prefix(*twin, 64)) + '"');
  }

  Source& source_;
  const char* token_begin_;
  const std::size_t max_depth_;
  Tree& tree_;
  std::vector<std::uint32_t> open_;  // Containers we are in, outermost first.
  std::vector<std::string_view> keys_;
  std::string error_;
};

Status error_at(std::string message, std::size_t offset) {
  return Status::invalid_argument(std::move(message) + " at byte " +
                                  std::to_string(offset));
}

std::string describe(rapidjson::ParseErrorCode code) {
  std::string text = rapidjson::GetParseError_En(code);
  if (!text.empty() && text.back() == '.') text.pop_back();
  return text;
}

Status parse_tree(std::string_view text, std::size_t max_depth, Tree* tree) {
  Source source(text);
  TreeBuilder builder(&source, max_depth, tree);
  rapidjson::Reader reader;
  reader.Parse<kParseFlags>(source, builder);
  if (!builder.error().empty()) {
    return error_at(builder.error(), reader.GetErrorOffset());
  }
  if (reader.HasParseError()) {
    return error_at(describe(reader.GetParseErrorCode()),
                    reader.GetErrorOffset());
  }
  // A NUL byte ends the text for RapidJSON, but not for us.
  if (source.Tell() != text.size()) {
    return error_at("unexpected NUL byte", source.Tell());
  }
  return {};
}

// "path: " in front of a message, or nothing for the root.
std::string prefixed(std::string_view path, std::string message) {
  if (path.empty()) return message;
  return std::string(path) + ": " + std::move(message);
}

Status wrong_kind(std::string_view path, std::string_view expected,
                  const JsonValue& value) {
  return Status::invalid_argument(
      prefixed(path, "expected " + std::string(expected) + ", got " +
                         std::string(value.kind_name())));
}

std::string indexed(std::string_view path, std::size_t index) {
  return std::string(path) + "[" + std::to_string(index) + "]";
}

Status append_floats(std::string_view path,
                     const std::vector<JsonValue>& elements,
                     std::vector<float>* values) {
  const std::size_t start = values->size();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const Result<float> value = elements[i].as_float(indexed(path, i));
    if (!value.ok()) {
      values->resize(start);
      return value.status();
    }
    values->push_back(*value);
  }
  return {};
}

// A value as it may stand in a message.
std::string shown(const JsonValue& value) {
  constexpr std::size_t kMaxShownBytes = 64;
  const std::string text = value.compact_text();
  return std::string(utf8_prefix(text, kMaxShownBytes));
}

}  // namespace

struct JsonDocument::Nodes : Tree {};

JsonDocument::JsonDocument(std::unique_ptr<Nodes> nodes)
    : nodes_(std::move(nodes)) {}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

Result<JsonDocument> JsonDocument::parse(std::string_view text,
                                         std::size_t max_depth) {
  if (text.size() >= std::numeric_limits<std::uint32_t>::max()) {
    return Status::invalid_argument("JSON text of 4 GiB or more");
  }
  auto nodes = std::make_unique<Nodes>();
  const Status parsed = parse_tree(text, max_depth, nodes.get());
  if (!parsed.ok()) return parsed;
  return JsonDocument(std::move(nodes));
}

JsonValue JsonDocument::root() const {
  JsonValue root;
  root.document_ = this;
  return root;
}

JsonKind JsonValue::kind() const {
  if (run_number_.data() != nullptr) return JsonKind::number;
  return document_->nodes_->nodes[node_].kind;
}

std::string_view JsonValue::kind_name() const {
  switch (kind()) {
    case JsonKind::null:
      return "null";
    case JsonKind::boolean:
      return "a boolean";
    case JsonKind::number:
      return "a number";
    case JsonKind::string:
      return "a string";
    case JsonKind::array:
      return "an array";
    case JsonKind::object:
      return "an object";
  }
  return "nothing";
}

bool JsonValue::boolean() const {
  assert(kind() == JsonKind::boolean);
  return document_->nodes_->nodes[node_].text.front() == 't';
}

std::string_view JsonValue::number() const {
  assert(kind() == JsonKind::number);
  if (run_number_.data() != nullptr) return run_number_;
  return document_->nodes_->nodes[node_].text;
}

std::string_view JsonValue::string() const {
  assert(kind() == JsonKind::string);
  return document_->nodes_->nodes[node_].string;
}

std::size_t JsonValue::size() const {
  assert(kind() == JsonKind::array || kind() == JsonKind::object);
  return document_->nodes_->nodes[node_].size;
}

std::size_t JsonValue::depth() const {
  if (run_number_.data() != nullptr) return 0;
  return document_->nodes_->nodes[node_].depth;
}

std::vector<JsonValue> JsonValue::elements() const {
  assert(kind() == JsonKind::array);
  const std::vector<Node>& nodes = document_->nodes_->nodes;
  const Node& array = nodes[node_];
  std::vector<JsonValue> elements(array.size);
  const char* text = array.text.data() + 1;
  const char* end = array.text.data() + array.text.size();
  std::uint32_t next = node_ + 1;
  for (JsonValue& element : elements) {
    element.document_ = document_;
    if (array.is_number_run) {
      const char* begin = skip_white_space(text, end);
      text = skip_short_number(begin, end);
      element.run_number_ = {begin, text};
      text = skip_white_space(text, end) + 1;  // Behind ',' or ']'.
      continue;
    }
    element.node_ = next;
    next = nodes[next].end;
  }
  return elements;
}

std::vector<JsonValue::Member> JsonValue::members() const {
  assert(kind() == JsonKind::object);
  const std::vector<Node>& nodes = document_->nodes_->nodes;
  std::vector<Member> members(nodes[node_].size);
  std::uint32_t next = node_ + 1;
  for (Member& member : members) {
    member.key = nodes[next].string;
    member.value.document_ = document_;
    member.value.node_ = next + 1;
    next = nodes[next + 1].end;
  }
  return members;
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const {
  assert(kind() == JsonKind::object);
  const std::vector<Node>& nodes = document_->nodes_->nodes;
  const std::uint32_t end = nodes[node_].end;
  for (std::uint32_t next = node_ + 1; next < end; next = nodes[next + 1].end) {
    if (nodes[next].string != key) continue;
    JsonValue value;
    value.document_ = document_;
    value.node_ = next + 1;
    return value;
  }
  return std::nullopt;
}

std::string JsonValue::compact_text() const {
  if (run_number_.data() != nullptr) return std::string(run_number_);
  const std::string_view text = document_->nodes_->nodes[node_].text;
  std::string compact;
  compact.reserve(text.size());
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_white_space(c) && !in_string) continue;
    compact += c;
    if (c == '"') in_string = !in_string;
    if (c == '\\') compact += text[++i];
  }
  return compact;
}

Result<bool> JsonValue::as_bool(std::string_view path) const {
  if (kind() != JsonKind::boolean) return wrong_kind(path, "a boolean", *this);
  return boolean();
}

Result<std::uint64_t> JsonValue::as_uint64(std::string_view path) const {
  constexpr std::string_view kExpected = "an unsigned 64-bit integer";
  if (kind() != JsonKind::number) return wrong_kind(path, kExpected, *this);
  const std::string_view digits = number();
  const char* end = digits.data() + digits.size();
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(digits.data(), end, value);
  if (error == std::errc() && rest == end) return value;
  return Status::invalid_argument(prefixed(
      path, "expected " + std::string(kExpected) + ", got " + shown(*this)));
}

Result<float> JsonValue::as_float(std::string_view path) const {
  if (kind() != JsonKind::number) return wrong_kind(path, "a number", *this);
  const std::string_view text = number();
  float value = 0.0f;
  if (read_float(text.data(), text.data() + text.size(), &value) != nullptr) {
    return value;
  }
  return Status::invalid_argument(prefixed(
      path, "value " + shown(*this) + " is out of range of a 32-bit float"));
}

Result<std::string_view> JsonValue::as_string(std::string_view path) const {
  if (kind() != JsonKind::string) return wrong_kind(path, "a string", *this);
  return string();
}

Result<PointId> JsonValue::as_point_id(std::string_view path) const {
  if (kind() == JsonKind::number) {
    const Result<std::uint64_t> number = as_uint64(path);
    if (number.ok()) return PointId(*number);
  }
  if (kind() == JsonKind::string) {
    Result<PointId> uuid = PointId::parse_uuid(string());
    if (uuid.ok()) return uuid;
  }
  return Status::invalid_argument(
      prefixed(path, "value " + shown(*this) +
                         " is not a valid point ID, valid values are either "
                         "an unsigned integer or a UUID"));
}

Status JsonValue::read_floats(std::string_view path,
                              std::vector<float>* values) const {
  if (kind() != JsonKind::array) return wrong_kind(path, "an array", *this);
  const Node& array = document_->nodes_->nodes[node_];
  if (!array.is_number_run) return append_floats(path, elements(), values);

  const std::size_t start = values->size();
  values->resize(start + array.size);
  const char* text = array.text.data() + 1;
  const char* end = array.text.data() + array.text.size();
  for (std::size_t i = 0; i < array.size; ++i) {
    const char* begin = skip_white_space(text, end);
    text = read_float(begin, end, &(*values)[start + i]);
    if (text == nullptr) {
      values->resize(start);
      return elements()[i].as_float(indexed(path, i)).status();
    }
    text = skip_white_space(text, end) + 1;  // Behind ',' or ']'.
  }
  return {};
}

}  // namespace lamina
