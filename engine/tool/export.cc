#include <algorithm>
#include <cstdio>

#include "atomic_file.h"
#include "commands.h"
#include "io/point_writer.h"
#include "output.h"
#include "progress.h"
#include "session.h"
#include "source.h"

namespace lamina::tool {
namespace {

// Points read from the collection at a time.
constexpr std::uint64_t kPagePoints = 1000;

// One file and what fills it.
struct Output {
  std::unique_ptr<AtomicFile> file;
  std::unique_ptr<io::PointWriter> writer;
};

// Hands `use` all points in id order, a page at a time.
template <class Use>
Status for_each_page(const Collection& collection, ScrollOptions options,
                     const Use& use) {
  options.limit = kPagePoints;
  while (true) {
    const Result<ScrollPage> page = collection.scroll(options);
    if (!page.ok()) return page.status();
    const Status used = use(page->points);
    if (!used.ok()) return used;
    if (!page->next_offset.has_value()) return {};
    options.offset = page->next_offset;
  }
}

Result<io::Contents> contents_of(const Collection& collection) {
  const Result<CollectionInfo> info = collection.info();
  if (!info.ok()) return info.status();
  io::Contents contents;
  contents.dimension = info->dimension;
  contents.metric = info->metric;
  contents.point_count = info->point_count;
  ScrollOptions only_uuids;
  only_uuids.offset = PointId::from_uuid({});  // The smallest.
  only_uuids.with_payload = false;
  const Status counted = for_each_page(collection, only_uuids,
                                       [&](const std::vector<Record>& page) {
                                         contents.uuid_count += page.size();
                                         return Status();
                                       });
  if (!counted.ok()) return counted;
  return contents;
}

// Makes the file, and its writer with `make`.
template <class Make>
Status add_output(const std::filesystem::path& path, bool replace,
                  const Make& make, std::vector<Output>* outputs) {
  Result<std::unique_ptr<AtomicFile>> file = AtomicFile::create(path, replace);
  if (!file.ok()) return file.status();
  Result<std::unique_ptr<io::PointWriter>> writer = make(file->get());
  if (!writer.ok()) return writer.status();
  outputs->push_back({*std::move(file), *std::move(writer)});
  return {};
}

Result<std::vector<Output>> open_outputs(const ExportArguments& arguments,
                                         io::Format format,
                                         const io::Contents& contents) {
  using Writer = Result<std::unique_ptr<io::PointWriter>>;
  std::vector<Output> outputs;
  const auto add = [&](const std::filesystem::path& path, const auto& make) {
    return add_output(path, arguments.force, make, &outputs);
  };
  Status added = add(arguments.file, [&](io::Sink* sink) {
    return io::make_point_writer(format, contents, sink);
  });
  if (added.ok() && arguments.ids.has_value()) {
    added = add(*arguments.ids, [&](io::Sink* sink) -> Writer {
      if (arguments.ids->extension() != ".npy") {
        return io::make_text_id_writer(sink);
      }
      return io::make_npy_id_writer(contents, sink);
    });
  }
  if (added.ok() && arguments.payload.has_value()) {
    added = add(*arguments.payload, [](io::Sink* sink) -> Writer {
      return io::make_payload_writer(sink);
    });
  }
  if (!added.ok()) return added;
  return outputs;
}

Status write_page(const std::vector<Record>& page,
                  const std::vector<Output>& outputs) {
  for (const Output& output : outputs) {
    const Status added = output.writer->add(page);
    if (!added.ok()) return added;
  }
  return {};
}

// Every file is complete before the first takes its place.
Status commit(const std::vector<Output>& outputs) {
  for (const Output& output : outputs) {
    const Status finished = output.writer->finish();
    if (!finished.ok()) return finished;
  }
  for (const Output& output : outputs) {
    const Status committed = output.file->commit();
    if (!committed.ok()) return committed;
  }
  return {};
}

Status write_all(const Collection& collection, const io::Contents& contents,
                 bool quiet, const std::vector<Output>& outputs) {
  Progress progress("exporting", quiet);
  std::uint64_t done = 0;
  ScrollOptions all;
  all.with_vector = true;
  const Status written =
      for_each_page(collection, all, [&](const std::vector<Record>& page) {
        done += page.size();
        progress.update(done, static_cast<double>(done) /
                                  static_cast<double>(contents.point_count));
        return write_page(page, outputs);
      });
  return written.ok() ? commit(outputs) : written;
}

// A format that leaves something out is no mistake, but is not silent.
void report_omissions(const ExportArguments& arguments, io::Format format) {
  const bool holds_all =
      format == io::Format::jsonl || format == io::Format::safetensors;
  if (holds_all || arguments.quiet) return;
  const bool holds_ids = format == io::Format::faiss;
  const char* name = to_string(format).data();
  if (!holds_ids && !arguments.ids.has_value()) {
    std::fprintf(stderr, "note: %s holds no ids; --ids FILE writes them\n",
                 name);
  }
  if (!arguments.payload.has_value()) {
    std::fprintf(stderr,
                 "note: %s holds no payloads; --payload FILE.jsonl writes "
                 "them\n",
                 name);
  }
}

}  // namespace

Status export_points(const Common& common, const ExportArguments& arguments) {
  const Result<io::Format> format =
      choose_format(arguments.file, arguments.format);
  if (!format.ok()) return format.status();
  const Result<Session> session = open_session(common, arguments.collection);
  if (!session.ok()) return session.status();
  const Result<io::Contents> contents = contents_of(*session->collection);
  if (!contents.ok()) return contents.status();
  const Result<std::vector<Output>> outputs =
      open_outputs(arguments, *format, *contents);
  if (!outputs.ok()) return outputs.status();
  const Status written =
      write_all(*session->collection, *contents, arguments.quiet, *outputs);
  if (!written.ok()) return written;
  report_omissions(arguments, *format);
  if (!common.json) {
    return print_line("exported " + with_commas(contents->point_count) +
                      " points to " + arguments.file.string());
  }
  JsonWriter json;
  json.begin_object().key("points").uint64(contents->point_count);
  json.key("file").string(arguments.file.string());
  json.key("format").string(to_string(*format));
  return print_line(json.end_object().take());
}

}  // namespace lamina::tool
