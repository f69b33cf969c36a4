#include "arms/arm.h"
#include "protocol/binary_query.h"
#include "protocol/media_type.h"
#include "protocol/paths.h"
#include "protocol/query_json.h"
#include "protocol/search_parameters.h"

namespace lamina::bench {

Workload make_workload(const DataSet& data, std::size_t k) {
  const QueryOptions options = {.top_k = k};
  Workload work{data, k, {}, {}};
  work.json = {.path = protocol::points_path(kQueryCollection) + "/query",
               .query = "",
               .content_type = "application/json",
               .accept = "",
               .bodies = {}};
  work.binary = {.path = protocol::own_path(kQueryCollection, "/query"),
                 .query = protocol::encode_search_parameters(options),
                 .content_type = protocol::kFloatsMedia,
                 .accept = protocol::kTensorsMedia,
                 .bodies = {}};
  for (std::size_t i = 0; i < data.queries.rows; ++i) {
    const VectorView query = data.query(i);
    work.json.bodies.push_back(protocol::encode_query(query, options));
    work.binary.bodies.push_back(protocol::encode_query_floats({&query, 1}));
  }
  return work;
}

Result<std::vector<Hit>> decode_hits(std::string_view body, bool binary) {
  if (!binary) return protocol::decode_hits_reply(body);
  Result<std::vector<std::vector<Hit>>> lists =
      protocol::decode_hits_tensors(body);
  if (!lists.ok()) return lists.status();
  if (lists->size() != 1) return Status::internal("not hits of one query");
  return std::move(lists->front());
}

}  // namespace lamina::bench
