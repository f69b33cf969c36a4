// Whatever the bytes, a reader returns points or says what is wrong; under the
// sanitizers this also shows that it reads and takes no more than there is.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/io/data_files.h"
#include "lamina/limits.h"
#include "support/random_points.h"

namespace lamina::io::test {
namespace {

struct Sample {
  Format format;
  std::string bytes;
};

// One whole file of each format.
std::vector<Sample> samples() {
  const std::vector<Record> records = random_records(40, 5, 0);
  std::vector<Sample> list;
  for (const Format format : {Format::jsonl, Format::safetensors, Format::npy,
                              Format::fvecs, Format::faiss}) {
    list.push_back({format, written(format, records)});
  }
  list.push_back({Format::safetensors,
                  written(Format::safetensors, random_records(40, 5, 15))});
  const std::string head = little_endian(std::int32_t{4});
  list.push_back({Format::bvecs, head + "abcd" + head + "efgh"});
  list.push_back(
      {Format::ivecs, head + little_endian<std::int32_t>({1, 2, 3, 4})});
  return list;
}

std::string error_of_bytes(const DataFiles& files, Format format,
                           std::string_view bytes) {
  return error_of({.points = files.write("file", bytes), .format = format});
}

TEST_CASE("a file that ends early is refused wherever it ends") {
  const DataFiles files;
  for (const Sample& sample : samples()) {
    CAPTURE(to_string(sample.format));
    CHECK(error_of_bytes(files, sample.format, sample.bytes) == "");
    for (std::size_t size = 0; size < sample.bytes.size();
         size += size < 200 ? 1 : 100) {
      CAPTURE(size);
      const std::string_view start =
          std::string_view(sample.bytes).substr(0, size);
      const std::string error = error_of_bytes(files, sample.format, start);
      // Formats without a length in front may end between two rows.
      const bool whole_rows =
          (sample.format == Format::jsonl &&
           (size == 0 || start.ends_with('\n') || start.ends_with('}'))) ||
          (sample.format == Format::fvecs && size % 24 == 0) ||
          (sample.format == Format::bvecs && size % 8 == 0) ||
          (sample.format == Format::ivecs && size % 20 == 0);
      if (!whole_rows) CHECK(error != "");
    }
    if (sample.format != Format::jsonl) {
      CHECK(error_of_bytes(files, sample.format, sample.bytes + "x") != "");
    }
  }
}

TEST_CASE("random damage ends in points or in an error") {
  const DataFiles files;
  lamina::test::Random random(11);
  const char alphabet[] = "0123456789{}[]\",:\\ -e.\n\xFF";
  std::size_t refused = 0;
  std::size_t total = 0;
  for (const Sample& sample : samples()) {
    CAPTURE(to_string(sample.format));
    // Damage to the first bytes, where lengths are, is the most telling.
    const std::size_t reach = std::min<std::size_t>(sample.bytes.size(), 1100);
    for (int i = 0; i < 400; ++i, ++total) {
      std::string bytes = sample.bytes;
      for (std::uint64_t change = random.below(4) + 1; change > 0; --change) {
        const std::size_t at = random.below(i % 2 == 0 ? 64 : reach) % reach;
        bytes[at] = i % 3 == 0 ? static_cast<char>(random.next())
                               : alphabet[random.below(sizeof alphabet - 1)];
      }
      refused += error_of_bytes(files, sample.format, bytes) != "";
    }
  }
  CHECK(refused > total / 10);
  CHECK(refused < total);
}

TEST_CASE("each length of a FAISS file is held against the file") {
  const DataFiles files;
  const std::string whole = written(Format::faiss, random_records(4, 2, 0));
  // Dimension and count of both heads, the values' count and the ids' count.
  for (const std::size_t offset : {4u, 8u, 41u, 45u, 74u, 114u}) {
    CAPTURE(offset);
    for (const char value : {'\0', '\x03', '\x05', '\x7F'}) {
      CAPTURE(static_cast<int>(value));
      std::string bytes = whole;
      bytes[offset] = value;
      CHECK(error_of_bytes(files, Format::faiss, bytes) != "");
    }
    std::string bytes = whole;
    bytes[offset + 3] = '\xFF';  // Negative, or some 2^31.
    CHECK(error_of_bytes(files, Format::faiss, bytes) != "");
    if (offset == 4 || offset == 41) continue;
    bytes = whole;
    bytes.replace(offset, 8, std::string(7, '\xFF') + '\x7F');
    CHECK(error_of_bytes(files, Format::faiss, bytes) != "");
  }
  for (const char* letters : {"IxPq", "IHNf", "ixfi", "\0\0\0\0"}) {
    std::string bytes = whole;
    bytes.replace(0, 4, letters, 4);
    CHECK(error_of_bytes(files, Format::faiss, bytes)
              .starts_with("not a FAISS IndexFlat"));
  }
}

TEST_CASE("each length of a .vecs file is held against the file") {
  const DataFiles files;
  const auto error = [&](std::int32_t columns, const std::string& rest) {
    return error_of_bytes(files, Format::fvecs, little_endian(columns) + rest);
  };
  const std::string row(8, '\0');
  CHECK(error(2, row) == "");
  CHECK(error(0, row) == "vectors of 0 values, must have 1 to 65536");
  CHECK(error(-1, row) == "row 0 says -1 values");
  CHECK(error(65'537, row) == "vectors of 65537 values, must have 1 to 65536");
  CHECK(error(3, row) ==
        "12 bytes are no whole number of rows of 16 bytes; row 0 at byte 0 is "
        "cut short");
  CHECK(error(1 << 25, row) != "");  // Big-endian 2.
  CHECK(error(2, row + little_endian(std::int32_t{3}) + row) ==
        "row 1 at byte 12 says 3 values, the first row has 2");
}

TEST_CASE("a .npy file of another kind is refused") {
  const DataFiles files;
  const auto error = [&](const char* descr, const char* shape,
                         std::size_t bytes) {
    return error_of_bytes(files, Format::npy,
                          npy(descr, shape, std::string(bytes, '\0')));
  };
  CHECK(error(">f4", "(1, 2)", 8) ==
        "elements of type '>f4', expected '<f2', '<f4', '<f8', '|i1' or "
        "'|u1'");
  CHECK(error("<i8", "(1, 2)", 16) != "");
  CHECK(error("<f4", "(1, 0)", 0) ==
        "vectors of 0 values, must have 1 to 65536");
  CHECK(error("<f4", "(0, 65537)", 0) != "");
  CHECK(error("<f4", "(2, 2)", 8) != "");
  std::string fortran = npy("<f4", "(1, 2)", std::string(8, '\0'));
  fortran.replace(fortran.find("False"), 5, "True ");
  CHECK(error_of_bytes(files, Format::npy, fortran) ==
        "values in Fortran order, expected C order");
}

TEST_CASE("a safetensors header that does not fit its file is refused") {
  const DataFiles files;
  const std::string vectors =
      R"("vectors":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]})";
  const auto error = [&](const std::string& header, std::size_t bytes) {
    return error_of_bytes(
        files, Format::safetensors,
        safetensors("{" + header + "}", std::string(bytes, '\0')));
  };
  CHECK(error(vectors, 8) == "");
  CHECK(error(vectors, 7) != "");
  CHECK(error(vectors, 9) == "9 bytes of data, the tensors take 8");
  CHECK(error("", 0) == "needs a tensor vectors of shape [points, values]");
  const char* wrong[] = {
      R"("vectors":1)",
      R"("vectors":{})",
      R"("vectors":{"dtype":"F32","shape":[1,2]})",
      R"("vectors":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})",
      R"("vectors":{"dtype":"F32","shape":[1,1,2],"data_offsets":[0,8]})",
      R"("vectors":{"dtype":"F32","shape":[1,3],"data_offsets":[0,8]})",
      R"("vectors":{"dtype":"F32","shape":[1,-2],"data_offsets":[0,8]})",
      R"("vectors":{"dtype":"F32","shape":[0,0],"data_offsets":[0,8]})",
      R"("vectors":{"dtype":"F32","shape":[1,2],"data_offsets":[8,0]})",
      R"("vectors":{"dtype":"F32","shape":[1,2],"data_offsets":[0]})",
      R"("vectors":{"dtype":"F32","shape":[1,2],"data_offsets":[4,12]})",
      R"("vectors":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]})",
      R"("vectors":{"dtype":"F32","shape":[9223372036854775808,4],"data_offsets":[0,8]})",
      R"("vectors":{"dtype":"F32","shape":[1,2],"data_offsets":[0,18446744073709551615]})",
      R"("vectors":{"dtype":"BF16","shape":[1,4],"data_offsets":[0,8]})",
      R"("vectors":{"dtype":"U8","shape":[1,8],"data_offsets":[0,8]})",
      R"("vectors":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8],"x":1})",
      R"("other":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]})"};
  for (const char* header : wrong) {
    CAPTURE(header);
    CHECK(error(header, 8) != "");
  }
  CHECK(error(vectors + R"(,"__metadata__":{"metric":"hamming"})", 8) ==
        "header: __metadata__: unknown metric");
  CHECK(error(vectors + R"(,"__metadata__":{"other":"x"})", 8) == "");
  // Two tensors that share bytes, or leave some out.
  for (const int begin : {0, 4, 9}) {
    const std::string offsets =
        std::to_string(begin) + "," + std::to_string(begin + 8);
    CHECK(error(vectors +
                    R"(,"ids":{"dtype":"U64","shape":[1],"data_offsets":[)" +
                    offsets + "]}",
                17) != "");
  }
}

TEST_CASE("ids and payloads of a safetensors file must fit its vectors") {
  const DataFiles files;
  const auto error = [&](const std::string& more, const std::string& data) {
    return error_of_bytes(
        files, Format::safetensors,
        safetensors(
            R"({"vectors":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},)" +
                more + "}",
            std::string(8, '\0') + data));
  };
  const std::string id(8, '\x01');
  CHECK(error(R"("ids":{"dtype":"U64","shape":[1],"data_offsets":[8,16]})",
              id) == "");
  CHECK(error(R"("ids":{"dtype":"U64","shape":[2],"data_offsets":[8,24]})",
              id + id) == "2 ids for 1 vectors");
  CHECK(error(R"("ids":{"dtype":"F64","shape":[1],"data_offsets":[8,16]})",
              id) == "ids must be U64 or I64 of one dimension");
  CHECK(error(R"("uuids":{"dtype":"U8","shape":[1,8],"data_offsets":[8,16]})",
              id) == "uuids must be U8 of shape [points, 16]");
  const auto payloads = [&](const std::string& lines) {
    const std::string size = std::to_string(lines.size());
    return error(R"("payloads":{"dtype":"U8","shape":[)" + size +
                     R"(],"data_offsets":[8,)" +
                     std::to_string(8 + lines.size()) + "]}",
                 lines);
  };
  CHECK(payloads("{}\n") == "");
  CHECK(payloads("") == "line 1 is missing: fewer lines than vectors");
  CHECK(payloads("{}\n{}\n") == "line 2 is one more than there are vectors");
  CHECK(payloads("[]\n") == "line 1: payload must be a JSON object");
}

TEST_CASE("a wrong line is named") {
  const DataFiles files;
  const std::string good = "{\"id\":1,\"vector\":[1,2]}\n";
  const auto error = [&](const std::string& line) {
    return error_of_bytes(files, Format::jsonl, good + line + "\n" + good);
  };
  CHECK(error(R"({"id":1,"vector":[1,2],"payload":null})") == "");
  CHECK(error("") == "line 2: The document is empty at byte 0");
  CHECK(error("[]") == "line 2: expected an object, got an array");
  CHECK(error(R"({"vector":[1,2]})") == "line 2: id is missing");
  CHECK(error(R"({"id":1})") == "line 2: vector is missing");
  CHECK(error(R"({"id":1,"vector":[1]})") ==
        "line 2: vector has 1 values, expected 2 as in the first line");
  CHECK(error(R"({"id":1,"vector":[1,2],"x":3})") ==
        "line 2: unknown key \"x\", expected id, vector and payload");
  for (const char* line :
       {R"({"id":-1,"vector":[1,2]})", R"({"id":1.5,"vector":[1,2]})",
        R"({"id":18446744073709551616,"vector":[1,2]})",
        R"({"id":"x","vector":[1,2]})", R"({"id":1,"vector":[1,"2"]})",
        R"({"id":1,"vector":[1,1e39]})", R"({"id":1,"vector":[1,NaN]})",
        R"({"id":1,"vector":[1,[2]]})", R"({"id":1,"vector":{"a":[1,2]}})",
        R"({"id":1,"id":2,"vector":[1,2]})", R"({"id":1,"vector":[1,2]} 7)",
        R"({"id":1,"vector":[1,2],"payload":"x"})",
        "{\"id\":1,\"vector\":[1,2],\"payload\":{\"a\":\"\xFF\"}}"}) {
    CAPTURE(line);
    CHECK(error(line).starts_with("line 2: "));
  }
}

TEST_CASE("a thousand levels of JSON are refused, as many as are allowed not") {
  const DataFiles files;
  const auto nested = [&](std::size_t levels) {
    const std::string payload = "{\"a\":" + std::string(levels - 1, '[') +
                                std::string(levels - 1, ']') + "}";
    return error_of_bytes(
        files, Format::jsonl,
        "{\"id\":1,\"vector\":[1],\"payload\":" + payload + "}");
  };
  CHECK(nested(kMaxJsonDepth) == "");
  CHECK(nested(kMaxJsonDepth + 1) != "");
  CHECK(nested(1000) != "");
  CHECK(error_of_bytes(files, Format::safetensors,
                       safetensors(std::string(1000, '['), "")) != "");
}

TEST_CASE("a line that never ends takes no more memory than a line may") {
  const DataFiles files;
  const std::string line(40u << 20, ' ');
  CHECK(error_of_bytes(files, Format::jsonl, line) ==
        "line 1: longer than 18874368 bytes");
}

TEST_CASE("a header says that it is larger than anything") {
  const DataFiles files;
  CHECK(error_of_bytes(files, Format::safetensors,
                       std::string(8, '\xFF') + "{}") ==
        "header of 18446744073709551615 bytes, at most 2 are possible");
}

}  // namespace
}  // namespace lamina::io::test
