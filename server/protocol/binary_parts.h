#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/options.h"
#include "lamina/payload.h"
#include "lamina/result.h"
#include "protocol/binary_tensors.h"
#include "protocol/payload_selector.h"

// Vectors and payloads of records and of hits, as tensors. Internal to the
// protocol.
namespace lamina::protocol {

// Gathers the parts of points, one after the other: all have a part or none.
class PartTensors {
 public:
  void add(const std::optional<std::vector<float>>& vector,
           const std::optional<Payload>& payload,
           const PayloadSelector& selector);
  void add(VectorView vector, std::string_view payload);
  // The tensors, where there are any.
  void write_vectors(TensorWriter* out) const;
  void write_payloads(TensorWriter* out) const;

 private:
  std::size_t vector_count_ = 0;
  std::vector<float> values_;
  bool has_payloads_ = false;
  std::string payloads_;
};

// Rows of "vectors".
struct VectorRows {
  std::vector<float> values;
  std::size_t count = 0;
  std::size_t dimension = 0;

  VectorView row(std::size_t index) const {
    return VectorView(values).subspan(index * dimension, dimension);
  }
};
Result<VectorRows> read_vector_rows(const TensorReader& tensors,
                                    std::string_view name);

// The lines of "payloads", of which there must be `count`; nothing when the
// tensor is not there.
Result<std::optional<std::vector<Payload>>> read_payload_lines(
    const TensorReader& tensors, std::size_t count);

}  // namespace lamina::protocol
