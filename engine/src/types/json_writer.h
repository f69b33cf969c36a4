#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lamina/options.h"
#include "lamina/point_id.h"

namespace lamina {

// Appends JSON text to a string, commas included.
//
//   JsonWriter json;
//   json.begin_object().key("id").uint64(7).key("ok").boolean(true).end_object();
//   send(json.text());
//
// Floats are the shortest text that reads back to the same bits, always with a
// '.' or an exponent ("9.0"), as strict readers of the protocol demand. Strings
// are escaped; bytes that are not valid UTF-8 become U+FFFD. Values that are
// not finite are a mistake of the caller (assert).
class JsonWriter {
 public:
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);

  JsonWriter& null();
  JsonWriter& boolean(bool value);
  JsonWriter& uint64(std::uint64_t value);
  JsonWriter& float32(float value);
  JsonWriter& float64(double value);
  JsonWriter& string(std::string_view value);
  // A number, or a string for a UUID.
  JsonWriter& point_id(const PointId& id);
  JsonWriter& vector(VectorView values);
  // Text that is already JSON.
  JsonWriter& raw(std::string_view json);

  void reserve(std::size_t bytes) { text_.reserve(bytes); }
  const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }

 private:
  void before_value();

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace lamina
