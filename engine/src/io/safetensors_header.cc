#include "io/safetensors_header.h"

#include <limits>
#include <utility>

#include "io/metric_name.h"
#include "io/safetensors_format.h"
#include "types/json_reader.h"

namespace lamina::io {
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

// Reads one tensor's entry; `data_bytes` are what the file has for all.
Result<SafeTensor> read_tensor(const JsonValue::Member& member,
                               std::uint64_t data_bytes) {
  SafeTensor tensor;
  tensor.name = member.key;
  const Status fields = read_tensor_fields(member.value, &tensor);
  if (!fields.ok()) return fields;
  if (dtype_bytes(tensor.dtype) == 0) {
    return Status::invalid_argument("dtype is not U8, F16, F32, F64, U64, I64");
  }
  if (tensor.begin > tensor.end || tensor.end > data_bytes) {
    return Status::invalid_argument(
        "data_offsets " + std::to_string(tensor.begin) + " to " +
        std::to_string(tensor.end) + ", the file has " +
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

// The metric in "__metadata__"; what else stands there is not ours.
Result<std::optional<Metric>> read_metadata(const JsonValue& value) {
  if (value.kind() != JsonKind::object) {
    return Status::invalid_argument("expected an object");
  }
  for (const JsonValue::Member& member : value.members()) {
    if (member.key != kMetricKey) continue;
    const Result<std::string_view> name = member.value.as_string(kMetricKey);
    if (!name.ok()) return name.status();
    const std::optional<Metric> metric = metric_named(*name);
    if (metric.has_value()) return metric;
    return Status::invalid_argument("unknown metric");
  }
  return {std::nullopt};
}

Status read_entry(const JsonValue::Member& member, std::uint64_t data_bytes,
                  SafetensorsHeader* header) {
  if (member.key == kMetadataKey) {
    const Result<std::optional<Metric>> metric = read_metadata(member.value);
    if (metric.ok()) header->metric = *metric;
    return metric.status();
  }
  if (std::find(std::begin(kTensorNames), std::end(kTensorNames), member.key) ==
      std::end(kTensorNames)) {
    return Status::invalid_argument(
        "unknown tensor, expected vectors, ids, uuids and payloads");
  }
  Result<SafeTensor> tensor = read_tensor(member, data_bytes);
  if (tensor.ok()) header->tensors.push_back(*std::move(tensor));
  return tensor.status();
}

// The format allows no byte that belongs to no tensor, or to two.
Status check_no_holes(const InputFile& file, std::uint64_t data_bytes,
                      SafetensorsHeader* header) {
  std::sort(header->tensors.begin(), header->tensors.end(),
            [](const SafeTensor& a, const SafeTensor& b) {
              return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
            });
  std::uint64_t end = 0;
  for (const SafeTensor& tensor : header->tensors) {
    if (tensor.begin != end) {
      return file.invalid("tensor " + tensor.name + " begins at " +
                          std::to_string(tensor.begin) + ", expected " +
                          std::to_string(end));
    }
    end = tensor.end;
  }
  if (end == data_bytes) return {};
  return file.invalid(std::to_string(data_bytes) +
                      " bytes of data, the tensors take " +
                      std::to_string(end));
}

Result<std::string> read_header_text(InputFile& file) {
  std::uint64_t length = 0;
  if (file.size() < sizeof length) {
    return file.invalid("ends within the length of its header");
  }
  const Status read_length = file.read_at(0, &length, sizeof length);
  if (!read_length.ok()) return read_length;
  const std::uint64_t left = file.size() - sizeof length;
  if (length > left || length > kMaxHeaderBytes) {
    return file.invalid(
        "header of " + std::to_string(length) + " bytes, at most " +
        std::to_string(std::min(left, kMaxHeaderBytes)) + " are possible");
  }
  std::string text(length, '\0');
  const Status read = file.read_at(sizeof length, text.data(), text.size());
  if (!read.ok()) return read;
  return text;
}

}  // namespace

std::size_t dtype_bytes(std::string_view dtype) {
  if (dtype == "U8") return 1;
  if (dtype == "F16") return 2;
  if (dtype == "F32") return 4;
  if (dtype == "F64" || dtype == "U64" || dtype == "I64") return 8;
  return 0;
}

Result<SafetensorsHeader> read_safetensors_header(InputFile& file) {
  const Result<std::string> text = read_header_text(file);
  if (!text.ok()) return text.status();
  const Result<JsonDocument> document = JsonDocument::parse(*text);
  if (!document.ok()) {
    return file.invalid("header: " + document.status().message());
  }
  if (document->root().kind() != JsonKind::object) {
    return file.invalid("header is not an object");
  }
  const std::uint64_t data_begin = sizeof(std::uint64_t) + text->size();
  const std::uint64_t data_bytes = file.size() - data_begin;
  SafetensorsHeader header;
  for (const JsonValue::Member& member : document->root().members()) {
    const Status read = read_entry(member, data_bytes, &header);
    if (!read.ok()) {
      return file.invalid("header: " + std::string(member.key.substr(0, 64)) +
                          ": " + read.message());
    }
  }
  const Status whole = check_no_holes(file, data_bytes, &header);
  if (!whole.ok()) return whole;
  for (SafeTensor& tensor : header.tensors) {
    tensor.begin += data_begin;
    tensor.end += data_begin;
  }
  return header;
}

}  // namespace lamina::io
