#include "chunked_body.h"

#include <algorithm>

#include "protocol/paths.h"

namespace lamina::server {
namespace {

constexpr std::size_t kMaxSizeDigits = 16;

constexpr Refusal kSize{400,
                        "Bad request: a chunk does not begin with its size, "
                        "1 to 16 hexadecimal digits and CRLF"};
constexpr Refusal kEnd{400, "Bad request: a chunk does not end in CRLF"};
constexpr Refusal kTrailer{400,
                           "Bad request: something follows the last chunk"};

// -1 for what is no digit.
int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<Refusal> ChunkedBody::decode(std::string_view received,
                                           std::string* body,
                                           std::size_t* taken) {
  const std::size_t size = received.size();
  std::optional<Refusal> refusal;
  while (!received.empty() && !ended() && !refusal) {
    if (next_ == Next::data) {
      const std::string_view piece = received.substr(0, left_);
      body->append(piece);
      left_ -= piece.size();
      if (left_ == 0) next_ = Next::data_return;
      received.remove_prefix(piece.size());
    } else {
      refusal = next_ == Next::size
                    ? take_size(received.front(),
                                protocol::kMaxBodyBytes - body->size())
                    : take_mark(received.front());
      received.remove_prefix(1);
    }
  }
  *taken = size - received.size();
  return refusal;
}

std::optional<Refusal> ChunkedBody::take_size(char c, std::size_t room) {
  if (c == '\r' && digits_ > 0) {
    next_ = Next::size_end;
    return {};
  }
  const int digit = hex_digit(c);
  if (digit < 0 || digits_ == kMaxSizeDigits) return kSize;
  ++digits_;
  left_ = left_ * 16 + static_cast<std::size_t>(digit);
  return left_ <= room ? std::nullopt : std::optional(kLongBody);
}

std::optional<Refusal> ChunkedBody::take_mark(char c) {
  const bool is_return =
      next_ == Next::data_return || next_ == Next::last_return;
  const bool matches = c == (is_return ? '\r' : '\n');
  switch (next_) {
    case Next::size_end:
      if (!matches) return kSize;
      digits_ = 0;
      next_ = left_ > 0 ? Next::data : Next::last_return;
      return {};
    case Next::data_return:
      if (!matches) return kEnd;
      next_ = Next::data_end;
      return {};
    case Next::data_end:
      if (!matches) return kEnd;
      next_ = Next::size;
      return {};
    case Next::last_return:
      if (!matches) return kTrailer;
      next_ = Next::last_end;
      return {};
    default:
      if (!matches) return kTrailer;
      next_ = Next::nothing;
      return {};
  }
}

}  // namespace lamina::server
