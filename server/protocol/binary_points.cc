#include "protocol/binary_points.h"

#include <utility>

#include "protocol/binary_parts.h"
#include "protocol/binary_tensors.h"

namespace lamina::protocol {
namespace {

constexpr std::string_view kNextOffset = "next_page_offset";

Status check_count(std::string_view name, std::size_t count,
                   std::size_t expected) {
  if (count == expected) return {};
  return Status::invalid_argument(std::string(name) + ": " +
                                  std::to_string(count) + " for " +
                                  std::to_string(expected) + " ids");
}

void write_records(std::span<const Record> records,
                   const PayloadSelector& payload, TensorWriter* out,
                   IdTensors* ids, PartTensors* parts) {
  for (const Record& record : records) {
    ids->add(record.id);
    parts->add(record.vector, record.payload, payload);
  }
  ids->write_numbers(out);
  parts->write_vectors(out);
  ids->write_rest(out);
  parts->write_payloads(out);
}

Result<std::vector<Record>> read_records(const TensorReader& tensors) {
  const Result<std::vector<PointId>> ids = read_ids(tensors);
  if (!ids.ok()) return ids.status();
  const Result<VectorRows> vectors = read_vector_rows(tensors, "vectors");
  if (!vectors.ok()) return vectors.status();
  Result<std::optional<std::vector<Payload>>> payloads =
      read_payload_lines(tensors, ids->size());
  if (!payloads.ok()) return payloads.status();
  if (tensors.has("vectors")) {
    const Status counted = check_count("vectors", vectors->count, ids->size());
    if (!counted.ok()) return counted;
  }
  std::vector<Record> records(ids->size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].id = (*ids)[i];
    if (tensors.has("vectors")) {
      const VectorView row = vectors->row(i);
      records[i].vector.emplace(row.begin(), row.end());
    }
    if (payloads->has_value()) {
      records[i].payload = std::move((**payloads)[i]);
    }
  }
  return records;
}

}  // namespace

std::string encode_upsert_tensors(std::span<const Point> points) {
  IdTensors ids(points.size());
  PartTensors parts;
  for (const Point& point : points) {
    ids.add(point.id);
    parts.add(point.vector, point.payload.empty() ? std::string_view()
                                                  : point.payload.json());
  }
  TensorWriter out;
  ids.write_numbers(&out);
  parts.write_vectors(&out);
  ids.write_rest(&out);
  parts.write_payloads(&out);
  return out.finish();
}

Result<PointBatch> decode_upsert_tensors(std::string_view body) {
  const Result<TensorReader> tensors = TensorReader::parse(body);
  if (!tensors.ok()) return tensors.status();
  const Status known =
      tensors->check_names({"ids", "uuids", "is_uuid", "vectors", "payloads"});
  if (!known.ok()) return known;
  const Result<std::vector<PointId>> ids = read_ids(*tensors);
  if (!ids.ok()) return ids.status();
  Result<VectorRows> vectors = read_vector_rows(*tensors, "vectors");
  if (!vectors.ok()) return vectors.status();
  const Status counted = check_count("vectors", vectors->count, ids->size());
  if (!counted.ok()) return counted;
  Result<std::optional<std::vector<Payload>>> payloads =
      read_payload_lines(*tensors, ids->size());
  if (!payloads.ok()) return payloads.status();
  return PointBatch::from_rows(
      *ids, std::move(vectors->values), vectors->dimension,
      payloads->has_value() ? **std::move(payloads) : std::vector<Payload>());
}

std::string encode_records_tensors(std::span<const Record> records,
                                   const PayloadSelector& payload) {
  TensorWriter out;
  IdTensors ids(records.size());
  PartTensors parts;
  write_records(records, payload, &out, &ids, &parts);
  return out.finish();
}

Result<std::vector<Record>> decode_records_tensors(std::string_view body) {
  const Result<TensorReader> tensors = TensorReader::parse(body);
  if (!tensors.ok()) return tensors.status();
  return read_records(*tensors);
}

std::string encode_scroll_tensors(const ScrollPage& page,
                                  const PayloadSelector& payload) {
  TensorWriter out;
  IdTensors ids(page.points.size());
  PartTensors parts;
  if (page.next_offset.has_value()) {
    out.set_metadata(kNextOffset, page.next_offset->to_string());
  }
  write_records(page.points, payload, &out, &ids, &parts);
  return out.finish();
}

Result<ScrollPage> decode_scroll_tensors(std::string_view body) {
  const Result<TensorReader> tensors = TensorReader::parse(body);
  if (!tensors.ok()) return tensors.status();
  Result<std::vector<Record>> records = read_records(*tensors);
  if (!records.ok()) return records.status();
  ScrollPage page;
  page.points = *std::move(records);
  const std::string_view next = tensors->metadata(kNextOffset);
  if (next.empty()) return page;
  const Result<PointId> offset = PointId::parse(next);
  if (!offset.ok()) return offset.status();
  page.next_offset = *offset;
  return page;
}

}  // namespace lamina::protocol
