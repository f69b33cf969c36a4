#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "fault/intercepted_io.h"
#include "support/random_points.h"

namespace lamina::fault {

// What a disk holds, and what a machine that loses its power may leave of it.
// Only a sync promises anything: of a file its bytes and length, of a directory
// the names in it. All else may get to the disk in any order and in sectors.
class DiskModel {
 public:
  enum class Image {
    synced,   // Of files only what was synced; all names.
    sectors,  // Any unsynced sectors, in any state that they were in; names as
              // of some moment since the directory was synced.
    lengths,  // Files are as long as they were, without the unsynced bytes.
    names     // Only what was synced, of directories too.
  };
  static constexpr Image kImages[] = {Image::synced, Image::sectors,
                                      Image::lengths, Image::names};

  // Everything is below `root`, which is empty and will be there.
  explicit DiskModel(const std::filesystem::path& root);

  // The operation at `index` of the trace.
  void apply(const Operation& operation, std::uint64_t index);

  // Makes an image of it below `directory`, which is empty.
  void write_image(Image image, test::Random* random,
                   const std::filesystem::path& directory) const;

 private:
  // A write, or a change of the length when there are no bytes.
  struct Change {
    std::uint64_t index = 0;
    std::uint64_t offset = 0;
    std::string bytes{};
  };
  struct NameChange {
    std::uint64_t index = 0;
    std::string gone{};  // Empty: none.
    std::string fresh{};
    std::size_t node = 0;
  };
  using Names = std::map<std::string, std::size_t>;
  // A file or a directory, whatever its name is.
  struct Node {
    bool is_directory = false;
    std::string synced{};
    std::vector<Change> changes{};
    std::uint64_t size = 0;
    Names names{};
    Names synced_names{};
    std::vector<NameChange> name_changes{};
  };

  struct Place {
    std::size_t directory = 0;
    std::string name{};
  };

  Place place_of(const std::string& path) const;
  // The node's number; none for what was removed.
  const std::size_t* find(const std::string& path) const;
  void rename_in(std::size_t directory, NameChange change);
  void sync(Node* node, std::uint64_t begin);

  static void change(const Change& change, std::string* bytes);
  static void change(const NameChange& change, Names* names);
  static std::string some_sectors(const Node& node, test::Random* random);

  std::string bytes_of(const Node& node, Image image,
                       test::Random* random) const;
  Names names_of(const Node& node, Image image, test::Random* random) const;
  void write_node(const Node& node, Image image, test::Random* random,
                  const std::filesystem::path& path) const;

  std::string root_;
  std::vector<Node> nodes_;  // The first is the root.
};

}  // namespace lamina::fault
