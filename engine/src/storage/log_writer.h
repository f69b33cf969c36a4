#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "lamina/result.h"
#include "storage/file.h"
#include "storage/log_reader.h"

namespace lamina::storage {

// Appends records to a log. Space is taken ahead of need and filled with zeros,
// so that an fdatasync finds no change of the file's size to write.
//
// Thread safety: one caller at a time; file().sync() may run beside it.
class LogWriter {
 public:
  // Makes a new log; its bytes are on the disk when it returns.
  static Result<std::unique_ptr<LogWriter>> create(
      const std::filesystem::path& path, std::uint64_t first_sequence);

  // Goes on behind the last whole record of a log that was read back. Cuts a
  // torn tail off, before a new record could land behind it, and makes an older
  // version's log one of this version. What was read back may never have been
  // synced; it counts as history from here on, so it is on the disk when this
  // returns, the header says so, and it cannot vanish behind newer records.
  static Result<std::unique_ptr<LogWriter>> resume(std::unique_ptr<File> file,
                                                   const ReplayResult& read);

  // Goes on at `end`, behind the last whole record of an existing log. What
  // lies beyond must be zeros.
  LogWriter(std::unique_ptr<File> file, std::uint64_t first_sequence,
            std::uint64_t end, std::uint64_t size);

  // Writes a sealed record into the operating system. On an error nothing of it
  // stays in the log, and later appends may succeed, unless the error is
  // data_loss: then what the file holds is unknown, for good.
  Status append(std::string_view record);

  // After the last append, all of which were of records up to `last_sequence`:
  // gives the space taken ahead back, and puts everything on the disk, so that
  // whatever is missing later is damage.
  Status finish(std::uint64_t last_sequence);

  File& file() { return *file_; }
  // Bytes up to the end of the last record.
  std::uint64_t end() const { return end_; }

 private:
  Status reserve(std::uint64_t bytes);
  Status undo(const Status& cause);

  std::unique_ptr<File> file_;
  std::uint64_t first_sequence_;
  std::uint64_t end_;
  std::uint64_t size_;  // end_ and the zeros behind it.
  bool broken_ = false;
};

}  // namespace lamina::storage
