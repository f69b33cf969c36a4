#include "fault/disk_model.h"

#include <algorithm>
#include <fstream>
#include <utility>

namespace lamina::fault {
namespace {

// What a disk writes whole or not at all.
constexpr std::uint64_t kSectorBytes = 512;

// Of `count` steps those that happened: often none or all.
std::uint64_t some_of(std::uint64_t count, test::Random* random) {
  switch (random->below(3)) {
    case 0:
      return 0;
    case 1:
      return count;
    default:
      return random->below(count + 1);
  }
}

}  // namespace

DiskModel::DiskModel(const std::filesystem::path& root)
    : root_(root.string()), nodes_(1) {
  nodes_[0].is_directory = true;
}

DiskModel::Place DiskModel::place_of(const std::string& path) const {
  Place place;
  std::filesystem::path rest =
      std::filesystem::path(path).lexically_relative(root_);
  place.name = rest.filename().string();
  for (const std::filesystem::path& part : rest.parent_path()) {
    const Names& names = nodes_[place.directory].names;
    const auto found = names.find(part.string());
    if (found == names.end()) return {};
    place.directory = found->second;
  }
  return place;
}

const std::size_t* DiskModel::find(const std::string& path) const {
  static constexpr std::size_t kRoot = 0;
  if (path == root_) return &kRoot;
  const Place place = place_of(path);
  const Names& names = nodes_[place.directory].names;
  const auto found = names.find(place.name);
  return found == names.end() ? nullptr : &found->second;
}

void DiskModel::rename_in(std::size_t directory, NameChange renamed) {
  change(renamed, &nodes_[directory].names);
  nodes_[directory].name_changes.push_back(std::move(renamed));
}

void DiskModel::apply(const Operation& operation, std::uint64_t index) {
  using Kind = Operation::Kind;
  const Place place = place_of(operation.path);
  const std::size_t* const node = find(operation.path);
  switch (operation.kind) {
    case Kind::create:
    case Kind::make_directory:
      nodes_.emplace_back();
      nodes_.back().is_directory = operation.kind == Kind::make_directory;
      rename_in(place.directory, {index, {}, place.name, nodes_.size() - 1});
      return;
    case Kind::rename:
      if (node == nullptr) return;
      rename_in(place.directory,
                {index, place.name, place_of(operation.target).name, *node});
      return;
    case Kind::remove:
      rename_in(place.directory, {index, place.name, {}, 0});
      return;
    case Kind::sync_end:
      if (node != nullptr) sync(&nodes_[*node], operation.number);
      return;
    case Kind::write:
    case Kind::truncate:
      break;
    case Kind::sync_begin:
    case Kind::mark:
      return;
  }
  if (node == nullptr) return;  // Removed while it was open.
  const std::uint64_t end = operation.number + operation.bytes.size();
  Node& file = nodes_[*node];
  file.size = operation.kind == Kind::truncate ? end : std::max(file.size, end);
  file.changes.push_back({index, operation.number, operation.bytes});
}

void DiskModel::change(const Change& change, std::string* bytes) {
  if (change.bytes.empty()) {
    bytes->resize(change.offset);
    return;
  }
  const std::uint64_t end = change.offset + change.bytes.size();
  if (bytes->size() < end) bytes->resize(end);
  bytes->replace(change.offset, change.bytes.size(), change.bytes);
}

void DiskModel::change(const NameChange& change, Names* names) {
  names->erase(change.gone);
  if (!change.fresh.empty()) (*names)[change.fresh] = change.node;
}

void DiskModel::sync(Node* node, std::uint64_t begin) {
  const auto is_before = [&](const auto& change) {
    return change.index < begin;
  };
  const auto changes_end =
      std::find_if_not(node->changes.begin(), node->changes.end(), is_before);
  for (auto at = node->changes.begin(); at != changes_end; ++at) {
    change(*at, &node->synced);
  }
  node->changes.erase(node->changes.begin(), changes_end);
  const auto names_end = std::find_if_not(node->name_changes.begin(),
                                          node->name_changes.end(), is_before);
  for (auto at = node->name_changes.begin(); at != names_end; ++at) {
    change(*at, &node->synced_names);
  }
  node->name_changes.erase(node->name_changes.begin(), names_end);
}

// Each sector is as it was at some moment since the last sync.
std::string DiskModel::some_sectors(const Node& node, test::Random* random) {
  std::map<std::uint64_t, std::uint64_t> moments;  // Of sectors.
  const auto has = [&](std::uint64_t sector, std::size_t change) {
    const auto [moment, is_new] = moments.try_emplace(sector, 0);
    if (is_new) moment->second = some_of(node.changes.size(), random);
    return change < moment->second;
  };
  constexpr std::uint64_t kLength = ~std::uint64_t{0};
  std::string bytes = node.synced;
  for (std::size_t i = 0; i < node.changes.size(); ++i) {
    const Change& all = node.changes[i];
    if (all.bytes.empty()) {
      if (has(kLength, i)) bytes.resize(all.offset);
      continue;
    }
    const std::uint64_t end = all.offset + all.bytes.size();
    for (std::uint64_t at = all.offset; at < end;) {
      const std::uint64_t sector = at / kSectorBytes;
      const std::uint64_t stop = std::min(end, (sector + 1) * kSectorBytes);
      if (has(sector, i)) {
        change({0, at, all.bytes.substr(at - all.offset, stop - at)}, &bytes);
      }
      at = stop;
    }
  }
  return bytes;
}

std::string DiskModel::bytes_of(const Node& node, Image image,
                                test::Random* random) const {
  if (image == Image::sectors) return some_sectors(node, random);
  std::string bytes = node.synced;
  if (image == Image::lengths) {
    bytes.resize(std::max<std::uint64_t>(bytes.size(), node.size));
  }
  return bytes;
}

DiskModel::Names DiskModel::names_of(const Node& node, Image image,
                                     test::Random* random) const {
  if (image == Image::names) return node.synced_names;
  if (image != Image::sectors) return node.names;
  Names names = node.synced_names;
  const std::uint64_t count = some_of(node.name_changes.size(), random);
  for (std::uint64_t i = 0; i < count; ++i) {
    change(node.name_changes[i], &names);
  }
  return names;
}

void DiskModel::write_node(const Node& node, Image image, test::Random* random,
                           const std::filesystem::path& path) const {
  if (!node.is_directory) {
    const std::string bytes = bytes_of(node, image, random);
    // Zeros at the end, of which logs have many, cost nothing in a hole.
    const std::size_t end = bytes.find_last_not_of('\0') + 1;
    std::ofstream(path, std::ios::binary) << bytes.substr(0, end);
    std::filesystem::resize_file(path, bytes.size());
    return;
  }
  std::filesystem::create_directories(path);
  for (const auto& [name, number] : names_of(node, image, random)) {
    write_node(nodes_[number], image, random, path / name);
  }
}

void DiskModel::write_image(Image image, test::Random* random,
                            const std::filesystem::path& directory) const {
  write_node(nodes_[0], image, random, directory);
}

}  // namespace lamina::fault
