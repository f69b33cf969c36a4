#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/data_set.h"
#include "lamina/result.h"
#include "lamina/results.h"
#include "lamina/store.h"
#include "rows/row_table.h"

// The rungs of the ladder. Every arm answers the same queries; they differ in
// how much lies between the caller and the arithmetic.
namespace lamina::bench {

// The collection that is queried, in process and on the server.
inline constexpr std::string_view kQueryCollection = "bench";

// What an arm leaves behind in the timed part, in storage that exists already.
struct Reply {
  std::vector<Hit> hits;
  std::string body;  // Of arms that leave decoding to the caller
  Status status;
};

// What all arms of a run share; outlives them.
struct Workload {
  const DataSet& data;
  std::size_t k;
  // A query as it goes over the wire.
  struct Encoded {
    std::string path;   // Of the query route
    std::string query;  // Behind '?'
    std::string_view content_type;
    std::string_view accept;
    std::vector<std::string> bodies;  // One per query

    std::string target() const {
      return query.empty() ? path : path + "?" + query;
    }
  };
  Encoded json;
  Encoded binary;

  const Encoded& encoded(bool as_binary) const {
    return as_binary ? binary : json;
  }
};

Workload make_workload(const DataSet& data, std::size_t k);

// The hits of a reply to one query.
Result<std::vector<Hit>> decode_hits(std::string_view body, bool binary);

class Arm {
 public:
  virtual ~Arm() = default;

  // Answers one query: the timed part.
  virtual void call(std::size_t query, Reply& reply) = 0;

  // What `reply` of call() says, outside the timed part.
  virtual Result<std::vector<Hit>> hits(const Reply& reply) const {
    return reply.hits;
  }
};

// P0: nothing at all; what the harness itself costs.
std::unique_ptr<Arm> make_noop_arm();

// L0: the engine's scan, selection and rescoring into a buffer of the caller.
// No collection, no lock, no result of its own.
std::unique_ptr<Arm> make_kernel_arm(const Workload& work,
                                     const rows::RowTable& table);

// B0: what one would write with a BLAS: sgemv over the normalised float32
// matrix, then the best k. One thread.
std::unique_ptr<Arm> make_sgemv_arm(const Workload& work);
// "OpenBLAS 0.3.21 ..., core ...", as the library names itself.
std::string blas_description();

// L1 and L7: Collection::query, of the engine in this process or of
// lamina::Client. `injected_ns` is a known cost to find again.
std::unique_ptr<Arm> make_collection_arm(const Workload& work,
                                         std::shared_ptr<Collection> collection,
                                         std::uint64_t injected_ns = 0);

// A collection behind lamina::Client, on a connection of its own.
Result<std::shared_ptr<Collection>> open_remote_collection(
    int port, std::string_view name);

// L2: the bytes of a request's body to the bytes of the reply's, through the
// server's router. No HTTP, no socket. `store` must outlive the arm.
std::unique_ptr<Arm> make_codec_arm(const Workload& work, Store& store,
                                    bool binary);

// L4: requests encoded beforehand, one send, the least reply reader that works.
Result<std::unique_ptr<Arm>> make_wire_arm(const Workload& work, int port,
                                           bool binary);

// L5: cpp-httplib's client by hand, bodies encoded beforehand, replies left as
// text. L6, "honest": encodes the query and decodes the hits as well.
Result<std::unique_ptr<Arm>> make_raw_http_arm(const Workload& work, int port,
                                               bool honest);

}  // namespace lamina::bench
