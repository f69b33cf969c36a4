// Lamina with a filter on a stored data set's own payload. What is near among
// the rows that match is found here, without the engine.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "arms/build_meter.h"
#include "arms/peer.h"
#include "io/json_line.h"
#include "lamina/database.h"
#include "types/json_reader.h"

namespace lamina::bench {
namespace {

constexpr std::size_t kPointsPerWrite = 10'000;
constexpr std::string_view kKey = "length";

struct Stored {
  std::vector<Payload> payloads;
  std::vector<double> lengths;  // The number under kKey of each.
};

Result<Stored> read_payloads(const std::filesystem::path& path) {
  Result<io::InputFile> file = io::InputFile::open(path);
  if (!file.ok()) return file.status();
  io::LineReader lines(*std::move(file));
  Stored stored;
  while (true) {
    const Result<std::optional<std::string_view>> line = lines.next();
    if (!line.ok()) return line.status();
    if (!*line) return stored;
    Result<io::JsonLine> point = io::read_json_line(**line, nullptr);
    if (!point.ok()) return point.status();
    const auto document = JsonDocument::parse(point->payload.json());
    if (!document.ok()) return document.status();
    for (const JsonValue::Member& member : document->root().members()) {
      if (member.key == kKey) {
        stored.lengths.push_back(std::stod(std::string(member.value.number())));
      }
    }
    stored.payloads.push_back(std::move(point->payload));
    if (stored.lengths.size() != stored.payloads.size()) {
      return Status::invalid_argument(path.string() + ": a payload without " +
                                      std::string(kKey));
    }
  }
}

struct Index {
  std::unique_ptr<Database> database;
  std::shared_ptr<Collection> collection;
};

Result<std::shared_ptr<Index>> build_index(const DataSet& set,
                                           const Stored& stored,
                                           bool with_payload_index) {
  auto index = std::make_shared<Index>();
  index->database = Database::in_memory();
  auto collection = index->database->create_collection(
      "peers", {.dimension = set.base.columns});
  if (!collection.ok()) return collection.status();
  index->collection = *std::move(collection);
  if (with_payload_index) {
    const auto made = index->collection->create_payload_index(
        kKey, PayloadIndexType::integer);
    if (!made.ok()) return made.status();
  }
  std::vector<Point> points;
  for (std::size_t row = 0; row < set.base.rows; ++row) {
    points.push_back({row, set.vector(row), stored.payloads[row]});
    if (points.size() < kPointsPerWrite && row + 1 < set.base.rows) continue;
    const Status written = index->collection->upsert(points).status();
    if (!written.ok()) return written;
    points.clear();
  }
  return index;
}

// The best kPeerK of the rows that match, for every query.
NpyMatrix<std::int32_t> truth_among(const PeerData& data,
                                    const std::vector<std::size_t>& rows) {
  NpyMatrix<std::int32_t> truth;
  truth.rows = data.set.queries.rows;
  truth.columns = kPeerK;
  std::vector<std::pair<double, std::int32_t>> scored(rows.size());
  for (std::size_t query = 0; query < truth.rows; ++query) {
    const float* values = data.unit_queries.row(query);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const float* row = data.unit_base.row(rows[i]);
      double dot = 0.0;
      for (std::size_t j = 0; j < data.unit_base.columns; ++j) {
        dot += double{values[j]} * row[j];
      }
      scored[i] = {-dot, static_cast<std::int32_t>(rows[i])};
    }
    std::partial_sort(scored.begin(), scored.begin() + kPeerK, scored.end());
    for (std::size_t k = 0; k < kPeerK; ++k) {
      truth.values.push_back(scored[k].second);
    }
  }
  return truth;
}

class FilteredPeer : public Peer {
 public:
  FilteredPeer(PeerInfo info, const DataSet& set, std::shared_ptr<Index> index,
               Filter filter,
               std::shared_ptr<const NpyMatrix<std::int32_t>> truth)
      : Peer(std::move(info)),
        set_(set),
        index_(std::move(index)),
        truth_(std::move(truth)),
        hits_(kPeerK) {
    options_.top_k = kPeerK;
    options_.filter = std::move(filter);
  }

  Status search(std::size_t first, std::span<std::int64_t> rows) override {
    const Result<std::size_t> count = index_->collection->query_into(
        set_.query(first), options_, hits_, nullptr);
    if (!count.ok()) return count.status();
    for (std::size_t i = 0; i < *count; ++i) {
      rows[i] = static_cast<std::int64_t>(hits_[i].id.number());
    }
    return {};
  }

  const NpyMatrix<std::int32_t>* own_truth() const override {
    return truth_.get();
  }

 private:
  const DataSet& set_;
  std::shared_ptr<Index> index_;
  std::shared_ptr<const NpyMatrix<std::int32_t>> truth_;
  QueryOptions options_;
  std::vector<Hit> hits_;
};

struct Share {
  std::string_view name;
  std::size_t one_in;
};

constexpr Share kShares[] = {
    {"50 %", 2}, {"10 %", 10}, {"1 %", 100}, {"0.1 %", 1000}};

}  // namespace

Status add_lamina_filtered_peers(const PeerData& data,
                                 const std::filesystem::path& payloads,
                                 Peers* peers) {
  const Result<Stored> stored = read_payloads(payloads);
  if (!stored.ok()) return stored.status();
  if (stored->payloads.size() != data.set.base.rows) {
    return Status::invalid_argument(payloads.string() +
                                    ": not a payload for each row");
  }
  std::vector<double> sorted = stored->lengths;
  std::sort(sorted.begin(), sorted.end());
  for (const bool with_index : {false, true}) {
    PeerInfo info;
    const BuildMeter meter;
    Result<std::shared_ptr<Index>> index =
        build_index(data.set, *stored, with_index);
    if (!index.ok()) return index.status();
    meter.stop(&info);
    for (const Share& share : kShares) {
      // Lengths are few whole numbers: the share is met as closely as they let.
      const double most =
          sorted[std::max<std::size_t>(sorted.size() / share.one_in, kPeerK) -
                 1];
      std::vector<std::size_t> rows;
      for (std::size_t row = 0; row < stored->lengths.size(); ++row) {
        if (stored->lengths[row] <= most) rows.push_back(row);
      }
      info.name = "lamina flat, " + std::string(share.name) + " match" +
                  (with_index ? ", indexed" : "");
      info.note = std::to_string(rows.size()) + " rows match";
      auto truth = std::make_shared<const NpyMatrix<std::int32_t>>(
          truth_among(data, rows));
      peers->push_back(std::make_unique<FilteredPeer>(
          info, data.set, *index,
          Filter::all_of({where::range(std::string(kKey), {.lte = most})}),
          std::move(truth)));
    }
  }
  return {};
}

}  // namespace lamina::bench
