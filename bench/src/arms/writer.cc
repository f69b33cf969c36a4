#include "arms/writer.h"

#include <span>
#include <string>
#include <utility>

#include "arms/raw_http.h"
#include "protocol/paths.h"
#include "protocol/points_json.h"

namespace lamina::bench {
namespace {

class CollectionWriter : public Writer {
 public:
  explicit CollectionWriter(std::shared_ptr<Collection> collection)
      : collection_(std::move(collection)) {}

  Result<UpdateResult> upsert(const Point& point,
                              Durability durability) override {
    return collection_->upsert(point, {.durability = durability});
  }

  Result<UpdateResult> remove(const PointId& id,
                              Durability durability) override {
    return collection_->remove(id, {.durability = durability});
  }

 private:
  std::shared_ptr<Collection> collection_;
};

class RawWriter : public Writer {
 public:
  explicit RawWriter(std::unique_ptr<RawHttp> http)
      : http_(std::move(http)),
        upsert_path_(protocol::points_path(kWriteCollection) + "?wait=true"),
        remove_path_(protocol::points_path(kWriteCollection) +
                     "/delete?wait=true") {}

  Result<UpdateResult> upsert(const Point& point,
                              Durability durability) override {
    return write("PUT", upsert_path_,
                 protocol::encode_upsert(std::span(&point, 1)), durability);
  }

  Result<UpdateResult> remove(const PointId& id,
                              Durability durability) override {
    return write("POST", remove_path_, protocol::encode_remove(id), durability);
  }

 private:
  Result<UpdateResult> write(std::string_view method, const std::string& path,
                             const std::string& body, Durability durability) {
    std::string reply;
    bool durable = false;
    Status sent =
        http_->write(method, path, body, durability, &reply, &durable);
    if (!sent.ok()) return sent;
    return protocol::decode_update_reply(reply, durable);
  }

  std::unique_ptr<RawHttp> http_;
  std::string upsert_path_;
  std::string remove_path_;
};

}  // namespace

std::unique_ptr<Writer> make_collection_writer(
    std::shared_ptr<Collection> collection) {
  return std::make_unique<CollectionWriter>(std::move(collection));
}

Result<std::unique_ptr<Writer>> make_raw_writer(int port) {
  Result<std::unique_ptr<RawHttp>> http = RawHttp::connect(port);
  if (!http.ok()) return http.status();
  return std::unique_ptr<Writer>(std::make_unique<RawWriter>(*std::move(http)));
}

}  // namespace lamina::bench
