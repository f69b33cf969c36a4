#include "protocol/collection_json.h"

#include <doctest/doctest.h>

#include "types/json_reader.h"

namespace lamina::protocol {
namespace {

std::string create_error(std::string_view body) {
  return decode_create_collection(body).status().to_string();
}

TEST_CASE("collection options survive the wire") {
  for (const Metric metric :
       {Metric::cosine, Metric::dot, Metric::euclid, Metric::manhattan}) {
    for (const std::optional<Durability> durability :
         {std::optional<Durability>(), std::optional(Durability::os),
          std::optional(Durability::fsync)}) {
      const CollectionOptions options = {
          .dimension = 384, .metric = metric, .durability = durability};
      const auto decoded =
          decode_create_collection(encode_create_collection(options));
      REQUIRE(decoded.ok());
      CHECK(decoded->dimension == 384);
      CHECK(decoded->metric == metric);
      CHECK(decoded->durability == durability);
    }
  }
}

TEST_CASE("fields of the contract that are known here pass") {
  const auto options = decode_create_collection(
      R"({"vectors": {"size": 384, "distance": "Cosine", "on_disk": false,)"
      R"( "hnsw_config": {"m":16,"ef_construct":100}, "datatype":"float32"},)"
      R"( "hnsw_config": {"m":16,"ef_construct":100,)"
      R"("full_scan_threshold":10000},)"
      R"( "optimizers_config": {"indexing_threshold":20000},)"
      R"( "wal_config": {"wal_capacity_mb": 1}, "shard_number": 1,)"
      R"( "replication_factor": 1, "write_consistency_factor": 1,)"
      R"( "on_disk_payload": true, "metadata": {"any":"json"},)"
      R"( "quantization_config": null, "sparse_vectors": {},)"
      R"( "sharding_method": "auto"})");
  REQUIRE(options.ok());
  CHECK(options->dimension == 384);
}

TEST_CASE("a size out of range is an error of the dimension") {
  for (const char* size : {"0", "65537", "4294967296", "4611686018427387904"}) {
    CAPTURE(size);
    const Status status =
        decode_create_collection(R"({"vectors":{"distance":"Dot","size":)" +
                                 std::string(size) + "}}")
            .status();
    CHECK(status == Status::invalid_field(
                        "dimension", "value " + std::string(size) +
                                         " invalid, must be from 1 to 65536"));
  }
  for (const char* size :
       {"-1", "1.5", "1e2", "\"4\"", "[4]", "18446744073709551616"}) {
    CAPTURE(size);
    const Status status =
        decode_create_collection(R"({"vectors":{"distance":"Dot","size":)" +
                                 std::string(size) + "}}")
            .status();
    CHECK(status.code() == StatusCode::invalid_argument);
    CHECK(status.field() == "");
    CHECK(status.message().starts_with("vectors.size: expected an unsigned"));
  }
}

TEST_CASE("what would mean another collection is refused by name") {
  CHECK(create_error("{}") == "invalid_argument: missing field `vectors`");
  CHECK(create_error(R"({"vectors":{}})") ==
        "invalid_argument: vectors: missing field `size`");
  CHECK(create_error(R"({"vectors":{"size":4}})") ==
        "invalid_argument: vectors: missing field `distance`");
  CHECK(create_error(R"({"vectors":{"size":4,"distance":"cosine"}})")
            .find("expected one of Cosine, Dot, Euclid") != std::string::npos);
  CHECK(create_error(R"({"vectors":{"text":{"size":4,"distance":"Dot"}}})")
            .find("named vectors") != std::string::npos);
  CHECK(create_error(
            R"({"vectors":{"size":4,"distance":"Dot","datatype":"float16"}})")
            .find("vectors.datatype") != std::string::npos);
  CHECK(create_error(R"({"vectors":{"size":4,"distance":"Dot",)"
                     R"("multivector_config":{"comparator":"max_sim"}}})")
            .find("multivector_config") != std::string::npos);
  CHECK(create_error(R"({"vectors":{"size":4,"distance":"Dot"},)"
                     R"("sparse_vectors":{"s":{}}})")
            .find("sparse vectors") != std::string::npos);
  CHECK(create_error(R"({"vectors":{"size":4,"distance":"Dot"},)"
                     R"("sharding_method":"custom"})")
            .find("sharding_method") != std::string::npos);
  CHECK(create_error(R"({"vectors":{"size":4,"distance":"Dot"},"sise":1})") ==
        "invalid_argument: unknown field `sise`");
  CHECK(create_error(R"({"vectors":{"size":4,"distance":"Dot","dim":4}})") ==
        "invalid_argument: vectors: unknown field `dim`");
  CHECK(create_error(R"({"vectors":{"size":4,"distance":"Dot"},)"
                     R"("durability":"none"})")
            .find("durability: expected") != std::string::npos);
  CHECK(create_error("[]") ==
        "invalid_argument: expected an object, got an array");
}

TEST_CASE("settings without effect keep their bounds") {
  const auto field_of = [](const std::string& extra) {
    return decode_create_collection(
               R"({"vectors":{"size":4,"distance":"Dot"},)" + extra + "}")
        .status()
        .field();
  };
  CHECK(field_of(R"("hnsw_config":{"ef_construct":3})") ==
        "hnsw_config.ef_construct");
  CHECK(field_of(R"("hnsw_config":{"full_scan_threshold":9})") ==
        "hnsw_config.full_scan_threshold");
  CHECK(field_of(R"("wal_config":{"wal_capacity_mb":0})") ==
        "wal_config.wal_capacity_mb");
  CHECK(field_of(R"("shard_number":0)") == "shard_number");
  CHECK(field_of(R"("replication_factor":0)") == "replication_factor");
  CHECK(field_of(R"("write_consistency_factor":0)") ==
        "write_consistency_factor");
  CHECK(create_error(R"({"vectors":{"size":4,"distance":"Dot"},)"
                     R"("shard_number":-1})")
            .find("shard_number: expected an unsigned") != std::string::npos);
}

std::optional<HnswOptions> graph_of(const std::string& extra,
                                    const std::string& of_vector = "") {
  const auto options =
      decode_create_collection(R"({"vectors":{"size":256,"distance":"Dot")" +
                               of_vector + "}" + extra + "}");
  REQUIRE(options.ok());
  return options->hnsw;
}

TEST_CASE("a graph is made when m is given and above 0, and else not") {
  CHECK(!graph_of(""));
  CHECK(!graph_of(R"(,"hnsw_config":null)"));
  CHECK(!graph_of(R"(,"hnsw_config":{"ef_construct":50})"));
  CHECK(!graph_of(R"(,"hnsw_config":{"m":0,"ef_construct":5000})"));
  CHECK(graph_of(R"(,"hnsw_config":{"m":16})") == HnswOptions{});
  // 256 values are one kilobyte.
  CHECK(graph_of(R"(,"hnsw_config":{"m":8,"ef_construct":50,)"
                 R"("full_scan_threshold":700})") ==
        HnswOptions{.m = 8, .ef_construct = 50, .full_scan_threshold = 700});
  CHECK(graph_of(R"(,"hnsw_config":{"m":8,"full_scan_threshold":700,)"
                 R"("full_scan_points":3})")
            ->full_scan_threshold == 3);
  // A vector's own settings come before the collection's, one by one.
  const std::string own = R"(,"hnsw_config":{"m":20})";
  CHECK(graph_of("", own)->m == 20);
  CHECK(graph_of(R"(,"hnsw_config":{"m":8,"ef_construct":50})", own) ==
        HnswOptions{.m = 20, .ef_construct = 50});
  CHECK(!graph_of(own, R"(,"hnsw_config":{"m":0})"));
}

TEST_CASE("a graph out of bounds is an error of its field") {
  const auto field_of = [](const std::string& hnsw, const std::string& metric) {
    return decode_create_collection(R"({"vectors":{"size":4,"distance":")" +
                                    metric + R"("},"hnsw_config":)" + hnsw +
                                    "}")
        .status()
        .field();
  };
  CHECK(field_of(R"({"m":3})", "Dot") == "hnsw_config.m");
  CHECK(field_of(R"({"m":129})", "Dot") == "hnsw_config.m");
  CHECK(field_of(R"({"m":4294967312})", "Dot") == "hnsw_config.m");
  CHECK(field_of(R"({"m":4,"ef_construct":4097})", "Dot") ==
        "hnsw_config.ef_construct");
  CHECK(field_of(R"({"m":4})", "Manhattan") == "hnsw_config");
  CHECK(field_of(R"({"m":4,"full_scan_threshold":18446744073709551615})",
                 "Dot") == "");
  CHECK(create_error(R"({"vectors":{"size":4,"distance":"Dot"},)"
                     R"("hnsw_config":{"m":"16"}})")
            .find("hnsw_config.m: expected an unsigned") != std::string::npos);
}

