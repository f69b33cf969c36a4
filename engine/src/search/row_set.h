#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lamina::search {

// A set of rows out of `size` of them, one bit each. Row r is bit r % 64 of
// word r / 64; bits behind the last row are zero.
//
// Thread safety: a value; distinct objects are independent.
class RowSet {
 public:
  using Word = std::uint64_t;
  static constexpr std::size_t kWordRows = 64;

  // Empty.
  explicit RowSet(std::size_t size = 0)
      : size_(size), words_((size + kWordRows - 1) / kWordRows) {}

  static RowSet all(std::size_t size) {
    RowSet rows(size);
    rows.complement();
    return rows;
  }

  // Rows there are, in the set or not.
  std::size_t size() const { return size_; }

  // Rows in the set. Counts bits on every call.
  std::size_t count() const {
    std::size_t count = 0;
    for (const Word word : words_) {
      count += static_cast<std::size_t>(std::popcount(word));
    }
    return count;
  }

  bool contains(std::size_t row) const {
    assert(row < size_);
    return (words_[row / kWordRows] >> (row % kWordRows) & 1) != 0;
  }
  void insert(std::size_t row) {
    assert(row < size_);
    words_[row / kWordRows] |= Word{1} << (row % kWordRows);
  }
  void remove(std::size_t row) {
    assert(row < size_);
    words_[row / kWordRows] &= ~(Word{1} << (row % kWordRows));
  }

  std::span<const Word> words() const { return words_; }

  // Replaces a word; the caller leaves bits behind the last row zero.
  void set_word(std::size_t index, Word word) { words_[index] = word; }

  // Calls visit(row) for each row of the set, ascending.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t index = 0; index < words_.size(); ++index) {
      for (Word word = words_[index]; word != 0; word &= word - 1) {
        visit(index * kWordRows +
              static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  }

  // Set operations. The other set is of as many rows.
  RowSet& operator&=(const RowSet& other) {
    assert(size_ == other.size_);
    for (std::size_t i = 0; i < words_.size(); ++i)
      words_[i] &= other.words_[i];
    return *this;
  }
  RowSet& operator|=(const RowSet& other) {
    assert(size_ == other.size_);
    for (std::size_t i = 0; i < words_.size(); ++i)
      words_[i] |= other.words_[i];
    return *this;
  }
  RowSet& operator-=(const RowSet& other) {
    assert(size_ == other.size_);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      words_[i] &= ~other.words_[i];
    }
    return *this;
  }
  RowSet& complement() {
    for (Word& word : words_) word = ~word;
    const std::size_t rest = size_ % kWordRows;
    if (rest != 0) words_.back() &= (Word{1} << rest) - 1;
    return *this;
  }

  bool operator==(const RowSet&) const = default;

 private:
  std::size_t size_;
  std::vector<Word> words_;
};

}  // namespace lamina::search
