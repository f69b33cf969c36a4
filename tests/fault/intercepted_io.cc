#include "fault/intercepted_io.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace lamina::fault {
namespace {

using Kind = Operation::Kind;

// What the intercepted calls share. They cannot be handed anything.
struct Shared {
  std::mutex mutex;
  std::string root;
  std::unordered_map<int, std::string> paths;  // Of open descriptors.
  Plan plan;
  std::uint64_t calls = 0;
  std::uint64_t failed_syncs = 0;
  bool tracing = false;
  std::vector<Operation> trace;
};

Shared& shared() {
  static Shared* const it = new Shared;  // Outlives every static's destructor.
  return *it;
}

bool is_watched(const std::string& path) {
  const std::string& root = shared().root;
  return !root.empty() && path.starts_with(root) &&
         (path.size() == root.size() || path[root.size()] == '/');
}

// The watched path behind a descriptor; empty when it is none.
std::string path_of(int descriptor) {
  const std::lock_guard lock(shared().mutex);
  if (shared().root.empty()) return {};
  const auto found = shared().paths.find(descriptor);
  return found == shared().paths.end() ? std::string() : found->second;
}

// Empty when nothing is watched: then no memory is taken either, which others
// may want to run out.
std::string path_at(int directory, const char* name) {
  if (shared().root.empty()) return {};
  if (directory == AT_FDCWD || name[0] == '/') return name;
  const std::string above = path_of(directory);
  return above.empty() ? std::string() : above + "/" + name;
}

void record(Operation operation) {
  const std::lock_guard lock(shared().mutex);
  if (shared().tracing) shared().trace.push_back(std::move(operation));
}

enum class Fate { pass, fail, half, half_and_fail, half_and_die };

constexpr std::uint64_t kPageBytes = 4096;

[[noreturn]] void die() {
  ::kill(::getpid(), SIGKILL);
  while (true) ::pause();
}

// Counts a call and says what becomes of it; errno is set when it fails.
Fate fate_of_call() {
  const std::lock_guard lock(shared().mutex);
  const Plan& plan = shared().plan;
  const std::uint64_t call = ++shared().calls;
  const bool hit =
      plan.call != 0 && call >= plan.call && call - plan.call < plan.count;
  if (!hit) return Fate::pass;
  switch (plan.effect) {
    case Effect::error:
      errno = plan.error;
      return Fate::fail;
    case Effect::half:
      return Fate::half;
    case Effect::half_and_error:
      errno = plan.error;
      return Fate::half_and_fail;
    case Effect::kill:
      break;
  }
  if (call % 2 == 0) die();
  return Fate::half_and_die;
}

// For calls that cannot be done by half.
bool may_pass() {
  const Fate fate = fate_of_call();
  if (fate == Fate::half_and_die) die();
  return fate != Fate::fail && fate != Fate::half_and_fail;
}

int finish_open(int descriptor, const std::string& path, bool is_new) {
  {
    const std::lock_guard lock(shared().mutex);
    if (descriptor >= 0) {
      shared().paths.erase(descriptor);
      if (is_watched(path)) shared().paths[descriptor] = path;
    }
  }
  if (descriptor >= 0 && is_new) record({Kind::create, path});
  return descriptor;
}

int open_at(int directory, const char* name, int flags, mode_t mode) {
  const std::string path = path_at(directory, name);
  const bool watched = is_watched(path);
  if (watched && !may_pass()) return -1;
  struct stat info {};
  const bool is_new =
      watched && (flags & O_CREAT) != 0 && ::lstat(path.c_str(), &info) != 0;
  const int descriptor =
      static_cast<int>(::syscall(SYS_openat, directory, name, flags, mode));
  return finish_open(descriptor, path, is_new);
}

int sync_with(long number, int descriptor) {
  const std::string path = path_of(descriptor);
  if (path.empty()) return static_cast<int>(::syscall(number, descriptor));
  if (!may_pass()) {
    const std::lock_guard lock(shared().mutex);
    if (number == SYS_fdatasync) ++shared().failed_syncs;
    return -1;
  }
  std::uint64_t begin = 0;
  {
    const std::lock_guard lock(shared().mutex);
    begin = shared().trace.size();
    if (shared().tracing) {
      shared().trace.push_back({Kind::sync_begin, path});
    }
  }
  const int outcome = static_cast<int>(::syscall(number, descriptor));
  if (outcome == 0) record({Kind::sync_end, path, {}, begin});
  return outcome;
}

// Where a write can end that does not reach its end. What lies in one page gets
// there at once, also when the process is killed.
std::size_t half_of(std::size_t size, off_t offset) {
  const auto begin = static_cast<std::uint64_t>(offset);
  const std::uint64_t end = (begin + size / 2) / kPageBytes * kPageBytes;
  return end > begin ? end - begin : 0;
}

ssize_t write_to(int descriptor, const void* bytes, std::size_t size,
                 off_t offset) {
  const std::string path = path_of(descriptor);
  const Fate fate = path.empty() ? Fate::pass : fate_of_call();
  if (fate == Fate::fail) return -1;
  if (fate == Fate::half) size = (size + 1) / 2;
  const int error = errno;
  const bool is_cut = fate == Fate::half_and_fail || fate == Fate::half_and_die;
  if (is_cut) size = half_of(size, offset);
  const ssize_t put = ::syscall(SYS_pwrite64, descriptor, bytes, size, offset);
  if (fate == Fate::half_and_die) die();
  if (put > 0 && !path.empty()) {
    record({Kind::write,
            path,
            {},
            static_cast<std::uint64_t>(offset),
            std::string(static_cast<const char*>(bytes),
                        static_cast<std::size_t>(put))});
  }
  if (fate == Fate::half_and_fail) {
    errno = error;
    return -1;
  }
  return put;
}

int remove_at(int directory, const char* name, int flags) {
  const std::string path = path_at(directory, name);
  const bool watched = is_watched(path);
  if (watched && !may_pass()) return -1;
  const int outcome =
      static_cast<int>(::syscall(SYS_unlinkat, directory, name, flags));
  if (outcome == 0 && watched) record({Kind::remove, path});
  return outcome;
}

// Files that are open keep their place in a directory that gets another name.
void move_paths(const std::string& from, const std::string& to) {
  const std::lock_guard lock(shared().mutex);
  for (auto& [descriptor, path] : shared().paths) {
    if (path == from || path.starts_with(from + "/")) {
      path = to + path.substr(from.size());
    }
  }
}

}  // namespace

