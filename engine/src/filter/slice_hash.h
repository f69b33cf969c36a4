#pragma once

#include <cstdint>

#include "lamina/point_id.h"

namespace lamina::filter {

// The number that slices split ids by: SipHash-2-4 under a key of zeros, of the
// 8 bytes of a number, lowest first, or the 16 bytes of a UUID. Other servers
// of the protocol compute the same, so that the slices of a collection stay the
// same wherever it goes.
std::uint64_t slice_hash(const PointId& id);

}  // namespace lamina::filter
