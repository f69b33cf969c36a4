#include "storage/log.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "storage/log_format.h"
#include "storage/numbered_name.h"

namespace lamina::storage {
namespace {

// A segment that is being made: what has its own name has a whole header.
constexpr NumberedName kFreshName = {"wal-", ".log.new"};

struct Segment {
  std::uint64_t first_sequence = 0;
  std::unique_ptr<File> file;
};

// Those that are needed behind `sequence`, in order.
Result<std::vector<Segment>> open_segments(
    const std::filesystem::path& directory, std::uint64_t sequence,
    Log::Access access) {
  Result<std::vector<std::uint64_t>> numbers = kSegmentName.all_in(directory);
  if (!numbers.ok()) return numbers.status();
  std::vector<Segment> segments;
  for (const std::uint64_t number : *numbers) {
    if (number <= sequence) continue;
    const std::filesystem::path path = directory / kSegmentName.of(number);
    Result<std::unique_ptr<File>> file =
        access == Log::Access::read ? open_file_to_read(path)
                                    : open_file(path, /*create=*/false);
    if (!file.ok()) return file.status();
    segments.push_back({number, *std::move(file)});
  }
  return segments;
}

Status missing(const std::filesystem::path& directory, std::uint64_t sequence) {
  return Status::data_loss((directory / kSegmentName.of(sequence)).string() +
                           ": is missing");
}

}  // namespace

Log::Log(std::filesystem::path directory, std::unique_ptr<LogWriter> writer,
         std::uint64_t first_sequence, std::uint64_t last_sequence)
    : directory_(std::move(directory)),
      writer_(std::move(writer)),
      first_sequence_(first_sequence),
      commit_(writer_->file(), last_sequence) {}

Status Log::create(const std::filesystem::path& directory) {
  return write_new_file(directory / kSegmentName.of(1),
                        encode_log_header(1, 0));
}

Result<Log::Found> Log::read(const std::filesystem::path& directory,
                             const Wanted& wanted, Access access,
                             const ApplyRecord& apply) {
  Result<std::vector<Segment>> segments =
      open_segments(directory, wanted.begin, access);
  if (!segments.ok()) return segments.status();
  Found found;
  std::uint64_t last_sequence = wanted.begin;
  for (Segment& segment : *segments) {
    if (segment.first_sequence != last_sequence + 1) break;
    const LogEnd log_end =
        &segment == &segments->back() ? LogEnd::open : LogEnd::synced;
    Result<ReplayResult> replayed = replay_log(*segment.file, wanted.dimension,
                                               wanted.metric, log_end, apply);
    if (!replayed.ok()) return replayed.status();
    if (replayed->header.first_sequence != segment.first_sequence) {
      return Status::data_loss(segment.file->path().string() +
                               ": is not what its name says");
    }
    found.segment_bytes[segment.first_sequence] = replayed->end;
    found.record_count += replayed->record_count;
    found.last = *replayed;
    found.last_segment = std::move(segment.file);
    last_sequence = replayed->last_sequence;
  }
  if (segments->empty() || found.segment_bytes.size() < segments->size()) {
    return missing(directory, last_sequence + 1);
  }
  if (last_sequence < wanted.end) {
    return Status::data_loss(found.last_segment->path().string() +
                             ": ends with write " +
                             std::to_string(last_sequence) + ", and " +
                             std::to_string(wanted.end) + " was made");
  }
  return found;
}

Result<std::unique_ptr<Log>> Log::resume(const std::filesystem::path& directory,
                                         Found found) {
  Result<std::unique_ptr<LogWriter>> writer =
      LogWriter::resume(std::move(found.last_segment), found.last);
  if (!writer.ok()) return writer.status();
  std::unique_ptr<Log> log(new Log(directory, *std::move(writer),
                                   found.last.header.first_sequence,
                                   found.last.last_sequence));
  found.segment_bytes.erase(log->first_sequence_);
  log->sealed_ = std::move(found.segment_bytes);
  return log;
}

Status Log::append(std::string record, std::uint64_t sequence) {
  Status status = broken_.ok() ? commit_.failure() : broken_;
  if (!status.ok()) return status;
  seal_record(&record, sequence, commit_.durable_sequence());
  status = writer_->append(record);
  if (status.ok()) commit_.wrote(sequence);
  return status;
}

Status Log::rotate(std::uint64_t last_sequence) {
  const std::uint64_t next = last_sequence + 1;
  if (next == first_sequence_) return {};  // It is empty.
  Status status = commit_.wait_durable(last_sequence);
  if (status.ok()) status = writer_->finish(last_sequence);
  if (!status.ok()) return status;
  Result<std::unique_ptr<LogWriter>> writer = make_segment(next);
  if (!writer.ok()) return writer.status();
  commit_.continue_in((*writer)->file());
  sealed_[first_sequence_] = writer_->end();
  writer_ = *std::move(writer);
  first_sequence_ = next;
  return {};
}

Result<std::unique_ptr<LogWriter>> Log::make_segment(std::uint64_t sequence) {
  const std::filesystem::path fresh = directory_ / kFreshName.of(sequence);
  const std::filesystem::path path = directory_ / kSegmentName.of(sequence);
  Status status = remove_file(fresh);
  if (status.ok()) {
    status = write_new_file(fresh, encode_log_header(sequence, sequence - 1));
  }
  if (status.ok()) status = rename_path(fresh, path);
  if (!status.ok()) {
    (void)remove_file(fresh);  // Best effort: the next attempt does it again.
    return status;
  }
  status = sync_directory(directory_);
  Result<std::unique_ptr<File>> file =
      status.ok() ? open_file(path, /*create=*/false) : status;
  if (file.ok()) {
    return std::make_unique<LogWriter>(*std::move(file), sequence,
                                       kLogHeaderBytes, kLogHeaderBytes);
  }
  // A segment that is not written to must not stand behind one that is.
  const Status removed = remove_file(path);
  if (!removed.ok()) broken_ = Status::data_loss(removed.message());
  return removed.ok() ? file.status() : broken_;
}

Status Log::forget_before(std::uint64_t sequence) {
  const auto numbers = kSegmentName.all_in(directory_);
  if (!numbers.ok()) return numbers.status();
  for (const std::uint64_t first : *numbers) {
    if (first > sequence || first == first_sequence_) continue;
    Status removed = remove_file(directory_ / kSegmentName.of(first));
    if (!removed.ok()) return removed;
    sealed_.erase(first);
  }
  return {};
}

std::uint64_t Log::bytes() const {
  std::uint64_t sum = writer_->end();
  for (const auto& [first, bytes] : sealed_) sum += bytes;
  return sum;
}

Status Log::close(std::uint64_t last_sequence) {
  Status status = commit_.wait_durable(last_sequence);
  if (status.ok()) status = writer_->finish(last_sequence);
  return status;
}

}  // namespace lamina::storage
