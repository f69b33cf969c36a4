# The commands of README.md, in front of CMake's presets.
# Everything is built in build/release; docs/contributing.md knows the rest.

build := build/release
report := build/report
result := docs/results/ladder.json
data := build/serve-data
jobs := $(shell nproc 2>/dev/null || echo 2)

.DEFAULT_GOAL := help
.PHONY: help setup build test report serve clean

help:
	@echo 'make report   measure every layer on this machine, write the report'
	@echo 'make test     build everything and run all tests'
	@echo 'make serve    run lamina-server, data in $(data)'
	@echo 'make clean    remove build/'
	@echo
	@echo 'The first run installs the Debian packages that are missing'
	@echo '(tests/scripts/packages.txt), as root or with sudo.'

setup:
	@tests/scripts/install-packages.sh

build: setup
	@cmake --preset release
	@cmake --build --preset release --parallel $(jobs)

test: build
	@ctest --preset release --parallel 2

report: build
	@mkdir -p $(report) $(dir $(result))
	@$(build)/bench/lamina-bench ladder --json $(result) --report-dir $(report)
	@$(build)/bench/lamina-bench readme $(result) README.md
	@echo
	@echo 'report: $(CURDIR)/$(report)/report.html'

serve: build
	@mkdir -p $(data)
	@exec $(build)/server/lamina-server --data-dir $(data)

clean:
	@rm -rf build
