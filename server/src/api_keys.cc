#include "api_keys.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lamina::server {
namespace {

constexpr std::size_t kMinKeyBytes = 16;
constexpr std::size_t kMaxKeyBytes = 1024;
constexpr std::string_view kHashPrefix = "sha256:";

static_assert(SHA256_DIGEST_LENGTH == 32);

bool is_key(std::string_view text) {
  return text.size() >= kMinKeyBytes && text.size() <= kMaxKeyBytes &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return c > ' ' && c < 0x7f; });
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

}  // namespace

Result<ApiKeys> ApiKeys::parse(std::string_view text) {
  ApiKeys keys;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
    if (line.empty() || line.front() == '#') continue;
    Entry entry;
    if (!parse_line(line, &entry)) {
      return Status::invalid_argument(
          "line " + std::to_string(number) +
          " is neither 'read KEY' nor 'write KEY', KEY being 16 to 1024 "
          "printable characters without blanks, or sha256: and 64 digits");
    }
    keys.entries_.push_back(entry);
  }
  if (keys.empty()) return Status::invalid_argument("there is no key");
  return keys;
}

bool ApiKeys::parse_line(std::string_view line, Entry* entry) {
  const std::size_t blank = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view permission = line.substr(0, blank);
  const std::string_view key = trim(line.substr(blank));
  if (permission == "read") entry->permission = Permission::read;
  if (permission == "write") entry->permission = Permission::write;
  if (entry->permission == Permission::none) return false;
  if (key.starts_with(kHashPrefix)) {
    return parse_hash(key.substr(kHashPrefix.size()), &entry->hash);
  }
  if (!is_key(key)) return false;
  entry->hash = hash_of(key);
  return true;
}

bool ApiKeys::parse_hash(std::string_view digits, Hash* hash) {
  if (digits.size() != 2 * hash->size()) return false;
  for (std::size_t i = 0; i < hash->size(); ++i) {
    const char* begin = digits.data() + 2 * i;
    const auto read = std::from_chars(begin, begin + 2, (*hash)[i], 16);
    if (read.ec != std::errc() || read.ptr != begin + 2) return false;
  }
  return true;
}

Result<ApiKeys> ApiKeys::read_file(const std::string& path) {
  std::error_code failed;
  const auto permissions = std::filesystem::status(path, failed).permissions();
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (failed || !file) {
    return Status::invalid_argument(path + ": cannot be read");
  }
  if ((permissions & std::filesystem::perms::others_read) !=
      std::filesystem::perms::none) {
    return Status::invalid_argument(path +
                                    ": everybody can read it; chmod o-r it");
  }
  Result<ApiKeys> keys = parse(text);
  if (keys.ok()) return keys;
  return Status::invalid_argument(path + ": " + keys.status().message());
}

ApiKeys::Hash ApiKeys::hash_of(std::string_view key) {
  Hash hash{};
  SHA256(reinterpret_cast<const unsigned char*>(key.data()), key.size(),
         hash.data());
  return hash;
}

Permission ApiKeys::permission_of(std::string_view key) const {
  const Hash hash = hash_of(key);
  Permission found = Permission::none;
  for (const Entry& entry : entries_) {
    // No early end: where a key stands must not show in the time.
    const bool same =
        CRYPTO_memcmp(entry.hash.data(), hash.data(), hash.size()) == 0;
    found = std::max(found, same ? entry.permission : Permission::none);
  }
  return found;
}

}  // namespace lamina::server
