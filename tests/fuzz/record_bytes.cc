#include "fuzz/record_bytes.h"

#include <cstdint>
#include <cstring>
#include <utility>
#include <variant>

#include "storage/bytes.h"
#include "storage/crc32c.h"
#include "storage/log_format.h"

namespace lamina::fuzz {
namespace {

using storage::crc32c;
using storage::kRecordHeaderBytes;
using storage::put_at;

struct Record {
  std::string header;
  std::string body;
};

struct Parts {
  std::string head;
  std::vector<Record> records;
  std::string rest;
};

Parts split(const RecordsLayout& layout, const std::string& bytes) {
  Parts parts;
  parts.head = bytes.substr(0, layout.head_bytes);
  std::size_t at = parts.head.size();
  while (bytes.size() - at >= kRecordHeaderBytes) {
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + at + 4, sizeof length);
    const std::size_t whole = storage::record_bytes(length);
    if (whole > bytes.size() - at) break;
    parts.records.push_back({bytes.substr(at, kRecordHeaderBytes),
                             bytes.substr(at + kRecordHeaderBytes, length)});
    at += whole;
  }
  parts.rest = bytes.substr(at);
  return parts;
}

std::string seal(Record record) {
  put_at(&record.header, 4, static_cast<std::uint32_t>(record.body.size()));
  put_at(&record.header, 20, crc32c(record.body));
  put_at(&record.header, 0, crc32c(record.header.substr(4)));
  std::string bytes = record.header + record.body;
  bytes.resize(storage::record_bytes(record.body.size()));
  return bytes;
}

std::string join(const RecordsLayout& layout, Parts parts, bool with_count) {
  parts.head.resize(layout.head_bytes);
  if (with_count && layout.count_offset != 0) {
    put_at(&parts.head, layout.count_offset,
           std::uint64_t{parts.records.size()});
  }
  seal_with_crc(&parts.head);
  std::string bytes = std::move(parts.head);
  for (Record& record : parts.records) bytes += seal(std::move(record));
  return bytes + parts.rest;
}

// From that of the first record on.
void number(std::vector<Record>* records) {
  std::uint64_t sequence = 0;
  std::memcpy(&sequence, records->front().header.data() + 8, sizeof sequence);
  for (Record& record : *records) put_at(&record.header, 8, sequence++);
}

void change_header(const ChangeBytes& change_bytes, std::string* header) {
  std::string fields = header->substr(8, 12);  // Number, type and unsynced.
  change_bytes(&fields);
  fields.resize(12);
  header->replace(8, 12, fields);
}

void change_one(Random* random, const ChangeBytes& change_bytes,
                std::vector<Record>* records) {
  const std::size_t index = random->below(records->size());
  Record& record = (*records)[index];
  const auto place = records->begin() + static_cast<std::ptrdiff_t>(index);
  switch (random->below(8)) {
    case 0:
      return change_header(change_bytes, &record.header);
    case 1:
      records->erase(place);
      break;
    case 2:
      records->insert(place, Record(record));
      break;
    case 3:
      std::swap(record, (*records)[random->below(records->size())]);
      break;
    default:
      change_bytes(&record.body);
  }
  if (!records->empty() && random->below(4) != 0) number(records);
}

// What each kind of body is written with.
struct Encoder {
  std::size_t dimension;

  std::string operator()(const storage::UpsertBody& body) const {
    return storage::encode_upsert_record(body.points, dimension);
  }
  std::string operator()(const storage::RemoveBody& body) const {
    return storage::encode_remove_record(body.ids);
  }
  std::string operator()(const storage::EditPayloadBody& body) const {
    return storage::encode_edit_payload_record(body.edit, body.ids);
  }
  std::string operator()(const storage::CreateIndexBody& body) const {
    return storage::encode_create_index_record(body.key, body.type);
  }
  std::string operator()(const storage::DropIndexBody& body) const {
    return storage::encode_drop_index_record(body.key);
  }
  std::string operator()(const storage::RowsBody& body) const {
    return storage::encode_rows_record(body.rows.points, body.versions,
                                       dimension);
  }
};

}  // namespace

void change_records(const RecordsLayout& layout, Random* random,
                    const ChangeBytes& change_bytes, std::string* bytes) {
  Parts parts = split(layout, *bytes);
  switch (random->below(8)) {
    case 0:
      change_bytes(&parts.head);
      break;
    case 1:
      change_bytes(&parts.rest);
      break;
    case 2:
      return change_bytes(bytes);
    default:
      if (parts.records.empty()) return change_bytes(bytes);
      change_one(random, change_bytes, &parts.records);
  }
  *bytes = join(layout, std::move(parts), random->below(8) != 0);
}

void seal_with_crc(std::string* bytes) {
  if (bytes->size() < sizeof(std::uint32_t)) return;
  const std::size_t size = bytes->size() - sizeof(std::uint32_t);
  put_at(bytes, size, crc32c(std::string_view(*bytes).substr(0, size)));
}

std::string encode(const storage::RecordBody& body, std::size_t dimension) {
  return std::visit(Encoder{dimension}, body);
}

}  // namespace lamina::fuzz
