#include "route_table.h"

#include "routes/aliases.h"
#include "routes/batch.h"
#include "routes/binary.h"
#include "routes/collections.h"
#include "routes/metrics.h"
#include "routes/operations.h"
#include "routes/payload.h"
#include "routes/points.h"
#include "routes/query.h"
#include "routes/ui.h"

namespace lamina::server {
namespace {

using enum ParameterSet;

// Whether a key has to be shown at a route, and which.
constexpr Permission kOpen = Permission::none;
constexpr Permission kRead = Permission::read;
constexpr Permission kWrite = Permission::write;

constexpr Route kRoutes[] = {
    {"POST", "/collections/{c}/points/query", kRead, read, query_points},
    {"POST", "/collections/{c}/points/query/batch", kRead, read,
     query_points_batch},
    {"POST", "/collections/{c}/points/search", kRead, read, search_points},
    {"POST", "/collections/{c}/points/search/batch", kRead, read,
     search_points_batch},
    {"PUT", "/collections/{c}/points", kWrite, write, upsert_points},
    {"POST", "/collections/{c}/points/batch", kWrite, write, batch_update},
    {"PUT", "/collections/{c}/points/vectors", kWrite, write, update_vectors},
    {"POST", "/collections/{c}/points/vectors/delete", kWrite, write,
     delete_vectors},
    {"POST", "/collections/{c}/points", kRead, read, retrieve_points},
    {"GET", "/collections/{c}/points/{id}", kRead, read, get_point},
    {"POST", "/collections/{c}/points/delete", kWrite, write, delete_points},
    {"POST", "/collections/{c}/points/scroll", kRead, read, scroll_points},
    {"POST", "/collections/{c}/points/count", kRead, read, count_points},
    {"POST", "/collections/{c}/points/payload", kWrite, write, set_payload},
    {"PUT", "/collections/{c}/points/payload", kWrite, write,
     overwrite_payload},
    {"POST", "/collections/{c}/points/payload/delete", kWrite, write,
     delete_payload},
    {"POST", "/collections/{c}/points/payload/clear", kWrite, write,
     clear_payload},
    {"POST", "/collections/{c}/facet", kRead, read, facet},
    {"PUT", "/collections/{c}/index", kWrite, write, create_payload_index},
    {"DELETE", "/collections/{c}/index/{field}", kWrite, write,
     drop_payload_index},
    {"GET", "/collections", kRead, none, list_collections},
    {"POST", "/collections/aliases", kWrite, admin, change_aliases},
    {"GET", "/aliases", kRead, none, list_aliases},
    {"GET", "/collections/{c}", kRead, none, get_collection},
    {"PUT", "/collections/{c}", kWrite, admin, create_collection},
    {"PATCH", "/collections/{c}", kWrite, admin, update_collection},
    {"DELETE", "/collections/{c}", kWrite, admin, drop_collection},
    {"GET", "/collections/{c}/aliases", kRead, none, list_collection_aliases},
    {"GET", "/collections/{c}/optimizations", kRead, none, get_optimizations},
    {"GET", "/collections/{c}/exists", kRead, none, collection_exists},
    {"GET", "/v1", kRead, none, get_v1},
    {"POST", "/v1/collections/{c}/query", kRead, none, v1_query},
    {"PUT", "/v1/collections/{c}/points", kWrite, write, v1_upsert},
    {"POST", "/v1/collections/{c}/points/get", kRead, none, v1_get},
    {"POST", "/v1/collections/{c}/points/scroll", kRead, none, v1_scroll},
    {"POST", "/v1/collections/{c}/flush", kWrite, none, flush_collection},
    {"GET", "/v1/noop", kRead, none, noop},
    {"POST", "/v1/noop", kRead, none, noop},
    {"POST", "/v1/echo", kRead, none, echo},
    {"GET", "/", kOpen, none, get_root},
    {"GET", "/healthz", kOpen, none, get_healthz},
    {"GET", "/livez", kOpen, none, get_healthz},
    {"GET", "/readyz", kOpen, none, get_readyz},
    {"GET", "/ui", kOpen, none, get_ui},
    {"GET", "/ui/{field}", kOpen, none, get_ui_file},
    {"GET", "/openapi.json", kRead, none, get_openapi},
    {"GET", "/metrics", kRead, none, get_metrics},
    {"GET", "/telemetry", kRead, none, get_telemetry},
    {"GET", "/cluster", kRead, none, get_cluster},
    {"POST", "/cluster/recover", kWrite, none, refuse_cluster},
    {"DELETE", "/cluster/peer/{id}", kWrite, none, refuse_cluster},
    {"GET", "/collections/{c}/cluster", kRead, none, refuse_cluster},
    {"POST", "/collections/{c}/cluster", kWrite, none, refuse_cluster},
    {"GET", "/collections/{c}/shards", kRead, none, refuse_cluster},
    {"PUT", "/collections/{c}/shards", kWrite, none, refuse_cluster},
    {"POST", "/collections/{c}/shards/delete", kWrite, none, refuse_cluster},
    {"GET", "/issues", kRead, none, list_issues},
    {"DELETE", "/issues", kWrite, none, clear_issues},
    // Named, so that they are refused by name.
    {"POST", "/collections/{c}/points/query/groups", kRead, none,
     refuse_unsupported},
    {"POST", "/collections/{c}/points/search/groups", kRead, none,
     refuse_unsupported},
    {"POST", "/collections/{c}/points/search/matrix/pairs", kRead, none,
     refuse_unsupported},
    {"POST", "/collections/{c}/points/search/matrix/offsets", kRead, none,
     refuse_unsupported},
    {"POST", "/collections/{c}/points/recommend", kRead, none,
     refuse_unsupported},
    {"POST", "/collections/{c}/points/recommend/batch", kRead, none,
     refuse_unsupported},
    {"POST", "/collections/{c}/points/recommend/groups", kRead, none,
     refuse_unsupported},
    {"POST", "/collections/{c}/points/discover", kRead, none,
     refuse_unsupported},
    {"POST", "/collections/{c}/points/discover/batch", kRead, none,
     refuse_unsupported},
    {"GET", "/collections/{c}/snapshots", kRead, none, refuse_unsupported},
    {"POST", "/collections/{c}/snapshots", kWrite, none, refuse_unsupported},
    {"GET", "/snapshots", kRead, none, refuse_unsupported},
    {"POST", "/snapshots", kWrite, none, refuse_unsupported},
};

static_assert(std::size(kRoutes) <= kMaxRoutes);

}  // namespace

bool adds_data(const Route& route) {
  if (route.needed != Permission::write) return false;
  if (route.method == "PUT") return true;
  return route.parameters == write && route.method == "POST" &&
         !route.pattern.ends_with("/delete") &&
         !route.pattern.ends_with("/clear");
}

std::span<const Route> routes() { return kRoutes; }

}  // namespace lamina::server
