#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/point_reader.h"
#include "lamina/options.h"
#include "lamina/status.h"

// What `lamina` can do: one function and one file for each sub-command. They
// print their result to stdout and what goes on meanwhile to stderr.
namespace lamina::tool {

// For every sub-command.
struct Common {
  // The database. Made when it is not there by create and import alone.
  std::filesystem::path directory = "./lamina-data";
  // Print one JSON object in place of text.
  bool json = false;
};

struct CreateArguments {
  std::string collection;
  CollectionOptions options;
};
Status create(const Common& common, const CreateArguments& arguments);

struct DropArguments {
  std::string collection;
};
Status drop(const Common& common, const DropArguments& arguments);

struct ImportArguments {
  std::string collection;
  std::filesystem::path file;
  // By the file's name when absent, here and at the export.
  std::optional<io::Format> format;
  std::optional<std::filesystem::path> ids;
  std::optional<std::filesystem::path> payload;
  // Of a collection that is to be made; else it must agree.
  std::optional<Metric> metric;
  std::optional<Durability> durability;
  std::size_t batch = 1000;
  // Go on where an earlier import of the same files stopped.
  bool resume = false;
  // Write at once, without reading all of the file first to see that it is
  // whole.
  bool skip_check = false;
  bool quiet = false;
};
Status import_points(const Common& common, const ImportArguments& arguments);

struct ExportArguments {
  std::string collection;
  std::filesystem::path file;
  std::optional<io::Format> format;
  std::optional<std::filesystem::path> ids;
  std::optional<std::filesystem::path> payload;
  std::optional<std::string> filter;  // Only points that match, as JSON.
  // Replace files that exist.
  bool force = false;
  bool quiet = false;
};
Status export_points(const Common& common, const ExportArguments& arguments);

struct QueryArguments {
  std::string collection;
  // Exactly one of these three.
  std::vector<std::string> numbers;  // Words: "0.1", "0.2,0.3", "[1, 2]".
  std::optional<std::string> id;
  std::optional<std::filesystem::path> file;
  std::uint64_t row = 0;  // In the file.
  std::optional<io::Format> format;
  std::optional<std::string> filter;
  QueryOptions options;  // Its filter comes from the text above.
};
Status query(const Common& common, const QueryArguments& arguments);

struct GetArguments {
  std::string collection;
  std::vector<std::string> ids;
  GetOptions options;
};
Status get(const Common& common, const GetArguments& arguments);

struct CountArguments {
  std::string collection;
  std::optional<std::string> filter;
};
Status count(const Common& common, const CountArguments& arguments);

struct StatsArguments {
  // All when absent.
  std::optional<std::string> collection;
};
Status stats(const Common& common, const StatsArguments& arguments);

//   data_loss: a collection is damaged, once all of them have been told of.
Status check(const Common& common);

struct RepairArguments {
  // Where the new database is made; beside the old one when empty, which then
  // takes its place.
  std::filesystem::path to;
  bool in_place = false;
};
//   data_loss: something was lost, once it has been told what.
Status repair(const Common& common, const RepairArguments& arguments);

struct DumpArguments {
  std::filesystem::path file;  // A log or a snapshot.
};
Status dump(const Common& common, const DumpArguments& arguments);

}  // namespace lamina::tool
