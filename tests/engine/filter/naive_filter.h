#pragma once

#include <map>
#include <string>

#include "engine/filter/json_tree.h"
#include "lamina/filter.h"
#include "lamina/point_id.h"

namespace lamina::test {

// Paths by their text: whoever makes a path up says what its steps are.
using KnownPaths = std::map<std::string, TreePath>;

// Whether a point with that payload matches, straight from the rules in
// docs/filters.md. `id` is null for an object inside a payload.
bool naive_matches(const Filter& filter, const PointId* id,
                   const JsonTree& payload, const KnownPaths& paths);

}  // namespace lamina::test
