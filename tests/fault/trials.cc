#include "fault/trials.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace lamina::fault {
namespace {

constexpr std::size_t kMostExamples = 5;

// Of JSON; our texts hold no other character that needs it.
std::string quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? ' ' : c;
  }
  return quoted + "\"";
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

std::filesystem::path scratch_root(bool on_disk) {
  const std::filesystem::path memory = "/dev/shm";
  if (!on_disk && ::access(memory.c_str(), W_OK) == 0) return memory;
  return std::filesystem::temp_directory_path();
}

}  // namespace

void Report::add(const std::string& what, std::uint64_t count) {
  const auto found =
      std::find_if(counts_.begin(), counts_.end(),
                   [&](const auto& entry) { return entry.first == what; });
  if (found == counts_.end()) {
    counts_.emplace_back(what, count);
  } else {
    found->second += count;
  }
}

void Report::violation(const std::string& what) {
  ++violations_;
  if (examples_.size() < kMostExamples) examples_.push_back(what);
}

std::string Report::json() const {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f", seconds_since(begin_));
  std::string json = "{\"suite\":" + quoted(suite_) +
                     ",\"seconds\":" + seconds + ",\"counts\":[";
  for (const auto& [what, count] : counts_) {
    if (json.back() != '[') json += ',';
    json += "{\"what\":" + quoted(what) +
            ",\"count\":" + std::to_string(count) + "}";
  }
  json += "],\"violations\":" + std::to_string(violations_) + ",\"examples\":[";
  for (const std::string& example : examples_) {
    if (json.back() != '[') json += ',';
    json += quoted(example);
  }
  return json + "]}";
}

std::string Report::text() const {
  std::string text = suite_ + ":\n";
  for (const auto& [what, count] : counts_) {
    text += "  " + std::to_string(count) + " " + what + "\n";
  }
  text += "  " + std::to_string(violations_) + " violations\n";
  for (const std::string& example : examples_) {
    text += "    " + example + "\n";
  }
  return text;
}

Progress::Progress(std::string what, std::uint64_t total)
    : what_(std::move(what)), total_(total) {}

Progress::~Progress() {
  if (shown_ != begin_) std::fputc('\n', stderr);
}

void Progress::reached(std::uint64_t done) {
  const Clock::time_point now = Clock::now();
  if (done == 0 || now - shown_ < std::chrono::seconds(1)) return;
  shown_ = now;
  const double left = seconds_since(begin_) / static_cast<double>(done) *
                      static_cast<double>(total_ - std::min(done, total_));
  std::fprintf(stderr, "\r%s: %llu of %llu, %.0f s left ", what_.c_str(),
               static_cast<unsigned long long>(done),
               static_cast<unsigned long long>(total_), left);
}

std::uint64_t entry_count(const std::filesystem::path& directory) {
  const std::filesystem::directory_iterator begin(directory);
  return static_cast<std::uint64_t>(
      std::distance(begin, std::filesystem::directory_iterator()));
}

Scratch::Scratch(bool on_disk) {
  std::string name = (scratch_root(on_disk) / "lamina-trials-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    std::perror(name.c_str());
    std::exit(2);
  }
  path_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace lamina::fault