void watch(const std::filesystem::path& directory) {
  const std::lock_guard lock(shared().mutex);
  shared().root = directory.string();
  if (directory.empty()) shared().paths.clear();
}

void arm(const Plan& plan) {
  const std::lock_guard lock(shared().mutex);
  shared().plan = plan;
  shared().calls = 0;
  shared().failed_syncs = 0;
}

std::uint64_t call_count() {
  const std::lock_guard lock(shared().mutex);
  return shared().calls;
}

std::uint64_t failed_syncs() {
  const std::lock_guard lock(shared().mutex);
  return shared().failed_syncs;
}

void abandon_descriptors() {
  const std::lock_guard lock(shared().mutex);
  for (const auto& [descriptor, path] : shared().paths) {
    ::syscall(SYS_close, descriptor);
  }
  shared().paths.clear();
}

void start_trace() {
  const std::lock_guard lock(shared().mutex);
  shared().tracing = true;
  shared().trace.clear();
}

void mark(std::uint64_t number) { record({Kind::mark, {}, {}, number}); }

std::vector<Operation> take_trace() {
  const std::lock_guard lock(shared().mutex);
  shared().tracing = false;
  return std::exchange(shared().trace, {});
}

}  // namespace lamina::fault

// The calls themselves. Linked into the program, these come before the C
// library's, also for the calls of other shared libraries.
namespace fault = lamina::fault;

extern "C" {

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return fault::open_at(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return fault::open_at(directory, path, flags, mode);
}

int close(int descriptor) {
  const std::string path = fault::path_of(descriptor);
  const bool passes = path.empty() || fault::may_pass();
  {
    const std::lock_guard lock(fault::shared().mutex);
    fault::shared().paths.erase(descriptor);
  }
  const int error = errno;
  const int outcome = static_cast<int>(::syscall(SYS_close, descriptor));
  if (passes) return outcome;
  errno = error;
  return -1;
}

ssize_t pread(int descriptor, void* bytes, std::size_t size, off_t offset) {
  const fault::Fate fate = fault::path_of(descriptor).empty()
                               ? fault::Fate::pass
                               : fault::fate_of_call();
  if (fate == fault::Fate::half_and_die) fault::die();
  if (fate == fault::Fate::fail || fate == fault::Fate::half_and_fail) {
    return -1;
  }
  if (fate == fault::Fate::half) size = (size + 1) / 2;
  return ::syscall(SYS_pread64, descriptor, bytes, size, offset);
}

ssize_t pwrite(int descriptor, const void* bytes, std::size_t size,
               off_t offset) {
  return fault::write_to(descriptor, bytes, size, offset);
}

int fdatasync(int descriptor) {
  return fault::sync_with(SYS_fdatasync, descriptor);
}

int fsync(int descriptor) { return fault::sync_with(SYS_fsync, descriptor); }

int ftruncate(int descriptor, off_t size) noexcept {
  const std::string path = fault::path_of(descriptor);
  if (!path.empty() && !fault::may_pass()) return -1;
  const int outcome =
      static_cast<int>(::syscall(SYS_ftruncate, descriptor, size));
  if (outcome == 0 && !path.empty()) {
    fault::record(
        {fault::Kind::truncate, path, {}, static_cast<std::uint64_t>(size)});
  }
  return outcome;
}

int rename(const char* from, const char* to) noexcept {
  const bool watched = fault::is_watched(fault::path_at(AT_FDCWD, from));
  if (watched && !fault::may_pass()) return -1;
  const int outcome = static_cast<int>(
      ::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
  if (outcome != 0 || !watched) return outcome;
  fault::move_paths(from, to);
  fault::record({fault::Kind::rename, from, to});
  return 0;
}

int unlink(const char* path) noexcept {
  return fault::remove_at(AT_FDCWD, path, 0);
}

int rmdir(const char* path) noexcept {
  return fault::remove_at(AT_FDCWD, path, AT_REMOVEDIR);
}

int unlinkat(int directory, const char* path, int flags) noexcept {
  return fault::remove_at(directory, path, flags);
}

int mkdir(const char* path, mode_t mode) noexcept {
  const bool watched = fault::is_watched(fault::path_at(AT_FDCWD, path));
  if (watched && !fault::may_pass()) return -1;
  const int outcome =
      static_cast<int>(::syscall(SYS_mkdirat, AT_FDCWD, path, mode));
  if (outcome == 0 && watched) {
    fault::record({fault::Kind::make_directory, path});
  }
  return outcome;
}

}  // extern "C"
