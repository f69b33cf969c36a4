#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/store.h"
#include "protocol/alias_json.h"
#include "protocol/collection_settings.h"

namespace lamina::server {

// What the server knows of collections beside what the engine does: their
// aliases and their settings. A change is on the disk when its call returns; on
// an error nothing was changed.
//
// Thread safety: all calls may run concurrently.
class Catalog {
 public:
  // In memory: nothing outlives the object.
  Catalog() = default;

  // Kept in a file, which need not be there yet.
  //   io_error, or data_loss when the file is not a catalog.
  static Result<std::unique_ptr<Catalog>> open(
      const std::filesystem::path& file);

  // The collection that an alias stands for, if it is one.
  std::optional<std::string> find_alias(std::string_view alias) const;

  // By alias.
  std::vector<protocol::Alias> aliases() const;

  // All steps or none.
  //   not_found: a collection, or an alias to rename, that is not there.
  //   already_exists: the name of an alias is that of a collection.
  //   invalid_argument: a name that no collection may have.
  Status change_aliases(std::span<const protocol::AliasAction> actions,
                        Store& store);

  protocol::CollectionSettings settings(std::string_view collection) const;

  // Of a new collection.
  Status set_settings(std::string_view collection,
                      const protocol::CollectionSettings& settings);

  //   invalid_argument: they would take more than kMaxSettingsBytes.
  Status merge_settings(std::string_view collection,
                        const protocol::CollectionSettings& update);

  // Of a collection that is gone, with the aliases for it.
  Status forget(std::string_view collection);

 private:
  struct Contents {
    std::map<std::string, std::string, std::less<>> aliases;
    std::map<std::string, protocol::CollectionSettings, std::less<>> settings;

    bool operator==(const Contents&) const = default;
  };

  static Result<Contents> parse(std::string_view text);
  static std::string to_json(const Contents& contents);
  Status replace(Contents contents);

  std::filesystem::path file_;
  std::mutex changing_;  // Held over a change, and its way to the disk.
  // Held while contents_ is looked at or replaced: no reader waits for a disk.
  mutable std::mutex mutex_;
  Contents contents_;
};

}  // namespace lamina::server
