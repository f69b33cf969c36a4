#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/point_reader.h"
#include "io/point_writer.h"
#include "support/temporary_directory.h"

// Small files of every format, byte for byte, and what reading them gives.
namespace lamina::io::test {

// Files that go with the object.
class DataFiles {
 public:
  std::filesystem::path write(const std::string& name,
                              std::string_view content) const;
  std::filesystem::path path(const std::string& name) const {
    return directory_.path() / name;
  }

 private:
  lamina::test::TemporaryDirectory directory_;
};

// A Sink in memory.
class MemorySink : public Sink {
 public:
  Status write_at(std::uint64_t offset, std::string_view bytes) override;
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

template <class T>
std::string little_endian(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class T>
std::string little_endian(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()),
          values.size() * sizeof(T)};
}

// Format 1.0.
std::string npy(std::string_view descr, std::string_view shape,
                std::string_view values);

// `header` is the JSON text.
std::string safetensors(std::string_view header, std::string_view data);

// Random points with ids in ascending order, the last `uuid_count` of them
// UUIDs, and payloads of all sorts.
std::vector<Record> random_records(std::size_t count, std::size_t dimension,
                                   std::size_t uuid_count);

// The bytes of a file of these points.
std::string written(Format format, const std::vector<Record>& records);

// All points of a file, `most` at a time.
Result<std::vector<Record>> read_all(const SourceFiles& files,
                                     std::size_t most = 7);

// The message of reading all of it, without the file's name; "" when it can be
// read. Any other error than invalid_argument fails the test.
std::string error_of(const SourceFiles& files);

}  // namespace lamina::io::test
