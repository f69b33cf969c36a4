#pragma once

#include <memory>

#include "lamina/store.h"

namespace lamina::bench {

// The collection that is written, in process and on the server.
inline constexpr std::string_view kWriteCollection = "writes";

// One way to write a point and to delete it again.
class Writer {
 public:
  virtual ~Writer() = default;

  virtual Result<UpdateResult> upsert(const Point& point,
                                      Durability durability) = 0;
  virtual Result<UpdateResult> remove(const PointId& id,
                                      Durability durability) = 0;
};

std::unique_ptr<Writer> make_collection_writer(
    std::shared_ptr<Collection> collection);

// cpp-httplib by hand: encodes the write and decodes the reply.
Result<std::unique_ptr<Writer>> make_raw_writer(int port);

}  // namespace lamina::bench
