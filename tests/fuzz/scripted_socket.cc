#include "fuzz/scripted_socket.h"

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace lamina::fuzz {
namespace {

std::string_view left;
std::size_t piece = 1;
std::string replies;

// Every other call finds that nothing has come, or that there is no room.
bool waits = false;

bool must_wait() {
  waits = !waits;
  if (waits) errno = EAGAIN;
  return waits;
}

}  // namespace

void begin_connection(std::string_view sent, std::size_t piece_bytes) {
  left = sent;
  piece = std::max<std::size_t>(piece_bytes, 1);
  replies.clear();
  waits = false;
}

const std::string& sent_back() { return replies; }

}  // namespace lamina::fuzz

using lamina::fuzz::kScriptedSocket;

extern "C" {

ssize_t recv(int socket, void* bytes, std::size_t size, int flags) {
  if (socket != kScriptedSocket) {
    return ::syscall(SYS_recvfrom, socket, bytes, size, flags, nullptr,
                     nullptr);
  }
  if (lamina::fuzz::must_wait()) return -1;
  const std::size_t count = lamina::fuzz::left.copy(
      static_cast<char*>(bytes), std::min(size, lamina::fuzz::piece));
  lamina::fuzz::left.remove_prefix(count);
  return static_cast<ssize_t>(count);
}

ssize_t send(int socket, const void* bytes, std::size_t size, int flags) {
  if (socket != kScriptedSocket) {
    return ::syscall(SYS_sendto, socket, bytes, size, flags, nullptr, 0);
  }
  if (lamina::fuzz::must_wait()) return -1;
  const std::size_t count = std::min(size, lamina::fuzz::piece);
  lamina::fuzz::replies.append(static_cast<const char*>(bytes), count);
  return static_cast<ssize_t>(count);
}

int shutdown(int socket, int how) noexcept {
  if (socket == kScriptedSocket) return 0;
  return static_cast<int>(::syscall(SYS_shutdown, socket, how));
}

int setsockopt(int socket, int level, int name, const void* value,
               socklen_t size) noexcept {
  if (socket == kScriptedSocket) return 0;
  return static_cast<int>(
      ::syscall(SYS_setsockopt, socket, level, name, value, size));
}

}  // extern "C"
