#include "filter/value_index.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lamina/point_id.h"

namespace lamina::filter {
namespace {

using Trigram = std::uint32_t;

constexpr std::size_t kTrigramBytes = 3;

// Elements that the sorted part of an index holds. An index of integers holds
// all numbers, as a range is about all of them.
bool is_sorted_element(const Cell& element, PayloadIndexType type) {
  switch (type) {
    case PayloadIndexType::keyword:
    case PayloadIndexType::uuid:
      return element.kind == CellKind::string;
    case PayloadIndexType::integer:
    case PayloadIndexType::floating:
      return element.is_number();
    case PayloadIndexType::boolean:
      return element.kind == CellKind::boolean;
    case PayloadIndexType::datetime:
      return element.is_time;
    case PayloadIndexType::text:
      break;
  }
  return false;
}

Trigram trigram_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<Trigram>(static_cast<unsigned char>(text[at + i]));
  };
  return byte(0) << 16 | byte(1) << 8 | byte(2);
}

// Gathers codes, up to a number of them.
class Candidates {
 public:
  explicit Candidates(std::size_t most) : most_(most) {}

  bool add(Code code) {
    if (codes_.size() == most_) {
      overflowed_ = true;
      return false;
    }
    codes_.push_back(code);
    return true;
  }

  std::optional<std::vector<Code>> take() {
    if (overflowed_) return std::nullopt;
    return std::move(codes_);
  }

 private:
  const std::size_t most_;
  bool overflowed_ = false;
  std::vector<Code> codes_;
};

// Answers a test from the sorted elements; false when they cannot tell. One
// overload per kind of test.
template <class Sorted>
class SortedSearch {
 public:
  SortedSearch(const Sorted& sorted, PayloadIndexType type,
               Candidates* candidates)
      : sorted_(sorted), type_(type), candidates_(*candidates) {}

  bool operator()(const Equals& test) const { return add_equal(test.wanted); }
  bool operator()(const OneOf& test) const {
    return test.among &&
           std::all_of(test.values.begin(), test.values.end(),
                       [&](const Cell& value) { return add_equal(value); });
  }
  bool operator()(const HoldsText& test) const {
    if (test.mode != where::TextMode::prefix || !holds_strings()) return false;
    for (auto at = sorted_.lower_bound(string_cell(test.text));
         at != sorted_.end() && at->first.text().starts_with(test.text); ++at) {
      if (!candidates_.add(at->second)) break;
    }
    return true;
  }
  bool operator()(const NumberRange& test) const {
    if (type_ != PayloadIndexType::integer &&
        type_ != PayloadIndexType::floating) {
      return false;
    }
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Cell least = number_cell(-kInfinity);
    Cell most = number_cell(kInfinity);
    for (const auto& bound : {test.bounds.gt, test.bounds.gte}) {
      if (bound) least = std::max(least, number_cell(*bound), CellLess());
    }
    for (const auto& bound : {test.bounds.lt, test.bounds.lte}) {
      if (bound) most = std::min(most, number_cell(*bound), CellLess());
    }
    add_range(least, most);
    return true;
  }
  bool operator()(const TimeRange& test) const {
    if (type_ != PayloadIndexType::datetime) return false;
    add_range(integer_cell(test.least), integer_cell(test.most));
    return true;
  }
  template <class Other>
  bool operator()(const Other&) const {
    return false;
  }

 private:
  bool holds_strings() const {
    return type_ == PayloadIndexType::keyword ||
           type_ == PayloadIndexType::uuid;
  }

  bool add_equal(const Cell& wanted) const {
    if (type_ == PayloadIndexType::datetime) return false;
    if (!is_sorted_element(wanted, type_)) return false;
    add_range(wanted, wanted);
    return true;
  }

  void add_range(const Cell& least, const Cell& most) const {
    if (CellLess()(most, least)) return;
    const auto end = sorted_.upper_bound(most);
    for (auto at = sorted_.lower_bound(least); at != end; ++at) {
      if (!candidates_.add(at->second)) return;
    }
  }

