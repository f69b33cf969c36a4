#include <cstring>
#include <utility>

#include "fuzz/scratch.h"
#include "fuzz/targets.h"
#include "fuzz/tensor_bytes.h"
#include "io/point_reader.h"
#include "io/point_writer.h"

namespace lamina::fuzz {
namespace {

using io::Format;

constexpr Format kFormats[] = {
    Format::jsonl, Format::safetensors, Format::npy,  Format::fvecs,
    Format::bvecs, Format::ivecs,       Format::faiss};
// Beside the formats: what stands beside vectors.
constexpr std::size_t kIds = std::size(kFormats);
constexpr std::size_t kPayloads = kIds + 1;
constexpr std::size_t kChoices = kPayloads + 1;

class MemorySink : public io::Sink {
 public:
  Status write_at(std::uint64_t offset, std::string_view bytes) override {
    bytes_.resize(std::max<std::size_t>(bytes_.size(), offset + bytes.size()));
    bytes_.replace(offset, bytes.size(), bytes);
    return {};
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

std::vector<Record> some_records(std::size_t numbers, std::size_t uuids) {
  std::vector<Record> records;
  Random random(3);
  for (std::size_t i = 0; i < numbers + uuids; ++i) {
    PointId::UuidBytes bytes{};
    bytes[15] = static_cast<std::uint8_t>(i);
    const PointId id = i < numbers ? PointId(i * 3) : PointId::from_uuid(bytes);
    records.push_back(
        {.id = id,
         .vector = random.vector(2),
         .payload =
             Payload::from_json(i == 0 ? "{}" : R"({"a":"b\nc"})").value()});
  }
  return records;
}

std::string file_of(Format format, const std::vector<Record>& records,
                    std::uint64_t uuid_count) {
  MemorySink sink;
  const auto writer = io::make_point_writer(format,
                                            {.dimension = 2,
                                             .metric = Metric::euclid,
                                             .point_count = records.size(),
                                             .uuid_count = uuid_count},
                                            &sink)
                          .value();
  check(writer->add(records).ok() && writer->finish().ok(),
        "a file is written");
  return sink.bytes();
}

// Three vectors, for what stands beside them.
const std::filesystem::path& vectors_file() {
  static const std::filesystem::path path = write_scratch(
      "vectors.fvecs", file_of(Format::fvecs, some_records(3, 0), 0));
  return path;
}

io::SourceFiles files_of(std::size_t choice, std::string_view bytes) {
  if (choice < kIds) {
    return {.points = write_scratch("points", bytes),
            .format = kFormats[choice]};
  }
  const std::filesystem::path beside = write_scratch("beside", bytes);
  io::SourceFiles files{.points = vectors_file(), .format = Format::fvecs};
  (choice == kIds ? files.ids : files.payload) = beside;
  return files;
}

// All that a reader gives, as text; ends with a message when it refuses.
std::string read_all(io::PointReader& reader, std::size_t most,
                     std::size_t file_bytes) {
  std::string all;
  std::size_t count = 0;
  io::PointBatch batch;
  while (true) {
    const Status read = reader.read(most, &batch);
    if (!read.ok()) return all + "refused";
    if (batch.size() == 0) break;
    check(batch.size() <= most, "a batch is no larger than wanted");
    check(batch.values.size() == batch.size() * batch.dimension &&
              batch.payloads.size() <= batch.size(),
          "a batch is a matrix");
    count += batch.size();
    check(count <= file_bytes + 3, "each point takes a byte at least");
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const VectorView vector = batch.vector(i);
      all += batch.ids[i].to_string();
      all.append(reinterpret_cast<const char*>(vector.data()),
                 vector.size_bytes());
      if (!batch.payloads.empty()) all += batch.payloads[i].json();
    }
  }
  const std::optional<std::uint64_t> promised = reader.row_count();
  check(!promised || *promised == count, "a file has the rows it promises");
  return all;
}

void run(std::string_view input) {
  const std::size_t choice = take_choice(&input) % kChoices;
  const auto reader = io::open_points(files_of(choice, input));
  if (!reader.ok()) return;
  const std::string one_by_one = read_all(**reader, 1, input.size());
  (*reader)->rewind();
  const std::string at_once = read_all(**reader, 1000, input.size());
  // A batch that holds something wrong is refused with all before it.
  if (one_by_one.ends_with("refused")) {
    check(at_once.ends_with("refused"), "what is refused is refused again");
  } else {
    check(at_once == one_by_one, "all at once is the same as one by one");
  }
}

void change(Random* random, const ChangeBytes& change_bytes,
            std::string* input) {
  std::string_view bytes = *input;
  const std::size_t choice = take_choice(&bytes);
  std::string file(bytes);
  if (choice % kChoices == 1) {
    change_tensors(random, change_bytes, &file);
  } else {
    change_bytes(&file);
  }
  *input = with_choice(choice, file);
}

std::string npy(std::string_view descr, std::string_view shape,
                std::string_view values) {
  const std::string header =
      "{'descr': '" + std::string(descr) +
      "', 'fortran_order': False, 'shape': " + std::string(shape) + ", }\n";
  std::string bytes("\x93NUMPY\x01\0", 8);
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  return bytes + header + std::string(values);
}

std::vector<std::string> seeds() {
  const std::vector<Record> mixed = some_records(2, 1);
  const std::vector<Record> numbers = some_records(3, 0);
  std::vector<std::string> seeds;
  for (std::size_t i = 0; i < kIds; ++i) {
    if (kFormats[i] == Format::bvecs || kFormats[i] == Format::ivecs) continue;
    const bool has_uuids = i < 2;
    seeds.push_back(with_choice(i, has_uuids
                                       ? file_of(kFormats[i], mixed, 1)
                                       : file_of(kFormats[i], numbers, 0)));
  }
  const std::string values(24, '\1');
  seeds.push_back(with_choice(2, npy("<f2", "(3, 4)", values)));
  seeds.push_back(with_choice(2, npy("<f8", "(3,)", values)));
  seeds.push_back(with_choice(2, npy("|i1", "(2, 12)", values)));
  seeds.push_back(with_choice(2, npy("<f4", "(4611686018427387904, 4)", "")));
  seeds.push_back(with_choice(4, std::string("\x02\0\0\0ab\x02\0\0\0cd", 12)));
  seeds.push_back(with_choice(5, std::string("\x01\0\0\0abcd", 8)));
  seeds.push_back(with_choice(kIds,
                              "1\n18446744073709551615\n"
                              "550e8400-e29b-41d4-a716-446655440000\n"));
  seeds.push_back(with_choice(kIds, npy("<u8", "(3,)", values)));
  seeds.push_back(with_choice(kIds, npy("<i4", "(3,)", values.substr(12))));
  seeds.push_back(
      with_choice(kPayloads,
                  "{\"id\":1,\"payload\":{\"a\":1}}\r\n{\"payload\":{}}\n"
                  "{\"id\":\"550e8400-e29b-41d4-a716-446655440000\"}"));
  return seeds;
}

}  // namespace

Target data_files_target() {
  return {.name = "data_files",
          .what =
              "Files of points: JSON lines, safetensors, .npy, .fvecs and "
              "its kin, FAISS, and ids and payloads beside them. Read one "
              "by one or all at once they give the same, as many as they "
              "promise.",
          .run = run,
          .seeds = seeds,
          .words = {"IxFI",
                    "IxF2",
                    "IxMp",
                    "\x93NUMPY",
                    "'descr':",
                    "'<f4'",
                    "'<f2'",
                    "'|u1'",
                    "'shape':",
                    "(2, 3)",
                    "(3,)",
                    "'fortran_order': False",
                    "\"dtype\":\"F32\"",
                    "\"shape\":[",
                    "\"data_offsets\":[",
                    "\"ids\":{",
                    "\"vectors\":{",
                    "\"payloads\":{",
                    "\"uuids\":{",
                    "\"id\":",
                    "\"vector\":[",
                    "\"payload\":{",
                    "\n",
                    "\r\n",
                    "18446744073709551615",
                    std::string("\xff\xff\xff\x7f", 4),
                    std::string("\0\0\0\0\0\0\0\x80", 8)},
          .most_bytes = 1024,
          .change = change};
}

}  // namespace lamina::fuzz
