#include "lamina/store.h"

#include <algorithm>

namespace lamina {

Result<std::size_t> Collection::query_into(VectorView vector,
                                           const QueryOptions& options,
                                           std::span<Hit> hits,
                                           QueryStats* stats) const {
  if (stats != nullptr) *stats = {};
  Result<std::vector<Hit>> found = query(vector, options);
  if (!found.ok()) return found.status();
  const std::size_t count = std::min(found->size(), hits.size());
  std::move(found->begin(), found->begin() + static_cast<std::ptrdiff_t>(count),
            hits.begin());
  return count;
}

}  // namespace lamina
