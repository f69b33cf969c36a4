#pragma once

#include <memory>
#include <string_view>

#include "io/point_writer.h"

// One function per format, and what they share. Internal to the writers.
namespace lamina::io {

inline std::string_view bytes_of(VectorView vector) {
  return {reinterpret_cast<const char*>(vector.data()), vector.size_bytes()};
}

std::unique_ptr<PointWriter> make_jsonl_writer(Sink* sink);
std::unique_ptr<PointWriter> make_npy_writer(const Contents& contents,
                                             Sink* sink);
std::unique_ptr<PointWriter> make_fvecs_writer(Sink* sink);
std::unique_ptr<PointWriter> make_safetensors_writer(const Contents& contents,
                                                     Sink* sink);
Result<std::unique_ptr<PointWriter>> make_faiss_writer(const Contents& contents,
                                                       Sink* sink);

}  // namespace lamina::io
