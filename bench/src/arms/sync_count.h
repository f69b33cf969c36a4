#pragma once

#include <cstdint>

namespace lamina::bench {

// How often this process called fdatasync, whoever in it did: the calls go
// through this program's own, which counts them and does them.
//
// Thread safety: may be called at any time.
std::uint64_t fdatasync_count();

}  // namespace lamina::bench
