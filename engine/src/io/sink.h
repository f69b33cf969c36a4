#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lamina/status.h"

namespace lamina::io {

// Where a writer puts its bytes: a file, or memory in a test.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual Status write_at(std::uint64_t offset, std::string_view bytes) = 0;
};

// Appends to a part of a sink, in large pieces.
//
// Thread safety: one thread at a time.
// Lifetime: the sink must outlive it.
class SinkStream {
 public:
  explicit SinkStream(Sink* sink, std::uint64_t begin = 0)
      : sink_(sink), next_(begin) {}

  Status append(std::string_view bytes) {
    buffer_ += bytes;
    return buffer_.size() < kPieceBytes ? Status() : flush();
  }

  template <class T>
  Status append_value(T value) {
    return append({reinterpret_cast<const char*>(&value), sizeof value});
  }

  // Hands over what is still here. Must be called before the end.
  Status flush() {
    const Status written = sink_->write_at(next_, buffer_);
    next_ += buffer_.size();
    buffer_.clear();
    return written;
  }

  // Behind the last byte appended.
  std::uint64_t end() const { return next_ + buffer_.size(); }

 private:
  static constexpr std::size_t kPieceBytes = 1u << 20;

  Sink* sink_;
  std::uint64_t next_;  // Where buffer_ goes.
  std::string buffer_;
};

}  // namespace lamina::io
