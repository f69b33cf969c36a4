#include "filter/column.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <memory_resource>
#include <utility>

namespace lamina::filter {
namespace {

using search::RowSet;

static_assert(std::endian::native == std::endian::little);

// Eight bytes that are 0 or 1, as the bits of one: the product puts byte i at
// bit 56 + i, and no two terms meet.
std::uint64_t bits_of(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return (word * 0x0102040810204080u) >> 56;
}

// The rows whose code passes. Bytes first, bits later: the compiler turns the
// inner loop into vector instructions when `passes` is a comparison.
template <class Passes>
RowSet select_rows(const std::vector<Code>& codes, const Passes& passes) {
  RowSet rows(codes.size());
  std::uint8_t bytes[RowSet::kWordRows] = {};
  for (std::size_t first = 0; first < codes.size();
       first += RowSet::kWordRows) {
    const std::size_t count = std::min(codes.size() - first, RowSet::kWordRows);
    if (count < RowSet::kWordRows) std::fill(bytes, std::end(bytes), 0);
    const Code* block = codes.data() + first;
    if (count == RowSet::kWordRows) {
      for (std::size_t i = 0; i < RowSet::kWordRows; ++i) {
        bytes[i] = passes(block[i]);
      }
    } else {
      for (std::size_t i = 0; i < count; ++i) bytes[i] = passes(block[i]);
    }
    RowSet::Word word = 0;
    for (std::size_t i = 0; i < RowSet::kWordRows; i += 8) {
      word |= bits_of(bytes + i) << i;
    }
    rows.set_word(first / RowSet::kWordRows, word);
  }
  return rows;
}

// Whether any element of the cell is about what the index is about.
bool has_indexed(const Cell& cell, PayloadIndexType type) {
  if (!cell.is_composite()) return is_indexed(cell, type);
  const auto elements = cell.elements();
  return std::any_of(
      elements.begin(), elements.end(),
      [&](const Cell& element) { return has_indexed(element, type); });
}

}  // namespace

void Column::put(rows::Row row, const JsonValue& root) {
  assert(row <= codes_.size());
  constexpr std::size_t kScratchBytes = 4096;
  std::byte scratch[kScratchBytes];
  std::pmr::monotonic_buffer_resource memory(scratch, kScratchBytes);
  const Code code = dictionary_.intern(read_cell(path_, root, &memory));
  if (code == row_count_.size()) {
    row_count_.push_back(0);
    count_unused(code);
    if (index_) index_->values.add(code, dictionary_.cells()[code]);
  }
  if (row < codes_.size()) {
    unset(row);
  } else {
    codes_.emplace_back();
  }
  set(row, code);
  compact();
}

void Column::erase(rows::Row row) {
  const auto last = static_cast<rows::Row>(codes_.size() - 1);
  const Code moved = codes_[last];
  unset(last);
  if (row != last) {
    unset(row);
    set(row, moved);
  }
  codes_.pop_back();
  compact();
}

void Column::set(rows::Row row, Code code) {
  codes_[row] = code;
  if (row_count_[code]++ == 0) {
    --unused_codes_;
    unused_bytes_ -= referred_bytes(dictionary_.cells()[code]);
  }
  if (index_) index_->rows.add(row, code);
}

void Column::unset(rows::Row row) {
  const Code code = codes_[row];
  if (--row_count_[code] == 0) count_unused(code);
  if (index_) index_->rows.remove(row, code);
}

void Column::count_unused(Code code) {
  ++unused_codes_;
  unused_bytes_ += referred_bytes(dictionary_.cells()[code]);
}

// Starts a new dictionary when most of it is unused. That takes a time in
// proportion to the writes since the last one.
void Column::compact() {
  constexpr std::size_t kFewCodes = 1024;
  constexpr std::size_t kFewBytes = 1u << 20;
  const bool many_codes =
      unused_codes_ > std::max(kFewCodes, dictionary_.size() / 2);
  const bool many_bytes =
      unused_bytes_ > std::max(kFewBytes, dictionary_.bytes() / 2);
  if (!many_codes && !many_bytes) return;
  const std::optional<PayloadIndexType> type = index_type();
  drop_index();
  CellDictionary dictionary;
  row_count_.clear();
  for (Code& code : codes_) {
    code = dictionary.intern(dictionary_.cells()[code]);
    if (code == row_count_.size()) row_count_.push_back(0);
    ++row_count_[code];
  }
  dictionary_ = std::move(dictionary);
  unused_codes_ = 0;
  unused_bytes_ = 0;
  if (type) create_index(*type);
}

void Column::create_index(PayloadIndexType type) {
  index_.emplace(type);
  for (Code code = 0; code < dictionary_.size(); ++code) {
    index_->values.add(code, dictionary_.cells()[code]);
  }
  for (rows::Row row = 0; row < codes_.size(); ++row) {
    index_->rows.add(row, codes_[row]);
  }
}

void Column::drop_index() { index_.reset(); }

std::optional<PayloadIndexType> Column::index_type() const {
  if (!index_) return std::nullopt;
  return index_->values.type();
}

std::uint64_t Column::indexed_rows() const {
  std::uint64_t count = 0;
  if (!index_) return count;
  for (Code code = 0; code < dictionary_.size(); ++code) {
    if (row_count_[code] == 0) continue;
    const Cell& cell = dictionary_.cells()[code];
    if (has_indexed(cell, index_->values.type())) count += row_count_[code];
  }
  return count;
}

RowSet Column::matching(const CellTest& test, bool* used_index) const {
  if (index_) {
    std::optional<RowSet> rows = from_index(test);
    if (rows) {
      *used_index = true;
      return *std::move(rows);
    }
  }
  if (!dictionary_.has_composites()) {
    if (const auto* equals = std::get_if<Equals>(&test.any())) {
      const std::optional<Code> code = dictionary_.find(equals->wanted);
      return code ? rows_of(*code) : RowSet(codes_.size());
    }
    const auto* list = std::get_if<OneOf>(&test.any());
    if (list != nullptr && list->among) return rows_of(list->values);
  }
  std::vector<std::uint8_t> code_holds(dictionary_.size());
  test.hold(dictionary_.cells(), code_holds.data());
  return rows_where(code_holds);
}

// Beyond a part of all, walking lists is slower than looking at everything.
std::optional<RowSet> Column::from_index(const CellTest& test) const {
  constexpr std::size_t kPart = 32;
  constexpr std::size_t kFew = 64;
  const std::optional<std::vector<Code>> codes = index_->values.candidates(
      test, std::max(kFew, dictionary_.size() / kPart));
  if (!codes) return std::nullopt;
  RowSet rows(codes_.size());
  std::size_t left = std::max(kFew, codes_.size() / kPart);
  for (const Code code : *codes) {
    if (!test.holds(dictionary_.cells()[code])) continue;
    if (row_count_[code] > left) return std::nullopt;
    left -= row_count_[code];
    index_->rows.for_each(code, [&](rows::Row row) { rows.insert(row); });
  }
  return rows;
}

RowSet Column::rows_of(Code code) const {
  return select_rows(codes_, [code](Code other) { return other == code; });
}

RowSet Column::rows_of(const std::vector<Cell>& cells) const {
  std::vector<std::uint8_t> code_holds(dictionary_.size());
  for (const Cell& cell : cells) {
    const std::optional<Code> code = dictionary_.find(cell);
    if (code) code_holds[*code] = 1;
  }
  return rows_where(code_holds);
}

RowSet Column::rows_where(const std::vector<std::uint8_t>& code_holds) const {
  const std::uint8_t* holds = code_holds.data();
  return select_rows(codes_, [holds](Code code) { return holds[code]; });
}

std::size_t Column::bytes() const {
  std::size_t bytes = dictionary_.bytes() + codes_.size() * sizeof(Code) +
                      row_count_.size() * sizeof(std::uint32_t);
  if (index_) bytes += index_->values.bytes() + index_->rows.bytes();
  return bytes;
}

}  // namespace lamina::filter
