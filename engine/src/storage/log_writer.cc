#include "storage/log_writer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "storage/log_format.h"

namespace lamina::storage {
namespace {

// Space is taken in steps of this: large enough that growing is rare beside the
// fdatasyncs it makes cheap, small enough that an empty collection stays small.
constexpr std::uint64_t kGrowthBytes = 1u << 20;

// Its 32 bytes lie in one sector, which a disk writes whole or not at all.
Status write_header(File& file, std::uint64_t first_sequence,
                    std::uint64_t durable_sequence) {
  Status status =
      file.write_at(0, encode_log_header(first_sequence, durable_sequence));
  if (status.ok()) status = file.sync();
  return status;
}

}  // namespace

Result<std::unique_ptr<LogWriter>> LogWriter::create(
    const std::filesystem::path& path, std::uint64_t first_sequence) {
  Result<std::unique_ptr<File>> file = open_file(path, /*create=*/true);
  if (!file.ok()) return file.status();
  Status written = write_header(**file, first_sequence, first_sequence - 1);
  if (!written.ok()) return written;
  return std::make_unique<LogWriter>(std::move(*file), first_sequence,
                                     kLogHeaderBytes, kLogHeaderBytes);
}

Result<std::unique_ptr<LogWriter>> LogWriter::resume(std::unique_ptr<File> file,
                                                     const ReplayResult& read) {
  Result<std::uint64_t> size = file->size();
  if (!size.ok()) return size.status();
  if (read.torn_bytes > 0) {
    Status cut = file->truncate(read.end);
    if (!cut.ok()) return cut;
    *size = read.end;
  }
  Status synced = file->sync();
  if (synced.ok()) {
    synced =
        write_header(*file, read.header.first_sequence, read.last_sequence);
  }
  if (!synced.ok()) return synced;
  return std::make_unique<LogWriter>(
      std::move(file), read.header.first_sequence, read.end, *size);
}

LogWriter::LogWriter(std::unique_ptr<File> file, std::uint64_t first_sequence,
                     std::uint64_t end, std::uint64_t size)
    : file_(std::move(file)),
      first_sequence_(first_sequence),
      end_(end),
      size_(size) {}

Status LogWriter::finish(std::uint64_t last_sequence) {
  Status status = file_->truncate(end_);
  if (!status.ok()) return status;
  size_ = end_;
  status = file_->sync();
  if (status.ok()) {
    status = write_header(*file_, first_sequence_, last_sequence);
  }
  return status;
}

Status LogWriter::append(std::string_view record) {
  if (broken_) {
    return Status::data_loss(file_->path().string() +
                             ": a failed write could not be undone");
  }
  Status status = reserve(record.size());
  if (status.ok()) status = file_->write_at(end_, record);
  if (!status.ok()) return undo(status);
  end_ += record.size();
  return {};
}

Status LogWriter::reserve(std::uint64_t bytes) {
  const std::uint64_t needed = end_ + bytes;
  if (needed <= size_) return {};
  const std::uint64_t target =
      (needed + kGrowthBytes - 1) / kGrowthBytes * kGrowthBytes;
  const std::string zeros(std::min<std::uint64_t>(kGrowthBytes, target - size_),
                          '\0');
  while (size_ < target) {
    const std::string_view step = std::string_view(zeros).substr(
        0, std::min<std::uint64_t>(zeros.size(), target - size_));
    Status written = file_->write_at(size_, step);
    if (!written.ok()) return written;
    size_ += step.size();
  }
  return {};
}

Status LogWriter::undo(const Status& cause) {
  const Status cut = file_->truncate(end_);
  if (cut.ok()) {
    size_ = end_;
    return cause;
  }
  broken_ = true;
  return Status::data_loss(cause.message() + "; " + cut.message());
}

}  // namespace lamina::storage
