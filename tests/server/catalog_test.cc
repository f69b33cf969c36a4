#include "catalog.h"

#include <doctest/doctest.h>

#include <fstream>

#include "lamina/database.h"
#include "support/temporary_directory.h"

namespace lamina::server {
namespace {

using protocol::AliasAction;
using protocol::CollectionSettings;
using protocol::CreateAlias;

const AliasAction kAlias = CreateAlias{{"a", "c"}};

std::unique_ptr<Database> database_with_c() {
  std::unique_ptr<Database> database = Database::in_memory();
  REQUIRE(database->create_collection("c", {.dimension = 2}).ok());
  return database;
}

TEST_CASE("a catalog is there again after it was closed") {
  test::TemporaryDirectory directory;
  const std::filesystem::path file = directory.path() / "server.json";
  const auto database = database_with_c();
  const CollectionSettings settings =
      CollectionSettings::from_create(
          R"({"vectors":{},"metadata":{"deep":[[{"a":1.50}]],"n":null},)"
          R"("quantization_config":{"scalar":{"type":"int8"}}})")
          .value();
  {
    const auto catalog = Catalog::open(file).value();
    REQUIRE(catalog->change_aliases({&kAlias, 1}, *database).ok());
    REQUIRE(catalog->set_settings("c", settings).ok());
  }
  const auto catalog = Catalog::open(file).value();
  CHECK(catalog->find_alias("a") == "c");
  CHECK(catalog->aliases() == std::vector<protocol::Alias>{{"a", "c"}});
  JsonWriter json;
  catalog->settings("c").write(&json);
  CHECK(json.text() == R"({"metadata":{"deep":[[{"a":1.50}]]},)"
                       R"("quantization_config":{"scalar":{"type":"int8"}}})");
}

TEST_CASE("a file that is no catalog is damage, and stays as it is") {
  test::TemporaryDirectory directory;
  const std::filesystem::path file = directory.path() / "server.json";
  for (const char* text :
       {"{", "[]", R"({"version":1,"aliases":{}})",
        R"({"version":2,"aliases":{},"settings":{}})",
        R"({"aliases":{},"settings":{}})",
        R"({"version":1,"aliases":{"a":1},"settings":{}})",
        R"({"version":1,"aliases":{},"settings":{"c":1}})",
        R"({"version":1,"aliases":{},"settings":{"c":{"metadata":1}}})"}) {
    CAPTURE(text);
    std::ofstream(file) << text;
    CHECK(Catalog::open(file).status().code() == StatusCode::data_loss);
    CHECK(std::filesystem::exists(file));
  }
}

TEST_CASE("a change that cannot be stored is not made") {
  test::TemporaryDirectory directory;
  const auto database = database_with_c();
  const auto catalog =
      Catalog::open(directory.path() / "gone" / "server.json").value();
  CHECK(catalog->change_aliases({&kAlias, 1}, *database).code() ==
        StatusCode::io_error);
  CHECK_FALSE(catalog->find_alias("a").has_value());
}

TEST_CASE("settings have a bound, over all of their changes") {
  Catalog catalog;
  const auto metadata = [](const std::string& key) {
    return CollectionSettings::from_update(
        R"({"metadata":{")" + key + R"(":")" + std::string(200'000, 'x') +
        R"("}})");
  };
  CHECK(catalog.merge_settings("c", metadata("a").value()).ok());
  CHECK(catalog.merge_settings("c", metadata("a").value()).ok());
  CHECK(catalog.merge_settings("c", metadata("b").value()).code() ==
        StatusCode::invalid_argument);
  CHECK(CollectionSettings::from_update(R"({"metadata":{"a":")" +
                                        std::string(300'000, 'x') + R"("}})")
            .status()
            .code() == StatusCode::invalid_argument);
}

}  // namespace
}  // namespace lamina::server
