#include "io/point_reader.h"

#include <doctest/doctest.h>

#include <limits>

#include "engine/io/data_files.h"
#include "lamina/limits.h"

namespace lamina::io::test {
namespace {

std::vector<float> vector_of(const Result<std::vector<Record>>& records,
                             std::size_t row) {
  return *records.value().at(row).vector;
}

TEST_CASE("a format is told by the end of a file's name") {
  for (const char* name :
       {"jsonl", "safetensors", "npy", "fvecs", "bvecs", "ivecs", "faiss"}) {
    CHECK(to_string(parse_format(name).value()) == name);
    CHECK(to_string(format_of("/a.b/c." + std::string(name)).value()) == name);
  }
  CHECK(!parse_format("csv").ok());
  for (const char* path : {"a", "a.csv", "a.", ".npy", "npy", "a.npy/b"}) {
    CAPTURE(path);
    CHECK(!format_of(path).ok());
  }
}

TEST_CASE("every element type of .npy becomes float32") {
  const DataFiles files;
  const auto read = [&](const char* descr, const std::string& values) {
    return vector_of(
        read_all({.points = files.write("a.npy", npy(descr, "(1, 2)", values)),
                  .format = Format::npy}),
        0);
  };
  using Floats = std::vector<float>;
  CHECK(read("<f4", little_endian<float>({1.5f, -2.0f})) == Floats{1.5f, -2});
  CHECK(read("<f2", little_endian<std::uint16_t>({0x3C00, 0xC000})) ==
        Floats{1, -2});
  CHECK(read("<f8", little_endian<double>({0.1, 1e300})) ==
        Floats{0.1f, std::numeric_limits<float>::infinity()});
  CHECK(read("|i1", little_endian<std::int8_t>({-128, 127})) ==
        Floats{-128, 127});
  CHECK(read("|u1", little_endian<std::uint8_t>({0, 255})) == Floats{0, 255});
}

TEST_CASE("rows of .fvecs, .bvecs and .ivecs have a head each") {
  const DataFiles files;
  const std::string head = little_endian(std::int32_t{2});
  const auto read = [&](Format format, const std::string& first,
                        const std::string& second) {
    return read_all({.points = files.write("a", head + first + head + second),
                     .format = format});
  };
  using Floats = std::vector<float>;
  CHECK(vector_of(read(Format::fvecs, little_endian<float>({1, 2}),
                       little_endian<float>({3, -4})),
                  1) == Floats{3, -4});
  CHECK(vector_of(read(Format::bvecs, "\x01\x02", "\xFF\x03"), 1) ==
        Floats{255, 3});
  CHECK(vector_of(read(Format::ivecs, little_endian<std::int32_t>({1, 2}),
                       little_endian<std::int32_t>({-16777216, 4})),
                  1) == Floats{-16777216, 4});
  CHECK(read(Format::ivecs, little_endian<std::int32_t>({1, 2}),
             little_endian<std::int32_t>({16777217, 4}))
            .status()
            .message()
            .ends_with("row 1: value 16777217 has no float32 that equals it"));
}

TEST_CASE("rows without ids are numbered from 0") {
  const DataFiles files;
  const auto records =
      read_all({.points = files.write(
                    "a.npy", npy("|u1", "(20, 1)", std::string(20, '\x01'))),
                .format = Format::npy});
  REQUIRE(records.ok());
  for (std::size_t i = 0; i < 20; ++i) CHECK((*records)[i].id == PointId(i));
}

TEST_CASE("ids and payloads come from files beside the vectors") {
  const DataFiles files;
  SourceFiles source = {
      .points = files.write("a.npy", npy("|u1", "(2, 1)", "\x01\x02")),
      .format = Format::npy};
  const std::string uuid = "12345678-1234-1234-1234-123456789abc";
  source.ids = files.write("ids.txt", "18446744073709551615\r\n" + uuid);
  source.payload = files.write(
      "p.jsonl", "{\"payload\":{\"a\":1}}\n{\"id\":\"" + uuid + "\"}\n");
  auto records = read_all(source);
  REQUIRE(records.ok());
  CHECK((*records)[0].id == PointId(18446744073709551615u));
  CHECK((*records)[1].id.to_string() == uuid);
  CHECK((*records)[0].payload->json() == R"({"a":1})");
  CHECK((*records)[1].payload->empty());

  source.ids.reset();  // Now the ids in the payload file count.
  records = read_all(source);
  REQUIRE(records.ok());
  CHECK((*records)[0].id == PointId(0));
  CHECK((*records)[1].id.to_string() == uuid);

  source.payload.reset();
  for (const char* descr : {"<u8", "<i8", "<u4", "<i4"}) {
    CAPTURE(descr);
    const bool wide = descr[2] == '8';
    source.ids = files.write(
        "ids.npy", npy(descr, "(2,)",
                       wide ? little_endian<std::int64_t>({7, 1ll << 40})
                            : little_endian<std::int32_t>({7, 9})));
    records = read_all(source);
    REQUIRE(records.ok());
    CHECK((*records)[0].id == PointId(7));
    CHECK((*records)[1].id == PointId(wide ? 1ull << 40 : 9));
  }
}

TEST_CASE("files beside the vectors that do not fit them are refused") {
  const DataFiles files;
  const SourceFiles vectors = {
      .points = files.write("a.npy", npy("|u1", "(2, 1)", "\x01\x02")),
      .format = Format::npy};
  const auto with_ids = [&](const std::string& name, const std::string& text) {
    SourceFiles source = vectors;
    source.ids = files.write(name, text);
    return error_of(source);
  };
  const std::string text = files.path("ids.txt").string();
  CHECK(with_ids("ids.txt", "1\n") ==
        text + ": line 2 is missing: fewer lines than vectors");
  CHECK(with_ids("ids.txt", "1\n2\n3\n") ==
        text + ": line 3 is one more than there are vectors");
  CHECK(with_ids("ids.txt", "1\nx\n").starts_with(text + ": line 2: "));
  CHECK(with_ids("ids.txt", "1\n\n2\n").starts_with(text + ": line 2: "));
  CHECK(with_ids("ids.npy", npy("<u8", "(3,)", std::string(24, '\0'))) ==
        files.path("ids.npy").string() + " has 3 ids, " +
            vectors.points.string() + " has 2 vectors");
  CHECK(with_ids("ids.npy", npy("<i8", "(2,)", std::string(16, '\xFF')))
            .ends_with("id of row 0 is negative, ids are unsigned 64-bit "
                       "numbers"));
  CHECK(with_ids("ids.npy", npy("<f4", "(2,)", std::string(8, '\0'))) != "");
  CHECK(with_ids("ids.npy", npy(">u8", "(2,)", std::string(16, '\0'))) != "");
  CHECK(with_ids("ids.npy", npy("<u8", "(2, 2)", std::string(32, '\0'))) != "");

  SourceFiles source = vectors;
  source.ids = files.write("ids.txt", "1\n2\n");
  const auto with_payload = [&](const std::string& lines) {
    source.payload = files.write("p.jsonl", lines);
    return error_of(source);
  };
  CHECK(with_payload("{}\n{\"id\":3}\n") ==
        files.path("p.jsonl").string() + ": line 2: id is 3, the row's is 2");
  CHECK(with_payload("{}\n") != "");
  CHECK(with_payload("{}\n{}\n{}\n") != "");
  CHECK(with_payload("{}\n{\"vector\":[1]}\n")
            .ends_with("unknown key \"vector\", expected id and payload"));
  CHECK(with_payload("{}\n{\"payload\":[1]}\n")
            .ends_with("line 2: payload must be a JSON object"));
}

TEST_CASE("formats that have ids or payloads take no other ones") {
  const DataFiles files;
  SourceFiles source = {
      .points = files.write("a.jsonl", R"({"id":1,"vector":[1]})"),
      .format = Format::jsonl,
      .ids = files.write("ids.txt", "1\n")};
  CHECK(error_of(source).find("has ids of its own") != std::string::npos);
  source = {
      .points = files.write("a.safetensors", written(Format::safetensors,
                                                     random_records(2, 1, 0))),
      .format = Format::safetensors,
      .payload = files.write("p.jsonl", "{}\n{}\n")};
  CHECK(error_of(source).find("has payloads of its own") != std::string::npos);
}

TEST_CASE("skipping and going back come to the same points") {
  const DataFiles files;
  const std::vector<Record> records = random_records(50, 3, 20);
  for (const Format format : {Format::jsonl, Format::safetensors}) {
    const auto path = files.write("a", written(format, records));
    auto points = open_points({.points = path, .format = format}).value();
    CHECK(points->dimension() == 3);
    PointBatch batch;
    for (const std::size_t first : {0u, 1u, 29u, 31u, 49u}) {
      points->rewind();
      REQUIRE(points->skip(first).ok());
      REQUIRE(points->read(1, &batch).ok());
      REQUIRE(batch.size() == 1);
      CHECK(batch.ids[0] == records[first].id);
      CHECK(batch.values == *records[first].vector);
      CHECK(batch.payloads[0] == *records[first].payload);
    }
    CHECK(points->share_done() == doctest::Approx(1.0).epsilon(0.02));
    points->rewind();
    CHECK(points->skip(50).ok());
    REQUIRE(points->read(1, &batch).ok());
    CHECK(batch.size() == 0);
    points->rewind();
    CHECK(!points->skip(51).ok());
  }
}

TEST_CASE(
    "files without points are read, and say when they know how many "
    "values one would have") {
  const DataFiles files;
  const auto dimension = [&](Format format, const std::string& content) {
    const auto path = files.write("a", content);
    CHECK(read_all({.points = path, .format = format}).value().empty());
    return open_points({.points = path, .format = format}).value()->dimension();
  };
  CHECK(dimension(Format::jsonl, "") == 0);
  CHECK(dimension(Format::fvecs, "") == 0);
  CHECK(dimension(Format::npy, npy("<f4", "(0, 384)", "")) == 384);
  CHECK(dimension(Format::safetensors, written(Format::safetensors, {})) == 1);
}

TEST_CASE("lines may be long, and end in any usual way") {
  const DataFiles files;
  const std::string big(3u << 20, 'x');
  const auto path = files.write(
      "a.jsonl", "{\"id\":1,\"vector\":[1,2],\"payload\":{\"t\":\"" + big +
                     "\"}}\r\n {\"vector\": [3,4], \"id\": 2} ");
  const auto records = read_all({.points = path, .format = Format::jsonl});
  REQUIRE(records.ok());
  REQUIRE(records->size() == 2);
  CHECK((*records)[0].payload->json().size() == big.size() + 8);
  CHECK(vector_of(records, 1) == std::vector<float>{3, 4});
}

TEST_CASE("long payloads shorten a batch") {
  const DataFiles files;
  const std::string line =
      "{\"payload\":{\"t\":\"" + std::string(15u << 20, 'x') + "\"}}\n";
  std::string payloads;
  for (int i = 0; i < 8; ++i) payloads += line;
  auto points = open_points({.points = files.write(
                                 "a.npy", npy("|u1", "(8, 1)", "abcdefgh")),
                             .format = Format::npy,
                             .payload = files.write("p.jsonl", payloads)})
                    .value();
  PointBatch batch;
  REQUIRE(points->read(100, &batch).ok());
  CHECK(batch.size() == 5);  // 4 do not reach kMaxPointBatchBytes.
  REQUIRE(points->read(100, &batch).ok());
  CHECK(batch.size() == 3);
  CHECK(batch.values[2] == static_cast<float>('h'));
  CHECK(batch.ids[2] == PointId(7));
}

}  // namespace
}  // namespace lamina::io::test
