#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "lamina/store.h"

// What the killed writers write: batch b of writer w is kBatchPoints points
// with ids that only it uses, all of them with the same vector, and then their
// payloads, in a write of its own. Every third batch is removed again together
// with the next, so that deletes are in the mix.
namespace lamina::crash {

inline constexpr std::size_t kDimension = 16;
inline constexpr std::uint64_t kBatchPoints = 5;
inline constexpr std::uint64_t kWriters = 4;
inline constexpr char kCollection[] = "items";

inline bool is_removed_by_next(std::uint64_t batch) { return batch % 3 == 1; }

inline std::vector<PointId> ids_of(std::uint64_t writer, std::uint64_t batch) {
  std::vector<PointId> ids;
  for (std::uint64_t i = 0; i < kBatchPoints; ++i) {
    ids.emplace_back((writer << 40) + batch * kBatchPoints + i);
  }
  return ids;
}

inline std::vector<float> vector_of(std::uint64_t batch) {
  return std::vector<float>(kDimension, static_cast<float>(batch + 1));
}

inline Payload payload_of(std::uint64_t batch) {
  return Payload::from_json("{\"batch\":" + std::to_string(batch) + "}")
      .value();
}

// By ids or by a filter, in turns.
inline Selector selector_of(std::uint64_t writer, std::uint64_t batch) {
  if (batch % 2 == 0) return ids_of(writer, batch);
  return Filter::all_of({where::has_id(ids_of(writer, batch))});
}

// Writes a batch, and removes the one before when that is due. True when all of
// it was acknowledged.
inline bool write_batch(Collection& items, std::uint64_t writer,
                        std::uint64_t batch) {
  const std::vector<float> vector = vector_of(batch);
  std::vector<Point> points;
  for (const PointId& id : ids_of(writer, batch)) {
    points.push_back({id, vector, {}});
  }
  if (!items.upsert(points).ok()) return false;
  if (!items.set_payload(selector_of(writer, batch), payload_of(batch)).ok()) {
    return false;
  }
  if (batch == 0 || !is_removed_by_next(batch - 1)) return true;
  return items.remove(ids_of(writer, batch - 1)).ok();
}

// What one writer knows over all its lives: batches below `next` were written,
// and acknowledged but for those in `uncertain`, which were under way when it
// was killed.
struct History {
  std::uint64_t next = 0;
  std::set<std::uint64_t> uncertain;

  // `count` more batches were acknowledged, and then the kill came.
  void killed_after(std::uint64_t count) {
    next += count;
    if (next > 0 && is_removed_by_next(next - 1)) uncertain.insert(next - 1);
    uncertain.insert(next);
    ++next;
  }
};

struct Verdict {
  std::uint64_t lost = 0;      // Acknowledged, and not so.
  std::uint64_t torn = 0;      // Batches of which only a part is there.
  std::uint64_t invented = 0;  // Never written.
};

// Holds what is stored against a writer's history, from batch `begin` on.
inline void verify(const Collection& items, std::uint64_t writer,
                   const History& history, std::uint64_t begin,
                   Verdict* verdict) {
  for (std::uint64_t batch = begin; batch < history.next + 2; ++batch) {
    const auto records = items.get(ids_of(writer, batch)).value();
    if (records.size() % kBatchPoints != 0) ++verdict->torn;
    std::size_t with_payload = 0;
    for (const Record& record : records) {
      if (record.vector != vector_of(batch)) ++verdict->torn;
      if (record.payload == payload_of(batch)) ++with_payload;
    }
    if (with_payload % kBatchPoints != 0) ++verdict->torn;
    if (batch >= history.next) {
      verdict->invented += records.empty() ? 0 : 1;
      continue;
    }
    if (history.uncertain.contains(batch)) continue;
    if (with_payload != records.size()) ++verdict->lost;
    const bool removed = is_removed_by_next(batch) && batch + 1 < history.next;
    // Its removal was part of a batch that was killed.
    if (removed && history.uncertain.contains(batch + 1)) continue;
    if (records.empty() != removed) ++verdict->lost;
  }
}

}  // namespace lamina::crash
