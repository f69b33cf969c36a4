#pragma once

#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "lamina/filter.h"
#include "lamina/point_id.h"

namespace lamina {

// Which points a write is about: some by their ids, or all that match a filter.
//
//   items->remove(Filter::all_of({where::match("state", "old")}));
//   items->clear_payload(PointId(7));
//
// The filter is looked at once, when the write is made; what it found is what
// the log keeps. Naming nothing is refused, and never read as "all": neither an
// empty list nor a filter without conditions. Selector::all() says "all".
//
// Thread safety: a value; distinct objects are independent.
class Selector {
 public:
  Selector() = default;                             // Nothing.
  Selector(const PointId& id) : which_(Ids{id}) {}  // NOLINT: implicit
  Selector(std::vector<PointId> ids)                // NOLINT: implicit
      : which_(std::move(ids)) {}
  Selector(std::span<const PointId> ids)  // NOLINT: implicit
      : which_(Ids(ids.begin(), ids.end())) {}
  Selector(Filter filter) : which_(std::move(filter)) {}  // NOLINT: implicit

  static Selector all() {
    Selector selector;
    selector.which_ = All();
    return selector;
  }

  // The list; null when a filter or all() was given.
  const std::vector<PointId>* ids() const { return std::get_if<Ids>(&which_); }
  // The filter; null when it was none. Without conditions for all().
  const Filter* filter() const {
    static const Filter everything;
    return is_all() ? &everything : std::get_if<Filter>(&which_);
  }
  bool is_all() const { return std::holds_alternative<All>(which_); }

  bool operator==(const Selector&) const = default;

 private:
  using Ids = std::vector<PointId>;
  struct All {
    bool operator==(const All&) const = default;
  };

  std::variant<Ids, Filter, All> which_;
};

}  // namespace lamina
