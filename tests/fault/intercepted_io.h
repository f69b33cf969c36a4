#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Stands between this program and the C library's calls on files: the program
// that links it defines open(), pwrite(), fdatasync() and the like itself, so
// that the code under test needs no hooks. Of files below one directory it can
// count the calls, make one fail, kill the process at one, and write down what
// each did.
//
// Thread safety: the intercepted calls may run concurrently; the rest is for
// one thread while nothing under test runs.
namespace lamina::fault {

enum class Effect {
  // The call fails, and does nothing.
  error,
  // A read or write moves half the bytes, and says so; other calls are as ever.
  half,
  // As much of a write as half, which is possible only where it goes from one
  // page to the next, and an error; all of another call that is hit.
  half_and_error,
  // SIGKILL; in every second case behind half of a write, as before.
  kill
};

struct Plan {
  std::uint64_t call = 0;   // Counted from 1; 0 is none.
  std::uint64_t count = 1;  // How many calls from that one on.
  Effect effect = Effect::error;
  int error = 0;  // errno
};

// Calls on files below `directory` are intercepted from now on; an empty path
// ends that.
void watch(const std::filesystem::path& directory);

// Counting begins anew.
void arm(const Plan& plan);
std::uint64_t call_count();

// How many syncs of files, not of directories, were made to fail since arm().
std::uint64_t failed_syncs();

// Closes all descriptors of watched files behind their owner's back, as the end
// of the process would. The owner must not be used any more.
void abandon_descriptors();

// One call that took effect.
struct Operation {
  enum class Kind {
    create,
    write,
    truncate,
    // What was done before the begin is on the disk behind the end.
    sync_begin,
    sync_end,
    rename,
    remove,
    make_directory,
    // Of mark().
    mark
  };
  Kind kind = Kind::mark;
  std::string path{};
  std::string target{};      // rename: the new path.
  std::uint64_t number = 0;  // Offset, size, or that of the mark; of a
                             // sync_end, where its begin is in the trace.
  std::string bytes{};
};

void start_trace();
// Puts a number of the caller's between the operations. May run concurrently.
void mark(std::uint64_t number);
std::vector<Operation> take_trace();

}  // namespace lamina::fault
