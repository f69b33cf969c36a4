#include "storage/snapshot.h"

#include <utility>

#include "storage/bytes.h"
#include "storage/crc32c.h"
#include "storage/log_format.h"

namespace lamina::storage {
namespace {

constexpr std::string_view kSnapshotMagic = "LAMINASN";
constexpr std::uint32_t kSnapshotVersion = 1;

std::string encode_header(const SnapshotHeader& header) {
  std::string bytes(kSnapshotMagic);
  put<std::uint32_t>(&bytes, kSnapshotVersion);
  put(&bytes, static_cast<std::uint32_t>(header.dimension));
  put(&bytes, header.begin_sequence);
  put(&bytes, header.end_sequence);
  put(&bytes, header.record_count);
  bytes.resize(kSnapshotHeaderBytes - 4);
  put<std::uint32_t>(&bytes, crc32c(bytes));
  return bytes;
}

Result<SnapshotHeader> decode_header(std::string_view bytes) {
  if (bytes.size() < kSnapshotHeaderBytes ||
      !bytes.starts_with(kSnapshotMagic)) {
    return Status::data_loss("not a snapshot");
  }
  ByteReader reader(bytes.substr(kSnapshotMagic.size()));
  const auto version = reader.get<std::uint32_t>();
  if (version != kSnapshotVersion) {
    return Status::invalid_argument(
        "snapshot of version " + std::to_string(version) +
        ", this program reads version " + std::to_string(kSnapshotVersion));
  }
  SnapshotHeader header;
  header.dimension = reader.get<std::uint32_t>();
  header.begin_sequence = reader.get<std::uint64_t>();
  header.end_sequence = reader.get<std::uint64_t>();
  header.record_count = reader.get<std::uint64_t>();
  ByteReader crc(bytes.substr(kSnapshotHeaderBytes - 4));
  if (crc.get<std::uint32_t>() !=
      crc32c(bytes.substr(0, kSnapshotHeaderBytes - 4))) {
    return Status::data_loss("snapshot header's checksum does not hold");
  }
  return header;
}

}  // namespace

Result<std::unique_ptr<SnapshotWriter>> SnapshotWriter::create(
    const std::filesystem::path& path) {
  Status gone = remove_file(path);
  if (!gone.ok()) return gone;
  Result<std::unique_ptr<File>> file = open_file(path, /*create=*/true);
  if (!file.ok()) return file.status();
  return std::unique_ptr<SnapshotWriter>(new SnapshotWriter(*std::move(file)));
}

Status SnapshotWriter::add(std::string record) {
  seal_record(&record, record_count_ + 1, record_count_);
  Status written = file_->write_at(end_, record);
  if (!written.ok()) return written;
  end_ += record.size();
  ++record_count_;
  return {};
}

Status SnapshotWriter::finish(SnapshotHeader header) {
  header.record_count = record_count_;
  Status status = file_->write_at(0, encode_header(header));
  if (status.ok()) status = file_->sync();
  return status;
}

Result<SnapshotHeader> read_snapshot(const File& file, std::size_t dimension,
                                     Metric metric, const ApplyRecord& apply) {
  Result<std::string> bytes = file.read_at(0, kSnapshotHeaderBytes);
  if (!bytes.ok()) return bytes.status();
  Result<SnapshotHeader> header = decode_header(*bytes);
  if (!header.ok()) {
    return Status(header.status().code(),
                  file.path().string() + ": " + header.status().message());
  }
  if (header->dimension != dimension) {
    return Status::data_loss(file.path().string() +
                             ": is of another collection");
  }
  const Status read =
      read_records(file, kSnapshotHeaderBytes, header->record_count, dimension,
                   metric, apply);
  if (!read.ok()) return read;
  return header;
}

}  // namespace lamina::storage
