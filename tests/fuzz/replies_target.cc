#include <array>

#include "fuzz/round_trip.h"
#include "fuzz/targets.h"
#include "protocol/collection_json.h"
#include "protocol/http_error.h"
#include "protocol/payload_json.h"
#include "protocol/points_json.h"
#include "protocol/query_json.h"
#include "types/validate.h"

namespace lamina::fuzz {
namespace {

const protocol::PayloadSelector kAll{
    .enabled = true, .include = {}, .exclude = {}};

// Base64 may stand for any float, JSON for finite ones.
template <class T>
void leave_out_what_is_not_finite(std::vector<T>* parts) {
  for (T& part : *parts) {
    if (part.vector && !validate_finite(*part.vector, "vector").ok()) {
      part.vector.reset();
    }
  }
}

void read_hits(std::string_view body) {
  check_round_trip(
      protocol::decode_hits_reply,
      [](std::vector<Hit> hits) {
        leave_out_what_is_not_finite(&hits);
        return protocol::encode_hits_reply(hits, kAll, 0.0);
      },
      body);
}
void read_hit_lists(std::string_view body) {
  const auto lists = protocol::decode_hits_batch_reply(body);
  if (!lists.ok()) check(!lists.status().message().empty(), "it says why");
}
void read_records(std::string_view body) {
  check_round_trip(
      protocol::decode_records_reply,
      [](std::vector<Record> records) {
        leave_out_what_is_not_finite(&records);
        return protocol::encode_records_reply(records, kAll, 0.0);
      },
      body);
}
void read_page(std::string_view body) {
  check_round_trip(
      protocol::decode_scroll_reply,
      [](ScrollPage page) {
        leave_out_what_is_not_finite(&page.points);
        return protocol::encode_scroll_reply(page, kAll, 0.0);
      },
      body);
}
void read_count(std::string_view body) {
  check_round_trip(
      protocol::decode_count_reply,
      [](std::uint64_t count) {
        return protocol::encode_count_reply(count, 0.0);
      },
      body);
}
void read_facets(std::string_view body) {
  check_round_trip(
      protocol::decode_facet_reply,
      [](const std::vector<FacetHit>& hits) {
        return protocol::encode_facet_reply(hits, 0.0);
      },
      body);
}
void read_update(std::string_view body) {
  check_round_trip(
      [](std::string_view text) {
        return protocol::decode_update_reply(text, true);
      },
      [](const UpdateResult& result) {
        return protocol::encode_update_reply(result, true, 0.0);
      },
      body);
}
void read_info(std::string_view body) {
  check_round_trip(
      [](std::string_view text) {
        return protocol::decode_collection_info_reply("a", text);
      },
      [](const CollectionInfo& info) {
        return protocol::encode_collection_info_reply(info, {}, 0.0);
      },
      body);
}
void read_names(std::string_view body) {
  check_round_trip(
      protocol::decode_collection_list_reply,
      [](const std::vector<std::string>& names) {
        return protocol::encode_collection_list_reply(names, 0.0);
      },
      body);
}
void read_error(std::string_view body) {
  for (const std::string_view code : {"", "not_found", "data_loss", "x"}) {
    for (const int http_status : {400, 404, 500, 503}) {
      const Status status = protocol::from_http(http_status, code, body);
      check(!status.ok(), "an error stays one");
      check(status.message().size() <= body.size() + 2048,
            "a message is no longer than the body it is from");
    }
  }
}

constexpr std::array kReaders = {
    read_hits,   read_hit_lists, read_records, read_page,  read_count,
    read_facets, read_update,    read_info,    read_names, read_error};

void run(std::string_view input) {
  const std::size_t choice = take_choice(&input) % kReaders.size();
  kReaders[choice](input);
}

std::vector<std::string> seeds() {
  const std::vector<float> vector = {1.5f, -0.0f};
  const Payload payload = Payload::from_json(R"({"a":[1,null]})").value();
  const PointId uuid =
      PointId::parse_uuid("550e8400-e29b-41d4-a716-446655440000").value();
  const std::vector<Hit> hits = {
      {.id = 1, .score = 0.5f, .version = 3},
      {.id = uuid, .score = -1e-40f, .vector = vector, .payload = payload}};
  const std::vector<Record> records = {
      {.id = 2, .vector = vector, .payload = payload},
      {.id = uuid, .order_value = where::Number(1.5)}};
  const std::vector<FacetHit> facets = {
      {.value = std::string("red"), .count = 2}, {.value = true, .count = 1}};
  const std::vector<std::string> names = {"a", "b c"};
  const CollectionInfo info{
      .name = "a",
      .dimension = 4,
      .point_count = 2,
      .payload_indexes = {{.key = "a.b", .point_count = 1}},
      .hnsw = HnswOptions{},
      .linked_count = 1};
  return {
      with_choice(0, protocol::encode_hits_reply(hits, kAll, 0.1)),
      with_choice(
          1,
          R"({"result":[{"points":[]},{"points":[{"id":1,"score":1}]}],"status":"ok","time":0})"),
      with_choice(2, protocol::encode_records_reply(records, kAll, 0.1)),
      with_choice(3, protocol::encode_scroll_reply(
                         {.points = records, .next_offset = uuid}, kAll, 0.1)),
      with_choice(4, protocol::encode_count_reply(7, 0.1)),
      with_choice(5, protocol::encode_facet_reply(facets, 0.1)),
      with_choice(6, protocol::encode_update_reply({.sequence = 9}, true, 0.1)),
      with_choice(7, protocol::encode_collection_info_reply(info, {}, 0.1)),
      with_choice(8, protocol::encode_collection_list_reply(names, 0.1)),
      with_choice(9, protocol::encode_error_reply("Wrong input: bad", 0.1)),
      with_choice(
          9,
          R"({"type":"/problems/not-found","title":"a","status":404,"detail":"b","code":"not_found","field":"c"})"),
      with_choice(9, "<html>502 Bad Gateway</html>"),
  };
}

}  // namespace

Target replies_target() {
  return {.name = "replies",
          .what =
              "JSON replies and errors, as the client reads them. What is "
              "read is written and read back as the same; an error stays "
              "one, whatever its body.",
          .run = run,
          .seeds = seeds,
          .words = {"\"result\":{", "\"result\":[", "\"points\":[",
                    "\"score\":", "\"version\":", "\"next_page_offset\":",
                    "\"order_value\":", "\"hits\":[",
                    "\"value\":", "\"count\":", "\"operation_id\":",
                    "\"status\":{\"error\":", "\"payload_schema\":{",
                    "\"data_type\":", "\"config\":{", "1e39", "null"}};
}

}  // namespace lamina::fuzz
