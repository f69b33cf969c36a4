#include "arms/arm.h"
#include "protocol/paths.h"
#include "protocol/query_json.h"

namespace lamina::bench {

Workload make_workload(const DataSet& data, std::size_t k) {
  Workload work{
      data, k, protocol::points_path(kQueryCollection) + "/query", {}};
  for (std::size_t i = 0; i < data.queries.rows; ++i)
    work.bodies.push_back(protocol::encode_query(data.query(i), {.top_k = k}));
  return work;
}

}  // namespace lamina::bench
