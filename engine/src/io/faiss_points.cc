#include <cstring>
#include <utility>

#include "io/faiss_format.h"
#include "io/matrix_points.h"

namespace lamina::io {
namespace {

// The fields that every index has, in order.
struct Fields {
  std::string letters;  // "IxFI"
  std::int32_t dimension = 0;
  std::int64_t rows = 0;
  std::uint32_t metric = 0;
};

// Reads a file front to back; each length is held against what is left.
class FaissFile {
 public:
  explicit FaissFile(InputFile file) : file_(std::move(file)) {}

  InputFile& file() { return file_; }
  std::uint64_t offset() const { return offset_; }
  std::uint64_t left() const { return file_.size() - offset_; }
  void pass(std::uint64_t bytes) { offset_ += bytes; }

  Status read(void* out, std::size_t size) {
    if (size > left()) {
      return file_.invalid("ends within a field at byte " +
                           std::to_string(offset_));
    }
    const Status read = file_.read_at(offset_, out, size);
    offset_ += size;
    return read;
  }

  Result<Fields> read_fields();
  // Reads the number in front of a list, which must be `count`; the entries
  // must all be there.
  Status expect_count(std::uint64_t count, std::size_t entry_bytes);

 private:
  InputFile file_;
  std::uint64_t offset_ = 0;
};

Result<Fields> FaissFile::read_fields() {
  char bytes[FaissHead::kBytes];
  const Status head = read(bytes, sizeof bytes);
  if (!head.ok()) return head;
  Fields fields;
  fields.letters.assign(bytes, 4);
  std::memcpy(&fields.dimension, bytes + FaissHead::kDimension, 4);
  std::memcpy(&fields.rows, bytes + FaissHead::kRows, 8);
  std::memcpy(&fields.metric, bytes + FaissHead::kMetric, 4);
  if (fields.metric > kFaissL2) {
    char argument[FaissHead::kMetricArgumentBytes];
    const Status read_argument = read(argument, sizeof argument);
    if (!read_argument.ok()) return read_argument;
  }
  if (fields.dimension < 0 || fields.rows < 0) {
    return file_.invalid("says " + std::to_string(fields.rows) +
                         " vectors of " + std::to_string(fields.dimension) +
                         " values");
  }
  return fields;
}

Status FaissFile::expect_count(std::uint64_t count, std::size_t entry_bytes) {
  const std::uint64_t at = offset_;
  std::uint64_t found = 0;
  const Status read_count = read(&found, sizeof found);
  if (!read_count.ok()) return read_count;
  if (found != count) {
    return file_.invalid(std::to_string(found) + " entries at byte " +
                         std::to_string(at) + ", expected " +
                         std::to_string(count));
  }
  if (count > left() / entry_bytes) {
    return file_.invalid(std::to_string(count) + " entries at byte " +
                         std::to_string(at) + " are more than the " +
                         std::to_string(left()) + " bytes that follow");
  }
  return {};
}

bool is_id_map(std::string_view letters) {
  return letters == kFaissIdMap || letters == kFaissIdMap2;
}

bool is_flat(std::string_view letters) {
  return letters == kFaissFlatInnerProduct || letters == kFaissFlatL2 ||
         letters == kFaissFlat;
}

std::optional<Metric> metric_of(std::uint32_t metric) {
  if (metric == kFaissInnerProduct) return Metric::dot;
  if (metric == kFaissL2) return Metric::euclid;
  if (metric == kFaissL1) return Metric::manhattan;
  return std::nullopt;
}

Status not_flat(const InputFile& file) {
  return file.invalid(
      "not a FAISS IndexFlat, nor one under an IndexIDMap; other indexes do "
      "not keep the vectors as they were");
}

// The flat index at the offset; goes behind it.
Result<MatrixLayout> read_flat(FaissFile& faiss, const Fields& fields) {
  if (!is_flat(fields.letters)) return not_flat(faiss.file());
  const auto columns = static_cast<std::uint64_t>(fields.dimension);
  const Status valid = check_columns(faiss.file(), columns);
  if (!valid.ok()) return valid;
  MatrixLayout layout;
  layout.columns = columns;
  layout.rows = static_cast<std::uint64_t>(fields.rows);
  // So that the product below cannot overflow.
  if (layout.rows > faiss.left() / (columns * sizeof(float))) {
    return faiss.file().invalid(
        std::to_string(layout.rows) + " vectors of " + std::to_string(columns) +
        " values are more than the " + std::to_string(faiss.left()) +
        " bytes that follow byte " + std::to_string(faiss.offset()));
  }
  const std::uint64_t count = layout.rows * columns;
  const Status values = faiss.expect_count(count, sizeof(float));
  if (!values.ok()) return values;
  layout.begin = faiss.offset();
  faiss.pass(count * sizeof(float));
  return layout;
}

// The ids at the offset, one for each of `rows`; goes behind them.
Result<std::unique_ptr<IdColumn>> read_ids(FaissFile& faiss,
                                           std::uint64_t rows) {
  const Status count = faiss.expect_count(rows, sizeof(std::int64_t));
  if (!count.ok()) return count;
  Result<InputFile> again = InputFile::open(faiss.file().name());
  if (!again.ok()) return again.status();
  RawIdLayout layout;
  layout.numbers_begin = faiss.offset();
  layout.number_count = rows;
  layout.is_signed = true;
  faiss.pass(rows * sizeof(std::int64_t));
  return make_raw_ids(*std::move(again), layout);
}

}  // namespace

Result<MatrixFile> open_faiss(InputFile input) {
  FaissFile faiss(std::move(input));
  const Result<Fields> outer = faiss.read_fields();
  if (!outer.ok()) return outer.status();
  const bool has_ids = is_id_map(outer->letters);
  const Result<Fields> inner = has_ids ? faiss.read_fields() : outer;
  if (!inner.ok()) return inner.status();
  if (outer->rows != inner->rows || outer->dimension != inner->dimension) {
    return faiss.file().invalid("its id map and its vectors do not agree");
  }
  const Result<MatrixLayout> layout = read_flat(faiss, *inner);
  if (!layout.ok()) return layout.status();
  Result<std::unique_ptr<IdColumn>> ids =
      has_ids ? read_ids(faiss, layout->rows) : std::unique_ptr<IdColumn>();
  if (!ids.ok()) return ids.status();
  if (faiss.left() > 0) {
    return faiss.file().invalid(std::to_string(faiss.left()) +
                                " bytes too many at byte " +
                                std::to_string(faiss.offset()));
  }
  return MatrixFile{.file = std::move(faiss.file()),
                    .layout = *layout,
                    .ids = *std::move(ids),
                    .metric = metric_of(outer->metric)};
}

}  // namespace lamina::io
