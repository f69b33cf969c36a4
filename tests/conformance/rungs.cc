#include "rungs.h"

#include "lamina/client.h"
#include "lamina/database.h"
#include "support/raw_http_store.h"

namespace lamina::test {

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

bool same_bits(const Record& a, const Record& b) {
  return a == b && same_bits(a.vector, b.vector);
}

bool same_bits(const Hit& a, const Hit& b) {
  return a == b && same_bits(a.score, b.score) && same_bits(a.vector, b.vector);
}

bool same_bits(const ScrollPage& a, const ScrollPage& b) {
  return same_bits(a.points, b.points) && a.next_offset == b.next_offset;
}

Rungs::Rungs() {
  for (std::unique_ptr<ServerProcess>& server : servers_) {
    auto started = ServerProcess::start();
    REQUIRE_MESSAGE(started.ok(), started.status().to_string());
    server = *std::move(started);
  }
  rungs_[0] = {"engine in memory", Database::in_memory(), nullptr};
  rungs_[1] = {"engine on a directory",
               Database::open(directory_.path() / "db").value(), nullptr};
  rungs_[2] = {"raw HTTP", make_raw_http_store(servers_[0]->port()), nullptr};
  rungs_[3] = {"client", Client::connect(servers_[1]->url()).value(), nullptr};
  rungs_[4] = {"raw HTTP, binary",
               make_raw_http_store(servers_[2]->port(), RawBodies::binary),
               nullptr};
}

Status Rungs::create(std::string_view name, const CollectionOptions& options) {
  return ask_store([&](Store& store) {
    return store.create_collection(name, options).status();
  });
}

void Rungs::create_items(const CollectionOptions& options) {
  for (Rung& rung : rungs_) {
    CAPTURE(rung.name);
    auto created = rung.store->create_collection("items", options);
    REQUIRE_MESSAGE(created.ok(), created.status().to_string());
    rung.items = *created;
  }
}

void Rungs::reopen_directory() {
  Rung& rung = rungs_[1];
  rung.items.reset();
  rung.store.reset();
  rung.store = Database::open(directory_.path() / "db").value();
  rung.items = rung.store->open_collection("items").value();
}

}  // namespace lamina::test
