#include <algorithm>
#include <functional>
#include <system_error>
#include <thread>
#include <vector>

#include "search/flat_scan.h"

namespace lamina::search {
namespace {

// Runs work(0) ... work(count - 1) at once, the last on the caller's thread.
// What no thread can be had for runs here as well.
void run_parts(std::size_t count,
               const std::function<void(std::size_t part)>& work) {
  std::vector<std::jthread> threads;
  threads.reserve(count);
  std::size_t part = 0;
  try {
    for (; part + 1 < count; ++part) threads.emplace_back(work, part);
  } catch (const std::system_error&) {
    // Too many threads: slower, and the same answer.
  }
  for (; part < count; ++part) work(part);
}

// Part `part` of `count` equal parts of [0, size), in whole `unit`s.
std::pair<std::size_t, std::size_t> part_of(std::size_t size, std::size_t unit,
                                            std::size_t part,
                                            std::size_t count) {
  const std::size_t units = (size + unit - 1) / unit;
  return {std::min(size, units * part / count * unit),
          std::min(size, units * (part + 1) / count * unit)};
}

void scan_by_queries(const rows::RowView& table, std::span<FlatQuery> queries,
                     std::size_t threads) {
  const RowRange all = {0, static_cast<rows::Row>(table.size())};
  run_parts(threads, [&](std::size_t part) {
    const auto [begin, end] = part_of(queries.size(), 1, part, threads);
    flat_scan(table, all, queries.subspan(begin, end - begin));
  });
}

// Each thread finds the best of its rows; the best of those are the best.
void scan_by_rows(const rows::RowView& table, FlatQuery* query,
                  std::size_t threads) {
  std::vector<FlatQuery> parts(threads, *query);
  run_parts(threads, [&](std::size_t part) {
    const auto [begin, end] =
        part_of(table.size(), table.chunk_rows(), part, threads);
    flat_scan(table,
              {static_cast<rows::Row>(begin), static_cast<rows::Row>(end)},
              {&parts[part], 1});
  });
  query->best.clear();
  query->stats = {.along_axes = parts.front().stats.along_axes};
  for (const FlatQuery& part : parts) {
    query->best.insert(query->best.end(), part.best.begin(), part.best.end());
    query->stats.rows_scanned += part.stats.rows_scanned;
    query->stats.rows_refined += part.stats.rows_refined;
    query->stats.rows_rescored += part.stats.rows_rescored;
  }
  keep_best(BetterRow(table), query->k, &query->best);
}

}  // namespace

void parallel_flat_scan(const rows::RowView& table,
                        std::span<FlatQuery> queries, std::size_t threads) {
  const std::size_t chunks =
      (table.size() + table.chunk_rows() - 1) / table.chunk_rows();
  if (queries.size() == 1 && threads > 1 && chunks > 1) {
    scan_by_rows(table, queries.data(), std::min(threads, chunks));
  } else if (queries.size() > 1 && threads > 1) {
    scan_by_queries(table, queries, std::min(threads, queries.size()));
  } else {
    flat_scan(table, {0, static_cast<rows::Row>(table.size())}, queries);
  }
}

}  // namespace lamina::search
