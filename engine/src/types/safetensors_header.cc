#include "types/safetensors_header.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "types/json_reader.h"

namespace lamina {
namespace {

Result<std::vector<std::uint64_t>> read_numbers(const JsonValue& value,
                                                std::string_view path) {
  if (value.kind() != JsonKind::array || value.size() > 2) {
    return Status::invalid_argument(std::string(path) +
                                    ": expected an array of one or two");
  }
  std::vector<std::uint64_t> numbers;
  for (const JsonValue& element : value.elements()) {
    const Result<std::uint64_t> number = element.as_uint64(path);
    if (!number.ok()) return number.status();
    numbers.push_back(*number);
  }
  return numbers;
}

// The product of the shape and the size of an element, or nothing when 64 bits
// do not hold it.
std::optional<std::uint64_t> needed_bytes(const SafeTensor& tensor) {
  std::uint64_t bytes = dtype_bytes(tensor.dtype);
  for (const std::uint64_t length : tensor.shape) {
    if (length > 0 &&
        bytes > std::numeric_limits<std::uint64_t>::max() / length) {
      return std::nullopt;
    }
    bytes *= length;
  }
  return bytes;
}

Status read_tensor_fields(const JsonValue& value, SafeTensor* tensor) {
  if (value.kind() != JsonKind::object) {
    return Status::invalid_argument("expected an object");
  }
  std::vector<std::uint64_t> offsets;
  for (const JsonValue::Member& member : value.members()) {
    if (member.key == "dtype") {
      const Result<std::string_view> dtype = member.value.as_string("dtype");
      if (!dtype.ok()) return dtype.status();
      tensor->dtype = *dtype;
      continue;
    }
    if (member.key != "shape" && member.key != "data_offsets") {
      return Status::invalid_argument(
          "unknown key, expected dtype, shape and data_offsets");
    }
    Result<std::vector<std::uint64_t>> numbers =
        read_numbers(member.value, member.key);
    if (!numbers.ok()) return numbers.status();
    (member.key == "shape" ? tensor->shape : offsets) = *std::move(numbers);
  }
  if (tensor->shape.empty() || offsets.size() != 2) {
    return Status::invalid_argument(
        "expected a shape of one or two lengths and two data_offsets");
  }
  tensor->begin = offsets[0];
  tensor->end = offsets[1];
  return {};
}

// Reads one tensor's entry; `data_bytes` are what there are for all.
Result<SafeTensor> read_tensor(const JsonValue::Member& member,
                               std::uint64_t data_bytes) {
  SafeTensor tensor;
  tensor.name = member.key;
  const Status fields = read_tensor_fields(member.value, &tensor);
  if (!fields.ok()) return fields;
  if (dtype_bytes(tensor.dtype) == 0) {
    return Status::invalid_argument(
        "dtype is not U8, U32, U64, I64, F16, F32, F64");
  }
  if (tensor.begin > tensor.end || tensor.end > data_bytes) {
    return Status::invalid_argument(
        "data_offsets " + std::to_string(tensor.begin) + " to " +
        std::to_string(tensor.end) + ", there are " +
        std::to_string(data_bytes) + " bytes of data");
  }
  const std::optional<std::uint64_t> needed = needed_bytes(tensor);
  if (!needed.has_value() || *needed != tensor.end - tensor.begin) {
    return Status::invalid_argument("shape and dtype do not need the " +
                                    std::to_string(tensor.end - tensor.begin) +
                                    " bytes that it has");
  }
  return tensor;
}

// Texts; what else stands there is not ours.
Status read_metadata(const JsonValue& value, SafetensorsLayout* layout) {
  if (value.kind() != JsonKind::object) {
    return Status::invalid_argument("expected an object");
  }
  for (const JsonValue::Member& member : value.members()) {
    if (member.value.kind() != JsonKind::string) continue;
    layout->metadata.emplace(member.key, member.value.string());
  }
  return {};
}

Status read_entry(const JsonValue::Member& member, std::uint64_t data_bytes,
                  SafetensorsLayout* layout) {
  if (member.key == kSafetensorsMetadata) {
    return read_metadata(member.value, layout);
  }
  Result<SafeTensor> tensor = read_tensor(member, data_bytes);
  if (tensor.ok()) layout->tensors.push_back(*std::move(tensor));
  return tensor.status();
}

// The layout allows no byte that belongs to no tensor, or to two.
Status check_no_holes(std::uint64_t data_bytes, SafetensorsLayout* layout) {
  std::sort(layout->tensors.begin(), layout->tensors.end(),
            [](const SafeTensor& a, const SafeTensor& b) {
              return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
            });
  std::uint64_t end = 0;
  for (const SafeTensor& tensor : layout->tensors) {
    if (tensor.begin != end) {
      return Status::invalid_argument("tensor " + tensor.name + " begins at " +
                                      std::to_string(tensor.begin) +
                                      ", expected " + std::to_string(end));
    }
    end = tensor.end;
  }
  if (end == data_bytes) return {};
  return Status::invalid_argument(std::to_string(data_bytes) +
                                  " bytes of data, the tensors take " +
                                  std::to_string(end));
}

}  // namespace

const SafeTensor* SafetensorsLayout::find(std::string_view name) const {
  const auto found = std::find_if(
      tensors.begin(), tensors.end(),
      [&](const SafeTensor& tensor) { return tensor.name == name; });
  return found == tensors.end() ? nullptr : &*found;
}

std::size_t dtype_bytes(std::string_view dtype) {
  if (dtype == "U8") return 1;
  if (dtype == "F16") return 2;
  if (dtype == "F32" || dtype == "U32") return 4;
  if (dtype == "F64" || dtype == "U64" || dtype == "I64") return 8;
  return 0;
}

Result<SafetensorsLayout> parse_safetensors_header(std::string_view json,
                                                   std::uint64_t data_bytes) {
  const Result<JsonDocument> document = JsonDocument::parse(json);
  if (!document.ok()) {
    return Status::invalid_argument("header: " + document.status().message());
  }
  if (document->root().kind() != JsonKind::object) {
    return Status::invalid_argument("header is not an object");
  }
  SafetensorsLayout layout;
  for (const JsonValue::Member& member : document->root().members()) {
    const Status read = read_entry(member, data_bytes, &layout);
    if (read.ok()) continue;
    return Status::invalid_argument(
        "header: " + std::string(member.key.substr(0, 64)) + ": " +
        read.message());
  }
  const Status whole = check_no_holes(data_bytes, &layout);
  if (!whole.ok()) return whole;
  return layout;
}

}  // namespace lamina
