#include "io/npy_reader.h"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace lamina {
namespace {

const std::filesystem::path kWordNet =
    std::filesystem::path(LAMINA_TEST_DATA_DIR) / "wordnet-384";

// A file of its own, gone with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    std::string name =
        (std::filesystem::temp_directory_path() / "lamina-npy-XXXXXX").string();
    const int descriptor = mkstemp(name.data());
    REQUIRE(descriptor >= 0);
    path_ = name;
    std::ofstream(path_, std::ios::binary) << content;
    close(descriptor);
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string npy(int version, const std::string& header,
                const std::string& values) {
  std::string text("\x93NUMPY", 6);
  text += static_cast<char>(version);
  text += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    text += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  }
  return text + header + values;
}

std::string header(const std::string& descr, const std::string& shape) {
  return "{'descr': '" + descr +
         "', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Result<NpyMatrix<float>> read_floats(const std::string& content) {
  const TemporaryFile file(content);
  return read_npy_float(file.path());
}

// What is said of a damaged file, without the file's name.
std::string error_of(const std::string& content) {
  const TemporaryFile file(content);
  const Status status = read_npy_float(file.path()).status();
  CHECK((status.ok() || status.code() == StatusCode::invalid_argument));
  const std::string name = file.path().string() + ": ";
  CHECK((status.ok() || status.message().starts_with(name)));
  return status.ok() ? "" : status.message().substr(name.size());
}

