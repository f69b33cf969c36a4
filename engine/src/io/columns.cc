#include "io/columns.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "io/npy_header.h"
#include "io/point_reader.h"

namespace lamina::io {
namespace {

constexpr std::size_t kUuidBytes = 16;

class RawIds : public IdColumn {
 public:
  RawIds(InputFile file, const RawIdLayout& layout)
      : file_(std::move(file)), layout_(layout) {}

  std::optional<std::uint64_t> row_count() const override { return rows(); }

  Status read(std::size_t count, std::vector<PointId>* ids) override {
    if (count > rows() - next_) return too_short();
    const std::uint64_t numbers_left =
        layout_.number_count - std::min(next_, layout_.number_count);
    const auto numbers =
        static_cast<std::size_t>(std::min<std::uint64_t>(count, numbers_left));
    Status read = read_numbers(numbers, ids);
    if (read.ok()) read = read_uuids(count - numbers, ids);
    return read;
  }

  Status skip(std::uint64_t count) override {
    if (count > rows() - next_) return too_short();
    next_ += count;
    return {};
  }

  void rewind() override { next_ = 0; }

  Status finish() override {
    if (next_ == rows()) return {};
    return file_.invalid("has " + std::to_string(rows()) +
                         " ids, more than there are vectors");
  }

 private:
  std::uint64_t rows() const {
    return layout_.number_count + layout_.uuid_count;
  }

  Status too_short() const {
    return file_.invalid("has " + std::to_string(rows()) +
                         " ids, fewer than there are vectors");
  }

  Status read_numbers(std::size_t count, std::vector<PointId>* ids) {
    if (count == 0) return {};
    const std::size_t width = layout_.number_bytes;
    bytes_.resize(count * width);
    const Status read = file_.read_at(layout_.numbers_begin + next_ * width,
                                      bytes_.data(), bytes_.size());
    if (!read.ok()) return read;
    for (std::size_t i = 0; i < count; ++i, ++next_) {
      const char* number = bytes_.data() + i * width;
      const bool negative =
          layout_.is_signed &&
          (static_cast<unsigned char>(number[width - 1]) & 0x80) != 0;
      if (negative) {
        return file_.invalid("id of row " + std::to_string(next_) +
                             " is negative, ids are unsigned 64-bit numbers");
      }
      std::uint64_t value = 0;
      std::memcpy(&value, number, width);
      ids->emplace_back(value);
    }
    return {};
  }

  Status read_uuids(std::size_t count, std::vector<PointId>* ids) {
    if (count == 0) return {};
    bytes_.resize(count * kUuidBytes);
    const std::uint64_t first = next_ - layout_.number_count;
    const Status read = file_.read_at(layout_.uuids_begin + first * kUuidBytes,
                                      bytes_.data(), bytes_.size());
    if (!read.ok()) return read;
    for (std::size_t i = 0; i < count; ++i, ++next_) {
      PointId::UuidBytes uuid;
      std::memcpy(uuid.data(), bytes_.data() + i * kUuidBytes, kUuidBytes);
      ids->push_back(PointId::from_uuid(uuid));
    }
    return {};
  }

  InputFile file_;
  RawIdLayout layout_;
  std::uint64_t next_ = 0;
  std::vector<char> bytes_;
};

class TextIds : public IdColumn {
 public:
  explicit TextIds(LineReader lines) : lines_(std::move(lines)) {}

  std::optional<std::uint64_t> row_count() const override {
    return std::nullopt;
  }

  Status read(std::size_t count, std::vector<PointId>* ids) override {
    for (std::size_t i = 0; i < count; ++i) {
      const Result<std::string_view> line = require_line(lines_);
      if (!line.ok()) return line.status();
      const Result<PointId> id = PointId::parse(*line);
      if (!id.ok()) {
        return Status::invalid_argument(lines_.where() + ": " +
                                        id.status().message());
      }
      ids->push_back(*id);
    }
    return {};
  }

  Status skip(std::uint64_t count) override {
    return skip_lines(count, lines_);
  }
  void rewind() override { lines_.rewind(); }
  Status finish() override { return require_end(lines_); }

 private:
  LineReader lines_;
};

// '<u8', '<i8', '<u4' or '<i4', one a row.
Result<RawIdLayout> npy_id_layout(InputFile& file) {
  const Result<NpyHeader> header = read_npy_header(file);
  if (!header.ok()) return header.status();
  RawIdLayout layout;
  const std::string& descr = header->descr;
  if (descr != "<u8" && descr != "<i8" && descr != "<u4" && descr != "<i4") {
    return wrong_npy_type(file, *header, "'<u8', '<i8', '<u4' or '<i4'");
  }
  layout.is_signed = descr[1] == 'i';
  layout.number_bytes = descr[2] == '8' ? 8 : 4;
  if (header->columns != 1) {
    return file.invalid("rows of " + std::to_string(header->columns) +
                        " values, expected one id a row");
  }
  const Status size = check_npy_size(file, *header, layout.number_bytes);
  if (!size.ok()) return size;
  layout.numbers_begin = header->values_begin;
  layout.number_count = header->rows;
  return layout;
}

}  // namespace

std::unique_ptr<IdColumn> make_raw_ids(InputFile file,
                                       const RawIdLayout& layout) {
  return std::make_unique<RawIds>(std::move(file), layout);
}

Result<std::unique_ptr<IdColumn>> open_ids(const std::filesystem::path& path) {
  Result<InputFile> file = InputFile::open(path);
  if (!file.ok()) return file.status();
  if (path.extension() != ".npy") {
    return std::unique_ptr<IdColumn>(
        std::make_unique<TextIds>(LineReader(*std::move(file))));
  }
  const Result<RawIdLayout> layout = npy_id_layout(*file);
  if (!layout.ok()) return layout.status();
  return make_raw_ids(*std::move(file), *layout);
}

Status PayloadColumn::read(std::size_t most, std::vector<JsonLine>* lines) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < most && bytes < kMaxPointBatchBytes; ++i) {
    const Result<std::string_view> text = require_line(lines_);
    if (!text.ok()) return text.status();
    Result<JsonLine> line = read_line(*text);
    if (!line.ok()) {
      return Status::invalid_argument(lines_.where() + ": " +
                                      line.status().message());
    }
    bytes += text->size();
    lines->push_back(*std::move(line));
  }
  return {};
}

Result<JsonLine> PayloadColumn::read_line(std::string_view text) const {
  if (line_ == Line::wrapped) return read_json_line(text, /*values=*/nullptr);
  Result<Payload> payload = Payload::from_json(text);
  if (!payload.ok()) return payload.status();
  JsonLine line;
  line.payload = *std::move(payload);
  return line;
}

Status PayloadColumn::skip(std::uint64_t count) {
  return skip_lines(count, lines_);
}

Status PayloadColumn::finish() { return require_end(lines_); }

}  // namespace lamina::io
