#include "lamina/recall.h"

#include <algorithm>
#include <vector>

#include "lamina/limits.h"
#include "types/validate.h"

namespace lamina {
namespace {

constexpr std::uint64_t kPagePoints = 1'000;

// `most` ids, evenly spread.
Result<std::vector<PointId>> sample_ids(const Collection& collection,
                                        std::uint64_t most) {
  const Result<std::uint64_t> count = collection.count();
  if (!count.ok()) return count.status();
  const std::uint64_t step = std::max<std::uint64_t>(*count / most, 1);
  std::vector<PointId> ids;
  ScrollOptions page{.limit = kPagePoints, .with_payload = false};
  for (std::uint64_t at = 0; ids.size() < most;) {
    const Result<ScrollPage> points = collection.scroll(page);
    if (!points.ok()) return points.status();
    for (const Record& point : points->points) {
      if (at++ % step == 0 && ids.size() < most) ids.push_back(point.id);
    }
    if (!points->next_offset) break;
    page.offset = points->next_offset;
  }
  return ids;
}

// How many of `hits` are as good as the last of `exact`.
std::uint64_t good_hits(const std::vector<Hit>& exact,
                        const std::vector<Hit>& hits, Metric metric) {
  const float last = exact.back().score;
  return static_cast<std::uint64_t>(
      std::ranges::count_if(hits, [&](const Hit& hit) {
        return larger_is_better(metric) ? hit.score >= last : hit.score <= last;
      }));
}

}  // namespace

Result<Recall> measure_recall(const Collection& collection,
                              const RecallOptions& options) {
  QueryOptions query{.top_k = options.top_k, .hnsw_ef = options.hnsw_ef};
  Status valid = validate_batch_size("sample", options.sample, kMaxBatchPoints);
  if (valid.ok()) valid = validate_query_options(query);
  if (!valid.ok()) return valid;
  const Result<CollectionInfo> info = collection.info();
  if (!info.ok()) return info.status();
  const Result<std::vector<PointId>> ids =
      sample_ids(collection, options.sample);
  if (!ids.ok()) return ids.status();
  Recall recall;
  std::uint64_t wanted = 0;
  std::uint64_t found = 0;
  for (const PointId& id : *ids) {
    query.exact = true;
    const Result<std::vector<Hit>> exact = collection.query_by_id(id, query);
    query.exact = false;
    const Result<std::vector<Hit>> hits = collection.query_by_id(id, query);
    // Deleted since it was chosen.
    if (exact.status().code() == StatusCode::not_found ||
        hits.status().code() == StatusCode::not_found) {
      continue;
    }
    if (!exact.ok()) return exact.status();
    if (!hits.ok()) return hits.status();
    if (exact->empty()) continue;
    ++recall.queries;
    wanted += exact->size();
    found += std::min<std::uint64_t>(good_hits(*exact, *hits, info->metric),
                                     exact->size());
  }
  if (wanted > 0) {
    recall.share = static_cast<double>(found) / static_cast<double>(wanted);
  }
  return recall;
}

}  // namespace lamina
