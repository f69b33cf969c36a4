#include "core/process.h"

#include <doctest/doctest.h>

#include <chrono>

using lamina::StatusCode;
using lamina::bench::allowed_cpus;
using lamina::bench::ChildProcess;
using lamina::bench::port_of_listening_line;

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

ChildProcess shell(const std::string& command, int cpu) {
  return *ChildProcess::spawn({{"/bin/sh", "-c", command}, cpu, 100});
}

}  // namespace

TEST_CASE("a child's lines are read one by one, its exit code last") {
  ChildProcess child =
      shell("echo one; echo two; exit 7", allowed_cpus().front());
  CHECK(*child.read_line(seconds(10)) == "one");
  CHECK(*child.read_line(seconds(10)) == "two");
  CHECK(child.read_line(seconds(10)).status().code() ==
        StatusCode::unavailable);
  CHECK(child.wait() == 7);
}

TEST_CASE("a child runs on its CPU only, with BLAS on one thread") {
  const int cpu = allowed_cpus().back();
  ChildProcess child = shell(
      "grep Cpus_allowed_list /proc/self/status | tr -dc '0-9-'; echo; "
      "echo $OPENBLAS_NUM_THREADS; echo ${#LAMINA_BENCH_PADDING}",
      cpu);
  CHECK(*child.read_line(seconds(10)) == std::to_string(cpu));
  CHECK(*child.read_line(seconds(10)) == "1");
  CHECK(*child.read_line(seconds(10)) == "100");
}

TEST_CASE("a silent child is not waited for without end") {
  ChildProcess child = shell("exec sleep 60", allowed_cpus().front());
  CHECK(child.read_line(milliseconds(50)).status().code() ==
        StatusCode::deadline_exceeded);
  CHECK(child.stop() != 0);
}

TEST_CASE("the port comes from the line that a server prints") {
  CHECK(*port_of_listening_line("listening on http://127.0.0.1:6333") == 6333);
  CHECK_FALSE(port_of_listening_line("listening on http://[::1]:1").ok());
  CHECK_FALSE(port_of_listening_line("listening on http://127.0.0.1:").ok());
  CHECK_FALSE(port_of_listening_line("listening on http://127.0.0.1:1x").ok());
}
