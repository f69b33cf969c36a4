#include "filter/cell.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>
#include <new>
#include <vector>

#include "types/datetime.h"
#include "types/filter_number.h"

namespace lamina::filter {
namespace {

// Sizes fit: a payload has at most kMaxPayloadBytes.
Cell plain_cell(CellKind kind, std::size_t size = 0) {
  Cell cell;
  cell.kind = kind;
  cell.size = static_cast<std::uint32_t>(size);
  return cell;
}

Cell scalar_cell(const JsonValue& value) {
  switch (value.kind()) {
    case JsonKind::null:
      return plain_cell(CellKind::null);
    case JsonKind::boolean:
      return boolean_cell(value.boolean());
    case JsonKind::number:
      return number_cell(read_json_number(value.number()));
    case JsonKind::string:
      return string_cell(value.string());
    case JsonKind::array:
    case JsonKind::object:
      break;
  }
  return plain_cell(CellKind::other);
}

Cell* allocate_cells(std::size_t count, std::pmr::memory_resource* memory) {
  void* bytes = memory->allocate(count * sizeof(Cell), alignof(Cell));
  Cell* cells = static_cast<Cell*>(bytes);
  std::uninitialized_default_construct_n(cells, count);
  return cells;
}

Cell composite(CellKind kind, const Cell* elements, std::size_t count) {
  Cell cell = plain_cell(kind, count);
  cell.first_element = elements;
  return cell;
}

Cell value_cell(const JsonValue& value, std::pmr::memory_resource* memory) {
  if (value.kind() != JsonKind::array) return scalar_cell(value);
  const std::vector<JsonValue> elements = value.elements();
  Cell* cells = allocate_cells(elements.size(), memory);
  std::transform(elements.begin(), elements.end(), cells, scalar_cell);
  return composite(CellKind::list, cells, elements.size());
}

std::size_t mix(std::size_t hash, std::size_t more) {
  return (hash ^ more) * 0x9e3779b97f4a7c15u + (hash >> 29);
}

// Numbers are one kind for the order.
CellKind order_kind(const Cell& cell) {
  return cell.kind == CellKind::real ? CellKind::integer : cell.kind;
}

}  // namespace

where::Number Cell::number() const {
  assert(is_number());
  if (kind == CellKind::real) return real;
  return integer;
}

Cell string_cell(std::string_view text) {
  Cell cell = plain_cell(CellKind::string, text.size());
  cell.characters = text.data();
  if (const auto micros = parse_datetime(text)) {
    cell.is_time = true;
    cell.micros = *micros;
  }
  return cell;
}

Cell integer_cell(std::int64_t value) {
  Cell cell = plain_cell(CellKind::integer);
  cell.integer = value;
  return cell;
}

Cell boolean_cell(bool value) {
  Cell cell = plain_cell(CellKind::boolean);
  cell.integer = value ? 1 : 0;
  return cell;
}

Cell number_cell(const where::Number& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return integer_cell(*integer);
  }
  Cell cell = plain_cell(CellKind::real);
  cell.real = std::get<double>(value);
  return cell;
}

Cell cell_of(const where::Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return boolean_cell(*flag);
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return integer_cell(*integer);
  }
  return string_cell(std::get<std::string>(value));
}

Cell read_cell(const JsonPath& path, const JsonValue& root,
               std::pmr::memory_resource* memory) {
  std::vector<JsonValue> values;
  path.collect(root, &values);
  if (values.empty()) return {};
  if (!path.names_many()) return value_cell(values.front(), memory);
  Cell* cells = allocate_cells(values.size(), memory);
  std::transform(
      values.begin(), values.end(), cells,
      [&](const JsonValue& value) { return value_cell(value, memory); });
  return composite(CellKind::many, cells, values.size());
}

Cell copy_cell(const Cell& cell, std::pmr::memory_resource* memory) {
  Cell copy = cell;
  if (cell.kind == CellKind::string) {
    char* characters = static_cast<char*>(memory->allocate(cell.size, 1));
    std::copy_n(cell.characters, cell.size, characters);
    copy.characters = characters;
  } else if (cell.is_composite()) {
    Cell* elements = allocate_cells(cell.size, memory);
    std::transform(
        cell.first_element, cell.first_element + cell.size, elements,
        [&](const Cell& element) { return copy_cell(element, memory); });
    copy.first_element = elements;
  }
  return copy;
}

std::size_t referred_bytes(const Cell& cell) {
  if (cell.kind == CellKind::string) return cell.size;
  if (!cell.is_composite()) return 0;
  std::size_t bytes = cell.size * sizeof(Cell);
  for (const Cell& element : cell.elements()) bytes += referred_bytes(element);
  return bytes;
}

bool CellEqual::operator()(const Cell& a, const Cell& b) const {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case CellKind::boolean:
    case CellKind::integer:
      return a.integer == b.integer;
    case CellKind::real:
      return std::bit_cast<std::uint64_t>(a.real) ==
             std::bit_cast<std::uint64_t>(b.real);
    case CellKind::string:
      return a.text() == b.text();
    case CellKind::list:
    case CellKind::many:
      return std::equal(a.first_element, a.first_element + a.size,
                        b.first_element, b.first_element + b.size, *this);
    case CellKind::missing:
    case CellKind::null:
    case CellKind::other:
      break;
  }
  return true;
}

std::size_t CellHash::operator()(const Cell& cell) const {
  const auto kind = static_cast<std::size_t>(cell.kind);
  switch (cell.kind) {
    case CellKind::boolean:
    case CellKind::integer:
      return mix(kind, static_cast<std::size_t>(cell.integer));
    case CellKind::real:
      return mix(kind, std::bit_cast<std::uint64_t>(cell.real));
    case CellKind::string:
      return mix(kind, std::hash<std::string_view>()(cell.text()));
    case CellKind::list:
    case CellKind::many: {
      std::size_t hash = mix(kind, cell.size);
      for (const Cell& element : cell.elements()) {
        hash = mix(hash, (*this)(element));
      }
      return hash;
    }
    case CellKind::missing:
    case CellKind::null:
    case CellKind::other:
      break;
  }
  return mix(kind, 0);
}

bool CellLess::operator()(const Cell& a, const Cell& b) const {
  assert(!a.is_composite() && !b.is_composite());
  if (order_kind(a) != order_kind(b)) return order_kind(a) < order_kind(b);
  if (a.kind == CellKind::string) return a.text() < b.text();
  if (a.is_number()) return compare(a.number(), b.number()) < 0;
  return a.kind == CellKind::boolean && a.integer < b.integer;
}

}  // namespace lamina::filter
