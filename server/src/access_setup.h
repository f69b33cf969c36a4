#pragma once

#include "configuration.h"
#include "guard.h"

namespace lamina::server {

// The keys of the file that is set, or of the systemd credential "api_keys";
// none when there is neither.
//   invalid_argument: as ApiKeys::read_file().
Result<ApiKeys> read_keys(const Configuration& configuration);

// Gives `guard` the keys. May be called again while it is used; leaves the keys
// as they are when it fails.
//   invalid_argument: also when everybody could write from other machines and
//   that was not asked for.
Status set_up_keys(const Configuration& configuration, Guard* guard);

// Tells `guard` who may ask: once, before it is used. Errors as set_up_keys().
Status set_up_access(const Configuration& configuration, Guard* guard);

}  // namespace lamina::server
