#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "storage/file.h"

namespace lamina::fuzz {

// A storage::File whose bytes are those of a string, which must outlive it.
class MemoryFile : public storage::File {
 public:
  explicit MemoryFile(std::string* bytes) : bytes_(*bytes) {}

  Result<std::string> read_at(std::uint64_t offset,
                              std::size_t size) const override {
    if (offset >= bytes_.size()) return std::string();
    return bytes_.substr(offset, size);
  }
  Status write_at(std::uint64_t offset, std::string_view bytes) override {
    bytes_.resize(std::max(bytes_.size(), offset + bytes.size()));
    bytes_.replace(offset, bytes.size(), bytes);
    return {};
  }
  Status sync() override { return {}; }
  Status truncate(std::uint64_t size) override {
    bytes_.resize(size);
    return {};
  }
  Result<std::uint64_t> size() const override { return bytes_.size(); }
  const std::filesystem::path& path() const override { return path_; }

 private:
  std::string& bytes_;
  std::filesystem::path path_ = "file";
};

}  // namespace lamina::fuzz
