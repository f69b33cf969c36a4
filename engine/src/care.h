#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "collection_files.h"
#include "lamina/options.h"
#include "lamina/result.h"

// Looking after the files of databases that are closed.
namespace lamina {

struct CheckedCollection {
  std::string folder;
  std::string name;  // Empty when its manifest cannot be read.
  // Ok, or why opening the database would leave it closed.
  Status status;
  std::uint64_t point_count = 0;
  FilesFound found;
};

// Reads all collections of a database as opening it would, and changes nothing.
// In the order of their folders.
//   unavailable: the database is open.
//   io_error, not_found: the directory cannot be read.
Result<std::vector<CheckedCollection>> check_database(
    const std::filesystem::path& directory);

struct SalvagedCollection {
  std::string folder;
  std::string name;
  // Ok, or why nothing of it could be saved.
  Status status;
  std::uint64_t point_count = 0;
  std::uint64_t records_read = 0;
  // What could not be read, or not applied. Writes in it are lost; of points
  // that they changed an older state may have been saved.
  std::uint64_t records_refused = 0;
  std::uint64_t damaged_bytes = 0;
  std::vector<std::string> losses;  // File and offset of each, the first few.
};

// Makes a new database of all that can still be read in `from`, which stays as
// it is. A record is taken or left as a whole, so no batch is torn.
//   already_exists: there is something at `to`.
//   unavailable: the database is open.
Result<std::vector<SalvagedCollection>> salvage_database(
    const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace lamina
