#include "types/json_writer.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

#include "types/utf8.h"

namespace lamina {
namespace {

// Longest text of a double: sign, 17 digits, point, "e-308".
constexpr std::size_t kMaxNumberBytes = 32;

// Writes `value` at `out`, which has room for kMaxNumberBytes, and returns the
// end. An integer value gets ".0": clients with strict types take "9" for an
// integer and refuse it.
template <class Float>
char* write_float(Float value, char* out) {
  assert(std::isfinite(value));
  char* end = std::to_chars(out, out + kMaxNumberBytes, value).ptr;
  const bool reads_as_float =
      std::any_of(out, end, [](char c) { return c == '.' || c == 'e'; });
  if (!reads_as_float) {
    *end++ = '.';
    *end++ = '0';
  }
  return end;
}

bool needs_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

void append_escaped(char c, std::string* text) {
  switch (c) {
    case '"':
      *text += "\\\"";
      return;
    case '\\':
      *text += "\\\\";
      return;
    case '\n':
      *text += "\\n";
      return;
    case '\r':
      *text += "\\r";
      return;
    case '\t':
      *text += "\\t";
      return;
    default:
      constexpr char kHex[] = "0123456789abcdef";
      *text += "\\u00";
      *text += kHex[static_cast<unsigned char>(c) >> 4];
      *text += kHex[c & 0xF];
  }
}

// Bytes at the start of `text` that go out as they are.
std::size_t plain_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && !needs_escape(text[length])) {
    if (static_cast<unsigned char>(text[length]) < 0x80) {
      ++length;
      continue;
    }
    const std::size_t sequence = utf8_sequence_length(text.substr(length));
    if (sequence == 0) break;
    length += sequence;
  }
  return length;
}

void append_quoted(std::string_view value, std::string* text) {
  *text += '"';
  while (true) {
    const std::size_t plain = plain_length(value);
    text->append(value.substr(0, plain));
    value.remove_prefix(plain);
    if (value.empty()) break;
    if (needs_escape(value.front())) {
      append_escaped(value.front(), text);
    } else {
      *text += "\xEF\xBF\xBD";  // U+FFFD for a byte that is not UTF-8.
    }
    value.remove_prefix(1);
  }
  *text += '"';
}

}  // namespace

void JsonWriter::before_value() {
  if (needs_comma_) text_ += ',';
  needs_comma_ = true;
}

JsonWriter& JsonWriter::begin_object() {
  before_value();
  text_ += '{';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  text_ += '}';
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  before_value();
  text_ += '[';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  text_ += ']';
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  before_value();
  append_quoted(name, &text_);
  text_ += ':';
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::null() { return raw("null"); }

JsonWriter& JsonWriter::boolean(bool value) {
  return raw(value ? "true" : "false");
}

JsonWriter& JsonWriter::uint64(std::uint64_t value) {
  char buffer[kMaxNumberBytes];
  const char* end = std::to_chars(buffer, std::end(buffer), value).ptr;
  return raw({buffer, end});
}

JsonWriter& JsonWriter::float32(float value) {
  char buffer[kMaxNumberBytes + 2];
  return raw({buffer, write_float(value, buffer)});
}

JsonWriter& JsonWriter::float64(double value) {
  char buffer[kMaxNumberBytes + 2];
  return raw({buffer, write_float(value, buffer)});
}

JsonWriter& JsonWriter::string(std::string_view value) {
  before_value();
  append_quoted(value, &text_);
  return *this;
}

JsonWriter& JsonWriter::point_id(const PointId& id) {
  return id.is_uuid() ? string(id.to_string()) : uint64(id.number());
}

// Written in place: for 384 values the checks of an append per value cost as
// much as a third of the conversion.
JsonWriter& JsonWriter::vector(VectorView values) {
  before_value();
  const std::size_t start = text_.size();
  // The longest float32 is 16 bytes ("-7212154486784.0": to_chars prefers
  // digits to an exponent of the same length), one more for ','.
  constexpr std::size_t kMaxValueBytes = 17;
  text_.resize(start + 2 + values.size() * kMaxValueBytes + kMaxNumberBytes);
  char* out = text_.data() + start;
  *out++ = '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) *out++ = ',';
    out = write_float(values[i], out);
  }
  *out++ = ']';
  text_.resize(static_cast<std::size_t>(out - text_.data()));
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  before_value();
  text_ += json;
  return *this;
}

}  // namespace lamina
