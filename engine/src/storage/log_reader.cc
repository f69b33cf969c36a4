#include "storage/log_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "storage/whole_record.h"

namespace lamina::storage {
namespace {

constexpr std::size_t kWindowBytes = 1u << 20;

Status damage_at(const File& file, std::uint64_t offset,
                 std::string_view what) {
  return Status::data_loss(file.path().string() + ": offset " +
                           std::to_string(offset) + ": " + std::string(what));
}

// Hands whole records to `apply` from `result->end` on, until one is not.
Status apply_records(const File& file, std::uint64_t file_size,
                     std::size_t dimension, Metric metric,
                     const ApplyRecord& apply, ReplayResult* result) {
  while (result->end < file_size) {
    Result<WholeRecord> record = read_record(file, result->end, file_size);
    if (!record.ok()) return record.status();
    if (!record->found) break;
    if (record->header.sequence != result->last_sequence + 1) {
      return damage_at(
          file, result->end,
          "record " + std::to_string(record->header.sequence) + " where " +
              std::to_string(result->last_sequence + 1) + " should be");
    }
    Result<RecordBody> body = decode_record_body(
        record->header.type, record->body, dimension, metric);
    if (!body.ok()) {
      return damage_at(file, result->end, body.status().message());
    }
    const Status applied = apply(record->header.sequence, *std::move(body));
    if (!applied.ok()) {
      return damage_at(file, result->end,
                       "record cannot be applied: " + applied.message());
    }
    result->last_sequence = record->header.sequence;
    result->end += record_bytes(record->header.body_length);
    ++result->record_count;
  }
  return {};
}

// What lies behind the last whole record.
class Tail {
 public:
  Tail(const File& file, std::uint64_t file_size, ReplayResult* result)
      : file_(file), file_size_(file_size), result_(*result) {}

  // Looks for whole records and for bytes that are not zero.
  Status inspect() {
    for (std::uint64_t at = result_.end; at < file_size_; at += kWindowBytes) {
      // Overlaps the next window, so that a header on the border is seen whole.
      Result<std::string> window = file_.read_at(
          at, std::min<std::uint64_t>(kWindowBytes + kRecordHeaderBytes,
                                      file_size_ - at));
      if (!window.ok()) return window.status();
      const std::size_t last = window->find_last_not_of('\0');
      if (last == std::string::npos) continue;
      result_.torn_bytes =
          std::max(result_.torn_bytes, at + last + 1 - result_.end);
      Status searched = search(at, *window);
      if (!searched.ok()) return searched;
    }
    return {};
  }

  // Offset of a record behind the hole that was written when what should be in
  // the hole was on the disk; 0 when there is none.
  std::uint64_t witness() const { return witness_; }

 private:
  Status search(std::uint64_t at, std::string_view window) {
    const std::size_t stop = std::min(kWindowBytes, window.size());
    for (std::size_t i = 0; i < stop; i += kRecordAlignment) {
      RecordHeader header;
      if (at + i == result_.end || at + i < skip_to_ ||
          !decode_record_header(window.substr(i), &header) ||
          header.sequence <= result_.last_sequence) {
        continue;
      }
      Result<WholeRecord> record = read_record(file_, at + i, file_size_);
      if (!record.ok()) return record.status();
      if (!record->found) continue;
      ++result_.torn_records;
      skip_to_ = at + i + record_bytes(header.body_length);
      if (header.durable_sequence > result_.last_sequence) witness_ = at + i;
    }
    return {};
  }

  const File& file_;
  std::uint64_t file_size_;
  ReplayResult& result_;
  std::uint64_t skip_to_ = 0;
  std::uint64_t witness_ = 0;
};

Result<LogHeader> read_header(const File& file) {
  Result<std::string> bytes = file.read_at(0, kLogHeaderBytes);
  if (!bytes.ok()) return bytes.status();
  Result<LogHeader> header = decode_log_header(*bytes);
  if (header.ok()) return header;
  return Status(header.status().code(),
                file.path().string() + ": " + header.status().message());
}

}  // namespace

Result<ReplayResult> replay_log(const File& file, std::size_t dimension,
                                Metric metric, LogEnd log_end,
                                const ApplyRecord& apply) {
  Result<std::uint64_t> file_size = file.size();
  if (!file_size.ok()) return file_size.status();
  Result<LogHeader> header = read_header(file);
  if (!header.ok()) return header.status();
  ReplayResult result;
  result.header = *header;
  result.last_sequence = header->first_sequence - 1;
  result.end = kLogHeaderBytes;
  Status status =
      apply_records(file, *file_size, dimension, metric, apply, &result);
  if (!status.ok()) return status;
  Tail tail(file, *file_size, &result);
  status = tail.inspect();
  if (!status.ok()) return status;
  if (log_end == LogEnd::synced && result.torn_bytes > 0) {
    return damage_at(file, result.end, "damaged record");
  }
  if (tail.witness() != 0 || header->durable_sequence > result.last_sequence) {
    return damage_at(file, result.end,
                     "damaged record, which was on the disk when what is at "
                     "offset " +
                         std::to_string(tail.witness()) + " was written");
  }
  return result;
}

Status read_records(const File& file, std::uint64_t offset, std::uint64_t count,
                    std::size_t dimension, Metric metric,
                    const ApplyRecord& apply) {
  Result<std::uint64_t> file_size = file.size();
  if (!file_size.ok()) return file_size.status();
  ReplayResult result;
  result.end = offset;
  Status status =
      apply_records(file, *file_size, dimension, metric, apply, &result);
  if (!status.ok()) return status;
  if (result.record_count == count && result.end == *file_size) return {};
  return damage_at(file, result.end,
                   "damaged record: " + std::to_string(result.record_count) +
                       " of " + std::to_string(count) + " are whole");
}

}  // namespace lamina::storage
