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

namespace lamina::server {
namespace {

using enum ParameterSet;

constexpr Route kRoutes[] = {
    {"POST", "/collections/{c}/points/query", read, query_points},
    {"POST", "/collections/{c}/points/query/batch", read, query_points_batch},
    {"POST", "/collections/{c}/points/search", read, search_points},
    {"POST", "/collections/{c}/points/search/batch", read, search_points_batch},
    {"PUT", "/collections/{c}/points", write, upsert_points},
    {"POST", "/collections/{c}/points/batch", write, batch_update},
    {"PUT", "/collections/{c}/points/vectors", write, update_vectors},
    {"POST", "/collections/{c}/points/vectors/delete", write, delete_vectors},
    {"POST", "/collections/{c}/points", read, retrieve_points},
    {"GET", "/collections/{c}/points/{id}", read, get_point},
    {"POST", "/collections/{c}/points/delete", write, delete_points},
    {"POST", "/collections/{c}/points/scroll", read, scroll_points},
    {"POST", "/collections/{c}/points/count", read, count_points},
    {"POST", "/collections/{c}/points/payload", write, set_payload},
    {"PUT", "/collections/{c}/points/payload", write, overwrite_payload},
    {"POST", "/collections/{c}/points/payload/delete", write, delete_payload},
    {"POST", "/collections/{c}/points/payload/clear", write, clear_payload},
    {"POST", "/collections/{c}/facet", read, facet},
    {"PUT", "/collections/{c}/index", write, create_payload_index},
    {"DELETE", "/collections/{c}/index/{field}", write, drop_payload_index},
    {"GET", "/collections", none, list_collections},
    {"POST", "/collections/aliases", admin, change_aliases},
    {"GET", "/aliases", none, list_aliases},
    {"GET", "/collections/{c}", none, get_collection},
    {"PUT", "/collections/{c}", admin, create_collection},
    {"PATCH", "/collections/{c}", admin, update_collection},
    {"DELETE", "/collections/{c}", admin, drop_collection},
    {"GET", "/collections/{c}/aliases", none, list_collection_aliases},
    {"GET", "/collections/{c}/optimizations", none, get_optimizations},
    {"GET", "/collections/{c}/exists", none, collection_exists},
    {"GET", "/v1", none, get_v1},
    {"POST", "/v1/collections/{c}/query", none, v1_query},
    {"PUT", "/v1/collections/{c}/points", write, v1_upsert},
    {"POST", "/v1/collections/{c}/points/get", none, v1_get},
    {"POST", "/v1/collections/{c}/points/scroll", none, v1_scroll},
    {"POST", "/v1/collections/{c}/flush", none, flush_collection},
    {"GET", "/v1/noop", none, noop},
    {"POST", "/v1/noop", none, noop},
    {"POST", "/v1/echo", none, echo},
    {"GET", "/", none, get_root},
    {"GET", "/healthz", none, get_healthz},
    {"GET", "/livez", none, get_healthz},
    {"GET", "/readyz", none, get_readyz},
    {"GET", "/openapi.json", none, get_openapi},
    {"GET", "/metrics", none, get_metrics},
    {"GET", "/telemetry", none, get_telemetry},
    {"GET", "/cluster", none, get_cluster},
    {"POST", "/cluster/recover", none, refuse_cluster},
    {"DELETE", "/cluster/peer/{id}", none, refuse_cluster},
    {"GET", "/collections/{c}/cluster", none, refuse_cluster},
    {"POST", "/collections/{c}/cluster", none, refuse_cluster},
    {"GET", "/collections/{c}/shards", none, refuse_cluster},
    {"PUT", "/collections/{c}/shards", none, refuse_cluster},
    {"POST", "/collections/{c}/shards/delete", none, refuse_cluster},
    {"GET", "/issues", none, list_issues},
    {"DELETE", "/issues", none, clear_issues},
    // Named, so that they are refused by name.
    {"POST", "/collections/{c}/points/query/groups", none, refuse_unsupported},
    {"POST", "/collections/{c}/points/search/groups", none, refuse_unsupported},
    {"POST", "/collections/{c}/points/search/matrix/pairs", none,
     refuse_unsupported},
    {"POST", "/collections/{c}/points/search/matrix/offsets", none,
     refuse_unsupported},
    {"POST", "/collections/{c}/points/recommend", none, refuse_unsupported},
    {"POST", "/collections/{c}/points/recommend/batch", none,
     refuse_unsupported},
    {"POST", "/collections/{c}/points/recommend/groups", none,
     refuse_unsupported},
    {"POST", "/collections/{c}/points/discover", none, refuse_unsupported},
    {"POST", "/collections/{c}/points/discover/batch", none,
     refuse_unsupported},
    {"GET", "/collections/{c}/snapshots", none, refuse_unsupported},
    {"POST", "/collections/{c}/snapshots", none, refuse_unsupported},
    {"GET", "/snapshots", none, refuse_unsupported},
    {"POST", "/snapshots", none, refuse_unsupported},
};

static_assert(std::size(kRoutes) <= kMaxRoutes);

}  // namespace

std::span<const Route> routes() { return kRoutes; }

}  // namespace lamina::server