  const Sorted& sorted_;
  PayloadIndexType type_;
  Candidates& candidates_;
};

// Answers a test of text from the strings with its rarest trigram.
class TextSearch {
 public:
  using Codes = std::unordered_map<Trigram, std::vector<Code>>;

  TextSearch(const Codes& codes_with, Candidates* candidates)
      : codes_with_(codes_with), candidates_(*candidates) {}

  bool operator()(const HoldsText& test) const {
    if (test.mode != where::TextMode::text_any) return add(test.text);
    return std::all_of(test.words.begin(), test.words.end(),
                       [&](std::string_view word) { return add(word); });
  }
  template <class Other>
  bool operator()(const Other&) const {
    return false;
  }

 private:
  bool add(std::string_view text) const {
    if (text.size() < kTrigramBytes) return false;
    const std::vector<Code>* rarest = nullptr;
    for (std::size_t at = 0; at + kTrigramBytes <= text.size(); ++at) {
      const auto codes = codes_with_.find(trigram_at(text, at));
      if (codes == codes_with_.end()) return true;  // No string has it.
      if (rarest == nullptr || codes->second.size() < rarest->size()) {
        rarest = &codes->second;
      }
    }
    for (const Code code : *rarest) {
      if (!candidates_.add(code)) break;
    }
    return true;
  }

  const Codes& codes_with_;
  Candidates& candidates_;
};

}  // namespace

bool is_indexed(const Cell& element, PayloadIndexType type) {
  switch (type) {
    case PayloadIndexType::integer:
      return element.kind == CellKind::integer;
    case PayloadIndexType::uuid:
      return element.kind == CellKind::string &&
             PointId::parse_uuid(element.text()).ok();
    case PayloadIndexType::text:
      return element.kind == CellKind::string;
    default:
      return is_sorted_element(element, type);
  }
}

void ValueIndex::add(Code code, const Cell& cell) {
  if (!cell.is_composite()) return add_element(code, cell);
  for (const Cell& element : cell.elements()) add(code, element);
}

void ValueIndex::add_element(Code code, const Cell& element) {
  if (type_ == PayloadIndexType::text) {
    if (element.kind != CellKind::string) return;
    const std::string_view text = element.text();
    for (std::size_t at = 0; at + kTrigramBytes <= text.size(); ++at) {
      std::vector<Code>& codes = codes_with_[trigram_at(text, at)];
      // A code is added once and as a whole, so its entries are the last ones.
      if (!codes.empty() && codes.back() == code) continue;
      codes.push_back(code);
      ++trigram_entries_;
    }
    return;
  }
  if (!is_sorted_element(element, type_)) return;
  const bool is_time = type_ == PayloadIndexType::datetime;
  sorted_.emplace(is_time ? integer_cell(element.micros) : element, code);
}

std::optional<std::vector<Code>> ValueIndex::candidates(
    const CellTest& test, std::size_t most) const {
  Candidates found(most);
  const bool can_tell =
      type_ == PayloadIndexType::text
          ? std::visit(TextSearch(codes_with_, &found), test.any())
          : std::visit(SortedSearch<Sorted>(sorted_, type_, &found),
                       test.any());
  if (!can_tell) return std::nullopt;
  return found.take();
}

std::size_t ValueIndex::bytes() const {
  // A node of a tree: three pointers and a colour beside its value.
  constexpr std::size_t kNodeBytes =
      sizeof(Sorted::value_type) + 4 * sizeof(void*);
  constexpr std::size_t kTrigramEntryBytes =
      sizeof(std::pair<Trigram, std::vector<Code>>) + 3 * sizeof(void*);
  return sorted_.size() * kNodeBytes + codes_with_.size() * kTrigramEntryBytes +
         trigram_entries_ * sizeof(Code);
}

}  // namespace lamina::filter
