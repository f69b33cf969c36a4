#include "running_transport.h"

#include <utility>

namespace lamina::test {
namespace {

server::Reply echo(const server::Request& request) {
  server::Reply reply;
  reply.content_type = "application/json; charset=utf-8";
  reply.body.append(request.method).append(" ").append(request.path);
  reply.body.append("?").append(request.query);
  reply.body.append(" [").append(request.body).append("]");
  reply.body.append(request.durability);
  return reply;
}

}  // namespace

RunningTransport::RunningTransport(const server::TransportOptions& options)
    : RunningTransport(echo, options) {}

RunningTransport::RunningTransport(server::Handler handler,
                                   const server::TransportOptions& options)
    : transport_(std::move(handler), options),
      served_(transport_.bind("127.0.0.1", 0)) {
  start();
}

RunningTransport::RunningTransport(const std::string& socket_file)
    : transport_(echo), served_(transport_.bind("127.0.0.1", 0)) {
  if (served_.ok()) served_ = transport_.bind_unix(socket_file);
  start();
}

void RunningTransport::start() {
  if (!served_.ok()) return;
  thread_ = std::thread([this] { served_ = transport_.serve(); });
}

RunningTransport::~RunningTransport() { static_cast<void>(stop()); }

RawConnection RunningTransport::connect() const {
  return RawConnection::open(port()).value();
}

Status RunningTransport::stop() {
  const auto begin = std::chrono::steady_clock::now();
  transport_.stop();
  if (thread_.joinable()) thread_.join();
  stop_duration_ = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begin);
  return served_;
}

}  // namespace lamina::test
