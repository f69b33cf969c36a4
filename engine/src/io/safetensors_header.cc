#include "io/safetensors_header.h"

#include <algorithm>
#include <utility>

#include "io/metric_name.h"
#include "io/safetensors_format.h"

namespace lamina::io {
namespace {

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

Status check_names(const SafetensorsLayout& layout) {
  for (const SafeTensor& tensor : layout.tensors) {
    if (std::find(std::begin(kTensorNames), std::end(kTensorNames),
                  tensor.name) != std::end(kTensorNames)) {
      continue;
    }
    return Status::invalid_argument(
        "header: " + tensor.name.substr(0, 64) +
        ": unknown tensor, expected vectors, ids, uuids and payloads");
  }
  return {};
}

Result<std::optional<Metric>> read_metric(const SafetensorsLayout& layout) {
  const auto name = layout.metadata.find(kMetricKey);
  if (name == layout.metadata.end()) return {std::nullopt};
  const std::optional<Metric> metric = metric_named(name->second);
  if (metric.has_value()) return metric;
  return Status::invalid_argument(
      "header: " + std::string(kSafetensorsMetadata) + ": unknown metric");
}

}  // namespace

Result<SafetensorsHeader> read_safetensors_header(InputFile& file) {
  const Result<std::string> text = read_header_text(file);
  if (!text.ok()) return text.status();
  const std::uint64_t data_begin = sizeof(std::uint64_t) + text->size();
  Result<SafetensorsLayout> layout =
      parse_safetensors_header(*text, file.size() - data_begin);
  if (!layout.ok()) return file.invalid(layout.status().message());
  const Status names = check_names(*layout);
  if (!names.ok()) return file.invalid(names.message());
  const Result<std::optional<Metric>> metric = read_metric(*layout);
  if (!metric.ok()) return file.invalid(metric.status().message());
  for (SafeTensor& tensor : layout->tensors) {
    tensor.begin += data_begin;
    tensor.end += data_begin;
  }
  return SafetensorsHeader{*std::move(layout), *metric};
}

}  // namespace lamina::io
