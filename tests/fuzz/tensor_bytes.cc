#include "fuzz/tensor_bytes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace lamina::fuzz {

void change_tensors(Random* random, const ChangeBytes& change_bytes,
                    std::string* bytes) {
  std::uint64_t length = 0;
  if (bytes->size() < sizeof length) return change_bytes(bytes);
  std::memcpy(&length, bytes->data(), sizeof length);
  length = std::min<std::uint64_t>(length, bytes->size() - sizeof length);
  std::string header = bytes->substr(sizeof length, length);
  std::string data = bytes->substr(sizeof length + length);
  change_bytes(random->below(3) == 0 ? &data : &header);
  length = header.size();
  bytes->assign(reinterpret_cast<const char*>(&length), sizeof length);
  *bytes += header + data;
}

}  // namespace lamina::fuzz
