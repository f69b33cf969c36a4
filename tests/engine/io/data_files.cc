#include "engine/io/data_files.h"

#include <doctest/doctest.h>

#include <fstream>

#include "support/random_points.h"

namespace lamina::io::test {
namespace {

Contents contents_of(const std::vector<Record>& records) {
  Contents contents;
  contents.dimension = records.empty() ? 1 : records[0].vector->size();
  contents.metric = Metric::euclid;
  contents.point_count = records.size();
  for (const Record& record : records) {
    contents.uuid_count += record.id.is_uuid();
  }
  return contents;
}

}  // namespace

std::filesystem::path DataFiles::write(const std::string& name,
                                       std::string_view content) const {
  std::ofstream file(path(name), std::ios::binary);
  file << content;
  REQUIRE(file.flush().good());
  return path(name);
}

Status MemorySink::write_at(std::uint64_t offset, std::string_view bytes) {
  if (bytes_.size() < offset + bytes.size()) {
    bytes_.resize(offset + bytes.size(), '?');
  }
  bytes_.replace(offset, bytes.size(), bytes);
  return {};
}

std::string npy(std::string_view descr, std::string_view shape,
                std::string_view values) {
  const std::string header =
      "{'descr': '" + std::string(descr) +
      "', 'fortran_order': False, 'shape': " + std::string(shape) + ", }\n";
  return std::string("\x93NUMPY\x01\0", 8) +
         little_endian(static_cast<std::uint16_t>(header.size())) + header +
         std::string(values);
}

std::string safetensors(std::string_view header, std::string_view data) {
  return little_endian(std::uint64_t{header.size()}) + std::string(header) +
         std::string(data);
}

std::vector<Record> random_records(std::size_t count, std::size_t dimension,
                                   std::size_t uuid_count) {
  const char* payloads[] = {
      "{}", R"({"a":1})", R"({"text":"line\nbreak \"quoted\" \u00e9 é"})",
      R"({"big":18446744073709551615,"deep":[[[{"x":null}]]]})"};
  lamina::test::Random random(7);
  std::vector<Record> records(count);
  for (std::size_t i = 0; i < count; ++i) {
    Record& record = records[i];
    PointId::UuidBytes uuid{};
    uuid[14] = static_cast<std::uint8_t>(i >> 8);
    uuid[15] = static_cast<std::uint8_t>(i);
    const bool is_uuid = i >= count - uuid_count;
    record.id = is_uuid ? PointId::from_uuid(uuid) : PointId(3 * i + 1);
    record.vector = random.vector(dimension);
    record.payload = Payload::from_json(payloads[i % 4]).value();
  }
  return records;
}

std::string written(Format format, const std::vector<Record>& records) {
  MemorySink sink;
  auto writer = make_point_writer(format, contents_of(records), &sink).value();
  const std::size_t half = records.size() / 2;
  REQUIRE(writer->add(std::span(records).first(half)).ok());
  REQUIRE(writer->add(std::span(records).subspan(half)).ok());
  REQUIRE(writer->finish().ok());
  return sink.bytes();
}

Result<std::vector<Record>> read_all(const SourceFiles& files,
                                     std::size_t most) {
  const Result<std::unique_ptr<PointReader>> points = open_points(files);
  if (!points.ok()) return points.status();
  std::vector<Record> records;
  PointBatch batch;
  while (true) {
    const Status read = (*points)->read(most, &batch);
    if (!read.ok()) return read;
    if (batch.size() == 0) return records;
    REQUIRE(batch.payloads.size() == batch.size());
    REQUIRE(batch.values.size() == batch.size() * batch.dimension);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const VectorView vector = batch.vector(i);
      records.push_back({batch.ids[i],
                         std::vector<float>(vector.begin(), vector.end()),
                         batch.payloads[i]});
    }
  }
}

std::string error_of(const SourceFiles& files) {
  const Status status = read_all(files).status();
  if (status.ok()) return "";
  CHECK(status.code() == StatusCode::invalid_argument);
  const std::string name = files.points.string() + ": ";
  if (!status.message().starts_with(name)) return status.message();
  return status.message().substr(name.size());
}

}  // namespace lamina::io::test
