#include "protocol/binary_parts.h"

#include <cstring>
#include <utility>

#include "lamina/limits.h"

namespace lamina::protocol {
namespace {

Status at_line(std::size_t line, const std::string& message) {
  return Status::invalid_argument("payloads: line " + std::to_string(line) +
                                  ": " + message);
}

Result<Payload> read_payload_line(std::string_view line, std::size_t number) {
  if (line.empty()) return Payload();
  Result<Payload> payload = Payload::from_json(line);
  if (!payload.ok()) return at_line(number, payload.status().message());
  return payload;
}

}  // namespace

void PartTensors::add(const std::optional<std::vector<float>>& vector,
                      const std::optional<Payload>& payload,
                      const PayloadSelector& selector) {
  if (vector.has_value()) {
    values_.insert(values_.end(), vector->begin(), vector->end());
    ++vector_count_;
  }
  if (payload.has_value() && selector.enabled) {
    has_payloads_ = true;
    payloads_ += selector.apply(*payload).json();
    payloads_ += '\n';
  }
}

void PartTensors::add(VectorView vector, std::string_view payload) {
  values_.insert(values_.end(), vector.begin(), vector.end());
  ++vector_count_;
  has_payloads_ = true;
  payloads_ += payload;
  payloads_ += '\n';
}

void PartTensors::write_vectors(TensorWriter* out) const {
  if (vector_count_ == 0) return;
  out->add("vectors", "F32", {vector_count_, values_.size() / vector_count_},
           {reinterpret_cast<const char*>(values_.data()),
            values_.size() * sizeof(float)});
}

void PartTensors::write_payloads(TensorWriter* out) const {
  if (has_payloads_) {
    out->add("payloads", "U8", {payloads_.size()}, payloads_);
  }
}

Result<VectorRows> read_vector_rows(const TensorReader& tensors,
                                    std::string_view name) {
  std::vector<std::uint64_t> shape;
  const Result<std::string_view> bytes = tensors.bytes(name, "F32", 2, &shape);
  if (!bytes.ok()) return bytes.status();
  VectorRows rows;
  if (shape.empty()) return rows;
  rows.count = shape[0];
  rows.dimension = shape[1];
  // So that rows without values cannot be more than there are bytes.
  if (rows.count > 0 && rows.dimension == 0) {
    return Status::invalid_argument(std::string(name) +
                                    ": vectors of no values");
  }
  rows.values.resize(bytes->size() / sizeof(float));
  if (!bytes->empty()) {
    std::memcpy(rows.values.data(), bytes->data(), bytes->size());
  }
  return rows;
}

Result<std::optional<std::vector<Payload>>> read_payload_lines(
    const TensorReader& tensors, std::size_t count) {
  const Result<std::string_view> text =
      tensors.bytes("payloads", "U8", 1, nullptr);
  if (!text.ok()) return text.status();
  if (!tensors.has("payloads")) return {std::nullopt};
  std::vector<Payload> payloads;
  payloads.reserve(count);
  for (std::string_view rest = *text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    const std::size_t number = payloads.size() + 1;
    if (end == std::string_view::npos) return at_line(number, "no \\n ends it");
    if (number > count) return at_line(number, "more lines than points");
    Result<Payload> payload = read_payload_line(rest.substr(0, end), number);
    if (!payload.ok()) return payload.status();
    payloads.push_back(*std::move(payload));
    rest.remove_prefix(end + 1);
  }
  if (payloads.size() == count) return {std::move(payloads)};
  return Status::invalid_argument(
      "payloads: " + std::to_string(payloads.size()) + " lines for " +
      std::to_string(count) + " points");
}

}  // namespace lamina::protocol
