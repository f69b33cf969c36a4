#pragma once

#include "protocol/points_json.h"
#include "protocol/vectors_json.h"
#include "routes/call.h"

namespace lamina::server {

// The points of an upsert that its condition lets pass, written as one. When it
// lets none pass, nothing is written and the sequence is 0. Runs alone when it
// has to look before it writes.
//   As Collection::upsert, for all of the points.
Result<UpdateResult> upsert_where(const Call& call, Collection& collection,
                                  const protocol::PointBatch& batch);

// New vectors of points that are there; their payloads stay. Runs alone.
//   not_found: a point that is not there.
Result<UpdateResult> update_vectors_where(
    const Call& call, Collection& collection,
    const protocol::UpdateVectors& update);

}  // namespace lamina::server
