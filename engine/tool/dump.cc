#include <algorithm>

#include "commands.h"
#include "output.h"
#include "storage/log_format.h"
#include "storage/snapshot.h"
#include "storage/whole_record.h"

namespace lamina::tool {
namespace {

std::string_view name_of(storage::RecordType type) {
  switch (type) {
    case storage::RecordType::upsert:
      return "upsert";
    case storage::RecordType::remove:
      return "remove";
    case storage::RecordType::edit_payload:
      return "edit payload";
    case storage::RecordType::create_index:
      return "create index";
    case storage::RecordType::drop_index:
      return "drop index";
    case storage::RecordType::rows:
      return "rows";
  }
  return "unknown";
}

std::string text_of(const storage::Stretch& stretch) {
  std::string text = std::to_string(stretch.offset) + "  ";
  if (!stretch.record.found) {
    return text + "damaged, " + std::to_string(stretch.bytes) + " bytes";
  }
  const storage::RecordHeader& header = stretch.record.header;
  return text + std::to_string(header.sequence) + "  " +
         std::string(name_of(header.type)) + "  " +
         std::to_string(stretch.bytes) +
         " bytes  on the disk then: " + std::to_string(header.durable_sequence);
}

std::string json_of(const storage::Stretch& stretch) {
  JsonWriter json;
  json.begin_object().key("offset").uint64(stretch.offset);
  json.key("bytes").uint64(stretch.bytes);
  json.key("whole").boolean(stretch.record.found);
  if (stretch.record.found) {
    const storage::RecordHeader& header = stretch.record.header;
    json.key("sequence").uint64(header.sequence);
    json.key("type").string(name_of(header.type));
    json.key("durable_sequence").uint64(header.durable_sequence);
  }
  return json.end_object().take();
}

}  // namespace

Status dump(const Common& common, const DumpArguments& arguments) {
  const auto file = storage::open_file_to_read(arguments.file);
  if (!file.ok()) return file.status();
  const bool is_snapshot = arguments.file.extension() == ".lam";
  return storage::walk_records(
      **file,
      is_snapshot ? storage::kSnapshotHeaderBytes : storage::kLogHeaderBytes,
      [&](const storage::Stretch& stretch) {
        return print_line(common.json ? json_of(stretch) : text_of(stretch));
      });
}

}  // namespace lamina::tool
