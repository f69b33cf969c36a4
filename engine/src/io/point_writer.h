#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "io/point_reader.h"
#include "io/sink.h"
#include "lamina/result.h"
#include "lamina/results.h"

namespace lamina::io {

// What is going to be written, known before the first point.
struct Contents {
  std::size_t dimension = 0;
  Metric metric = Metric::cosine;
  std::uint64_t point_count = 0;
  // Of the points, those whose id is a UUID. They come last, as in id order.
  std::uint64_t uuid_count = 0;
};

// Writes points, or a part of each, as a file. The same points give the same
// bytes.
//
// Thread safety: one thread at a time.
// Lifetime: the sink must outlive it. After an error only destruction is left.
class PointWriter {
 public:
  virtual ~PointWriter() = default;
  // The next points in id order, each with vector and payload.
  virtual Status add(std::span<const Record> points) = 0;
  // Writes what is still to be written, once all points are in.
  virtual Status finish() = 0;
};

// jsonl and safetensors hold all of a point; faiss the vector and an id below
// 2^63; npy and fvecs the vector.
//   invalid_argument: a format that is only read, or ids it cannot hold.
Result<std::unique_ptr<PointWriter>> make_point_writer(Format format,
                                                       const Contents& contents,
                                                       Sink* sink);

// The ids alone, as open_ids() reads them.
//   invalid_argument: UUIDs as .npy.
Result<std::unique_ptr<PointWriter>> make_npy_id_writer(
    const Contents& contents, Sink* sink);
std::unique_ptr<PointWriter> make_text_id_writer(Sink* sink);

// Lines of {"id": ..., "payload": {...}}.
std::unique_ptr<PointWriter> make_payload_writer(Sink* sink);

}  // namespace lamina::io
