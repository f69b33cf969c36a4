// The scan of the flat index by each kernel set. LAMINA_KERNEL is read once for
// a process, so here the set is handed to the scan.
#include <utility>

#include "arms/build_meter.h"
#include "arms/peer.h"
#include "rows/row_table.h"
#include "search/flat_scan.h"

namespace lamina::bench {
namespace {

class KernelPeer : public Peer {
 public:
  KernelPeer(PeerInfo info, const DataSet& set,
             std::shared_ptr<const rows::RowTable> table,
             const kernels::KernelSet& kernels)
      : Peer(std::move(info)),
        set_(set),
        table_(std::move(table)),
        kernels_(kernels) {
    scan_.k = kPeerK;
  }

  Status search(std::size_t first, std::span<std::int64_t> rows) override {
    scan_.vector = set_.query(first);
    search::flat_scan(*table_, {0, static_cast<rows::Row>(table_->size())},
                      {&scan_, 1}, kernels_);
    for (std::size_t i = 0; i < scan_.best.size(); ++i)
      rows[i] = scan_.best[i].row;  // Ids are row numbers here.
    return {};
  }

 private:
  const DataSet& set_;
  std::shared_ptr<const rows::RowTable> table_;
  const kernels::KernelSet& kernels_;
  search::FlatQuery scan_;
};

}  // namespace

Status add_kernel_peers(const PeerData& data, Peers* peers) {
  PeerInfo info{.name = ""};
  const BuildMeter meter;
  auto table =
      std::make_shared<rows::RowTable>(data.set.base.columns, Metric::cosine);
  for (std::size_t row = 0; row < data.set.base.rows; ++row)
    table->put(row, data.set.vector(row), {}, 1);
  table->set_axis_codes(table->make_axis_codes());
  meter.stop(&info);
  for (const kernels::KernelSet* kernels : kernels::available()) {
    info.name = "lamina flat " + std::string(kernels->name);
    peers->push_back(
        std::make_unique<KernelPeer>(info, data.set, table, *kernels));
  }
  return {};
}

}  // namespace lamina::bench
