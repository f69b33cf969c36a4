#include "io/point_reader.h"

#include <array>
#include <string>
#include <utility>

#include "io/jsonl_points.h"
#include "io/matrix_points.h"

namespace lamina::io {
namespace {

struct FormatName {
  Format format;
  std::string_view name;
};

constexpr std::array kFormats = {
    FormatName{Format::jsonl, "jsonl"},
    FormatName{Format::safetensors, "safetensors"},
    FormatName{Format::npy, "npy"},
    FormatName{Format::fvecs, "fvecs"},
    FormatName{Format::bvecs, "bvecs"},
    FormatName{Format::ivecs, "ivecs"},
    FormatName{Format::faiss, "faiss"},
};

std::string format_list() {
  std::string list;
  for (const FormatName& entry : kFormats) {
    if (!list.empty()) list += ", ";
    list += entry.name;
  }
  return list;
}

Result<MatrixFile> open_matrix(InputFile file, Format format) {
  switch (format) {
    case Format::npy:
      return open_npy(std::move(file));
    case Format::fvecs:
      return open_vecs(std::move(file), Element::float32);
    case Format::bvecs:
      return open_vecs(std::move(file), Element::uint8);
    case Format::ivecs:
      return open_vecs(std::move(file), Element::int32);
    case Format::safetensors:
      return open_safetensors(std::move(file));
    case Format::faiss:
      return open_faiss(std::move(file));
    case Format::jsonl:
      break;
  }
  return Status::internal("a format that is no matrix");
}

Status has_its_own(const std::filesystem::path& points, std::string_view what,
                   const std::filesystem::path& companion) {
  return Status::invalid_argument(points.string() + " has " +
                                  std::string(what) + " of its own, so that " +
                                  companion.string() + " is one too many");
}

Status add_ids(const SourceFiles& files, MatrixFile* matrix) {
  if (!files.ids.has_value()) return {};
  if (matrix->ids != nullptr)
    return has_its_own(files.points, "ids", *files.ids);
  Result<std::unique_ptr<IdColumn>> ids = open_ids(*files.ids);
  if (!ids.ok()) return ids.status();
  const std::optional<std::uint64_t> count = (*ids)->row_count();
  if (count.has_value() && *count != matrix->layout.rows) {
    return Status::invalid_argument(
        files.ids->string() + " has " + std::to_string(*count) + " ids, " +
        files.points.string() + " has " + std::to_string(matrix->layout.rows) +
        " vectors");
  }
  matrix->ids = *std::move(ids);
  return {};
}

Status add_payload(const SourceFiles& files, MatrixFile* matrix) {
  if (!files.payload.has_value()) return {};
  if (matrix->payloads != nullptr) {
    return has_its_own(files.points, "payloads", *files.payload);
  }
  Result<InputFile> file = InputFile::open(*files.payload);
  if (!file.ok()) return file.status();
  matrix->payloads = std::make_unique<PayloadColumn>(
      LineReader(*std::move(file)), PayloadColumn::Line::wrapped);
  return {};
}

}  // namespace

std::string_view to_string(Format format) {
  for (const FormatName& entry : kFormats) {
    if (entry.format == format) return entry.name;
  }
  return "unknown";
}

Result<Format> parse_format(std::string_view name) {
  for (const FormatName& entry : kFormats) {
    if (entry.name == name) return entry.format;
  }
  return Status::invalid_argument("format " + std::string(name) +
                                  " is unknown, expected " + format_list());
}

Result<Format> format_of(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  for (const FormatName& entry : kFormats) {
    if (extension.size() > 1 && extension.substr(1) == entry.name) {
      return entry.format;
    }
  }
  return Status::invalid_argument("the name " + path.string() +
                                  " does not tell a format, expected one of " +
                                  format_list());
}

Result<std::unique_ptr<PointReader>> open_points(const SourceFiles& files) {
  Result<InputFile> file = InputFile::open(files.points);
  if (!file.ok()) return file.status();
  if (files.format == Format::jsonl) {
    if (files.ids) return has_its_own(files.points, "ids", *files.ids);
    if (files.payload) {
      return has_its_own(files.points, "payloads", *files.payload);
    }
    return open_jsonl(*std::move(file));
  }
  Result<MatrixFile> matrix = open_matrix(*std::move(file), files.format);
  if (!matrix.ok()) return matrix.status();
  Status added = add_ids(files, &*matrix);
  if (added.ok()) added = add_payload(files, &*matrix);
  if (!added.ok()) return added;
  return make_matrix_points(*std::move(matrix));
}

}  // namespace lamina::io
