#include "configuration.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <fstream>
#include <sstream>

#include "support/temporary_directory.h"

namespace lamina::server {
namespace {

struct Reading {
  std::optional<ExitCode> ended;
  Configuration configuration;
  std::string out;
  std::string err;
};

Reading read(const std::vector<std::string>& words) {
  std::vector<const char*> arguments = {"lamina-server"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  Reading reading;
  std::ostringstream out;
  std::ostringstream err;
  reading.ended =
      read_configuration(static_cast<int>(arguments.size()), arguments.data(),
                         &reading.configuration, out, err);
  reading.out = out.str();
  reading.err = err.str();
  return reading;
}

// A variable of the environment, for as long as the object lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    setenv(name, value, 1);
  }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* const name_;
};

class File {
 public:
  explicit File(std::string_view text) : path_(directory_.path() / "f.toml") {
    std::ofstream(path_) << text;
  }
  std::string path() const { return path_; }

 private:
  test::TemporaryDirectory directory_;
  const std::filesystem::path path_;
};

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE(
    "settings: a flag counts more than the environment, the environment more "
    "than the file") {
  const File file("port = 7003  # third\ncompat = \"strict\"\n");
  CHECK(read({}).configuration.port == 6333);
  CHECK(read({"--config", file.path()}).configuration.port == 7003);
  CHECK(read({"--config", file.path()}).configuration.compat == "strict");
  const Variable variable("LAMINA_PORT", "7002");
  CHECK(read({}).configuration.port == 7002);
  CHECK(read({"--config", file.path()}).configuration.port == 7002);
  CHECK(read({"--config", file.path(), "--port", "7001"}).configuration.port ==
        7001);
}

TEST_CASE("settings: the environment names the file, too") {
  const File file("port = 7003\n");
  const std::string path = file.path();
  const Variable variable("LAMINA_CONFIG", path.c_str());
  CHECK(read({}).configuration.port == 7003);
}

TEST_CASE("settings: what a file must not say is named, and ends with 2") {
  for (const auto& [text, named] :
       {std::pair("prot = 1\n", "'prot'"), std::pair("[a]\nport = 1\n", "'a."),
        std::pair("port = 70000\n", "--port"),
        std::pair("durability = \"maybe\"\n", "--durability"),
        std::pair("port = 1\ncompat = \"strict\"\nport = 2\n", "--port"),
        std::pair("data-dir = \"a#b\"\n", "data-dir"),
        std::pair("help = true\n", "'help'"),
        std::pair("nonsense\n", "'nonsense'")}) {
    CAPTURE(text);
    const File file(text);
    const Reading reading = read({"--config", file.path()});
    CHECK(reading.ended == kBadConfiguration);
    CHECK_MESSAGE(has(reading.err, named), reading.err);
  }
  const Reading missing = read({"--config", "/nowhere/f.toml"});
  CHECK(missing.ended == kBadConfiguration);
  CHECK(has(missing.err, "/nowhere/f.toml"));
}

TEST_CASE("settings: what is printed reads back as the same") {
  const Reading printed =
      read({"--print-config", "--port", "7001", "--data-dir", "/srv/two words",
            "--cors-origin", "https://a.example,https://b.example"});
  CHECK(printed.ended == kOk);
  const File file(printed.out);
  const Reading again = read({"--print-config", "--config", file.path()});
  CHECK(again.ended == kOk);
  CHECK(again.out == printed.out);
  CHECK(has(again.out, "port=7001"));
  CHECK(again.configuration.data_dir == "/srv/two words");
  CHECK(again.configuration.cors_origins ==
        std::vector<std::string>{"https://a.example", "https://b.example"});
}

TEST_CASE(
    "settings: a check ends with 0 or 2, and help names the environment") {
  CHECK(read({"--check-config"}).ended == kOk);
  CHECK(read({"--check-config", "--port", "x"}).ended == kBadConfiguration);
  const Reading help = read({"--help"});
  CHECK(help.ended == kOk);
  CHECK(has(help.out, "LAMINA_SYNC_INTERVAL_MS"));
}

}  // namespace
}  // namespace lamina::server
