#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

// Little-endian values into and out of byte strings: the one place that knows
// how numbers lie in a file.
namespace lamina::storage {

static_assert(std::endian::native == std::endian::little,
              "files are little-endian; a big-endian host must swap here");

template <class T>
void put(std::string* bytes, T value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
void put_at(std::string* bytes, std::size_t offset, T value) {
  std::memcpy(bytes->data() + offset, &value, sizeof value);
}

// Reads from the front of a byte string. Past its end it stays at the end,
// gives zeros and says so: one check after many reads is enough.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  template <class T>
  T get() {
    T value{};
    const std::string_view bytes = get_bytes(sizeof value);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  // Empty when fewer than `count` are left.
  std::string_view get_bytes(std::size_t count) {
    if (count > left_.size()) {
      overrun_ = true;
      left_ = {};
      return {};
    }
    const std::string_view bytes = left_.substr(0, count);
    left_.remove_prefix(count);
    return bytes;
  }

  std::size_t left() const { return left_.size(); }
  bool overrun() const { return overrun_; }

 private:
  std::string_view left_;
  bool overrun_ = false;
};

}  // namespace lamina::storage