TEST_CASE("options of a graph survive the wire exactly, there and back") {
  for (const std::uint64_t threshold : {0ull, 1ull, 20'001ull, ~0ull}) {
    CAPTURE(threshold);
    const HnswOptions hnsw{
        .m = 5, .ef_construct = 77, .full_scan_threshold = threshold};
    const auto options = decode_create_collection(
        encode_create_collection({.dimension = 3, .hnsw = hnsw}));
    REQUIRE(options.ok());
    CHECK(options->hnsw == hnsw);
    const CollectionInfo info = {.name = "g",
                                 .dimension = 3,
                                 .metric = Metric::cosine,
                                 .point_count = 10,
                                 .hnsw = hnsw,
                                 .linked_count = 7};
    const auto decoded = decode_collection_info_reply(
        info.name, encode_collection_info_reply(info, {}, 0.1));
    REQUIRE(decoded.ok());
    CHECK(*decoded == info);
  }
}

TEST_CASE("a graph of vectors without values, as a wrong reply may tell of") {
  std::string reply = encode_collection_info_reply(
      {.name = "g", .dimension = 3, .hnsw = HnswOptions{}}, {}, 0.1);
  const std::string size = R"("size":3)";
  reply.replace(reply.find(size), size.size(), R"("size":0)");
  CHECK(decode_collection_info_reply("g", reply).status().field() ==
        "dimension");
}

TEST_CASE("collection info survives the wire") {
  for (const Metric metric :
       {Metric::cosine, Metric::dot, Metric::euclid, Metric::manhattan}) {
    const CollectionInfo info = {.name = "words é",
                                 .dimension = 65'536,
                                 .metric = metric,
                                 .point_count = 9007199254740993u};
    const auto decoded = decode_collection_info_reply(
        info.name, encode_collection_info_reply(info, {}, 0.1));
    REQUIRE(decoded.ok());
    CHECK(*decoded == info);
  }
}

TEST_CASE("collection info has every key that strict clients require") {
  const std::string reply =
      encode_collection_info_reply({.name = "x",
                                    .dimension = 384,
                                    .metric = Metric::cosine,
                                    .point_count = 10},
                                   {}, 0.25);
  CHECK(reply ==
        R"({"result":{"status":"green","optimizer_status":"ok",)"
        R"("indexed_vectors_count":10,"points_count":10,"segments_count":1,)"
        R"("config":{"params":{"vectors":{"size":384,"distance":"Cosine"},)"
        R"("shard_number":1,"replication_factor":1,)"
        R"("write_consistency_factor":1,"on_disk_payload":false},)"
        R"("hnsw_config":{"m":0,"ef_construct":100,)"
        R"("full_scan_threshold":30000,"max_indexing_threads":0,)"
        R"("on_disk":false},"optimizer_config":{"deleted_threshold":0.2,)"
        R"("vacuum_min_vector_number":1000,"default_segment_number":0,)"
        R"("max_segment_size":null,"memmap_threshold":null,)"
        R"("indexing_threshold":10000,"flush_interval_sec":5,)"
        R"("max_optimization_threads":null},)"
        R"("wal_config":{"wal_capacity_mb":32,"wal_segments_ahead":0,)"
        R"("wal_retain_closed":1},"quantization_config":null},)"
        R"("payload_schema":{},"update_queue":{"length":0}},)"
        R"("status":"ok","time":0.25})");
  CHECK(JsonDocument::parse(reply).ok());
}

TEST_CASE("names of collections survive the wire") {
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{}, {"a", "b \"quoted\"", "é😀"}}) {
    const auto decoded =
        decode_collection_list_reply(encode_collection_list_reply(names, 0.0));
    REQUIRE(decoded.ok());
    CHECK(*decoded == names);
  }
}

TEST_CASE("booleans have the envelope") {
  CHECK(encode_bool_reply(true, 0.000123) ==
        R"({"result":true,"status":"ok","time":0.000123})");
  CHECK(encode_exists_reply(false, 0.0) ==
        R"({"result":{"exists":false},"status":"ok","time":0.0})");
  CHECK(*decode_bool_reply(encode_bool_reply(true, 0.0)));
  CHECK_FALSE(*decode_bool_reply(encode_bool_reply(false, 0.0)));
}

TEST_CASE("a reply that follows no known protocol is an error") {
  for (const char* body : {"", "{}", "[]", "null", R"({"result":null})",
                           R"({"result":1})", R"({"result":{"config":{}}})",
                           R"({"result":{"collections":[{"nome":"x"}]}})",
                           "[0.0000000001e-2147483639]"}) {
    CAPTURE(body);
    CHECK_FALSE(decode_bool_reply(body).ok());
    CHECK_FALSE(decode_collection_list_reply(body).ok());
    CHECK_FALSE(decode_collection_info_reply("x", body).ok());
  }
}

}  // namespace
}  // namespace lamina::protocol
