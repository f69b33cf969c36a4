#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/point_id.h"
#include "lamina/result.h"
#include "types/safetensors_header.h"

// Messages in the safetensors layout: 8 bytes of length, a JSON header, tensors
// without gaps. All numbers are little-endian. Internal to the protocol.
namespace lamina::protocol {

static_assert(std::endian::native == std::endian::little,
              "numbers are copied to and from messages as they are");

inline constexpr std::size_t kMaxTensorHeaderBytes = 64u << 10;

// The tensors of a body, which must outlive this.
class TensorReader {
 public:
  //   invalid_argument: not such a body.
  static Result<TensorReader> parse(std::string_view body);

  bool has(std::string_view name) const {
    return layout_.find(name) != nullptr;
  }
  // Empty when it is not there.
  std::string_view metadata(std::string_view name) const;
  const std::map<std::string, std::string, std::less<>>& metadata() const {
    return layout_.metadata;
  }

  // Error unless all tensors are among these.
  Status check_names(std::initializer_list<std::string_view> known) const;

  // The bytes of a tensor of this type and so many dimensions; `shape`, when
  // given, gets them. A tensor that is not there has none: shape stays.
  Result<std::string_view> bytes(std::string_view name, std::string_view dtype,
                                 std::size_t dimensions,
                                 std::vector<std::uint64_t>* shape) const;

  // The elements of a tensor of one dimension, or none when it is not there.
  template <class T>
  Result<std::vector<T>> numbers(std::string_view name,
                                 std::string_view dtype) const {
    const Result<std::string_view> found = bytes(name, dtype, 1, nullptr);
    if (!found.ok()) return found.status();
    std::vector<T> numbers(found->size() / sizeof(T));
    if (!numbers.empty()) {
      std::memcpy(numbers.data(), found->data(), found->size());
    }
    return numbers;
  }

 private:
  SafetensorsLayout layout_;
  std::string_view data_;
};

// Gathers tensors, the widest elements first so that all are aligned, and
// writes the message.
//
// Lifetime: the bytes are borrowed until finish().
class TensorWriter {
 public:
  void add(std::string_view name, std::string_view dtype,
           std::vector<std::uint64_t> shape, std::string_view bytes);
  template <class T>
  void add(std::string_view name, std::string_view dtype,
           std::span<const T> values) {
    add(name, dtype, {values.size()},
        {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  void set_metadata(std::string_view name, std::string_view value) {
    metadata_.emplace_back(name, value);
  }
  std::string finish() const;

 private:
  struct Tensor {
    std::string_view name;
    std::string_view dtype;
    std::vector<std::uint64_t> shape;
    std::string_view bytes;
  };

  std::string header() const;

  std::vector<Tensor> tensors_;
  std::vector<std::pair<std::string_view, std::string>> metadata_;
};

// Ids as tensors: "ids" U64 [n] holds the numbers, "uuids" U8 [m, 16] the
// UUIDs. Numbers stand before UUIDs, unless "is_uuid" U8 [n + m] tells which is
// which.
class IdTensors {
 public:
  explicit IdTensors(std::size_t count) { numbers_.reserve(count); }

  void add(const PointId& id);
  // In two steps, as tensors are written by the width of their elements.
  void write_numbers(TensorWriter* out) const;
  void write_rest(TensorWriter* out) const;

 private:
  std::vector<std::uint64_t> numbers_;
  std::string uuids_;
  std::string is_uuid_;
  bool in_order_ = true;
};

Result<std::vector<PointId>> read_ids(const TensorReader& tensors);

}  // namespace lamina::protocol
