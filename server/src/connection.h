#pragma once

#include <utility>

#include "bounded_stream.h"
#include "lobby.h"

namespace lamina::server {

// One client: its socket, what it sent and what it is to get.
class Connection : public Lobby::Guest {
 public:
  // How it will end once what was written is sent.
  enum class Ending { none, at_once, drained };

  Connection(Descriptor socket, const Deadlines& deadlines, BodyMemory* memory)
      : Guest(std::move(socket)), stream(Guest::socket(), deadlines, memory) {}

  BoundedStream stream;
  Ending ending = Ending::none;
  bool refused = false;  // For want of room; it does not count as served.
};

}  // namespace lamina::server
