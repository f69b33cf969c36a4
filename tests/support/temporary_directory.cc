#include "support/temporary_directory.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>

namespace lamina::test {

TemporaryDirectory::TemporaryDirectory() {
  std::string name =
      std::filesystem::temp_directory_path() / "lamina-test-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    std::perror(name.c_str());
    std::abort();
  }
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace lamina::test
