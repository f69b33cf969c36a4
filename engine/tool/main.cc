#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include "commands.h"
#include "lamina/limits.h"
#include "lamina/version.h"

namespace lamina::tool {
namespace {

// What the process says to whoever started it; docs/tool.md lists them.
enum ExitCode {
  kOk = 0,
  kFailed = 1,
  kBadCommandLine = 2,
  kTaken = 3,
  kDamaged = 4,
};

constexpr const char* kDescription =
    "Vector search in a directory: makes collections of points, brings data "
    "in and out, and asks for the nearest points.";

constexpr const char* kExamples =
    "Example:\n"
    "  lamina import words vectors.npy --payload words.jsonl\n"
    "  lamina query words --id 42 --with-payload\n"
    "  lamina export words backup.safetensors\n"
    "\n"
    "A point is an id (a number or a UUID), a vector and a JSON payload. "
    "`lamina COMMAND --help`\ntells more about each command.\n";

// They stand in the help of the program alone, as each command has them.
constexpr const char* kCommonOptions =
    "Every command also takes --dir DIR, the directory of the database, and "
    "--json, to print\nthe result as one JSON object.\n";

const std::map<std::string, Metric> kMetrics = {
    {"cosine", Metric::cosine},
    {"dot", Metric::dot},
    {"euclid", Metric::euclid},
    {"manhattan", Metric::manhattan}};

const std::map<std::string, Durability> kDurabilities = {
    {"os", Durability::os}, {"fsync", Durability::fsync}};

const std::map<std::string, io::Format> kFormats = {
    {"jsonl", io::Format::jsonl}, {"safetensors", io::Format::safetensors},
    {"npy", io::Format::npy},     {"fvecs", io::Format::fvecs},
    {"bvecs", io::Format::bvecs}, {"ivecs", io::Format::ivecs},
    {"faiss", io::Format::faiss}};

// An option that takes one of a few words.
template <class Target, class Value>
void add_choice(CLI::App* command, const std::string& name, Target* target,
                const std::map<std::string, Value>& values,
                const std::string& help) {
  std::string words;
  for (const auto& [word, value] : values) {
    words += (words.empty() ? "" : ", ") + word;
  }
  command
      ->add_option_function<std::string>(
          name,
          [target, &values](const std::string& word) {
            *target = values.at(word);
          },
          help + ": " + words)
      ->check([&values, words](const std::string& word) {
        return values.contains(word) ? std::string()
                                     : word + " is none of " + words;
      });
}

void add_collection(CLI::App* command, std::string* collection) {
  command->add_option("collection", *collection, "Name of the collection")
      ->required();
}

void add_format(CLI::App* command, std::optional<io::Format>* format) {
  add_choice(command, "--format", format, kFormats,
             "What the file is, when its name does not tell");
}

void add_filter(CLI::App* command, std::optional<std::string>* filter) {
  command->add_option(
      "--filter", *filter,
      "Only points that match, as JSON: '{\"must\": "
      "[{\"key\": \"pos\", \"match\": {\"value\": \"noun\"}}]}'");
}

// A graph is asked for by name; its own options need that.
void add_index(CLI::App* command, CollectionOptions* options) {
  command
      ->add_option_function<std::string>(
          "--index",
          [options](const std::string& word) {
            if (word == "hnsw" && !options->hnsw) options->hnsw.emplace();
            if (word == "flat") options->hnsw.reset();
          },
          "How points are found: flat, a scan, unless given; hnsw, a graph, "
          "for large collections")
      ->check(CLI::IsMember({"flat", "hnsw"}));
  const auto add_number =
      [&](const std::string& name, std::uint32_t HnswOptions::*target,
          std::uint32_t least, std::uint32_t most, const std::string& help) {
        command
            ->add_option_function<std::uint32_t>(
                name,
                [options, target, name](std::uint32_t value) {
                  if (!options->hnsw) {
                    throw CLI::RequiresError(name, "--index hnsw");
                  }
                  (*options->hnsw).*target = value;
                },
                help)
            ->check(CLI::Range(least, most));
      };
  add_number("--m", &HnswOptions::m, kMinHnswM, kMaxHnswM,
             "Links of a point in the graph");
  add_number("--ef-construct", &HnswOptions::ef_construct, kMinHnswEf,
             kMaxHnswEf, "How widely neighbours are looked for");
}

// Each of these makes one sub-command; `run` is set to what it does.
using Run = std::function<Status(const Common&)>;

void add_create(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<CreateArguments>();
  CLI::App* command = app->add_subcommand("create", "Make an empty collection");
  add_collection(command, &arguments->collection);
  command
      ->add_option("--dimension", arguments->options.dimension,
                   "Values in each vector")
      ->check(CLI::Range(std::size_t{1}, kMaxDimension))
      ->required();
  add_choice(command, "--metric", &arguments->options.metric, kMetrics,
             "How vectors are compared, cosine unless given");
  add_choice(command, "--durability", &arguments->options.durability,
             kDurabilities,
             "What a write survives: a crash of the program, os, or a power "
             "cut as well, fsync");
  add_index(command, &arguments->options);
  command->callback([=] {
    *run = [=](const Common& common) { return create(common, *arguments); };
  });
}

void add_drop(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<DropArguments>();
  CLI::App* command =
      app->add_subcommand("drop", "Delete a collection and all its points");
  add_collection(command, &arguments->collection);
  command->callback([=] {
    *run = [=](const Common& common) { return drop(common, *arguments); };
  });
}

void add_import(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<ImportArguments>();
  CLI::App* command = app->add_subcommand(
      "import",
      "Read points from a file into a collection, which is made "
      "when it is not there");
  add_collection(command, &arguments->collection);
  command->add_option("file", arguments->file, "The file of vectors or points")
      ->required();
  add_format(command, &arguments->format);
  command->add_option("--ids", arguments->ids,
                      "File with the id of each row: .npy of integers, or "
                      "text of one id a line; without one, rows are 0, 1, ...");
  command->add_option("--payload", arguments->payload,
                      "File with a line for each row: {\"id\": ..., "
                      "\"payload\": {...}}, the id optional");
  add_choice(command, "--metric", &arguments->metric, kMetrics,
             "How vectors are compared in a collection that is made");
  add_choice(command, "--durability", &arguments->durability, kDurabilities,
             "What each batch survives once it is written");
  command->add_option("--batch", arguments->batch, "Points in one write")
      ->check(CLI::Range(std::size_t{1}, kMaxBatchPoints))
      ->capture_default_str();
  command->add_flag("--resume", arguments->resume,
                    "Go on where an interrupted import of the same files "
                    "stopped");
  command->add_flag("--no-check", arguments->skip_check,
                    "Do not read the whole file first. Saves that time; a "
                    "fault in the middle then leaves the points before it in");
  command->add_flag("--quiet", arguments->quiet, "No progress on stderr");
  command->callback([=] {
    *run = [=](const Common& common) {
      return import_points(common, *arguments);
    };
  });
}

void add_export(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app->add_subcommand(
      "export", "Write all points of a collection to a file");
  add_collection(command, &arguments->collection);
  command
      ->add_option("file", arguments->file,
                   "Where to; .jsonl and .safetensors hold all of a point, "
                   ".npy, .fvecs and .faiss its vector")
      ->required();
  add_format(command, &arguments->format);
  command->add_option("--ids", arguments->ids,
                      "Write the ids to this file too: .npy, else text");
  command->add_option("--payload", arguments->payload,
                      "Write the payloads to this file too, a line each");
  add_filter(command, &arguments->filter);
  command->add_flag("--force", arguments->force, "Replace files that exist");
  command->add_flag("--quiet", arguments->quiet, "Nothing on stderr");
  command->callback([=] {
    *run = [=](const Common& common) {
      return export_points(common, *arguments);
    };
  });
}

void add_query(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<QueryArguments>();
  CLI::App* command =
      app->add_subcommand("query", "Find the points nearest to a vector");
  add_collection(command, &arguments->collection);
  CLI::Option_group* vector =
      command->add_option_group("vector", "One of these says what to look for");
  vector->add_option("numbers", arguments->numbers,
                     "The vector itself: 0.1,-0.2,0.3");
  vector->add_option("--id", arguments->id,
                     "The vector of a stored point, which is left out");
  CLI::Option* file = vector->add_option("--vector", arguments->file,
                                         "A vector in a file, see --row");
  vector->require_option(1);
  command->add_option("--row", arguments->row, "Which one in the file, from 0")
      ->needs(file);
  add_format(command, &arguments->format);
  QueryOptions& options = arguments->options;
  command->add_option("--top-k", options.top_k, "How many points")
      ->capture_default_str();
  command->add_option("--offset", options.offset, "Leave out that many first");
  command->add_option("--score-threshold", options.score_threshold,
                      "Leave out points that are worse than this score");
  add_filter(command, &arguments->filter);
  command
      ->add_option("--ef", options.hnsw_ef,
                   "How widely a graph is searched: more finds more")
      ->check(CLI::Range(std::uint32_t{1}, kMaxHnswEf));
  command->add_flag("--exact", options.exact,
                    "Scan all points, though there is a graph");
  command->add_flag("--with-payload", options.with_payload,
                    "Print payloads as well");
  command->add_flag("--with-vector", options.with_vector,
                    "Print vectors as well");
  command->callback([=] {
    *run = [=](const Common& common) { return query(common, *arguments); };
  });
}

void add_get(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<GetArguments>();
  CLI::App* command = app->add_subcommand(
      "get", "Print points by id, as lines that import reads");
  add_collection(command, &arguments->collection);
  command->add_option("ids", arguments->ids, "Numbers or UUIDs")->required();
  command->add_flag("!--no-vector", arguments->options.with_vector,
                    "Leave vectors out");
  command->add_flag("!--no-payload", arguments->options.with_payload,
                    "Leave payloads out");
  command->callback([=] {
    *run = [=](const Common& common) { return get(common, *arguments); };
  });
}

void add_count(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<CountArguments>();
  CLI::App* command =
      app->add_subcommand("count", "Print how many points a collection has");
  add_collection(command, &arguments->collection);
  add_filter(command, &arguments->filter);
  command->callback([=] {
    *run = [=](const Common& common) { return count(common, *arguments); };
  });
}

void add_stats(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<StatsArguments>();
  CLI::App* command = app->add_subcommand(
      "stats", "List collections with their points, dimension and metric");
  command->add_option("collection", arguments->collection,
                      "Only this collection");
  command->callback([=] {
    *run = [=](const Common& common) { return stats(common, *arguments); };
  });
}

void add_check(CLI::App* app, Run* run) {
  CLI::App* command = app->add_subcommand(
      "check",
      "Read all files of a database and tell what is wrong where; changes "
      "nothing");
  command->callback(
      [=] { *run = [](const Common& common) { return check(common); }; });
}

void add_repair(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<RepairArguments>();
  CLI::App* command = app->add_subcommand(
      "repair", "Make a new database of all that can still be read");
  CLI::Option_group* where = command->add_option_group(
      "where", "One of these says where the new one goes");
  where->add_option("--to", arguments->to, "A directory that is made for it");
  where->add_flag("--in-place", arguments->in_place,
                  "In place of the old one, which is kept as DIR.damaged");
  where->require_option(1);
  command->callback([=] {
    *run = [=](const Common& common) { return repair(common, *arguments); };
  });
}

void add_dump(CLI::App* app, Run* run) {
  auto arguments = std::make_shared<DumpArguments>();
  CLI::App* command = app->add_subcommand(
      "dump", "Print what is in a log or snapshot, record by record");
  command->add_option("file", arguments->file, "wal-*.log or snapshot-*.lam")
      ->required();
  command->callback([=] {
    *run = [=](const Common& common) { return dump(common, *arguments); };
  });
}

void add_common(CLI::App* app, Common* common) {
  app->set_version_flag("--version", "lamina " + std::string(kVersion));
  app->add_option("--dir", common->directory, "Directory of the database")
      ->envname("LAMINA_DIR")
      ->capture_default_str();
  app->add_flag("--json", common->json, "Print the result as one JSON object");
  app->footer(kExamples);
  app->require_subcommand(1);
}

int exit_code(const Status& status) {
  switch (status.code()) {
    case StatusCode::ok:
      return kOk;
    case StatusCode::unavailable:
      return kTaken;
    case StatusCode::data_loss:
      return kDamaged;
    default:
      return kFailed;
  }
}

int main(int argc, char** argv) {
  Common common;
  Run run;
  CLI::App app(kDescription);
  add_common(&app, &common);
  for (const auto add :
       {add_create, add_import, add_export, add_query, add_get, add_count,
        add_stats, add_drop, add_check, add_repair, add_dump}) {
    add(&app, &run);
  }
  for (CLI::App* command : app.get_subcommands({})) {
    command->fallthrough()->footer(kCommonOptions);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kOk : kBadCommandLine;
  }
  const Status status = run(common);
  if (!status.ok()) {
    std::fprintf(stderr, "lamina: %s\n", status.to_string().c_str());
  }
  return exit_code(status);
}

}  // namespace
}  // namespace lamina::tool

int main(int argc, char** argv) { return lamina::tool::main(argc, argv); }
