#include "io/element.h"

#include <bit>
#include <cstring>
#include <string>

namespace lamina::io {
namespace {

static_assert(std::endian::native == std::endian::little,
              "values are read as they lie in the file");

template <class T>
T load(const char* bytes, std::size_t index) {
  T value;
  std::memcpy(&value, bytes + index * sizeof value, sizeof value);
  return value;
}

template <class T>
void convert(const char* bytes, std::size_t count, float* values) {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(load<T>(bytes, i));
  }
}

void convert_halves(const char* bytes, std::size_t count, float* values) {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = widen_half(load<std::uint16_t>(bytes, i));
  }
}

Status convert_int32(const char* bytes, std::size_t count, float* values) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = load<std::int32_t>(bytes, i);
    values[i] = static_cast<float>(value);
    if (static_cast<std::int64_t>(values[i]) != value) {
      return Status::invalid_argument("value " + std::to_string(value) +
                                      " has no float32 that equals it");
    }
  }
  return {};
}

}  // namespace

std::size_t element_bytes(Element element) {
  switch (element) {
    case Element::float16:
      return 2;
    case Element::float32:
    case Element::int32:
      return 4;
    case Element::float64:
      return 8;
    case Element::int8:
    case Element::uint8:
      return 1;
  }
  return 0;
}

float widen_half(std::uint16_t half) {
  const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16;
  const std::uint32_t exponent = half >> 10 & 0x1F;
  const std::uint32_t mantissa = half & 0x3FF;
  if (exponent == 0) {  // Zero, or mantissa * 2^-24.
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
  }
  // The bias is 127 instead of 15; infinity and NaN keep all exponent bits set.
  const std::uint32_t widened = exponent == 0x1F ? 0xFF : exponent + 127 - 15;
  return std::bit_cast<float>(sign | widened << 23 | mantissa << 13);
}

Status read_elements(Element element, const char* bytes, std::size_t count,
                     float* values) {
  switch (element) {
    case Element::float16:
      convert_halves(bytes, count, values);
      return {};
    case Element::float32:
      std::memcpy(values, bytes, count * sizeof(float));
      return {};
    case Element::float64:
      convert<double>(bytes, count, values);
      return {};
    case Element::int8:
      convert<std::int8_t>(bytes, count, values);
      return {};
    case Element::uint8:
      convert<std::uint8_t>(bytes, count, values);
      return {};
    case Element::int32:
      return convert_int32(bytes, count, values);
  }
  return {};
}

}  // namespace lamina::io
