#include "fuzz/change.h"

#include <algorithm>
#include <array>

namespace lamina::fuzz {
namespace {

constexpr std::uint64_t kMostChanges = 4;
constexpr std::uint64_t kMostPieceBytes = 32;

// Where numbers go wrong.
constexpr std::array<char, 8> kEdges = {'\0',   '\1',   '\x7f', '\x80',
                                        '\xff', '\x0a', '0',    '9'};

}  // namespace

void BlindChanges::operator()(std::string* bytes) {
  const std::uint64_t count = 1 + random_.below(kMostChanges);
  for (std::uint64_t i = 0; i < count; ++i) change_once(bytes);
}

void BlindChanges::change_once(std::string* bytes) {
  switch (random_.below(6)) {
    case 0:
      if (words_.empty()) return change_byte(bytes);
      return put(words_[random_.below(words_.size())], bytes);
    case 1:
      return put(piece_of(others_[random_.below(others_.size())]), bytes);
    case 2: {
      const std::string piece(piece_of(*bytes));
      return put(piece, bytes);
    }
    case 3: {
      const std::string_view piece = piece_of(*bytes);
      const auto at = static_cast<std::size_t>(piece.data() - bytes->data());
      bytes->erase(at, piece.size());
      return;
    }
    default:
      change_byte(bytes);
  }
}

void BlindChanges::change_byte(std::string* bytes) {
  if (bytes->empty()) return bytes->push_back('\0');
  char& byte = (*bytes)[random_.below(bytes->size())];
  switch (random_.below(3)) {
    case 0:
      byte = static_cast<char>(byte ^ (1 << random_.below(8)));
      break;
    case 1:
      byte = kEdges[random_.below(kEdges.size())];
      break;
    default:
      byte = static_cast<char>(random_.below(256));
  }
}

// Before what is somewhere, or over it.
void BlindChanges::put(std::string_view piece, std::string* bytes) {
  const std::size_t at = random_.below(bytes->size() + 1);
  const std::size_t replaced = random_.below(2) == 0 ? piece.size() : 0;
  bytes->replace(at, std::min(replaced, bytes->size() - at), piece);
}

std::string_view BlindChanges::piece_of(std::string_view bytes) {
  const std::size_t at = random_.below(bytes.size() + 1);
  return bytes.substr(at, 1 + random_.below(kMostPieceBytes));
}

}  // namespace lamina::fuzz
