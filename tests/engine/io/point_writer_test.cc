#include "io/point_writer.h"

#include <doctest/doctest.h>

#include "engine/io/data_files.h"

namespace lamina::io::test {
namespace {

SourceFiles source(const std::filesystem::path& path, Format format) {
  return {.points = path, .format = format};
}

TEST_CASE("jsonl and safetensors give back all of every point") {
  const DataFiles files;
  for (const Format format : {Format::jsonl, Format::safetensors}) {
    CAPTURE(to_string(format));
    for (const std::size_t uuid_count : {0u, 30u, 100u}) {
      const std::vector<Record> records = random_records(100, 7, uuid_count);
      const std::string bytes = written(format, records);
      const auto path = files.write("file", bytes);
      const auto read = read_all(source(path, format));
      REQUIRE(read.ok());
      CHECK(*read == records);
      CHECK(written(format, *read) == bytes);
    }
  }
}

TEST_CASE("formats of vectors give back the vectors, bit for bit") {
  const DataFiles files;
  const std::vector<Record> records = random_records(100, 7, 0);
  for (const Format format : {Format::npy, Format::fvecs, Format::faiss}) {
    CAPTURE(to_string(format));
    const auto path = files.write("file", written(format, records));
    const auto read = read_all(source(path, format));
    REQUIRE(read.ok());
    REQUIRE(read->size() == records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      CHECK((*read)[i].vector == records[i].vector);
      const bool has_ids = format == Format::faiss;
      CHECK((*read)[i].id == (has_ids ? records[i].id : PointId(i)));
    }
  }
}

TEST_CASE("the metric is kept where the format has a place for it") {
  const DataFiles files;
  for (const Format format : {Format::safetensors, Format::faiss}) {
    for (const Metric metric :
         {Metric::cosine, Metric::dot, Metric::euclid, Metric::manhattan}) {
      MemorySink sink;
      const Contents contents = {.dimension = 3, .metric = metric};
      auto writer = make_point_writer(format, contents, &sink).value();
      REQUIRE(writer->finish().ok());
      const auto path = files.write("file", sink.bytes());
      const auto points = open_points(source(path, format)).value();
      // FAISS has no cosine: it is the inner product of unit vectors.
      const bool is_lost = format == Format::faiss && metric == Metric::cosine;
      CHECK(points->metric() == (is_lost ? Metric::dot : metric));
      CHECK(points->dimension() == 3);
      CHECK(points->row_count() == 0);
    }
  }
}

TEST_CASE(
    "ids that a format cannot hold are refused before anything is "
    "written") {
  MemorySink sink;
  const Contents uuids = {.dimension = 3, .point_count = 5, .uuid_count = 2};
  for (const auto& writer : {make_point_writer(Format::faiss, uuids, &sink),
                             make_npy_id_writer(uuids, &sink)}) {
    CHECK(writer.status().code() == StatusCode::invalid_argument);
    CHECK(writer.status().message().starts_with("2 ids are UUIDs"));
  }
  for (const Format format : {Format::bvecs, Format::ivecs}) {
    CHECK(!make_point_writer(format, uuids, &sink).ok());
  }
  auto writer = make_point_writer(Format::faiss,
                                  {.dimension = 1, .point_count = 1}, &sink)
                    .value();
  const Record record{PointId(1ull << 63), std::vector<float>{1}, Payload()};
  CHECK(!writer->add({&record, 1}).ok());
  CHECK(sink.bytes().empty());
}

TEST_CASE("ids and payloads beside the vectors are read back") {
  const DataFiles files;
  const std::vector<Record> records = random_records(60, 2, 0);
  const Contents contents = {.dimension = 2, .point_count = 60};
  MemorySink npy_ids;
  MemorySink text_ids;
  MemorySink payloads;
  std::unique_ptr<PointWriter> writers[] = {
      make_npy_id_writer(contents, &npy_ids).value(),
      make_text_id_writer(&text_ids), make_payload_writer(&payloads)};
  for (const auto& writer : writers) {
    REQUIRE(writer->add(records).ok());
    REQUIRE(writer->finish().ok());
  }
  SourceFiles all =
      source(files.write("v", written(Format::fvecs, records)), Format::fvecs);
  all.payload = files.write("p.jsonl", payloads.bytes());
  all.ids = files.write("ids.npy", npy_ids.bytes());
  CHECK(read_all(all).value() == records);
  all.ids = files.write("ids.txt", text_ids.bytes());
  CHECK(read_all(all).value() == records);
  all.ids.reset();
  CHECK(read_all(all).value() == records);
}

TEST_CASE("a file that is empty but for its head is whole") {
  const DataFiles files;
  for (const Format format : {Format::jsonl, Format::safetensors, Format::npy,
                              Format::fvecs, Format::faiss}) {
    CAPTURE(to_string(format));
    const auto path = files.write("file", written(format, {}));
    CHECK(read_all(source(path, format)).value().empty());
  }
}

}  // namespace
}  // namespace lamina::io::test
