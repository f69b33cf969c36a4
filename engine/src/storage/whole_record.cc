#include "storage/whole_record.h"

#include <algorithm>
#include <utility>

namespace lamina::storage {

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

Status walk_records(const File& file, std::uint64_t offset,
                    const std::function<Status(const Stretch&)>& visit) {
  const Result<std::uint64_t> size = file.size();
  if (!size.ok()) return size.status();
  Stretch damage;
  const auto visit_damage = [&](std::uint64_t end) {
    if (damage.bytes == 0) return Status();
    damage.bytes = end - damage.offset;
    return visit(std::exchange(damage, {}));
  };
  for (std::uint64_t at = offset; at < *size;) {
    Result<WholeRecord> record = read_record(file, at, *size);
    if (!record.ok()) return record.status();
    if (record->found) {
      Status visited = visit_damage(at);
      const std::uint64_t bytes = record_bytes(record->header.body_length);
      if (visited.ok()) visited = visit({at, bytes, *std::move(record)});
      if (!visited.ok()) return visited;
      at += bytes;
      continue;
    }
    const Result<std::string> bytes = file.read_at(at, kRecordAlignment);
    if (!bytes.ok()) return bytes.status();
    const bool is_zero = bytes->find_first_not_of('\0') == std::string::npos;
    if (!is_zero) {
      if (damage.bytes == 0) damage.offset = at;
      damage.bytes = at + bytes->size() - damage.offset;
    }
    at += kRecordAlignment;
  }
  return visit_damage(damage.offset + damage.bytes);
}

}  // namespace lamina::storage
