#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data_set.h"
#include "core/result.h"
#include "io/npy_reader.h"
#include "lamina/status.h"

// Lamina's flat index and other libraries that answer the same question: the
// kPeerK nearest rows by cosine.
namespace lamina::bench {

inline constexpr std::size_t kPeerK = 10;
// Queries in one call of the peers that take many.
inline constexpr std::size_t kPeerBatch = 100;
// From here on a second thread is worth starting for one query, and the forced
// kernels would take a copy of the data too many.
inline constexpr std::size_t kThreadRows = 100'000;
inline constexpr std::size_t kMaxKernelRows = 100'000;

// What all peers are built from; the matrices outlive them. Lamina gets the
// vectors as they are stored. The others know inner products only: theirs have
// length 1, made so outside the timed part, queries too.
struct PeerData {
  const DataSet& set;
  const NpyMatrix<float>& unit_base;
  const NpyMatrix<float>& unit_queries;
  // For databases that a peer keeps; they go with it.
  std::filesystem::path work_directory;
};

struct PeerInfo {
  std::string name;  // "faiss flat"
  std::size_t queries_per_call = 1;
  std::size_t threads = 1;
  std::size_t build_threads = 1;
  double build_s = 0.0;
  // From its files, until it answers as it did; absent where there are none.
  std::optional<double> reopen_s{};
  std::uint64_t bytes = 0;  // On the heap after building
  std::string note{};
};

// A built index with one way of asking it.
//
// Thread safety: none; peers of one index share its scratch.
class Peer {
 public:
  explicit Peer(PeerInfo info) : info_(std::move(info)) {}
  virtual ~Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  const PeerInfo& info() const { return info_; }

  // Answers the queries from `first` on, kPeerK rows each: the timed part.
  // `rows` has room for info().queries_per_call answers, or for fewer when the
  // last block is short; -1 where a peer finds no more.
  virtual Status search(std::size_t first, std::span<std::int64_t> rows) = 0;

  // The true rows of every query, when these are not the data set's.
  virtual const NpyMatrix<std::int32_t>* own_truth() const { return nullptr; }

 private:
  PeerInfo info_;
};

using Peers = std::vector<std::unique_ptr<Peer>>;

// Each builds an index and adds the ways of asking it.

// "lamina flat", "lamina flat batch 100", and from kThreadRows on "lamina flat
// 2 threads": Collection of the engine, as a program that embeds it calls it.
Status add_lamina_peers(const PeerData& data, Peers* peers);

// "lamina flat, 10 % match", and with ", indexed" behind it when the payload
// has an index, for some shares of the rows: queries with a filter on the
// payload, which `payloads` has a line of for each row.
Status add_lamina_filtered_peers(const PeerData& data,
                                 const std::filesystem::path& payloads,
                                 Peers* peers);

// "lamina flat avx2", ...: the scan alone, with each kernel set that this CPU
// can run.
Status add_kernel_peers(const PeerData& data, Peers* peers);

// "faiss flat", "faiss flat batch 100": IndexFlatIP as packaged.
Status add_faiss_peers(const PeerData& data, Peers* peers);

// "openblas sgemv", "openblas sgemm batch 100": a product, then the best k.
Status add_blas_peers(const PeerData& data, Peers* peers);

// "lamina hnsw 0.95", "lamina hnsw 0.99", "lamina hnsw 0.999": a collection
// with a graph, searched as widely as that recall takes. A recall out of reach
// goes to `not_measured`.
Status add_lamina_hnsw_peers(const PeerData& data, Peers* peers,
                             std::vector<NotMeasured>* not_measured);

// "hnswlib 0.95", ...: the same of hnswlib.
Status add_hnswlib_peers(const PeerData& data, Peers* peers,
                         std::vector<NotMeasured>* not_measured);

// "faiss hnsw 0.95", ...: the same of IndexHNSWFlat as packaged.
Status add_faiss_hnsw_peers(const PeerData& data, Peers* peers,
                            std::vector<NotMeasured>* not_measured);

// FAISS as packaged takes minutes to link more.
inline constexpr std::size_t kMaxFaissGraphRows = 10'000;
inline constexpr std::size_t kMaxFaissGraphRowsInFull = 100'000;

}  // namespace lamina::bench
