#pragma once

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lamina/store.h"
#include "support/server_process.h"
#include "support/temporary_directory.h"

namespace lamina::test {

// One way to reach the engine, with a store of its own.
struct Rung {
  std::string name;
  std::unique_ptr<Store> store;
  std::shared_ptr<Collection> items;  // Made by Rungs::create_items().
};

// Equality to the last bit: 0.0 is not -0.0.
template <class T>
bool same_bits(const T& a, const T& b) {
  return a == b;
}
bool same_bits(float a, float b);
bool same_bits(const Hit& a, const Hit& b);
bool same_bits(const Record& a, const Record& b);
bool same_bits(const ScrollPage& a, const ScrollPage& b);
template <class T>
bool same_bits(const std::optional<T>& a, const std::optional<T>& b);
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same_bits(a[i], b[i])) return false;
  }
  return true;
}
template <class T>
bool same_bits(const std::optional<T>& a, const std::optional<T>& b) {
  if (a.has_value() != b.has_value()) return false;
  return !a.has_value() || same_bits(*a, *b);
}

// The same engine in memory, on a directory, over HTTP by hand with JSON and
// with bytes, and through the client: everything that is asked is asked of all
// of them, and all of them must say the same, statuses included.
//
// Thread safety: none.
class Rungs {
 public:
  // Starts three servers. Fails the test when they do not come up.
  Rungs();

  std::array<Rung, 5>& all() { return rungs_; }

  // Makes the collection "items" on every rung.
  void create_items(const CollectionOptions& options);

  // Closes the directory and opens it again, with its collection "items".
  void reopen_directory();

  // What `ask`, a function of a Store, returns: the same on every rung.
  template <class Ask>
  auto ask_store(Ask ask) {
    return ask_each([&](Rung& rung) { return ask(*rung.store); });
  }

  // What `ask`, a function of the Collection "items", returns.
  template <class Ask>
  auto ask_items(Ask ask) {
    return ask_each([&](Rung& rung) { return ask(*rung.items); });
  }

  // As above, where only the sameness matters.
  template <class Ask>
  void compare_store(Ask ask) {
    static_cast<void>(ask_store(ask));
  }
  template <class Ask>
  void compare_items(Ask ask) {
    static_cast<void>(ask_items(ask));
  }

  // Ok, or the status that creating a collection of this name fails with.
  Status create(std::string_view name, const CollectionOptions& options);

 private:
  template <class Ask>
  auto ask_each(Ask ask) {
    auto first = ask(rungs_[0]);
    for (std::size_t i = 1; i < rungs_.size(); ++i) {
      CAPTURE(rungs_[i].name);
      check_same(first, ask(rungs_[i]));
    }
    return first;
  }

  static void check_same(const Status& expected, const Status& got) {
    CHECK(got.to_string() == expected.to_string());
    CHECK(got.field() == expected.field());
  }

  template <class T>
  static void check_same(const Result<T>& expected, const Result<T>& got) {
    check_same(expected.status(), got.status());
    if (!expected.ok() || !got.ok()) return;
    const bool is_same = same_bits(*expected, *got);
    CHECK(is_same);
  }

  TemporaryDirectory directory_;
  std::array<std::unique_ptr<ServerProcess>, 3> servers_;
  std::array<Rung, 5> rungs_;
};

// A write's place in the history. Whether it is durable depends on the rung.
inline Result<std::uint64_t> sequence_of(const Result<UpdateResult>& written) {
  if (!written.ok()) return written.status();
  return written->sequence;
}

inline Payload payload_of(std::string_view json) {
  return Payload::from_json(json).value();
}

}  // namespace lamina::test
