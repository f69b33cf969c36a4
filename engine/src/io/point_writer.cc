#include "io/point_writer.h"

#include <string>

#include "io/writers.h"

namespace lamina::io {

Result<std::unique_ptr<PointWriter>> make_point_writer(Format format,
                                                       const Contents& contents,
                                                       Sink* sink) {
  switch (format) {
    case Format::jsonl:
      return make_jsonl_writer(sink);
    case Format::safetensors:
      return make_safetensors_writer(contents, sink);
    case Format::npy:
      return make_npy_writer(contents, sink);
    case Format::fvecs:
      return make_fvecs_writer(sink);
    case Format::faiss:
      return make_faiss_writer(contents, sink);
    case Format::bvecs:
    case Format::ivecs:
      break;
  }
  return Status::invalid_argument(
      std::string(to_string(format)) +
      " holds integers and is only read; write fvecs, npy, faiss, jsonl or "
      "safetensors");
}

}  // namespace lamina::io
