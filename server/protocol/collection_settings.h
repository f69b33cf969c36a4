#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/result.h"
#include "types/json_reader.h"
#include "types/json_writer.h"

// Settings of a collection that Lamina keeps and shows, but that change nothing
// it does: clients that copy a collection read them back. And its metadata,
// which is the caller's own.
namespace lamina::protocol {

// Settings and metadata of one collection.
inline constexpr std::size_t kMaxSettingsBytes = 256u << 10;

class CollectionSettings {
 public:
  // Takes the settings out of the body of PUT /collections/{c}. Fields that are
  // none are passed over: decode_create_collection() judges them.
  //   invalid_argument: a section is no object, or all take more than
  //   kMaxSettingsBytes.
  static Result<CollectionSettings> from_create(std::string_view body);

  // All of the body of PATCH /collections/{c}.
  //   invalid_argument: as above, or a field that is none.
  static Result<CollectionSettings> from_update(std::string_view body);

  // Reads what write() wrote.
  static Result<CollectionSettings> from_json(const JsonValue& value);
  void write(JsonWriter* json) const;

  // Takes over what `update` has. A null takes its entry away.
  void merge(const CollectionSettings& update);

  bool empty() const { return sections_.empty(); }

  // Bytes of all names and values.
  std::size_t bytes() const;

  // What the engine would have to do otherwise, were it to heed them; empty
  // when all have no effect by nature or their default value.
  std::vector<std::string> warnings() const;

  // The first that --compat=strict refuses; empty when there is none.
  std::string refused_when_strict() const;

  // Writes the members of "config" in CollectionInfo that are settings, with
  // defaults for those never given, and those of "params" there.
  void write_config(JsonWriter* json) const;
  void write_params(JsonWriter* json) const;

  bool operator==(const CollectionSettings&) const = default;

 private:
  // By section, then by name: JSON text. "null" in an update takes away.
  using Section = std::map<std::string, std::string, std::less<>>;

  Status take_section(std::string_view name, std::string_view field,
                      const JsonValue& value);

  const std::string* find(std::string_view section,
                          std::string_view name) const;
  void write_section(std::string_view section, JsonWriter* json) const;

  std::map<std::string, Section, std::less<>> sections_;
};

}  // namespace lamina::protocol
