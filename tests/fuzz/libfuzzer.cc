// fuzzers TARGET [libFuzzer's options and directories]
// fuzzers TARGET --seeds DIRECTORY DICTIONARY
// fuzzers --targets
//
// Gives libFuzzer a target to drive; or writes what it starts from, the seeds
// and the words of the target; or lists the targets, with the most bytes of an
// input and what each is about.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fuzz/target.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size,
                                        std::size_t most_bytes);

namespace {

namespace fuzz = lamina::fuzz;

const fuzz::Target* target = nullptr;

void write_seeds(const std::filesystem::path& directory,
                 const std::filesystem::path& dictionary) {
  std::filesystem::create_directories(directory);
  std::size_t number = 0;
  for (const std::string& input : target->seeds()) {
    std::ofstream(directory / ("seed-" + std::to_string(++number)),
                  std::ios::binary)
        << input;
  }
  std::ofstream words(dictionary);
  for (const std::string& word : target->words) {
    words << '"';
    for (const char c : word) {
      char text[8];
      std::snprintf(text, sizeof text, "\\x%02x",
                    static_cast<unsigned>(static_cast<unsigned char>(c)));
      words << text;
    }
    words << "\"\n";
  }
}

void list_targets() {
  for (const fuzz::Target& listed : fuzz::targets()) {
    std::printf("%s|%zu|%s\n", listed.name.data(), listed.most_bytes,
                listed.what.data());
  }
}

// LLVMFuzzerMutate() works in place, so room is made first.
void change_bytes(std::string* bytes) {
  const std::size_t size = bytes->size();
  const std::size_t most = std::max(size + 64, target->most_bytes);
  bytes->resize(most);
  bytes->resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes->data()),
                                 size, most));
}

}  // namespace

extern "C" {

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc == 2 && std::string_view((*argv)[1]) == "--targets") {
    list_targets();
    std::exit(0);
  }
  target = *argc > 1 ? fuzz::find_target((*argv)[1]) : nullptr;
  if (target == nullptr) {
    std::fputs("usage: fuzzers TARGET [options of libFuzzer]\n", stderr);
    std::exit(2);
  }
  if (*argc == 5 && std::string_view((*argv)[2]) == "--seeds") {
    write_seeds((*argv)[3], (*argv)[4]);
    std::exit(0);
  }
  // libFuzzer is not to see the target's name.
  (*argv)[1] = (*argv)[0];
  ++*argv;
  --*argc;
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  target->run({reinterpret_cast<const char*>(bytes), size});
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size,
                                    std::size_t most_bytes, unsigned seed) {
  if (target->change == nullptr) {
    return LLVMFuzzerMutate(bytes, size, most_bytes);
  }
  std::string input(reinterpret_cast<const char*>(bytes), size);
  fuzz::Random random(seed);
  target->change(&random, change_bytes, &input);
  return input.copy(reinterpret_cast<char*>(bytes), most_bytes);
}

}  // extern "C"
