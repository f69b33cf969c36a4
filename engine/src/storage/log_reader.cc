#include "storage/log_reader.h"

#include <algorithm>
#include <string>
#include <utility>

namespace lamina::storage {
namespace {

constexpr std::size_t kWindowBytes = 1u << 20;

Status damage_at(const File& file, std::uint64_t offset,
                 std::string_view what) {
  return Status::data_loss(file.path().string() + ": offset " +
                           std::to_string(offset) + ": " + std::string(what));
}

struct WholeRecord {
  bool found = false;
  RecordHeader header;
  std::string body;
};

// The record at `offset` if it is whole; not found when it is damaged, cut
// short, or not there at all.
Result<WholeRecord> read_record(const File& file, std::uint64_t offset,
                                std::uint64_t file_size) {
  WholeRecord record;
  Result<std::string> head = file.read_at(offset, kRecordHeaderBytes);
  if (!head.ok()) return head.status();
  if (!decode_record_header(*head, &record.header)) return record;
  const std::uint64_t body_at = offset + kRecordHeaderBytes;
  // Before memory is taken for it.
  if (record.header.body_length > file_size - body_at) return record;
  Result<std::string> body = file.read_at(body_at, record.header.body_length);
  if (!body.ok()) return body.status();
  record.found = body_matches(record.header, *body);
  record.body = *std::move(body);
  return record;
}

struct Tail {
  std::uint64_t used_bytes = 0;   // Up to the last byte that is not zero.
  std::uint64_t next_record = 0;  // Offset of a whole record; 0 when none.
};

// Looks through what lies behind the last whole record.
Result<Tail> inspect_tail(const File& file, std::uint64_t begin,
                          std::uint64_t file_size,
                          std::uint64_t last_sequence) {
  Tail tail;
  for (std::uint64_t at = begin; at < file_size; at += kWindowBytes) {
    // Overlaps the next window, so that a header on the border is seen whole.
    Result<std::string> window = file.read_at(
        at, std::min<std::uint64_t>(kWindowBytes + kRecordHeaderBytes,
                                    file_size - at));
    if (!window.ok()) return window.status();
    const std::size_t last = window->find_last_not_of('\0');
    if (last == std::string::npos) continue;
    tail.used_bytes = std::max(tail.used_bytes, at + last + 1 - begin);
    const std::size_t stop = std::min(kWindowBytes, window->size());
    for (std::size_t i = 0; i < stop; i += kRecordAlignment) {
      RecordHeader header;
      const std::string_view bytes = std::string_view(*window).substr(i);
      if (at + i == begin || !decode_record_header(bytes, &header) ||
          header.sequence <= last_sequence) {
        continue;
      }
      Result<WholeRecord> record = read_record(file, at + i, file_size);
      if (!record.ok()) return record.status();
      if (!record->found) continue;
      tail.next_record = at + i;
      return tail;
    }
  }
  return tail;
}

}  // namespace

Result<ReplayResult> replay_log(
    const File& file, std::size_t dimension, Metric metric,
    const std::function<Status(std::uint64_t sequence, RecordBody body)>&
        apply) {
  Result<std::uint64_t> file_size = file.size();
  if (!file_size.ok()) return file_size.status();
  Result<std::string> head = file.read_at(0, kLogHeaderBytes);
  if (!head.ok()) return head.status();
  Result<LogHeader> header = decode_log_header(*head);
  if (!header.ok()) {
    return Status(header.status().code(),
                  file.path().string() + ": " + header.status().message());
  }
  ReplayResult result;
  result.header = *header;
  result.last_sequence = header->first_sequence - 1;
  result.end = kLogHeaderBytes;
  while (result.end < *file_size) {
    Result<WholeRecord> record = read_record(file, result.end, *file_size);
    if (!record.ok()) return record.status();
    if (!record->found) break;
    if (record->header.sequence != result.last_sequence + 1) {
      return damage_at(
          file, result.end,
          "record " + std::to_string(record->header.sequence) + " where " +
              std::to_string(result.last_sequence + 1) + " should be");
    }
    Result<RecordBody> body = decode_record_body(
        record->header.type, record->body, dimension, metric);
    if (!body.ok()) {
      return damage_at(file, result.end, body.status().message());
    }
    const Status applied = apply(record->header.sequence, *std::move(body));
    if (!applied.ok()) {
      return damage_at(file, result.end,
                       "record cannot be applied: " + applied.message());
    }
    result.last_sequence = record->header.sequence;
    result.end += record_bytes(record->header.body_length);
    ++result.record_count;
  }
  Result<Tail> tail =
      inspect_tail(file, result.end, *file_size, result.last_sequence);
  if (!tail.ok()) return tail.status();
  if (tail->next_record != 0) {
    return damage_at(file, result.end,
                     "damaged record, with whole records from offset " +
                         std::to_string(tail->next_record) + " on");
  }
  result.torn_bytes = tail->used_bytes;
  return result;
}

}  // namespace lamina::storage
