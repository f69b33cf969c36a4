#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace lamina::bench {

// A path for a database of its own, which goes with it. What an earlier run
// left there is taken away.
class Workplace {
 public:
  Workplace(const std::filesystem::path& parent, std::string_view name)
      : path_(parent / ("lamina-bench-" + std::string(name))) {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
    std::filesystem::create_directories(parent, ignored);
  }
  ~Workplace() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace lamina::bench