TEST_CASE("the vectors of the data set are read and have norm 1") {
  const auto base = read_npy_float(kWordNet / "wordnet-384-base.f16.npy");
  REQUIRE(base.ok());
  CHECK(base->rows == 10'000);
  CHECK(base->columns == 384);
  CHECK(base->values.size() == 3'840'000);
  double worst = 0.0;
  for (std::size_t row = 0; row < base->rows; ++row) {
    double sum = 0.0;
    for (std::size_t i = 0; i < base->columns; ++i) {
      sum += double{base->row(row)[i]} * base->row(row)[i];
    }
    worst = std::max(worst, std::abs(std::sqrt(sum) - 1.0));
  }
  CHECK(worst < 0.001);  // Half precision rounds to 2^-11.
}

TEST_CASE("the truth of the data set is the cosine of its vectors") {
  const auto base = read_npy_float(kWordNet / "wordnet-384-base.f16.npy");
  const auto queries = read_npy_float(kWordNet / "wordnet-384-queries.f16.npy");
  const auto ids = read_npy_int32(kWordNet / "wordnet-384-truth-ids.i32.npy");
  const auto scores =
      read_npy_double(kWordNet / "wordnet-384-truth-scores.f64.npy");
  REQUIRE(base.ok());
  REQUIRE(queries.ok());
  REQUIRE(ids.ok());
  REQUIRE(scores.ok());
  CHECK(ids->rows == 1000);
  CHECK(ids->columns == 100);
  CHECK(scores->values.size() == ids->values.size());
  for (const std::size_t query : {0u, 1u, 999u}) {
    const float* q = queries->row(query);
    const float* x = base->row(static_cast<std::size_t>(ids->row(query)[0]));
    double dot = 0.0;
    double q_norm = 0.0;
    double x_norm = 0.0;
    for (std::size_t i = 0; i < base->columns; ++i) {
      dot += double{q[i]} * x[i];
      q_norm += double{q[i]} * q[i];
      x_norm += double{x[i]} * x[i];
    }
    CHECK(dot / std::sqrt(q_norm * x_norm) ==
          doctest::Approx(scores->row(query)[0]).epsilon(1e-12));
  }
}

TEST_CASE("every half is widened exactly") {
  std::vector<std::uint16_t> halves(65'536);
  for (std::size_t i = 0; i < halves.size(); ++i) {
    halves[i] = static_cast<std::uint16_t>(i);
  }
  const auto read =
      read_floats(npy(1, header("<f2", "(65536,)"), bytes_of(halves)));
  REQUIRE(read.ok());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const int exponent = static_cast<int>(i >> 10 & 0x1F);
    const int mantissa = static_cast<int>(i & 0x3FF);
    const float value = read->values[i];
    const bool negative = (i & 0x8000) != 0;
    wrong += std::signbit(value) != negative;
    if (exponent == 31) {
      wrong += mantissa == 0 ? !std::isinf(value) : !std::isnan(value);
      continue;
    }
    const float magnitude =
        exponent == 0
            ? std::ldexp(static_cast<float>(mantissa), -24)
            : std::ldexp(static_cast<float>(1024 + mantissa), exponent - 25);
    wrong += std::abs(value) != magnitude;
  }
  CHECK(wrong == 0);
}

TEST_CASE("all three format versions and both shapes are read") {
  const std::string values = bytes_of<float>({1.5f, -2.0f, 3.0f, 0.0f});
  for (const int version : {1, 2, 3}) {
    CAPTURE(version);
    const auto matrix =
        read_floats(npy(version, header("<f4", "(2, 2)"), values));
    REQUIRE(matrix.ok());
    CHECK(matrix->rows == 2);
    CHECK(matrix->columns == 2);
    CHECK(matrix->row(1)[0] == 3.0f);
  }
  const auto column = read_floats(npy(1, header("<f4", "(4,)"), values));
  REQUIRE(column.ok());
  CHECK(column->rows == 4);
  CHECK(column->columns == 1);
}

TEST_CASE("empty matrices are read") {
  CHECK(read_floats(npy(1, header("<f4", "(0, 384)"), ""))->rows == 0);
  CHECK(read_floats(npy(1, header("<f4", "(7, 0)"), ""))->columns == 0);
}

TEST_CASE("a header may spell its dictionary otherwise") {
  const std::string values = bytes_of<float>({1.0f});
  for (const char* text :
       {"{\"shape\":(1,1),\"fortran_order\":False,\"descr\":\"<f4\"}",
        "{ 'shape' : ( 1 , 1 ) , 'descr' : '<f4' , 'fortran_order' : False }  ",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }"}) {
    CAPTURE(text);
    CHECK(error_of(npy(1, text, values)) == "");
  }
}

TEST_CASE("what cannot be opened is told from what is not there") {
  CHECK(read_npy_float(kWordNet / "nothing.npy").status().code() ==
        StatusCode::not_found);
  CHECK(read_npy_float(kWordNet).status().code() == StatusCode::io_error);
}

TEST_CASE("another element type is named, with the one expected") {
  const std::string ints = npy(1, header("<i4", "(1,)"), "abcd");
  CHECK(error_of(ints) == "elements of type '<i4', expected '<f2' or '<f4'");
  CHECK(error_of(npy(1, header(">f4", "(1,)"), "abcd")) != "");
  const TemporaryFile file(ints);
  CHECK(read_npy_int32(file.path()).ok());
  CHECK(read_npy_double(file.path()).status().code() ==
        StatusCode::invalid_argument);
}

TEST_CASE("damaged headers are refused") {
  CHECK(error_of("") == "not a .npy file");
  CHECK(error_of("\x93NUMPX\x01") == "not a .npy file");
  CHECK(error_of(std::string("\x93NUMPY\x04\0\x10\0", 10)) ==
        "format version 4, expected 1 to 3");
  CHECK(error_of(std::string("\x93NUMPY\x01\0", 8)) ==
        "ends within the header");
  CHECK(error_of(std::string("\x93NUMPY\x01\0\x80\0{'descr'", 18)) ==
        "ends within the header");
  for (const char* text :
       {"", "{", "}", "{}", "{'descr': '<f4'}", "{'descr': '<f4",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1.5,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': "
        "(18446744073709551616,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} {",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, "
        "'shape': (1,)}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1}"}) {
    CAPTURE(text);
    CHECK(error_of(npy(1, text, "abcd")).starts_with("header cannot be read"));
  }
}

TEST_CASE("a length in the header takes no memory before it is checked") {
  CHECK(error_of(std::string("\x93NUMPY\x02\0\xFF\xFF\xFF\xFF", 12)) ==
        "header of 4294967295 bytes, at most 65536 are allowed");
  for (const char* shape :
       {"(18446744073709551615, 18446744073709551615)",
        "(4294967296, 4294967296)", "(18446744073709551615,)",
        "(1, 4611686018427387904)"}) {
    CAPTURE(shape);
    CHECK(error_of(npy(1, header("<f4", shape), "abcd")) ==
          "shape is too large");
  }
  CHECK(error_of(npy(1, header("<f4", "(1000000000, 100)"), "abcd")) ==
        "shape (1000000000, 100) needs 400000000000 bytes of values, the file "
        "has 4");
}

TEST_CASE("the size must be that of the shape, no less and no more") {
  const std::string values = bytes_of<float>({1.0f, 2.0f});
  CHECK(error_of(npy(1, header("<f4", "(3,)"), values)) ==
        "shape (3, 1) needs 12 bytes of values, the file has 8");
  CHECK(error_of(npy(1, header("<f4", "(1,)"), values)) != "");
  CHECK(error_of(npy(1, header("<f4", "(2,)"), values + "x")) != "");
}

TEST_CASE("orders and dimensions that are not supported are refused") {
  CHECK(
      error_of(npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (1,)}",
                   "abcd")) == "values in Fortran order, expected C order");
  CHECK(error_of(npy(1, header("<f4", "(1, 1, 1)"), "abcd")) ==
        "3 dimensions, expected one or two");
  CHECK(error_of(npy(1, header("<f4", "()"), "abcd")) ==
        "0 dimensions, expected one or two");
}

}  // namespace
}  // namespace lamina
