#include <array>

#include "fuzz/round_trip.h"
#include "fuzz/targets.h"
#include "fuzz/tensor_bytes.h"
#include "protocol/binary_points.h"
#include "protocol/binary_query.h"
#include "protocol/binary_tensors.h"

namespace lamina::fuzz {
namespace {

constexpr std::size_t kDimension = 2;
const protocol::PayloadSelector kAll{
    .enabled = true, .include = {}, .exclude = {}};

void read_points(std::string_view body) {
  check_round_trip(
      protocol::decode_upsert_tensors,
      [](const protocol::PointBatch& batch) {
        return protocol::encode_upsert_tensors(batch.points());
      },
      body);
}
void read_query_floats(std::string_view body) {
  const auto read = protocol::decode_query_floats(body, kDimension);
  check(read.ok() == (body.size() % (kDimension * sizeof(float)) == 0),
        "any whole number of vectors can be read, and nothing else");
  if (!read.ok()) return;
  check(protocol::encode_query_floats(read->views) == body,
        "floats are bytes as they are");
}
void read_query_tensors(std::string_view body) {
  check_round_trip(
      [](std::string_view text) {
        protocol::SearchParameters parameters;
        return protocol::decode_query_tensors(text, &parameters);
      },
      [](const protocol::QueryVectors& vectors) {
        return protocol::encode_query_tensors(vectors.views);
      },
      body);
}
void read_records(std::string_view body) {
  check_round_trip(
      protocol::decode_records_tensors,
      [](const std::vector<Record>& records) {
        return protocol::encode_records_tensors(records, kAll);
      },
      body);
}
void read_page(std::string_view body) {
  check_round_trip(
      protocol::decode_scroll_tensors,
      [](const ScrollPage& page) {
        return protocol::encode_scroll_tensors(page, kAll);
      },
      body);
}
void read_hits(std::string_view body) {
  check_round_trip(
      protocol::decode_hits_tensors,
      [](const std::vector<std::vector<Hit>>& lists) {
        return protocol::encode_hits_tensors(lists, kAll);
      },
      body);
}

constexpr std::array kReaders = {read_points,        read_query_floats,
                                 read_query_tensors, read_records,
                                 read_page,          read_hits};

void run(std::string_view input) {
  const std::size_t choice = take_choice(&input) % kReaders.size();
  kReaders[choice](input);
}

void change(Random* random, const ChangeBytes& change_bytes,
            std::string* input) {
  std::string_view bytes = *input;
  const std::size_t choice = take_choice(&bytes);
  std::string body(bytes);
  change_tensors(random, change_bytes, &body);
  *input = with_choice(choice, body);
}

std::vector<std::string> seeds() {
  const std::vector<float> vector = {1.5f, -2.0f};
  const Payload payload = Payload::from_json(R"({"a":"b\nc"})").value();
  const PointId uuid =
      PointId::parse_uuid("550e8400-e29b-41d4-a716-446655440000").value();
  const std::vector<Point> points = {
      {1, vector, payload}, {uuid, vector, {}}, {3, vector, {}}};
  const std::vector<Record> records = {
      {.id = 2, .vector = vector, .payload = payload},
      {.id = uuid, .vector = vector, .payload = Payload()}};
  const std::vector<std::vector<Hit>> hits = {
      {{.id = uuid, .score = 0.5f, .version = 1},
       {.id = 4, .score = 1e-40f, .version = 2}},
      {},
      {{.id = 5, .score = -1.0f, .version = 3}}};
  const std::vector<VectorView> queries = {vector, vector};
  protocol::TensorWriter with_parameters;
  with_parameters.set_metadata("limit", "5");
  with_parameters.set_metadata("filter", R"({"must":[]})");
  const std::string query_bytes = protocol::encode_query_floats(queries);
  with_parameters.add("queries", "F32", {2, 2}, query_bytes);
  return {
      with_choice(0, protocol::encode_upsert_tensors(points)),
      with_choice(0, protocol::encode_upsert_tensors({})),
      with_choice(1, query_bytes),
      with_choice(2, protocol::encode_query_tensors(queries)),
      with_choice(2, with_parameters.finish()),
      with_choice(3, protocol::encode_records_tensors(records, kAll)),
      with_choice(3, protocol::encode_records_tensors(records, {})),
      with_choice(4, protocol::encode_scroll_tensors(
                         {.points = records, .next_offset = uuid}, kAll)),
      with_choice(5, protocol::encode_hits_tensors(hits, {})),
      with_choice(5, std::string("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10)),
  };
}

}  // namespace

Target tensors_target() {
  return {.name = "tensors",
          .what =
              "Binary bodies and replies: points, queries, records and "
              "hits as tensors. What is read is written and read back as "
              "the same.",
          .run = run,
          .seeds = seeds,
          .words = {"\"dtype\":\"F32\"", "\"dtype\":\"U64\"",
                    "\"dtype\":\"U8\"", "\"dtype\":\"U32\"", "\"shape\":[",
                    "\"data_offsets\":[", "\"__metadata__\":{", "\"ids\":{",
                    "\"uuids\":{", "\"is_uuid\":{", "\"vectors\":{",
                    "\"payloads\":{", "\"queries\":{", "\"scores\":{",
                    "\"counts\":{", "\"versions\":{", "[0,0]",
                    "18446744073709551615", "4294967296"},
          .most_bytes = 1024,
          .change = change};
}

}  // namespace lamina::fuzz
