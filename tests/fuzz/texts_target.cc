#include <array>
#include <cctype>
#include <cstring>

#include "fuzz/targets.h"
#include "lamina/point_id.h"
#include "protocol/base64.h"
#include "protocol/media_type.h"
#include "types/datetime.h"
#include "types/json_path.h"

namespace lamina::fuzz {
namespace {

std::string base64_of(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = i; j < i + 3; ++j) {
      bits <<= 8;
      if (j < bytes.size()) bits |= static_cast<std::uint8_t>(bytes[j]);
    }
    const std::size_t known = std::min<std::size_t>(bytes.size() - i, 3);
    for (std::size_t digit = 0; digit < 4; ++digit) {
      const std::uint32_t value = bits >> (18 - 6 * digit) & 63;
      text += digit <= known ? kDigits[value] : '=';
    }
  }
  return text;
}

void read_base64(std::string_view text) {
  std::vector<float> values = {1.5f};
  const Status read = protocol::read_base64_floats(text, "vector", &values);
  check(values.at(0) == 1.5f, "values that were there stay");
  check(read.ok() || values.size() == 1, "a refused text adds nothing");
  if (!read.ok()) return;
  const std::string_view bytes(reinterpret_cast<const char*>(values.data() + 1),
                               (values.size() - 1) * sizeof(float));
  check(base64_of(bytes) == text, "base64 has one spelling");
}

std::string in_capitals(std::string_view text) {
  std::string capitals(text);
  for (char& c : capitals) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return capitals;
}

void read_media(std::string_view text) {
  const auto media = protocol::content_media(text);
  check(media == protocol::content_media(in_capitals(text)),
        "a type may be in capitals");
  const auto accepted = protocol::accepted_media(text);
  check(accepted == protocol::accepted_media(in_capitals(text)),
        "an accepted type may be in capitals");
  check(accepted != protocol::Media::floats, "no reply is bare floats");
}

void read_time(std::string_view text) {
  const auto time = parse_datetime(text);
  if (!time) return;
  // Years 0000 to 9999, with an offset of at most a day.
  constexpr std::int64_t kMicrosecondsPerDay = 86'400'000'000;
  check(*time >= -719'529 * kMicrosecondsPerDay &&
            *time <= 2'932'898 * kMicrosecondsPerDay,
        "a time is within the years that can be written");
}

void read_id(std::string_view text) {
  const Result<PointId> id = PointId::parse(text);
  if (!id.ok()) return;
  check(PointId::parse(id->to_string()).value() == *id, "an id reads back");
}

// A path and, behind a line's end, what it is looked up in.
void read_path(std::string_view text) {
  const std::string_view path_text = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), path_text.size() + 1));
  const Result<JsonPath> path = JsonPath::parse(path_text);
  if (!path.ok()) return;
  check(!path->steps().empty() && path->steps().size() <= kMaxJsonDepth,
        "a path has steps, and no more than a payload is deep");
  const Result<JsonDocument> document = JsonDocument::parse(text);
  if (!document.ok()) return;
  std::vector<JsonValue> values;
  path->collect(document->root(), &values);
  check(path->names_many() || values.size() <= 1, "one path, one value");
}

constexpr std::array kReaders = {read_base64, read_media, read_time, read_id,
                                 read_path};

void run(std::string_view input) {
  const std::size_t choice = take_choice(&input) % kReaders.size();
  kReaders[choice](input);
}

std::vector<std::string> seeds() {
  return {
      with_choice(0, "AACAPwAAAEAAAEBA"),
      with_choice(0, "AACAPw=="),
      with_choice(0, "AACAPx=="),
      with_choice(0, "===="),
      with_choice(1, "application/json; charset=utf-8"),
      with_choice(1, "application/vnd.lamina.f32le; dtype=\"f32\""),
      with_choice(1, "application/vnd.lamina.safetensors;q=0.5, */*;q=0.1"),
      with_choice(1, "application/*;q=nan, application/json;q=-1"),
      with_choice(2, "2024-02-29T23:59:60.1234567Z"),
      with_choice(2, "2024-05-01 12:00+23:59"),
      with_choice(2, "0000-01-01"),
      with_choice(2, "9999-12-31T23:59:59.999999-23:59"),
      with_choice(3, "18446744073709551616"),
      with_choice(3, "{550E8400-e29b-41d4-a716-446655440000}"),
      with_choice(3, "urn:uuid:550e8400e29b41d4a716446655440000"),
      with_choice(4, "a[].\"b.c\"[2]\n{\"a\":[{\"b.c\":[1,2,3]},{}]}"),
      with_choice(4, "a[4294967296]\n{}"),
      with_choice(4, "\"\"..[]\n[]"),
  };
}

}  // namespace

Target texts_target() {
  return {.name = "texts",
          .what =
              "Base64 of vectors, media types, times, ids and payload "
              "paths. Base64 has one spelling, an id that is written reads "
              "back, a path of one value names no two.",
          .run = run,
          .seeds = seeds,
          .words = {"==", "application/", "json", "q=", ";", ",", "*/*",
                    "dtype=", "T", "Z", "+00:00", "-23:59", ":60",
                    "urn:uuid:", "[]", "[0]", ".", "\""},
          .most_bytes = 512};
}

}  // namespace lamina::fuzz
