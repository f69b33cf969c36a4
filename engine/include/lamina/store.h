#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lamina/options.h"
#include "lamina/payload_edit.h"
#include "lamina/result.h"
#include "lamina/results.h"
#include "lamina/selector.h"

namespace lamina {

// A set of points with one dimension and one metric. The same verbs, arguments,
// results and errors whether the points are in this process (Database) or
// behind a server (Client).
//
// Every call can also return, beside what is listed at it:
//   not_found: the collection was dropped after this handle was taken.
//   data_loss, io_error: the storage underneath failed.
//   unavailable, deadline_exceeded: over HTTP only.
// On any error nothing was changed, except that a write that ends in
// deadline_exceeded, unavailable, io_error or data_loss may have been applied.
//
// Thread safety: all calls may run concurrently on one object.
// Lifetime: a handle may outlive the Store that gave it; Database and Client
// say what its calls then do.
class Collection {
 public:
  virtual ~Collection() = default;

  // Writes points, replacing vector and payload of ids that exist. All or
  // nothing, also across a crash. Of two points with one id the later counts.
  // An empty batch is refused.
  //   invalid_argument: wrong dimension, a value that is not finite, a zero
  //   vector under cosine, or a batch beyond the limits; names the point.
  virtual Result<UpdateResult> upsert(std::span<const Point> points,
                                      const WriteOptions& options = {}) = 0;
  Result<UpdateResult> upsert(const Point& point,
                              const WriteOptions& options = {}) {
    return upsert(std::span(&point, 1), options);
  }

  // Deletes points. Ids that are not there are passed over. Atomic as upsert.
  //   invalid_argument: the selector names nothing, or its filter is not valid.
  virtual Result<UpdateResult> remove(const Selector& points,
                                      const WriteOptions& options = {}) = 0;
  Result<UpdateResult> remove(const PointId& id,
                              const WriteOptions& options = {}) {
    return remove(Selector(id), options);
  }

  // Changes payloads, and nothing else of the points. Atomic as upsert.
  //   not_found: one of the ids is not there.
  //   invalid_argument: as remove; a path that is none; or a payload would
  //   leave its limits, names the point.
  virtual Result<UpdateResult> edit_payload(
      const Selector& points, const PayloadEdit& edit,
      const WriteOptions& options = {}) = 0;

  // The edits by name. SetPayload with a key merges at a path: edit_payload.
  Result<UpdateResult> set_payload(const Selector& points,
                                   const Payload& payload,
                                   const WriteOptions& options = {}) {
    return edit_payload(points, SetPayload{payload, {}}, options);
  }
  Result<UpdateResult> overwrite_payload(const Selector& points,
                                         const Payload& payload,
                                         const WriteOptions& options = {}) {
    return edit_payload(points, OverwritePayload{payload}, options);
  }
  Result<UpdateResult> delete_payload(const Selector& points,
                                      std::vector<std::string> keys,
                                      const WriteOptions& options = {}) {
    return edit_payload(points, DeletePayload{std::move(keys)}, options);
  }
  Result<UpdateResult> clear_payload(const Selector& points,
                                     const WriteOptions& options = {}) {
    return edit_payload(points, ClearPayload{}, options);
  }

  // Makes filters on the path faster, from now on and after a restart. Costs
  // memory, and work at each write. An index of another type on the path is
  // replaced; one of the same type stays as it is.
  //   invalid_argument: not a path, or kMaxPayloadIndexes are there.
  virtual Result<UpdateResult> create_payload_index(
      std::string_view key, PayloadIndexType type,
      const WriteOptions& options = {}) = 0;

  // Ends that. No index on the path is no error.
  virtual Result<UpdateResult> drop_payload_index(
      std::string_view key, const WriteOptions& options = {}) = 0;

  // Points by id, in the order asked. Ids that are not there are left out.
  virtual Result<std::vector<Record>> get(
      std::span<const PointId> ids, const GetOptions& options = {}) const = 0;

  // One point by id.
  //   not_found: no such point.
  virtual Result<Record> get(const PointId& id,
                             const GetOptions& options = {}) const = 0;

  // The `top_k` best points: best score first, equal scores by ascending id.
  // Exact. Cost: one pass over all vectors.
  //   invalid_argument: wrong dimension, a value that is not finite, a zero
  //   vector under cosine, top_k or offset out of range.
  virtual Result<std::vector<Hit>> query(
      VectorView vector, const QueryOptions& options = {}) const = 0;

  // As query, into memory of the caller's: writes the first
  // min(top_k, hits.size()) hits and returns how many. In process it allocates
  // nothing once the thread has queried before, unless payloads or vectors are
  // asked for. `stats`, when given, tells how the answer was found; over HTTP
  // it stays empty.
  virtual Result<std::size_t> query_into(VectorView vector,
                                         const QueryOptions& options,
                                         std::span<Hit> hits,
                                         QueryStats* stats = nullptr) const;

  // As query, by the vector of a stored point; the point itself is left out.
  //   not_found: no such point.
  virtual Result<std::vector<Hit>> query_by_id(
      const PointId& id, const QueryOptions& options = {}) const = 0;

  // One list of hits per query, each equal, bit for bit, to what query()
  // returns for it. An error in one query fails the batch and names it.
  virtual Result<std::vector<std::vector<Hit>>> query_batch(
      std::span<const VectorView> vectors,
      const QueryOptions& options = {}) const = 0;

  // Points in id order, or in the order asked for, a page at a time. In id
  // order, a point that lives through the whole walk is seen exactly once. A
  // page in another order has no next_offset: start_from leads on.
  //   invalid_argument: limit out of range, a filter or order that is not
  //   valid, or offset and order_by together.
  virtual Result<ScrollPage> scroll(
      const ScrollOptions& options = {}) const = 0;

  // Points that match; all live ones, in constant time in process, without a
  // filter.
  virtual Result<std::uint64_t> count(const Filter& filter = {}) const = 0;

  // The values that stand at a path in the payloads, and how many points have
  // each: most points first, equal counts by value, booleans before integers
  // before strings. Values of other kinds are not counted. Exact. Cost: a look
  // at every matching payload.
  //   invalid_argument: not a path, limit out of range, a filter that is not
  //   valid.
  virtual Result<std::vector<FacetHit>> facet(
      std::string_view key, const FacetOptions& options = {}) const = 0;

  virtual Result<CollectionInfo> info() const = 0;

  // Returns when every write acknowledged before the call is on the disk.
  virtual Status flush() = 0;
};

// Collections by name.
//
// Thread safety: all calls may run concurrently on one object.
class Store {
 public:
  virtual ~Store() = default;

  //   invalid_argument: the name is not 1 to 255 bytes of UTF-8 without control
  //   characters, '/' and '\', or is "." or ".."; or the dimension is not 1 to
  //   kMaxDimension.
  //   already_exists: the name is taken.
  virtual Result<std::shared_ptr<Collection>> create_collection(
      std::string_view name, const CollectionOptions& options) = 0;

  //   not_found: no such collection.
  //   data_loss: its files are damaged; the message names file and offset.
  virtual Result<std::shared_ptr<Collection>> open_collection(
      std::string_view name) = 0;

  // Names in byte order.
  virtual Result<std::vector<std::string>> list_collections() const = 0;

  // Deletes a collection and its files. False when there was none.
  virtual Result<bool> drop_collection(std::string_view name) = 0;
};

}  // namespace lamina
