#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lamina/results.h"
#include "rows/row_table.h"

namespace lamina {

// Copies of some rows, so that they can be written without a lock.
class RowBatch {
 public:
  // Those with the smallest ids behind `last`, or from the first on: about a
  // megabyte of them, so that copying takes some hundred microseconds. The
  // rows' lock must be held.
  static RowBatch after(const std::optional<PointId>& last,
                        const rows::RowTable& rows);

  bool empty() const { return points_.empty(); }
  std::span<const Point> points() const { return points_; }
  PointId last_id() const { return points_.back().id; }

  // As a record of a snapshot.
  std::string encode() const;

 private:
  std::size_t dimension_ = 0;
  std::vector<float> values_;
  std::vector<Point> points_;
  std::vector<std::uint64_t> versions_;
};

}  // namespace lamina
