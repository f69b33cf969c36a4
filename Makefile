# The commands of README.md, in front of CMake's presets.
# Programs are built in build/release; docs/contributing.md knows the rest.

build := build/release
report := build/report
result := docs/results/ladder.json
peers := docs/results/peers.json
durability := docs/results/durability.json
fuzz := docs/results/fuzz.json
data := build/serve-data
jobs := $(shell nproc 2>/dev/null || echo 2)
compile := cmake --build --preset release --parallel $(jobs)
bench := $(build)/bench/lamina-bench

.DEFAULT_GOAL := help
.PHONY: help setup configure test report peers storage soak fuzz serve clean

help:
	@echo 'make report   measure every layer on this machine, write the report'
	@echo 'make peers    measure exact search beside other libraries'
	@echo 'make storage  measure writes, restarts, and queries beside writes'
	@echo 'make test     build everything and run all tests'
	@echo 'make soak     kills, power loss, failing disks, and make fuzz: long, writes'
	@echo '              docs/durability.md'
	@echo 'make fuzz     files and requests of any bytes: long, writes docs/fuzzing.md'
	@echo 'make serve    run lamina-server, data in $(data)'
	@echo 'make clean    remove build/'
	@echo
	@echo 'The first run installs the Debian packages that are missing'
	@echo '(tests/scripts/packages.txt), as root or with sudo.'

setup:
	@tests/scripts/install-packages.sh

configure: setup
	@cmake --preset release

test: configure
	@$(compile)
	@ctest --preset release --parallel 2

# The result is kept, and the table of README.md made from it, only when every
# check of the run passed; the report tells about a bad run as well.
report: configure
	@$(compile) --target lamina-bench
	@mkdir -p $(report) $(dir $(result))
	@$(bench) ladder --work-dir $(report) --json $(report)/ladder.json \
	  --report-dir $(report) $(addprefix --peers ,$(wildcard $(peers))) || { code=$$?; \
	  echo 'not kept, see $(report)/report.html' >&2; exit $$code; }
	@cp $(report)/ladder.json $(result)
	@$(bench) readme $(result) README.md
	@echo
	@echo 'report: $(report)/report.html'

# The report shows the peers as well, once there is a ladder to report.
peers: configure
	@$(compile) --target lamina-bench
	@mkdir -p $(report) $(dir $(peers))
	@$(bench) peers --work-dir $(report) --json $(peers) --report-dir $(report)
	@test ! -f $(result) || \
	  $(bench) report $(result) --peers $(peers) --report-dir $(report)
	@echo
	@echo 'report: $(report)/peers.html'

# As above: only figures of a run in which no promise was broken are kept.
storage: configure
	@$(compile) --target lamina-bench
	@mkdir -p $(report) docs/results
	@$(bench) storage --work-dir $(report) --json docs/results/storage.json \
	  --page docs/storage-costs.md

soak: configure
	@$(compile) --target storage_trials --target mutants
	@mkdir -p $(report) $(dir $(durability))
	@$(build)/tests/fault/storage_trials soak --json $(report)/durability.json \
	  --mutants $(build)/tests/mutants/mutants-Release.txt
	@cp $(report)/durability.json $(durability)
	@$(build)/tests/fault/storage_trials page $(durability) docs/durability.md
	@$(MAKE) --no-print-directory fuzz

# With Clang, which nothing else takes and the set-up does not install.
fuzz: setup
	@command -v clang++ >/dev/null || \
	  { echo 'make fuzz takes clang++: apt-get install clang' >&2; exit 1; }
	@cmake --preset fuzz
	@cmake --build --preset fuzz --parallel $(jobs)
	@mkdir -p $(report) $(dir $(fuzz))
	@cmake -DFUZZERS=build/fuzz/tests/fuzz/fuzzers -DWORK_DIR=build/fuzz/soak \
	  -DJSON=$(report)/fuzz.json -P tests/fuzz/soak.cmake
	@cp $(report)/fuzz.json $(fuzz)
	@cmake -DJSON=$(fuzz) -DPAGE=docs/fuzzing.md -P tests/fuzz/page.cmake

serve: configure
	@$(compile) --target lamina-server
	@mkdir -p $(data)
	@exec $(build)/server/lamina-server --data-dir $(data)

clean:
	@rm -rf build
