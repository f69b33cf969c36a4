#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "lamina/options.h"
#include "lamina/result.h"
#include "storage/file.h"
#include "storage/log_reader.h"
#include "storage/numbered_name.h"

// The points of a collection in one file, in place of the writes that made
// them: docs/file-format.md. It is taken while writes go on, so it is of no one
// moment: it has all writes up to `begin_sequence`, none after `end_sequence`,
// and of those between some. Each row says which write it is of, so that a log
// that has all writes between can make it whole.
namespace lamina::storage {

inline constexpr std::size_t kSnapshotHeaderBytes = 64;

// By begin_sequence.
inline constexpr NumberedName kSnapshotName = {"snapshot-", ".lam"};

struct SnapshotHeader {
  std::size_t dimension = 0;
  std::uint64_t begin_sequence = 0;
  std::uint64_t end_sequence = 0;
  std::uint64_t record_count = 0;
};

// Thread safety: none.
class SnapshotWriter {
 public:
  // A new file; one that is there, left by a crash, is replaced.
  static Result<std::unique_ptr<SnapshotWriter>> create(
      const std::filesystem::path& path);

  // A record that end_record() returned.
  Status add(std::string record);

  // Writes the header, which makes it a snapshot, and syncs. `record_count` of
  // the header is filled in.
  Status finish(SnapshotHeader header);

  std::uint64_t bytes() const { return end_; }

 private:
  explicit SnapshotWriter(std::unique_ptr<File> file)
      : file_(std::move(file)) {}

  std::unique_ptr<File> file_;
  std::uint64_t end_ = kSnapshotHeaderBytes;
  std::uint64_t record_count_ = 0;
};

// Hands every record to `apply`, in order.
//   data_loss: damaged anywhere; names file and offset.
//   invalid_argument: of a version that this program does not know.
Result<SnapshotHeader> read_snapshot(const File& file, std::size_t dimension,
                                     Metric metric, const ApplyRecord& apply);

}  // namespace lamina::storage
