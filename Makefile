# The words to know. CI (.ci/run) runs the same ones.

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
.DEFAULT_GOAL := help

JOBS ?= $(shell nproc)
PYTHON := .venv/bin/python
export TARN_SHARED ?= $(abspath ../shared)
export PATH := $(CURDIR)/build:$(PATH)

SOURCES_OF_SETUP := tools/setup.sh tools/install_duckdb.sh tools/packages.txt

.PHONY: help setup build test demo bench lineage tidy format interop memory-test sim-long asan tsan fuzz clean

help: ## print these lines
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## install what Tarn is built from (Debian packages, .venv, third_party)
	@tools/setup.sh && touch .stamps/build

# One stamp for each part of tools/setup.sh: nothing is done while its inputs are older.
.stamps/build: $(SOURCES_OF_SETUP) tools/requirements.txt tools/requirements-duckdb.txt
.stamps/test: tools/requirements-test.txt | .stamps/build
.stamps/demo: tools/requirements-demo.txt | .stamps/build
.stamps/bench: tools/requirements-test.txt tools/packages.txt | .stamps/build
.stamps/dev: tools/packages.txt
.stamps/build .stamps/test .stamps/demo .stamps/bench .stamps/dev:
	@tools/setup.sh $(@F) && touch $@

# $(call configure,option...): quiet unless it fails.
configure = cmake --preset release $(1) >.stamps/configure.log 2>&1 || { cat .stamps/configure.log; exit 1; }

build: .stamps/build ## build the program (build/tarn) and the tests
	@$(call configure)
	@cmake --build --preset release --parallel $(JOBS)

test: build .stamps/test ## run all tests: unit, contract, simulation (ctest), the program (pytest)
	@tools/run_tests.sh build

demo: .stamps/build .stamps/demo ## the main job on real data: a year of flights, month by month
	@$(call configure)
	@echo "building the program (the first time this takes some minutes)"
	@cmake --build --preset release --parallel $(JOBS) --target tarn
	@demo/run.sh

bench: .stamps/bench ## measure the paths a user feels, each against its peer: docs/benchmarks.md
	@$(call configure,-DTARN_BENCH=ON)
	@cmake --build --preset release --parallel $(JOBS)
	@bench/run.sh

lineage: build .stamps/test ## how exact lineage is, beside other tools: docs/lineage.md
	@TARN_BIN=$(CURDIR)/build/tarn $(PYTHON) tests/lineage/accuracy.py --write docs/lineage.md

tidy: .stamps/build .stamps/dev ## check arrows and house rules, format, and clang-tidy on changed files
	@tools/run_tidy.sh

format: .stamps/dev ## lay out all sources as clang-format decides
	@git ls-files 'src/*.h' 'src/*.cc' 'tests/*.h' 'tests/*.cc' 'bench/*.h' 'bench/*.cc' | \
	  xargs --no-run-if-empty clang-format -i

interop: build .stamps/test ## all other engines read what Tarn wrote, and Tarn theirs
	@tests/interop/run.sh

memory-test: build .stamps/test ## load 4 GB at --memory-limit 512MB: peak memory of the whole process
	@TARN_MEMORY_INPUT=4000 TARN_MEMORY_LIMIT=512 TARN_BIN=$(CURDIR)/build/tarn \
	  $(PYTHON) -m pytest -p no:cacheprovider -s tests/python/test_memory.py

sim-long: build ## simulate 20,000 seeds of each scenario (CI runs 500)
	@build/tarn_sim --list | xargs -P $(JOBS) -I{} build/tarn_sim --scenario {} --seeds 20000

asan: .stamps/build .stamps/dev ## unit and simulation tests under the address and undefined-behaviour sanitizers
	@tools/run_sanitized.sh asan

tsan: .stamps/build .stamps/dev ## tests of base, table and write under the thread sanitizer
	@tools/run_sanitized.sh tsan

fuzz: .stamps/build .stamps/dev ## a minute of each fuzz target, from its kept corpus
	@tools/run_fuzz.sh

clean: ## remove what was built (setup's downloads stay)
	@rm -rf build build-debug build-asan build-tsan build-fuzz
