#include "io/line_reader.h"

#include <algorithm>
#include <utility>

namespace lamina::io {
namespace {

constexpr std::size_t kChunkBytes = 256u << 10;

std::string_view without_carriage_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

LineReader::LineReader(InputFile file)
    : file_(std::move(file)), end_(file_.size()) {}

LineReader::LineReader(InputFile file, std::uint64_t begin, std::uint64_t end)
    : file_(std::move(file)), begin_(begin), end_(end), next_offset_(begin) {}

Result<std::optional<std::string_view>> LineReader::next() {
  ++line_number_;
  std::size_t searched = start_;
  while (true) {
    const std::size_t line_end = buffer_.find('\n', searched);
    const bool whole = line_end != std::string::npos;
    const std::size_t behind = whole ? line_end : buffer_.size();
    if (behind - start_ > kMaxLineBytes) {
      return Status::invalid_argument(where() + ": longer than " +
                                      std::to_string(kMaxLineBytes) + " bytes");
    }
    if (whole || next_offset_ == end_) {
      if (!whole && start_ == buffer_.size()) return {std::nullopt};
      const std::string_view line =
          std::string_view(buffer_).substr(start_, behind - start_);
      start_ = whole ? behind + 1 : behind;
      return {without_carriage_return(line)};
    }
    const std::size_t pending = buffer_.size() - start_;
    const Status read = read_more();
    if (!read.ok()) return read;
    searched = pending;
  }
}

void LineReader::rewind() {
  next_offset_ = begin_;
  buffer_.clear();
  start_ = 0;
  line_number_ = 0;
}

std::string LineReader::where(std::uint64_t line_number) const {
  return file_.name() + ": line " + std::to_string(line_number);
}

double LineReader::share_done() const {
  if (end_ == begin_) return 1.0;
  const std::uint64_t done = next_offset_ - begin_ - (buffer_.size() - start_);
  return static_cast<double>(done) / static_cast<double>(end_ - begin_);
}

// Drops the lines that were read and appends the next chunk.
Status LineReader::read_more() {
  buffer_.erase(0, start_);
  start_ = 0;
  const std::size_t pending = buffer_.size();
  const std::size_t size = static_cast<std::size_t>(
      std::min<std::uint64_t>(kChunkBytes, end_ - next_offset_));
  buffer_.resize(pending + size);
  const Status read =
      file_.read_at(next_offset_, buffer_.data() + pending, size);
  if (read.ok()) next_offset_ += size;
  return read;
}

}  // namespace lamina::io
