#include "graph_file.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "storage/bytes.h"
#include "storage/crc32c.h"
#include "storage/file.h"

namespace lamina {
namespace {

using search::Graph;
using search::GraphIndex;
using search::NodeCodes;
using storage::ByteReader;
using storage::crc32c;
using storage::File;
using storage::put;

constexpr std::string_view kMagic = "LAMGRAPH";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeaderBytes = 64;
constexpr std::size_t kCrcBytes = sizeof(std::uint32_t);
constexpr std::size_t kIdBytes = 17;
constexpr std::size_t kPieceBytes = 1u << 20;
constexpr std::size_t kIdsAtOnce = 4096;  // Under one hold of the lock.
constexpr std::uint64_t kMostNodes = 0x7fffffff;

// What a node stands for: the first byte of 17.
constexpr std::uint8_t kDead = 0;
constexpr std::uint8_t kNumber = 1;
constexpr std::uint8_t kUuid = 2;

struct Header {
  std::uint64_t last_version = 0;
  std::uint64_t node_count = 0;
  double unit = 1.0;
};

// Sections follow one another, each with its checksum behind.
class SectionWriter {
 public:
  explicit SectionWriter(File* file) : file_(*file) {}

  void add(std::string_view bytes) {
    while (!bytes.empty() && status_.ok()) {
      const std::string_view piece = bytes.substr(0, kPieceBytes);
      bytes.remove_prefix(piece.size());
      crc_ = crc32c(piece, crc_);
      append(piece);
    }
  }
  template <class T>
  void add(std::span<T> values) {
    add({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  void end_section() {
    std::string bytes;
    put(&bytes, std::exchange(crc_, 0));
    append(bytes);
  }
  const Status& status() const { return status_; }

 private:
  void append(std::string_view bytes) {
    if (status_.ok()) status_ = file_.write_at(offset_, bytes);
    offset_ += bytes.size();
  }

  File& file_;
  std::uint64_t offset_ = 0;
  std::uint32_t crc_ = 0;
  Status status_;
};

// Reads what SectionWriter wrote. Once something is wrong it reads no more.
class SectionReader {
 public:
  explicit SectionReader(const File& file) : file_(file) {}

  void get(std::span<char> bytes) {
    while (!bytes.empty() && ok_) {
      const std::size_t size = std::min(bytes.size(), kPieceBytes);
      const std::string piece = read(size);
      std::ranges::copy(piece, bytes.begin());
      crc_ = crc32c(piece, crc_);
      bytes = bytes.subspan(size);
    }
  }
  template <class T>
  void get(std::span<T> values) {
    get(std::span(reinterpret_cast<char*>(values.data()), values.size_bytes()));
  }
  bool end_section() {
    const std::string bytes = read(kCrcBytes);
    ByteReader reader(bytes);
    ok_ = ok_ && reader.get<std::uint32_t>() == std::exchange(crc_, 0);
    return ok_;
  }
  std::uint64_t offset() const { return offset_; }

 private:
  std::string read(std::size_t size) {
    Result<std::string> bytes = file_.read_at(offset_, size);
    ok_ = ok_ && bytes.ok() && bytes->size() == size;
    offset_ += size;
    return ok_ ? *std::move(bytes) : std::string();
  }

  const File& file_;
  std::uint64_t offset_ = 0;
  std::uint32_t crc_ = 0;
  bool ok_ = true;
};

std::string encode_header(const search::LiveGraph& graph,
                          const Header& header) {
  std::string bytes(kMagic);
  put<std::uint32_t>(&bytes, kVersion);
  put(&bytes, static_cast<std::uint32_t>(graph.table().dimension()));
  put(&bytes, static_cast<std::uint32_t>(graph.table().metric()));
  put(&bytes, graph.options().m);
  put(&bytes, header.last_version);
  put(&bytes, header.node_count);
  put(&bytes, header.unit);
  bytes.resize(kHeaderBytes, '\0');
  return bytes;
}

// Absent when it is not the header of such a graph.
std::optional<Header> decode_header(std::string_view bytes,
                                    const search::LiveGraph& graph) {
  Header header;
  ByteReader reader(bytes.substr(kMagic.size() + 4 * sizeof(std::uint32_t)));
  header.last_version = reader.get<std::uint64_t>();
  header.node_count = reader.get<std::uint64_t>();
  header.unit = reader.get<double>();
  if (header.node_count == 0 || header.node_count > kMostNodes ||
      bytes != encode_header(graph, header)) {
    return std::nullopt;
  }
  return header;
}

std::string encode_id(const PointId& id) {
  std::string bytes;
  if (id.is_uuid()) {
    const PointId::UuidBytes uuid = id.uuid();
    put(&bytes, kUuid);
    bytes.append(reinterpret_cast<const char*>(uuid.data()), uuid.size());
  } else {
    put(&bytes, kNumber);
    put(&bytes, id.number());
  }
  bytes.resize(kIdBytes, '\0');
  return bytes;
}

// Absent for a dead node.
std::optional<PointId> decode_id(std::string_view bytes) {
  ByteReader reader(bytes);
  const auto kind = reader.get<std::uint8_t>();
  if (kind == kNumber) return PointId(reader.get<std::uint64_t>());
  if (kind != kUuid) return std::nullopt;
  PointId::UuidBytes uuid;
  std::ranges::copy(reader.get_bytes(uuid.size()), uuid.begin());
  return PointId::from_uuid(uuid);
}

void add_ids(const search::LiveGraph& graph, rows::FairSharedMutex& rows_mutex,
             SectionWriter* writer) {
  const std::span<const rows::Row> node_rows = graph.index().node_rows();
  for (std::size_t begin = 0; begin < node_rows.size(); begin += kIdsAtOnce) {
    std::string bytes;
    {
      const auto reading = rows_mutex.read_lock();
      const std::size_t end = std::min(begin + kIdsAtOnce, node_rows.size());
      for (std::size_t node = begin; node < end; ++node) {
        const rows::Row row = node_rows[node];
        if (row == GraphIndex::kNoRow) {
          bytes.append(kIdBytes, static_cast<char>(kDead));
        } else {
          bytes += encode_id(graph.table().id(row));
        }
      }
    }
    writer->add(bytes);
  }
  writer->end_section();
}

Status write_sections(const search::LiveGraph& graph,
                      rows::FairSharedMutex& rows_mutex, File* file) {
  const Graph& nodes = *graph.index().graph();
  const std::size_t count = nodes.size();
  Header header{.node_count = count, .unit = nodes.codes().space().unit};
  {
    // Before the ids: what changes from here on counts as changed.
    const auto reading = rows_mutex.read_lock();
    header.last_version = graph.last_version();
  }
  SectionWriter writer(file);
  writer.add(encode_header(graph, header));
  writer.end_section();
  writer.add(std::span(nodes.codes().space().center));
  writer.end_section();
  writer.add(nodes.codes().raw_codes(count));
  writer.end_section();
  writer.add(nodes.codes().raw_terms(count));
  writer.end_section();
  writer.add(nodes.links().ground_places(count));
  writer.end_section();
  writer.add(nodes.links().upper_places(count));
  writer.end_section();
  add_ids(graph, rows_mutex, &writer);
  return writer.status().ok() ? file->sync() : writer.status();
}

// Of a file with this header; its links are counted exactly once there is a
// table for them.
std::uint64_t least_file_bytes(const search::LiveGraph& graph,
                               const Header& header) {
  const std::size_t stride = graph.table().stride();
  const std::size_t node_bytes = stride + sizeof(NodeCodes::Terms) + kIdBytes +
                                 2 * graph.options().m * sizeof(std::int32_t);
  return kHeaderBytes + stride * sizeof(float) + header.node_count * node_bytes;
}

std::unique_ptr<Graph> read_graph(const search::LiveGraph& graph,
                                  const Header& header, SectionReader* reader) {
  search::CodeSpace space{.metric = graph.table().metric(),
                          .dimension = graph.table().dimension(),
                          .unit = header.unit};
  space.center.resize(graph.table().stride());
  reader->get(std::span(space.center));
  if (!reader->end_section()) return nullptr;
  const std::size_t count = header.node_count;
  auto nodes = std::make_unique<Graph>(
      search::GraphOptions{.m = graph.options().m,
                           .ef_construct = graph.options().ef_construct},
      std::move(space), count);
  reader->get(nodes->codes().raw_codes(count));
  if (!reader->end_section()) return nullptr;
  reader->get(nodes->codes().raw_terms(count));
  if (!reader->end_section()) return nullptr;
  reader->get(nodes->links().ground_places(count));
  if (!reader->end_section()) return nullptr;
  reader->get(nodes->links().upper_places(count));
  if (!reader->end_section() || !nodes->adopt(count)) return nullptr;
  return nodes;
}

// The row of each node; empty when the section is damaged.
std::vector<rows::Row> read_ids(const rows::RowTable& table,
                                const Header& header, SectionReader* reader) {
  std::vector<rows::Row> node_rows;
  node_rows.reserve(header.node_count);
  std::vector<bool> taken(table.size(), false);
  while (node_rows.size() < header.node_count) {
    const std::size_t count =
        std::min(kIdsAtOnce, header.node_count - node_rows.size());
    std::string bytes(count * kIdBytes, '\0');
    reader->get(std::span(bytes));
    for (std::size_t i = 0; i < count; ++i) {
      const std::optional<PointId> id =
          decode_id(std::string_view(bytes).substr(i * kIdBytes, kIdBytes));
      std::optional<rows::Row> row = id ? table.find(*id) : std::nullopt;
      if (row && (table.version(*row) > header.last_version || taken[*row])) {
        row.reset();
      }
      if (row) taken[*row] = true;
      node_rows.push_back(row.value_or(GraphIndex::kNoRow));
    }
  }
  if (!reader->end_section()) node_rows.clear();
  return node_rows;
}

}  // namespace

Status save_graph(const std::filesystem::path& path,
                  const search::LiveGraph& graph,
                  rows::FairSharedMutex& rows_mutex) {
  if (graph.index().graph() == nullptr) return {};
  std::filesystem::path fresh = path;
  fresh += ".new";
  std::error_code ignored;
  std::filesystem::remove(fresh, ignored);
  Result<std::unique_ptr<File>> file = storage::open_file(fresh, true);
  if (!file.ok()) return file.status();
  Status status = write_sections(graph, rows_mutex, file->get());
  if (status.ok()) status = storage::rename_path(fresh, path);
  if (status.ok()) status = storage::sync_directory(path.parent_path());
  return status;
}

Status load_graph(const std::filesystem::path& path,
                  std::uint64_t last_sequence, search::LiveGraph* graph) {
  Result<std::unique_ptr<File>> file = storage::open_file(path, false);
  if (!file.ok()) return file.status();
  const Status damaged =
      Status::data_loss(path.string() + ": not a graph of this collection");
  const Result<std::uint64_t> size = (*file)->size();
  SectionReader reader(**file);
  std::string bytes(kHeaderBytes, '\0');
  reader.get(std::span(bytes));
  if (!size.ok() || !reader.end_section()) return damaged;
  const std::optional<Header> header = decode_header(bytes, *graph);
  if (!header || header->last_version > last_sequence ||
      *size < least_file_bytes(*graph, *header)) {
    return damaged;
  }
  std::unique_ptr<Graph> nodes = read_graph(*graph, *header, &reader);
  if (!nodes) return damaged;
  std::vector<rows::Row> node_rows = read_ids(graph->table(), *header, &reader);
  if (node_rows.empty() || reader.offset() != *size) return damaged;
  std::unique_ptr<GraphIndex> index = graph->empty_index();
  index->adopt(std::move(nodes), std::move(node_rows), graph->table().size());
  graph->adopt(std::move(index));
  return {};
}

}  // namespace lamina
