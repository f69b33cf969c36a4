// FAISS itself writes files that we read, and reads files that we write.
#include <doctest/doctest.h>
#include <faiss/IndexFlat.h>
#include <faiss/IndexIDMap.h>
#include <faiss/index_io.h>

#include <memory>

#include "engine/io/data_files.h"

namespace lamina::io::test {
namespace {

constexpr int kDimension = 6;
constexpr std::size_t kCount = 50;

std::vector<float> values_of(const std::vector<Record>& records) {
  std::vector<float> values;
  for (const Record& record : records) {
    values.insert(values.end(), record.vector->begin(), record.vector->end());
  }
  return values;
}

SourceFiles source(const std::filesystem::path& path) {
  return {.points = path, .format = Format::faiss};
}

TEST_CASE("flat indexes of FAISS are read, with their metric") {
  const DataFiles files;
  const std::vector<Record> records = random_records(kCount, kDimension, 0);
  const std::pair<faiss::MetricType, std::optional<Metric>> metrics[] = {
      {faiss::METRIC_INNER_PRODUCT, Metric::dot},
      {faiss::METRIC_L2, Metric::euclid},
      {faiss::METRIC_L1, Metric::manhattan},
      {faiss::METRIC_Linf, std::nullopt}};
  for (const auto& [faiss_metric, metric] : metrics) {
    CAPTURE(static_cast<int>(faiss_metric));
    faiss::IndexFlat index(kDimension, faiss_metric);
    index.add(kCount, values_of(records).data());
    faiss::write_index(&index, files.path("a").c_str());
    CHECK(open_points(source(files.path("a"))).value()->metric() == metric);
    const auto read = read_all(source(files.path("a")));
    REQUIRE(read.ok());
    REQUIRE(read->size() == kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
      CHECK((*read)[i].id == PointId(i));
      CHECK((*read)[i].vector == records[i].vector);
    }
  }
}

template <class Map>
void check_id_map() {
  const DataFiles files;
  const std::vector<Record> records = random_records(kCount, kDimension, 0);
  std::vector<faiss::Index::idx_t> ids;
  for (const Record& record : records) {
    ids.push_back(static_cast<faiss::Index::idx_t>(record.id.number()));
  }
  faiss::IndexFlatIP flat(kDimension);
  Map map(&flat);
  map.add_with_ids(kCount, values_of(records).data(), ids.data());
  faiss::write_index(&map, files.path("a").c_str());
  const auto read = read_all(source(files.path("a")));
  REQUIRE(read.ok());
  REQUIRE(read->size() == kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    CHECK((*read)[i].id == records[i].id);
    CHECK((*read)[i].vector == records[i].vector);
  }
}

TEST_CASE("flat indexes under ids of FAISS are read") {
  check_id_map<faiss::IndexIDMap>();
  check_id_map<faiss::IndexIDMap2>();
}

TEST_CASE("other indexes of FAISS are refused") {
  const DataFiles files;
  faiss::IndexFlatL2 flat(kDimension);
  faiss::IndexIDMap inner(&flat);
  faiss::IndexIDMap outer(&inner);
  faiss::write_index(&outer, files.path("a").c_str());
  CHECK(error_of(source(files.path("a"))).starts_with("not a FAISS IndexFlat"));
}

TEST_CASE("FAISS reads what we write") {
  const DataFiles files;
  const std::vector<Record> records = random_records(kCount, kDimension, 0);
  const auto path = files.write("a", written(Format::faiss, records));
  const std::unique_ptr<faiss::Index> index(faiss::read_index(path.c_str()));
  const auto* map = dynamic_cast<const faiss::IndexIDMap*>(index.get());
  REQUIRE(map != nullptr);
  CHECK(map->metric_type == faiss::METRIC_L2);
  CHECK(map->ntotal == kCount);
  const auto* flat = dynamic_cast<const faiss::IndexFlat*>(map->index);
  REQUIRE(flat != nullptr);
  const std::vector<float> values = values_of(records);
  CHECK(std::equal(values.begin(), values.end(), flat->get_xb()));
  for (std::size_t i = 0; i < kCount; ++i) {
    CHECK(map->id_map[i] ==
          static_cast<faiss::Index::idx_t>(records[i].id.number()));
  }
  // FAISS writes the same bytes.
  faiss::write_index(index.get(), files.path("b").c_str());
  const auto again = read_all(source(files.path("b")));
  CHECK(again.value() == read_all(source(path)).value());
}

}  // namespace
}  // namespace lamina::io::test
