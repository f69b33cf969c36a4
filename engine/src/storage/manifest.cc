#include "storage/manifest.h"

#include <string_view>

#include "storage/bytes.h"
#include "storage/crc32c.h"
#include "storage/file.h"
#include "types/validate.h"

namespace lamina::storage {
namespace {

constexpr std::string_view kMagic = "LAMINAMF";
constexpr std::uint32_t kVersion = 1;
// Of a collection with a graph; the other version stays readable by programs
// that know none.
constexpr std::uint32_t kGraphVersion = 2;
constexpr std::size_t kMaxManifestBytes = 4096;

// Numbers on the disk, apart from the enumerators' order in the source.
std::uint8_t to_byte(Metric metric) {
  switch (metric) {
    case Metric::cosine:
      return 1;
    case Metric::dot:
      return 2;
    case Metric::euclid:
      return 3;
    case Metric::manhattan:
      return 4;
  }
  return 0;
}

std::optional<Metric> metric_from(std::uint8_t byte) {
  for (const Metric metric :
       {Metric::cosine, Metric::dot, Metric::euclid, Metric::manhattan}) {
    if (to_byte(metric) == byte) return metric;
  }
  return std::nullopt;
}

std::uint8_t to_byte(const std::optional<Durability>& durability) {
  if (!durability) return 0;
  return *durability == Durability::fsync ? 2 : 1;
}

std::optional<Durability> durability_from(std::uint8_t byte) {
  if (byte == 0) return std::nullopt;
  return byte == 2 ? Durability::fsync : Durability::os;
}

Status damaged(const std::filesystem::path& path, std::string_view what) {
  return Status::data_loss(path.string() + ": " + std::string(what));
}

}  // namespace

Status write_manifest(const std::filesystem::path& path,
                      const Manifest& manifest) {
  std::string bytes(kMagic);
  const std::optional<HnswOptions>& hnsw = manifest.options.hnsw;
  put<std::uint32_t>(&bytes, hnsw ? kGraphVersion : kVersion);
  put<std::uint32_t>(&bytes,
                     static_cast<std::uint32_t>(manifest.options.dimension));
  put<std::uint8_t>(&bytes, to_byte(manifest.options.metric));
  put<std::uint8_t>(&bytes, to_byte(manifest.options.durability));
  put<std::uint16_t>(&bytes, static_cast<std::uint16_t>(manifest.name.size()));
  bytes += manifest.name;
  if (hnsw) {
    put<std::uint32_t>(&bytes, hnsw->m);
    put<std::uint32_t>(&bytes, hnsw->ef_construct);
    put<std::uint64_t>(&bytes, hnsw->full_scan_threshold);
  }
  put<std::uint32_t>(&bytes, crc32c(bytes));
  return write_new_file(path, bytes);
}

Result<Manifest> read_manifest(const std::filesystem::path& path) {
  Result<std::string> bytes = read_small_file(path, kMaxManifestBytes);
  if (!bytes.ok()) return bytes.status();
  if (!bytes->starts_with(kMagic)) return damaged(path, "not a manifest");
  ByteReader reader(std::string_view(*bytes).substr(kMagic.size()));
  const auto version = reader.get<std::uint32_t>();
  if (version != kVersion && version != kGraphVersion) {
    return Status::invalid_argument(
        path.string() + ": manifest of version " + std::to_string(version) +
        ", this program reads versions " + std::to_string(kVersion) + " and " +
        std::to_string(kGraphVersion));
  }
  Manifest manifest;
  manifest.options.dimension = reader.get<std::uint32_t>();
  const std::optional<Metric> metric = metric_from(reader.get<std::uint8_t>());
  manifest.options.durability = durability_from(reader.get<std::uint8_t>());
  const auto name_bytes = reader.get<std::uint16_t>();
  manifest.name = reader.get_bytes(name_bytes);
  if (version == kGraphVersion) {
    manifest.options.hnsw = {
        .m = reader.get<std::uint32_t>(),
        .ef_construct = reader.get<std::uint32_t>(),
        .full_scan_threshold = reader.get<std::uint64_t>()};
  }
  const auto crc = reader.get<std::uint32_t>();
  if (reader.overrun() || reader.left() != 0 ||
      crc != crc32c(std::string_view(*bytes).substr(0, bytes->size() - 4))) {
    return damaged(path, "checksum does not hold");
  }
  manifest.options.metric = metric.value_or(Metric::cosine);
  if (!metric || !validate_collection_name(manifest.name).ok() ||
      !validate_collection_options(manifest.options).ok()) {
    return damaged(path, "holds values that no program of this version wrote");
  }
  return manifest;
}

}  // namespace lamina::storage
