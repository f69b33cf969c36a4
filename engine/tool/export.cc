#include <algorithm>
#include <cstdio>

#include "atomic_file.h"
#include "commands.h"
#include "filter_text.h"
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

// What goes out.
struct Selection {
  Filter filter;
  io::Contents contents;
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

Result<Selection> select(const Collection& collection,
                         const ExportArguments& arguments) {
  Result<Filter> filter = parse_filter(arguments.filter);
  if (!filter.ok()) return filter.status();
  const Result<CollectionInfo> info = collection.info();
  if (!info.ok()) return info.status();
  const Result<std::uint64_t> points = collection.count(*filter);
  if (!points.ok()) return points.status();
  Selection selection;
  selection.contents.dimension = info->dimension;
  selection.contents.metric = info->metric;
  selection.contents.point_count = *points;
  const ScrollOptions only_uuids = {.offset = PointId::from_uuid({}),
                                    .filter = *filter,
                                    .with_payload = false};
  const Status counted = for_each_page(
      collection, only_uuids, [&](const std::vector<Record>& page) {
        selection.contents.uuid_count += page.size();
        return Status();
      });
  if (!counted.ok()) return counted;
  selection.filter = *std::move(filter);
  return selection;
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

Status write_all(const Collection& collection, const Selection& selection,
                 bool quiet, const std::vector<Output>& outputs) {
  Progress progress("exporting", quiet);
  std::uint64_t done = 0;
  const double count = static_cast<double>(selection.contents.point_count);
  const Status written = for_each_page(
      collection, {.filter = selection.filter, .with_vector = true},
      [&](const std::vector<Record>& page) {
        done += page.size();
        progress.update(done, static_cast<double>(done) / count);
        return write_page(page, outputs);
      });
  return written.ok() ? commit(outputs) : written;
}

// A format that leaves something out is no mistake, but is not silent.
void report_omissions(const ExportArguments& arguments, io::Format format,
                      Metric metric) {
  if (arguments.quiet || format == io::Format::jsonl ||
      format == io::Format::safetensors) {
    return;
  }
  const auto note = [&](const char* text) {
    std::fprintf(stderr, "note: %s %s\n", to_string(format).data(), text);
  };
  if (format == io::Format::faiss && metric == Metric::cosine) {
    note("has no cosine; its inner product is that of vectors of length 1");
  }
  if (format != io::Format::faiss && !arguments.ids.has_value()) {
    note("holds no ids; --ids FILE writes them");
  }
  if (!arguments.payload.has_value()) {
    note("holds no payloads; --payload FILE.jsonl writes them");
  }
}

}  // namespace

Status export_points(const Common& common, const ExportArguments& arguments) {
  const Result<io::Format> format =
      choose_format(arguments.file, arguments.format);
  if (!format.ok()) return format.status();
  const Result<Session> session = open_session(common, arguments.collection);
  if (!session.ok()) return session.status();
  const Result<Selection> selection = select(*session->collection, arguments);
  if (!selection.ok()) return selection.status();
  const io::Contents& contents = selection->contents;
  const Result<std::vector<Output>> outputs =
      open_outputs(arguments, *format, contents);
  if (!outputs.ok()) return outputs.status();
  const Status written =
      write_all(*session->collection, *selection, arguments.quiet, *outputs);
  if (!written.ok()) return written;
  report_omissions(arguments, *format, contents.metric);
  if (!common.json) {
    return print_line("exported " + with_commas(contents.point_count) +
                      " points to " + arguments.file.string());
  }
  JsonWriter json;
  json.begin_object().key("points").uint64(contents.point_count);
  json.key("file").string(arguments.file.string());
  json.key("format").string(to_string(*format));
  return print_line(json.end_object().take());
}

}  // namespace lamina::tool
