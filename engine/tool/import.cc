#include <algorithm>
#include <cstdio>
#include <system_error>

#include "commands.h"
#include "import_progress.h"
#include "output.h"
#include "progress.h"
#include "session.h"
#include "source.h"
#include "types/validate.h"

namespace lamina::tool {
namespace {

// How often it is noted how far the import is: seldom enough to cost nothing,
// as each note waits for the disk.
constexpr std::chrono::milliseconds kSaveInterval{250};

// What points must be like to be taken.
struct Shape {
  std::size_t dimension = 0;
  Metric metric = Metric::cosine;
};

// Where the points go. The database is open already when it was there.
struct Target {
  std::unique_ptr<Database> database;
  std::shared_ptr<Collection> collection;  // Null when it is to be made.
  Shape shape;
};

// The shape of a collection that is there; one that contradicts the command
// line or the file is an error.
Result<Shape> existing_shape(const Collection& collection,
                             const ImportArguments& arguments,
                             const io::PointReader& points) {
  const Result<CollectionInfo> info = collection.info();
  if (!info.ok()) return info.status();
  if (arguments.metric && *arguments.metric != info->metric) {
    return Status::invalid_argument(
        "--metric " + std::string(to_string(*arguments.metric)) + ": " +
        arguments.collection + " exists with " +
        std::string(to_string(info->metric)));
  }
  if (points.dimension() != 0 && points.dimension() != info->dimension) {
    return Status::invalid_argument(
        arguments.file.string() + " has vectors of " +
        std::to_string(points.dimension()) + " values, " +
        arguments.collection + " of " + std::to_string(info->dimension));
  }
  return Shape{info->dimension, info->metric};
}

Result<Shape> new_shape(const ImportArguments& arguments,
                        const io::PointReader& points) {
  CollectionOptions options;
  options.dimension = points.dimension();
  if (options.dimension == 0) {
    return Status::invalid_argument(
        arguments.file.string() +
        " holds no point, so that no collection can be made from it");
  }
  Status valid = validate_collection_name(arguments.collection);
  if (valid.ok()) valid = validate_collection_options(options);
  if (!valid.ok()) return valid;
  return Shape{
      points.dimension(),
      arguments.metric.value_or(points.metric().value_or(Metric::cosine))};
}

// Looks at what is there and makes nothing.
Result<Target> find_target(const Common& common,
                           const ImportArguments& arguments,
                           const io::PointReader& points) {
  Target target;
  std::error_code error;
  if (std::filesystem::exists(common.directory, error)) {
    Result<std::unique_ptr<Database>> database = open_database(common);
    if (!database.ok()) return database.status();
    target.database = *std::move(database);
    auto collection = target.database->open_collection(arguments.collection);
    if (collection.ok()) {
      target.collection = *std::move(collection);
    } else if (collection.status().code() != StatusCode::not_found) {
      return collection.status();
    }
  }
  const Result<Shape> shape =
      target.collection != nullptr
          ? existing_shape(*target.collection, arguments, points)
          : new_shape(arguments, points);
  if (!shape.ok()) return shape.status();
  target.shape = *shape;
  return target;
}

// Makes what find_target() did not find.
Status complete(const Common& common, const ImportArguments& arguments,
                Target* target) {
  if (target->database == nullptr) {
    Result<std::unique_ptr<Database>> database =
        open_database(common, /*create_if_missing=*/true);
    if (!database.ok()) return database.status();
    target->database = *std::move(database);
  }
  if (target->collection != nullptr) return {};
  CollectionOptions options;
  options.dimension = target->shape.dimension;
  options.metric = target->shape.metric;
  auto collection =
      target->database->create_collection(arguments.collection, options);
  if (!collection.ok()) return collection.status();
  target->collection = *std::move(collection);
  return {};
}

Status check_batch(const io::PointReader& points, const Shape& shape,
                   std::uint64_t first_row, const io::PointBatch& batch) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (validate_vector(batch.vector(i), shape.dimension, shape.metric, "")
            .ok()) {
      continue;  // The place below costs more than the check.
    }
    return validate_vector(batch.vector(i), shape.dimension, shape.metric,
                           points.where(first_row + i) + ": vector");
  }
  return {};
}

// Reads all points once and writes nothing.
Status check_all(const Shape& shape, const ImportArguments& arguments,
                 io::PointReader* points) {
  Progress progress("checking", arguments.quiet);
  io::PointBatch batch;
  for (std::uint64_t row = 0;; row += batch.size()) {
    progress.update(row, points->share_done());
    const Status read = points->read(arguments.batch, &batch);
    if (!read.ok()) return read;
    if (batch.size() == 0) break;
    const Status valid = check_batch(*points, shape, row, batch);
    if (!valid.ok()) return valid;
  }
  points->rewind();
  return {};
}

// Whether the last of the first `count` points of the file is in the
// collection as the file has it. Goes behind it.
Result<bool> holds_up_to(const Collection& collection, std::uint64_t count,
                         io::PointReader* points) {
  const Status skipped = points->skip(count - 1);
  if (!skipped.ok()) return skipped;
  io::PointBatch batch;
  const Status read = points->read(1, &batch);
  if (!read.ok()) return read;
  if (batch.size() == 0) return false;
  const Result<Record> record = collection.get(batch.ids[0]);
  if (record.status().code() == StatusCode::not_found) return false;
  if (!record.ok()) return record.status();
  return *record->vector == batch.values &&
         *record->payload == batch.payloads[0];
}

