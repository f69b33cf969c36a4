#include <string>
#include <utility>

#include "io/matrix_points.h"
#include "io/safetensors_format.h"
#include "io/safetensors_header.h"

namespace lamina::io {
namespace {

std::optional<Element> element_of(std::string_view dtype) {
  if (dtype == "F16") return Element::float16;
  if (dtype == "F32") return Element::float32;
  if (dtype == "F64") return Element::float64;
  return std::nullopt;
}

Result<MatrixLayout> vectors_layout(const InputFile& file,
                                    const SafetensorsHeader& header) {
  const SafeTensor* vectors = header.find(kVectorsName);
  if (vectors == nullptr || vectors->shape.size() != 2) {
    return file.invalid("needs a tensor vectors of shape [points, values]");
  }
  const std::optional<Element> element = element_of(vectors->dtype);
  if (!element.has_value()) {
    return file.invalid("vectors are " + vectors->dtype +
                        ", expected F16, F32 or F64");
  }
  const Status valid = check_columns(file, vectors->shape[1]);
  if (!valid.ok()) return valid;
  MatrixLayout layout;
  layout.begin = vectors->begin;
  layout.rows = vectors->shape[0];
  layout.columns = vectors->shape[1];
  layout.element = *element;
  return layout;
}

// Ids from the tensors ids and uuids, together one a row; null without both.
Result<std::unique_ptr<IdColumn>> ids_of(const InputFile& file,
                                         const SafetensorsHeader& header,
                                         std::uint64_t rows) {
  const SafeTensor* numbers = header.find(kIdsName);
  const SafeTensor* uuids = header.find(kUuidsName);
  if (numbers == nullptr && uuids == nullptr) {
    return std::unique_ptr<IdColumn>();
  }
  RawIdLayout layout;
  if (numbers != nullptr) {
    if (dtype_bytes(numbers->dtype) != 8 || numbers->dtype == "F64" ||
        numbers->shape.size() != 1) {
      return file.invalid("ids must be U64 or I64 of one dimension");
    }
    layout.numbers_begin = numbers->begin;
    layout.number_count = numbers->shape[0];
    layout.is_signed = numbers->dtype == "I64";
  }
  if (uuids != nullptr) {
    if (uuids->dtype != "U8" || uuids->shape.size() != 2 ||
        uuids->shape[1] != 16) {
      return file.invalid("uuids must be U8 of shape [points, 16]");
    }
    layout.uuids_begin = uuids->begin;
    layout.uuid_count = uuids->shape[0];
  }
  if (layout.number_count + layout.uuid_count != rows) {
    return file.invalid(
        std::to_string(layout.number_count + layout.uuid_count) + " ids for " +
        std::to_string(rows) + " vectors");
  }
  Result<InputFile> again = InputFile::open(file.name());
  if (!again.ok()) return again.status();
  return make_raw_ids(*std::move(again), layout);
}

Result<std::unique_ptr<PayloadColumn>> payloads_of(
    const InputFile& file, const SafetensorsHeader& header) {
  const SafeTensor* payloads = header.find(kPayloadsName);
  if (payloads == nullptr) return std::unique_ptr<PayloadColumn>();
  if (payloads->dtype != "U8" || payloads->shape.size() != 1) {
    return file.invalid("payloads must be U8 of one dimension");
  }
  Result<InputFile> again = InputFile::open(file.name());
  if (!again.ok()) return again.status();
  return std::make_unique<PayloadColumn>(
      LineReader(*std::move(again), payloads->begin, payloads->end),
      PayloadColumn::Line::payload);
}

}  // namespace

Result<MatrixFile> open_safetensors(InputFile file) {
  const Result<SafetensorsHeader> header = read_safetensors_header(file);
  if (!header.ok()) return header.status();
  const Result<MatrixLayout> layout = vectors_layout(file, *header);
  if (!layout.ok()) return layout.status();
  Result<std::unique_ptr<IdColumn>> ids = ids_of(file, *header, layout->rows);
  if (!ids.ok()) return ids.status();
  Result<std::unique_ptr<PayloadColumn>> payloads = payloads_of(file, *header);
  if (!payloads.ok()) return payloads.status();
  return MatrixFile{.file = std::move(file),
                    .layout = *layout,
                    .ids = *std::move(ids),
                    .payloads = *std::move(payloads),
                    .metric = header->metric};
}

}  // namespace lamina::io
