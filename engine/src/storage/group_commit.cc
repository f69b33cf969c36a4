#include "storage/group_commit.h"

#include <algorithm>

namespace lamina::storage {

GroupCommit::GroupCommit(File& file, std::uint64_t durable_sequence)
    : file_(&file), written_(durable_sequence), durable_(durable_sequence) {}

void GroupCommit::wrote(std::uint64_t sequence) {
  const std::lock_guard lock(mutex_);
  written_ = std::max(written_, sequence);
}

Status GroupCommit::wait_durable(std::uint64_t sequence) {
  std::unique_lock lock(mutex_);
  while (durable_ < sequence && failure_.ok()) {
    if (syncing_) {
      group_done_.wait(lock);
    } else {
      sync_group(&lock);
    }
  }
  return durable_ >= sequence ? Status() : failure_;
}

void GroupCommit::sync_group(std::unique_lock<std::mutex>* lock) {
  syncing_ = true;
  const std::uint64_t target = written_;
  lock->unlock();
  const Status synced = file_->sync();
  lock->lock();
  syncing_ = false;
  if (synced.ok()) {
    durable_ = std::max(durable_, target);
  } else {
    failure_ = Status::data_loss(
        synced.message() +
        "; what is on the disk is unknown, writes are refused until reopened");
  }
  group_done_.notify_all();
}

void GroupCommit::continue_in(File& next) {
  std::unique_lock lock(mutex_);
  group_done_.wait(lock, [&] { return !syncing_; });
  file_ = &next;
}

Status GroupCommit::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::uint64_t GroupCommit::durable_sequence() const {
  const std::lock_guard lock(mutex_);
  return durable_;
}

}  // namespace lamina::storage
