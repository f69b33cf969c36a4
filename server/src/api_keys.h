#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/result.h"

namespace lamina::server {

// What a caller may do, and what a route asks for. Who may write may read.
enum class Permission { none, read, write };

// The keys that let callers in, of which only hashes are kept.
class ApiKeys {
 public:
  // One key a line: "write KEY" or "read KEY", where KEY is at least 16
  // characters of printable ASCII without blanks, or "sha256:" and the 64
  // hexadecimal digits of the key's hash. Blank lines, and lines that begin
  // with '#', say nothing.
  //   invalid_argument: another line, named by its number and never quoted; or
  //   there is no key.
  static Result<ApiKeys> parse(std::string_view text);

  // As parse().
  //   invalid_argument: also when the file cannot be read, or everybody can
  //   read it.
  static Result<ApiKeys> read_file(const std::string& path);

  bool empty() const { return entries_.empty(); }

  // Takes as long for every key of one length.
  Permission permission_of(std::string_view key) const;

 private:
  using Hash = std::array<unsigned char, 32>;
  struct Entry {
    Hash hash{};
    Permission permission = Permission::none;
  };

  static bool parse_line(std::string_view line, Entry* entry);
  static bool parse_hash(std::string_view digits, Hash* hash);
  static Hash hash_of(std::string_view key);

  std::vector<Entry> entries_;
};

}  // namespace lamina::server
