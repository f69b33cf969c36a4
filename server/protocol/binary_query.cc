#include "protocol/binary_query.h"

#include <cstring>
#include <utility>

#include "lamina/limits.h"
#include "protocol/binary_parts.h"
#include "protocol/binary_tensors.h"

namespace lamina::protocol {
namespace {

Status check_query_count(std::size_t count) {
  if (count > 0 && count <= kMaxBatchQueries) return {};
  return Status::invalid_argument(std::to_string(count) +
                                  " queries, expected 1 to " +
                                  std::to_string(kMaxBatchQueries));
}

QueryVectors split(std::vector<float> values, std::size_t dimension) {
  QueryVectors queries;
  queries.values = std::move(values);
  const std::size_t count = queries.values.size() / dimension;
  queries.views.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    queries.views.push_back(
        VectorView(queries.values).subspan(i * dimension, dimension));
  }
  return queries;
}

}  // namespace

std::string encode_query_floats(std::span<const VectorView> vectors) {
  std::string body;
  for (const VectorView vector : vectors) {
    body.append(reinterpret_cast<const char*>(vector.data()),
                vector.size_bytes());
  }
  return body;
}

Result<QueryVectors> decode_query_floats(std::string_view body,
                                         std::size_t dimension) {
  const std::size_t vector_bytes = dimension * sizeof(float);
  if (body.empty() || body.size() % vector_bytes != 0) {
    return Status::invalid_field(
        std::string(kBodyField),
        std::to_string(body.size()) + " bytes, expected a multiple of the " +
            std::to_string(vector_bytes) + " that " +
            std::to_string(dimension) + " values take");
  }
  const Status counted = check_query_count(body.size() / vector_bytes);
  if (!counted.ok()) return counted;
  std::vector<float> values(body.size() / sizeof(float));
  std::memcpy(values.data(), body.data(), body.size());
  return split(std::move(values), dimension);
}

std::string encode_query_tensors(std::span<const VectorView> vectors) {
  const std::string floats = encode_query_floats(vectors);
  const std::size_t dimension = vectors.empty() ? 0 : vectors.front().size();
  TensorWriter out;
  out.add("queries", "F32", {vectors.size(), dimension}, floats);
  return out.finish();
}

Result<QueryVectors> decode_query_tensors(std::string_view body,
                                          SearchParameters* parameters) {
  const Result<TensorReader> tensors = TensorReader::parse(body);
  if (!tensors.ok()) return tensors.status();
  const Status known = tensors->check_names({"queries"});
  if (!known.ok()) return known;
  for (const auto& [name, value] : tensors->metadata()) {
    const Status read = read_search_parameter(name, value, parameters);
    if (!read.ok()) return read;
  }
  Result<VectorRows> rows = read_vector_rows(*tensors, "queries");
  if (!rows.ok()) return rows.status();
  const Status counted = check_query_count(rows->count);
  if (!counted.ok()) return counted;
  return split(std::move(rows->values), rows->dimension);
}

std::string encode_hits_tensors(std::span<const std::vector<Hit>> lists,
                                const PayloadSelector& payload) {
  std::size_t total = 0;
  for (const std::vector<Hit>& hits : lists) total += hits.size();
  std::vector<std::uint64_t> versions;
  std::vector<float> scores;
  std::vector<std::uint32_t> counts;
  versions.reserve(total);
  scores.reserve(total);
  IdTensors ids(total);
  PartTensors parts;
  for (const std::vector<Hit>& hits : lists) {
    counts.push_back(static_cast<std::uint32_t>(hits.size()));
    for (const Hit& hit : hits) {
      ids.add(hit.id);
      versions.push_back(hit.version);
      scores.push_back(hit.score);
      parts.add(hit.vector, hit.payload, payload);
    }
  }
  TensorWriter out;
  out.add("versions", "U64", std::span<const std::uint64_t>(versions));
  ids.write_numbers(&out);
  out.add("scores", "F32", std::span<const float>(scores));
  out.add("counts", "U32", std::span<const std::uint32_t>(counts));
  parts.write_vectors(&out);
  ids.write_rest(&out);
  parts.write_payloads(&out);
  return out.finish();
}

Result<std::vector<std::vector<Hit>>> decode_hits_tensors(
    std::string_view body) {
  const Result<TensorReader> tensors = TensorReader::parse(body);
  if (!tensors.ok()) return tensors.status();
  const Result<std::vector<PointId>> ids = read_ids(*tensors);
  if (!ids.ok()) return ids.status();
  const auto versions = tensors->numbers<std::uint64_t>("versions", "U64");
  if (!versions.ok()) return versions.status();
  const auto scores = tensors->numbers<float>("scores", "F32");
  if (!scores.ok()) return scores.status();
  const auto counts = tensors->numbers<std::uint32_t>("counts", "U32");
  if (!counts.ok()) return counts.status();
  const Result<VectorRows> vectors = read_vector_rows(*tensors, "vectors");
  if (!vectors.ok()) return vectors.status();
  Result<std::optional<std::vector<Payload>>> payloads =
      read_payload_lines(*tensors, ids->size());
  if (!payloads.ok()) return payloads.status();

  std::size_t total = 0;
  for (const std::uint32_t count : *counts) total += count;
  const bool agree = total == ids->size() && versions->size() == total &&
                     scores->size() == total &&
                     (!tensors->has("vectors") || vectors->count == total);
  if (!agree) return Status::invalid_argument("tensors of different lengths");

  std::vector<std::vector<Hit>> lists;
  std::size_t next = 0;
  for (const std::uint32_t count : *counts) {
    std::vector<Hit>& hits = lists.emplace_back(count);
    for (Hit& hit : hits) {
      hit.id = (*ids)[next];
      hit.version = (*versions)[next];
      hit.score = (*scores)[next];
      if (tensors->has("vectors")) {
        const VectorView row = vectors->row(next);
        hit.vector.emplace(row.begin(), row.end());
      }
      if (payloads->has_value()) hit.payload = std::move((**payloads)[next]);
      ++next;
    }
  }
  return lists;
}

}  // namespace lamina::protocol
