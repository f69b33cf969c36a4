#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "request_head.h"

namespace lamina::server {

// Takes the chunked coding off a body while its bytes arrive: a pure function
// over bytes. Refuses what readers are known to disagree about: sizes that are
// not plain hexadecimal digits, chunk extensions, trailer fields, line ends
// other than CRLF.
//
// Thread safety: one thread at a time.
class ChunkedBody {
 public:
  // Appends to `body` what `received` holds of it, up to its end, and tells how
  // many bytes were taken: all of them unless the body ended. A size that would
  // make the body larger than allowed is refused before any byte of that chunk.
  std::optional<Refusal> decode(std::string_view received, std::string* body,
                                std::size_t* taken);

  bool ended() const { return next_ == Next::nothing; }

 private:
  // What the next byte has to be.
  enum class Next {
    size,
    size_end,  // The LF behind a size.
    data,
    data_return,
    data_end,
    last_return,
    last_end,
    nothing,
  };

  std::optional<Refusal> take_size(char c, std::size_t room);
  std::optional<Refusal> take_mark(char c);

  Next next_ = Next::size;
  std::size_t digits_ = 0;
  std::size_t left_ = 0;  // Bytes of the chunk that are still to come.
};

}  // namespace lamina::server
