#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "lamina/status.h"
#include "storage/file.h"

namespace lamina::storage {

// Lets concurrent writers share an fdatasync: whoever waits first syncs for all
// that was written by then, the others wait for that one or the next.
//
// Thread safety: all calls may run concurrently.
// Lifetime: the file must outlive it, or its successor's continue_in().
class GroupCommit {
 public:
  explicit GroupCommit(File& file, std::uint64_t durable_sequence);

  // The record of `sequence` is in the operating system; those before it too.
  void wrote(std::uint64_t sequence);

  // Returns when the record of `sequence` is on the disk.
  //   data_loss: an fdatasync failed, now or earlier. What is on the disk is
  //   unknown from then on; every later call fails too.
  Status wait_durable(std::uint64_t sequence);

  // From here on records go to `next`; all before is on the disk. Waits for a
  // sync of the old file that is still under way.
  void continue_in(File& next);

  // The failure that wait_durable() reports from now on; ok when there is none.
  Status failure() const;

  // Highest sequence number known to be on the disk.
  std::uint64_t durable_sequence() const;

 private:
  // Syncs with the lock released, as the leader of a group.
  void sync_group(std::unique_lock<std::mutex>* lock);

  File* file_;
  mutable std::mutex mutex_;
  std::condition_variable group_done_;
  std::uint64_t written_;
  std::uint64_t durable_;
  bool syncing_ = false;
  Status failure_;
};

}  // namespace lamina::storage
