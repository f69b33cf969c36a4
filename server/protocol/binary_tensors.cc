#include "protocol/binary_tensors.h"

#include <algorithm>
#include <array>
#include <utility>

#include "types/json_writer.h"

namespace lamina::protocol {
namespace {

constexpr std::size_t kUuidBytes = 16;
// The data begins at a multiple of this.
constexpr std::size_t kAlignment = 8;

Status at_tensor(std::string_view name, const std::string& message) {
  return Status::invalid_argument(std::string(name) + ": " + message);
}

void write_numbers(std::span<const std::uint64_t> numbers, JsonWriter* json) {
  json->begin_array();
  for (const std::uint64_t number : numbers) json->uint64(number);
  json->end_array();
}

PointId uuid_at(std::string_view uuids, std::size_t index) {
  PointId::UuidBytes bytes;
  std::memcpy(bytes.data(), uuids.data() + index * kUuidBytes, kUuidBytes);
  return PointId::from_uuid(bytes);
}

}  // namespace

Result<TensorReader> TensorReader::parse(std::string_view body) {
  std::uint64_t length = 0;
  if (body.size() < sizeof length) {
    return Status::invalid_argument(
        "the body ends within the length of its header");
  }
  std::memcpy(&length, body.data(), sizeof length);
  body.remove_prefix(sizeof length);
  const std::size_t most = std::min(body.size(), kMaxTensorHeaderBytes);
  if (length > most) {
    return Status::invalid_argument("a header of " + std::to_string(length) +
                                    " bytes, at most " + std::to_string(most) +
                                    " are possible");
  }
  TensorReader reader;
  reader.data_ = body.substr(length);
  Result<SafetensorsLayout> layout =
      parse_safetensors_header(body.substr(0, length), reader.data_.size());
  if (!layout.ok()) return layout.status();
  reader.layout_ = *std::move(layout);
  return reader;
}

std::string_view TensorReader::metadata(std::string_view name) const {
  const auto found = layout_.metadata.find(name);
  return found == layout_.metadata.end() ? std::string_view() : found->second;
}

Status TensorReader::check_names(
    std::initializer_list<std::string_view> known) const {
  for (const SafeTensor& tensor : layout_.tensors) {
    if (std::find(known.begin(), known.end(), tensor.name) == known.end()) {
      return Status::invalid_argument("unknown tensor `" +
                                      tensor.name.substr(0, 64) + "`");
    }
  }
  return {};
}

Result<std::string_view> TensorReader::bytes(
    std::string_view name, std::string_view dtype, std::size_t dimensions,
    std::vector<std::uint64_t>* shape) const {
  const SafeTensor* tensor = layout_.find(name);
  if (tensor == nullptr) return std::string_view();
  if (tensor->dtype != dtype || tensor->shape.size() != dimensions) {
    return at_tensor(name, "expected " + std::string(dtype) + " of " +
                               std::to_string(dimensions) +
                               " dimensions, got " + tensor->dtype + " of " +
                               std::to_string(tensor->shape.size()));
  }
  if (shape != nullptr) *shape = tensor->shape;
  return data_.substr(tensor->begin, tensor->end - tensor->begin);
}

void TensorWriter::add(std::string_view name, std::string_view dtype,
                       std::vector<std::uint64_t> shape,
                       std::string_view bytes) {
  tensors_.push_back({name, dtype, std::move(shape), bytes});
}

std::string TensorWriter::header() const {
  JsonWriter json;
  json.begin_object();
  if (!metadata_.empty()) {
    json.key(kSafetensorsMetadata).begin_object();
    for (const auto& [name, value] : metadata_) json.key(name).string(value);
    json.end_object();
  }
  std::uint64_t offset = 0;
  for (const Tensor& tensor : tensors_) {
    json.key(tensor.name).begin_object();
    json.key("dtype").string(tensor.dtype).key("shape");
    write_numbers(tensor.shape, &json);
    json.key("data_offsets");
    const std::uint64_t end = offset + tensor.bytes.size();
    write_numbers(std::array{offset, end}, &json);
    json.end_object();
    offset = end;
  }
  return json.end_object().take();
}

std::string TensorWriter::finish() const {
  std::string head = header();
  head.resize((head.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  const std::uint64_t length = head.size();
  std::size_t total = sizeof length + head.size();
  for (const Tensor& tensor : tensors_) total += tensor.bytes.size();

  std::string message;
  message.reserve(total);
  message.append(reinterpret_cast<const char*>(&length), sizeof length);
  message.append(head);
  for (const Tensor& tensor : tensors_) message.append(tensor.bytes);
  return message;
}

void IdTensors::add(const PointId& id) {
  is_uuid_ += static_cast<char>(id.is_uuid());
  if (id.is_uuid()) {
    const PointId::UuidBytes bytes = id.uuid();
    uuids_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return;
  }
  in_order_ = in_order_ && uuids_.empty();
  numbers_.push_back(id.number());
}

void IdTensors::write_numbers(TensorWriter* out) const {
  out->add("ids", "U64", std::span<const std::uint64_t>(numbers_));
}

void IdTensors::write_rest(TensorWriter* out) const {
  if (!uuids_.empty()) {
    out->add("uuids", "U8", {uuids_.size() / kUuidBytes, kUuidBytes}, uuids_);
  }
  if (!in_order_) out->add("is_uuid", "U8", {is_uuid_.size()}, is_uuid_);
}

Result<std::vector<PointId>> read_ids(const TensorReader& tensors) {
  const Result<std::vector<std::uint64_t>> numbers =
      tensors.numbers<std::uint64_t>("ids", "U64");
  if (!numbers.ok()) return numbers.status();
  std::vector<std::uint64_t> shape;
  const Result<std::string_view> uuids =
      tensors.bytes("uuids", "U8", 2, &shape);
  if (!uuids.ok()) return uuids.status();
  if (!shape.empty() && shape[1] != kUuidBytes) {
    return at_tensor("uuids", "expected 16 bytes each");
  }
  const Result<std::string_view> marks =
      tensors.bytes("is_uuid", "U8", 1, nullptr);
  if (!marks.ok()) return marks.status();

  const std::size_t uuid_count = uuids->size() / kUuidBytes;
  const std::size_t count = numbers->size() + uuid_count;
  const std::size_t marked =
      static_cast<std::size_t>(std::count(marks->begin(), marks->end(), '\1'));
  const bool fits = marks->size() == count && marked == uuid_count &&
                    std::count(marks->begin(), marks->end(), '\0') ==
                        static_cast<std::ptrdiff_t>(numbers->size());
  if (tensors.has("is_uuid") && !fits) {
    return at_tensor("is_uuid",
                     "expected a 1 for each of uuids and a 0 for "
                     "each of ids");
  }
  std::vector<PointId> ids;
  ids.reserve(count);
  std::size_t next_number = 0;
  std::size_t next_uuid = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_uuid = tensors.has("is_uuid")
                             ? (*marks)[i] == '\1'
                             : next_number == numbers->size();
    ids.push_back(is_uuid ? uuid_at(*uuids, next_uuid++)
                          : PointId((*numbers)[next_number++]));
  }
  return ids;
}

}  // namespace lamina::protocol
