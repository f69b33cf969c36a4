// lamina-bench: what each layer costs.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "arms/stub.h"
#include "core/peers_result.h"
#include "core/process.h"
#include "core/result.h"
#include "experiments/ladder.h"
#include "experiments/peers.h"
#include "experiments/round.h"
#include "experiments/storage.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/peers.h"
#include "report/readme.h"
#include "report/sections.h"
#include "report/storage.h"

namespace {

namespace bench = lamina::bench;
namespace fs = std::filesystem;
using lamina::Result;
using lamina::Status;
using lamina::StatusCode;

// What the exit code tells scripts.
constexpr int kGood = 0;
constexpr int kDrift = 1;    // readme --check: the file is not up to date
constexpr int kInvalid = 3;  // A wrong answer, or a run that cannot be trusted
constexpr int kUsage = 64;

int tell(const Status& status) {
  std::fprintf(stderr, "lamina-bench: %s\n", status.to_string().c_str());
  return status.code() == StatusCode::invalid_argument ? kUsage : kInvalid;
}

Result<bench::BenchResult> read_result(const fs::path& path) {
  const Result<std::string> text = bench::read_text_file(path);
  if (!text.ok()) return text.status();
  return bench::from_json(*text);
}

Result<bench::PeersResult> read_peers(const fs::path& path) {
  const Result<std::string> text = bench::read_text_file(path);
  if (!text.ok()) return text.status();
  return bench::peers_from_json(*text);
}

Status write_pages(const fs::path& directory, std::string_view name,
                   std::string_view markdown, std::string_view html) {
  std::error_code error;
  fs::create_directories(directory, error);
  const std::string stem = (directory / name).string();
  Status written = bench::write_text_file(stem + ".md", markdown);
  if (!written.ok()) return written;
  return bench::write_text_file(stem + ".html", html);
}

struct Output {
  fs::path json;
  fs::path report_directory;
  fs::path page;
  fs::path peers;  // Result of a run of peers that the report shows as well
};

Status write_reports(const bench::BenchResult& result, const Output& output) {
  std::vector<bench::Section> more;
  if (!output.peers.empty()) {
    const Result<bench::PeersResult> peers = read_peers(output.peers);
    if (!peers.ok()) return peers.status();
    more = bench::peers_sections(*peers);
  }
  return write_pages(output.report_directory, "report",
                     bench::to_markdown(result, more),
                     bench::to_html(result, more));
}

// A run whose checks fail is told in full, but it is no success.
bool all_checks_pass(const bench::BenchResult& result) {
  for (const bench::Check& check : result.checks) {
    if (!check.pass) return false;
  }
  return true;
}

Status write_json(const fs::path& path, std::string_view json) {
  if (path.empty()) return {};
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  return bench::write_text_file(path, json);
}

Status write_output(const bench::BenchResult& result, const Output& output) {
  Status written = write_json(output.json, bench::to_json(result));
  if (written.ok() && !output.report_directory.empty())
    written = write_reports(result, output);
  return written;
}

Status write_output(const bench::PeersResult& result, const Output& output) {
  Status written = write_json(output.json, bench::peers_to_json(result));
  if (!written.ok() || output.report_directory.empty()) return written;
  return write_pages(output.report_directory, "peers",
                     bench::peers_to_markdown(result),
                     bench::peers_to_html(result));
}

int ladder(bench::LadderOptions options, const std::string& placement,
           const Output& output, const std::vector<std::string>& arguments) {
  const Result<bench::Placement> parsed = bench::parse_placement(placement);
  if (!parsed.ok()) return tell(parsed.status());
  options.placement = *parsed;
  const Result<bench::BenchResult> result =
      bench::run_ladder(options, arguments);
  if (!result.ok()) return tell(result.status());
  std::fputs(bench::console_report(*result).c_str(), stdout);
  if (Status written = write_output(*result, output); !written.ok())
    return tell(written);
  return all_checks_pass(*result) ? kGood : kInvalid;
}

int run_round(const bench::RoundOptions& options, const fs::path& output) {
  const Result<bench::RoundResult> round = bench::run_round(options);
  if (!round.ok()) return tell(round.status());
  Status written = bench::write_text_file(output, bench::round_to_json(*round));
  return written.ok() ? kGood : tell(written);
}

int peers(const bench::PeersOptions& options, const Output& output,
          const std::vector<std::string>& arguments) {
  const Result<bench::PeersResult> result =
      bench::run_peers(options, arguments);
  if (!result.ok()) return tell(result.status());
  std::fputs(bench::peers_console_report(*result).c_str(), stdout);
  Status written = write_output(*result, output);
  return written.ok() ? kGood : tell(written);
}

int storage(const bench::StorageOptions& options, const Output& output,
            const std::vector<std::string>& arguments) {
  const Result<bench::StorageResult> result =
      bench::run_storage(options, arguments);
  if (!result.ok()) return tell(result.status());
  std::fputs(bench::storage_console_report(*result).c_str(), stdout);
  Status written = write_json(output.json, bench::storage_to_json(*result));
  if (written.ok() && !output.page.empty()) {
    written = bench::write_text_file(output.page,
                                     bench::storage_to_markdown(*result));
  }
  return written.ok() ? kGood : tell(written);
}

int report(const fs::path& file, const Output& output) {
  const Result<bench::BenchResult> result = read_result(file);
  if (!result.ok()) return tell(result.status());
  Status written = write_reports(*result, output);
  return written.ok() ? kGood : tell(written);
}

int readme(const fs::path& file, const fs::path& target, bool check) {
  const Result<bench::BenchResult> result = read_result(file);
  if (!result.ok()) return tell(result.status());
  const Result<std::string> before = bench::read_text_file(target);
  if (!before.ok()) return tell(before.status());
  const Result<std::string> after = bench::replace_layers(*before, *result);
  if (!after.ok()) return tell(after.status());
  if (!check) {
    Status written = bench::write_text_file(target, *after);
    return written.ok() ? kGood : tell(written);
  }
  if (*after == *before) return kGood;
  std::fprintf(stderr,
               "lamina-bench: the layer table in %s is not that of %s\n",
               target.c_str(), file.c_str());
  return kDrift;
}

// The server built with this program, wherever both were put.
fs::path default_server() {
  const fs::path beside =
      fs::path(bench::own_program()).parent_path() / "lamina-server";
  return fs::exists(beside) ? beside : fs::path(LAMINA_BENCH_SERVER);
}

void add_counts(CLI::App* command, bench::Counts* counts) {
  command->add_option("--superblocks", counts->superblocks,
                      "Blocks of every arm in a round");
  command->add_option("--calls", counts->calls, "Timed calls in a block");
  command->add_option("--discard", counts->discard,
                      "Calls before them that are not timed");
  command->add_option("--write-superblocks", counts->write_superblocks,
                      "Blocks of every write arm in a round");
  command->add_option("--write-calls", counts->write_calls,
                      "Timed calls of each write in a block");
  for (const char* name :
       {"--superblocks", "--calls", "--write-superblocks", "--write-calls"})
    command->get_option(name)->check(CLI::PositiveNumber);
}

std::string data_names() {
  bench::PeersOptions options;
  options.full = true;
  std::string text;
  for (const std::string& name : bench::default_data_names(options))
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

void add_output(CLI::App* command, const std::string& pages, Output* output) {
  command->add_option("--json", output->json, "Write the result here");
  command->add_option("--report-dir", output->report_directory,
                      "Write " + pages + " here");
}

void add_peers_file(CLI::App* command, Output* output) {
  command->add_option("--peers", output->peers,
                      "Result of peers, to be part of the report");
}

void add_peers_options(CLI::App* command, bench::PeersOptions* options) {
  command
      ->add_option("--data", options->names,
                   "Data sets, by name: " + data_names())
      ->delimiter(',');
  command->add_option("--seed", options->seed, "Of data and order");
  command->add_option("--rounds", options->rounds,
                      "Blocks of 100 queries, as suits the data when 0");
  command->add_flag("--quick", options->quick,
                    "Seconds instead of minutes: checks, no times");
  command->add_flag("--full", options->full,
                    "A million rows as well, and FAISS's graph at 100,000");
  command->add_option("--work-dir", options->work_directory,
                      "Where databases are made for the run");
  command->add_flag("--allow-debug", options->allow_debug,
                    "Run a build with assertions");
}

// Small enough for a test; too small to tell any time.
void make_quick(bench::LadderOptions* options, const CLI::App& command) {
  const auto set = [&](const char* name, auto* value, auto quick) {
    if (command.get_option(name)->count() == 0) *value = quick;
  };
  set("--rounds", &options->rounds, 2u);
  set("--superblocks", &options->counts.superblocks, 8u);
  set("--calls", &options->counts.calls, 12u);
  set("--discard", &options->counts.discard, 2u);
  set("--write-superblocks", &options->counts.write_superblocks, 2u);
  set("--write-calls", &options->counts.write_calls, 4u);
  options->injected_ns = 2'000'000;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("What each layer of Lamina costs.", "lamina-bench");
  app.require_subcommand(1);

  bench::LadderOptions options;
  options.data = LAMINA_BENCH_DATA_DIR;
  options.server = default_server();
  options.work_directory = fs::current_path();
  std::string placement = "split";
  Output output;
  CLI::App* ladder_command = app.add_subcommand(
      "ladder", "Time every layer from the kernel to the client");
  add_counts(ladder_command, &options.counts);
  ladder_command
      ->add_option("--rounds", options.rounds, "Rounds of fresh processes")
      ->check(CLI::PositiveNumber);
  ladder_command->add_option("--seed", options.seed, "Of every random choice");
  ladder_command->add_option("--placement", placement,
                             "Of client and server: split over two CPUs, the "
                             "same CPU, or free");
  ladder_command->add_option("--max-seconds", options.max_seconds,
                             "Start no round that would end later");
  ladder_command->add_option("--server", options.server,
                             "The lamina-server to measure");
  ladder_command->add_option("--data", options.data, "The data set");
  ladder_command->add_option("--work-dir", options.work_directory,
                             "Where databases are made for the run");
  add_output(ladder_command, "report.md and report.html", &output);
  add_peers_file(ladder_command, &output);
  ladder_command->add_flag("--quick", options.quick,
                           "Seconds instead of minutes: checks, no times");
  ladder_command->add_flag("--allow-debug", options.allow_debug,
                           "Run a build with assertions");

  bench::PeersOptions peers_options;
  peers_options.data = LAMINA_BENCH_DATA_DIR;
  peers_options.work_directory = fs::current_path();
  CLI::App* peers_command = app.add_subcommand(
      "peers", "Time Lamina's flat index beside other libraries");
  add_peers_options(peers_command, &peers_options);
  add_output(peers_command, "peers.md and peers.html", &output);

  bench::StorageOptions storage_options;
  storage_options.data = LAMINA_BENCH_DATA_DIR;
  storage_options.work_directory = fs::current_path();
  CLI::App* storage_command = app.add_subcommand(
      "storage", "Time writes, restarts, and queries beside writes");
  storage_command->add_option("--work-dir", storage_options.work_directory,
                              "Where databases are made for the run");
  storage_command->add_option("--data", storage_options.data, "The data set");
  storage_command->add_option("--json", output.json, "Write the result here");
  storage_command->add_option("--page", output.page,
                              "Write the result here too, as a page of text");
  storage_command->add_flag("--quick", storage_options.quick,
                            "Seconds instead of minutes: checks, no times");
  storage_command->add_flag("--full", storage_options.full,
                            "A million rows as well");

  int upstream_port = 0;
  CLI::App* stub_command = app.add_subcommand(
      "stub", "Serve recorded replies: a server that does no work");
  stub_command
      ->add_option("--upstream-port", upstream_port,
                   "The real server to record from")
      ->required();

  fs::path result_file;
  CLI::App* report_command =
      app.add_subcommand("report", "Make the reports of a result file again");
  report_command->add_option("result", result_file, "Result file")->required();
  report_command
      ->add_option("--report-dir", output.report_directory, "Where to")
      ->required();
  add_peers_file(report_command, &output);

  fs::path readme_file;
  bool check = false;
  CLI::App* readme_command = app.add_subcommand(
      "readme", "Put the layer table of a result file into a text file");
  readme_command->add_option("result", result_file, "Result file")->required();
  readme_command->add_option("file", readme_file, "Text with the markers")
      ->required();
  readme_command->add_flag("--check", check, "Only tell whether it is there");

  // The client process of one round, started by ladder.
  bench::RoundOptions round;
  fs::path round_file;
  CLI::App* round_command = app.add_subcommand("round", "")->group("");
  add_counts(round_command, &round.counts);
  round_command->add_option("--index", round.index);
  round_command->add_option("--seed", round.seed);
  round_command->add_option("--injected-ns", round.injected_ns);
  round_command->add_option("--data", round.data);
  round_command->add_option("--engine-dir", round.engine_directory);
  round_command->add_option("--output", round_file);
  round_command->add_option("--server-port", round.server_port);
  round_command->add_option("--server-pid", round.server_pid);
  round_command->add_option("--stub-port", round.stub_port);
  round_command->add_option("--stub-pid", round.stub_pid);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kGood : kUsage;
  }
  if (*stub_command) return tell(bench::run_stub(upstream_port));
  if (*round_command) return run_round(round, round_file);
  if (*peers_command)
    return peers(peers_options, output, {argv + 1, argv + argc});
  if (*storage_command)
    return storage(storage_options, output, {argv + 1, argv + argc});
  if (*report_command) return report(result_file, output);
  if (*readme_command) return readme(result_file, readme_file, check);
  if (options.quick) make_quick(&options, *ladder_command);
  return ladder(options, placement, output, {argv + 1, argv + argc});
}
