#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>

#include "lamina/filter.h"
#include "types/json_path.h"
#include "types/json_reader.h"

namespace lamina::filter {

enum class CellKind : std::uint8_t {
  missing,  // The path names nothing.
  null,
  boolean,
  integer,
  real,
  string,
  other,  // An object, or an array inside an array: no condition looks inside.
  list,   // An array; its elements are none of missing, list and many.
  many    // All values of a path with "[]" in it; none of missing and many.
};

// What a path names in one payload, in the form that conditions test. Text and
// elements belong to somebody else.
struct Cell {
  CellKind kind = CellKind::missing;
  bool is_time = false;    // A string that is a time.
  std::uint32_t size = 0;  // Bytes of a string, elements of list and many.
  union {
    std::int64_t integer = 0;  // A boolean too: 0 or 1.
    double real;
    const char* characters;
    const Cell* first_element;
  };
  std::int64_t micros = 0;  // Of a time, since 1970, in UTC.

  std::string_view text() const { return {characters, size}; }
  std::span<const Cell> elements() const { return {first_element, size}; }
  bool is_number() const {
    return kind == CellKind::integer || kind == CellKind::real;
  }
  // Of a number.
  where::Number number() const;
  bool is_composite() const {
    return kind == CellKind::list || kind == CellKind::many;
  }
};

Cell string_cell(std::string_view text);
Cell integer_cell(std::int64_t value);
Cell boolean_cell(bool value);
Cell number_cell(const where::Number& value);
// The text stays with `value`.
Cell cell_of(const where::Value& value);

// What `path` names inside `root`. Elements are put into `memory`; text stays
// in the document.
Cell read_cell(const JsonPath& path, const JsonValue& root,
               std::pmr::memory_resource* memory);

// The same cell with all that it refers to in `memory`.
Cell copy_cell(const Cell& cell, std::pmr::memory_resource* memory);

// Bytes that copy_cell() takes.
std::size_t referred_bytes(const Cell& cell);

// Same kind and same content; a double equals its own bits only.
struct CellEqual {
  bool operator()(const Cell& a, const Cell& b) const;
};

struct CellHash {
  std::size_t operator()(const Cell& cell) const;
};

// A total order of scalar cells: kinds apart, except that numbers are one kind
// and compare by value.
struct CellLess {
  bool operator()(const Cell& a, const Cell& b) const;
};

}  // namespace lamina::filter