// Goes behind the points that an interrupted import brought in, and returns
// how many. None, when the collection was made anew or changed since.
Result<std::uint64_t> resume(const Collection& collection,
                             const ImportProgress& saved,
                             io::PointReader* points) {
  const std::uint64_t count = saved.load();
  if (count == 0) return count;
  const Result<bool> holds = holds_up_to(collection, count, points);
  if (holds.ok() && *holds) return count;
  std::fprintf(stderr,
               "the collection no longer holds what was imported; starting "
               "from the first point\n");
  points->rewind();
  return std::uint64_t{0};
}

// Notes how far the import is. First the points, then the note: after a power
// cut it must not say more than the log has.
Status save(Collection& collection, const ImportProgress& saved,
            std::uint64_t points) {
  const Status flushed = collection.flush();
  return flushed.ok() ? saved.save(points) : flushed;
}

std::vector<Point> points_of(io::PointBatch* batch) {
  std::vector<Point> points;
  points.reserve(batch->size());
  for (std::size_t i = 0; i < batch->size(); ++i) {
    points.push_back(
        {batch->ids[i], batch->vector(i), std::move(batch->payloads[i])});
  }
  return points;
}

// Writes all points from `first` on; returns how many there are in the file.
Result<std::uint64_t> write_all(Collection& collection,
                                const ImportArguments& arguments,
                                const ImportProgress& saved,
                                std::uint64_t first, io::PointReader* points) {
  Progress progress("importing", arguments.quiet);
  auto last_save = std::chrono::steady_clock::time_point();  // Long ago.
  std::uint64_t done = first;
  io::PointBatch batch;
  while (true) {
    progress.update(done, points->share_done());
    const Status read = points->read(arguments.batch, &batch);
    if (!read.ok()) return read;
    if (batch.size() == 0) return done;
    const std::size_t count = batch.size();
    const Result<UpdateResult> written = collection.upsert(
        points_of(&batch), {.durability = arguments.durability});
    if (!written.ok()) return written.status();
    done += count;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_save < kSaveInterval) continue;
    last_save = now;
    const Status noted = save(collection, saved, done);
    if (!noted.ok()) return noted;
  }
}

// What is printed at the end.
struct Summary {
  std::uint64_t read = 0;     // Points in the file.
  std::uint64_t resumed = 0;  // Of these, brought in earlier.
  std::uint64_t total = 0;    // Points in the collection now.
  double seconds = 0.0;
};

Status print(const Common& common, const ImportArguments& arguments,
             const Summary& summary) {
  const std::uint64_t written = summary.read - summary.resumed;
  if (common.json) {
    JsonWriter json;
    json.begin_object().key("collection").string(arguments.collection);
    json.key("written").uint64(written);
    json.key("resumed_after").uint64(summary.resumed);
    json.key("points").uint64(summary.total);
    json.key("seconds").float64(summary.seconds).end_object();
    return print_line(json.take());
  }
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.2f s", summary.seconds);
  std::string text = "imported " + with_commas(written) + " points in " +
                     seconds + "; " + arguments.collection + " has " +
                     with_commas(summary.total);
  if (summary.resumed > 0) {
    text += " (" + with_commas(summary.resumed) +
            " were in from an interrupted import)";
  }
  return print_line(text);
}

Status write(const Common& common, const ImportArguments& arguments,
             const io::SourceFiles& files, Target* target,
             io::PointReader* points) {
  const Progress clock("", /*quiet=*/true);
  Status made = complete(common, arguments, target);
  if (!made.ok()) return made;
  Collection& collection = *target->collection;
  const Result<ImportProgress> saved =
      ImportProgress::of(common.directory, arguments.collection, files);
  if (!saved.ok()) return saved.status();
  const Result<std::uint64_t> first =
      arguments.resume ? resume(collection, *saved, points) : std::uint64_t{0};
  if (!first.ok()) return first.status();
  const Result<std::uint64_t> read =
      write_all(collection, arguments, *saved, *first, points);
  if (!read.ok()) return read.status();
  Status finished = collection.flush();
  if (finished.ok()) finished = saved->clear();
  if (!finished.ok()) return finished;
  const Result<std::uint64_t> total = collection.count();
  if (!total.ok()) return total.status();
  return print(common, arguments, {*read, *first, *total, clock.seconds()});
}

}  // namespace

Status import_points(const Common& common, const ImportArguments& arguments) {
  const Result<io::Format> format =
      choose_format(arguments.file, arguments.format);
  if (!format.ok()) return format.status();
  const io::SourceFiles files = {.points = arguments.file,
                                 .format = *format,
                                 .ids = arguments.ids,
                                 .payload = arguments.payload};
  Result<std::unique_ptr<io::PointReader>> points = io::open_points(files);
  if (!points.ok()) return points.status();
  Result<Target> target = find_target(common, arguments, **points);
  if (!target.ok()) return target.status();
  if (!arguments.skip_check) {
    const Status checked = check_all(target->shape, arguments, points->get());
    if (!checked.ok()) return checked;
  }
  return write(common, arguments, files, &*target, points->get());
}

}  // namespace lamina::tool
