#include "route_table.h"

#include "routes/collections.h"
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
    {"PUT", "/collections/{c}/points", write, upsert_points},
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
    {"GET", "/collections/{c}", none, get_collection},
    {"PUT", "/collections/{c}", admin, create_collection},
    {"DELETE", "/collections/{c}", admin, drop_collection},
    {"GET", "/collections/{c}/exists", none, collection_exists},
    {"POST", "/v1/collections/{c}/flush", none, flush_collection},
    {"GET", "/v1/noop", none, noop},
    {"POST", "/v1/noop", none, noop},
    {"GET", "/", none, get_root},
    {"GET", "/healthz", none, get_healthz},
    {"GET", "/livez", none, get_healthz},
    {"GET", "/readyz", none, get_readyz},
};

}  // namespace

std::span<const Route> routes() { return kRoutes; }

}  // namespace lamina::server
