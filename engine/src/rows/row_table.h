#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rows/coding_rules.h"
#include "rows/published_view.h"
#include "rows/row_view.h"

namespace lamina::rows {

// The rows of a collection as they are now, and how they are changed. Removing
// moves the last row into the hole, so that a scan meets no tombstones.
//
// Thread safety: const calls may run concurrently; all else excludes
// everything. view() may run beside anything, and what it returned be read.
class RowTable : public RowView {
 public:
  // `dimension` 1 to kMaxDimension.
  RowTable(std::size_t dimension, Metric metric,
           const CodingRules& rules = coding_rules());

  // The rows as end_change() found them. Null before the first, and while rows
  // are changed that nobody reads: that is, for some microseconds.
  std::shared_ptr<const RowView> view() const { return view_.load(); }

  // Around every change of rows that are viewed.
  void begin_change();
  void end_change();

  // Copies of what a change of these points would have to copy because it is
  // viewed: taken before begin_change(), so that readers need not wait for it.
  // None when nothing is viewed.
  class Copies;
  Copies copies_for(std::span<const PointId> ids) const;
  // After begin_change(): uses those that still serve.
  void use(Copies copies);
  // Whether somebody reads a view.
  bool is_viewed() const { return view().use_count() > kOwnUses; }

  // Removes all rows.
  void clear();

  // Inserts or replaces. The vector must have passed validate_vector().
  void put(const PointId& id, VectorView vector, Payload payload,
           std::uint64_t version);

  void set_payload(Row row, Payload payload, std::uint64_t version);

  // False when there is no such point.
  bool erase(const PointId& id);

  std::optional<Row> find(const PointId& id) const;

  // Rows by ascending id.
  const std::map<PointId, Row>& by_id() const { return by_id_; }

  // Whether the table has grown enough for the axes to be chosen anew.
  bool axes_are_due() const { return size_ >= axes_due_; }
  // Chooses axes for the rows of now and codes them along these; null when none
  // pay. Only reads: a writer can do this while readers go on, and then set
  // what came of it.
  std::unique_ptr<AxisCodes> make_axis_codes() const;
  void set_axis_codes(std::unique_ptr<AxisCodes> codes);

 private:
  Piece new_piece() const;
  Chunk new_chunk() const;
  std::shared_ptr<Piece> copy_of(const Piece& of) const;
  std::shared_ptr<Chunk> copy_of(const Chunk& of) const;
  // Those of a row, for changing them: what is viewed is copied.
  Chunk& own_chunk(Row row);
  std::shared_ptr<Piece>& piece_pointer(Row row);
  Piece& own_piece(Row row);
  void make_room();
  void give_room_back();
  Row append_row(const PointId& id);
  void write_vector(Row row, VectorView vector);
  void write_codes(Row row);
  void recode_chunk(Row last);
  void choose_center(Row first, Row last);
  void choose_grid_step(Row first, Row last);
  void move_row(Row from, Row to);
  void replace_payload(Row row, Payload payload);

  CodingRules rules_;
  std::map<PointId, Row> by_id_;
  std::size_t axes_due_;  // Rows at which to choose axes next.

  // Of a view: by the table, and by whoever asks how many there are.
  static constexpr long kOwnUses = 2;
  PublishedView view_;
  // Views that were replaced while they were read. Their memory is given back
  // by a writer, as readers should not wait for that.
  std::vector<std::shared_ptr<const RowView>> replaced_;
};

class RowTable::Copies {
 public:
  bool empty() const { return pieces_.empty(); }

 private:
  friend RowTable;
  template <class Part>
  struct Copy {
    Row first;
    std::shared_ptr<Part> of;
    std::shared_ptr<Part> copy;
  };
  std::vector<Copy<Chunk>> chunks_;
  std::vector<Copy<Piece>> pieces_;
  std::vector<AxisCodes::Copy> codes_;
};

}  // namespace lamina::rows
