#include "import_progress.h"

#include <system_error>

#include "atomic_file.h"
#include "storage/file.h"
#include "types/json_reader.h"
#include "types/json_writer.h"
#include "types/sha1.h"

namespace lamina::tool {
namespace {

constexpr std::size_t kMaxFileBytes = 4096;
constexpr std::string_view kPointsKey = "points";
constexpr std::string_view kIdentityKey = "files";

std::string hex(std::string_view data) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : sha1(data)) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xF];
  }
  return text;
}

// Appends what names the file, and what changes when its content does.
Status describe(const std::filesystem::path& file, std::string* name,
                std::string* content) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(file, error);
  const auto fail = [&] {
    return Status::io_error(file.string() + ": " + error.message());
  };
  if (error) return fail();
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return fail();
  const auto time = std::filesystem::last_write_time(path, error);
  if (error) return fail();
  // A NUL is in no path, so that no two lists of names look alike.
  *name += path.string() + '\0';
  *content += std::to_string(size) + ' ' +
              std::to_string(time.time_since_epoch().count()) + '\0';
  return {};
}

}  // namespace

Result<ImportProgress> ImportProgress::of(
    const std::filesystem::path& directory, std::string_view collection,
    const io::SourceFiles& files) {
  std::string name = std::string(collection) + '\0';
  std::string content(to_string(files.format));
  Status described = describe(files.points, &name, &content);
  for (const auto& companion : {files.ids, files.payload}) {
    name += companion.has_value() ? '+' : '-';
    if (described.ok() && companion.has_value()) {
      described = describe(*companion, &name, &content);
    }
  }
  if (!described.ok()) return described;
  ImportProgress progress;
  progress.path_ = directory / ("import-" + hex(name).substr(0, 16) + ".json");
  progress.identity_ = hex(content);
  return progress;
}

std::uint64_t ImportProgress::load() const {
  const Result<std::string> text =
      storage::read_small_file(path_, kMaxFileBytes);
  if (!text.ok()) return 0;
  const Result<JsonDocument> document = JsonDocument::parse(*text);
  if (!document.ok() || document->root().kind() != JsonKind::object) return 0;
  std::uint64_t points = 0;
  bool is_same = false;
  for (const JsonValue::Member& member : document->root().members()) {
    if (member.key == kPointsKey) {
      const Result<std::uint64_t> number = member.value.as_uint64(kPointsKey);
      if (number.ok()) points = *number;
    } else if (member.key == kIdentityKey) {
      const Result<std::string_view> identity =
          member.value.as_string(kIdentityKey);
      is_same = identity.ok() && *identity == identity_;
    }
  }
  return is_same ? points : 0;
}

Status ImportProgress::save(std::uint64_t points) const {
  JsonWriter json;
  json.begin_object().key(kIdentityKey).string(identity_);
  json.key(kPointsKey).uint64(points).end_object();
  return replace_file(path_, json.text() + '\n');
}

Status ImportProgress::clear() const {
  std::error_code error;
  std::filesystem::remove(path_, error);
  if (!error) return {};
  return Status::io_error(path_.string() + ": " + error.message());
}

}  // namespace lamina::tool
