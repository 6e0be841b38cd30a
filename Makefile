# Everything a contributor needs. A bare machine with python3 (3.11 or newer) and its venv module is enough to start.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BASE := $(VENV)/.base
STAMP := $(VENV)/.synced
# A shell may forbid Python to keep what it compiles; then every start would compile everything anew.
export UV_COMPILE_BYTECODE := 1
TRACKERS := $(VENV)-trackers/.synced

.DEFAULT_GOAL := help
.PHONY: help demo test test-fast test-servers test-trainers check fmt docs bench score bench-test zoo clean

help: ## Show what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(BASE): pyproject.toml uv.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/uv sync --quiet --locked --inexact --no-dev
	@$(BIN)/python -m compileall -q src
	@touch $@

$(STAMP): $(BASE)
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/uv sync --quiet --locked --inexact --all-extras --group dev
	@touch $@

demo: $(BASE) ## Diagnose a recorded real failure (CASE=name picks another of zoo/recordings)
	@$(BIN)/python -m runtriage diagnose --exit-zero --no-history zoo/recordings/$(or $(CASE),rank1-oom-killed)

test: test-fast test-servers ## Everything that is tested

test-fast: $(STAMP) ## Tests without a system package
	$(BIN)/python -m pytest -n auto --dist loadscope --no-loadscope-reorder -m "not server" tests

$(TRACKERS): tests/servers/trackers.txt
	@$(PYTHON) -m venv $(VENV)-trackers
	@VIRTUAL_ENV=$(CURDIR)/$(VENV)-trackers $(BIN)/uv pip install --quiet -r tests/servers/trackers.txt
	@touch $@

test-servers: $(STAMP) $(TRACKERS) ## Tests against real servers; starts what tests/services.toml lists
	PATH="$(CURDIR)/$(VENV)-trackers/bin:$$PATH" $(BIN)/python -m tests.servers.start $(BIN)/python -m pytest -m "server" -o faulthandler_timeout=600 tests

test-trainers: $(STAMP) ## Callbacks in real trainers, jobs under a real torchrun, in environments of the zoo (large)
	$(BIN)/python -c "from zoo.venvs import ensure_venv; ensure_venv('lightning'), ensure_venv('transformers'), ensure_venv('torch')"
	$(BIN)/python -m pytest tests/servers/test_trainers.py tests/servers/test_torchrun.py

check: $(STAMP) ## Format, lint, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

fmt: $(STAMP) ## Format and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(STAMP) ## Write the pages about failure modes again, from the catalogue
	rm -rf docs/failure-modes
	$(BIN)/python -m runtriage.api.pages docs/failure-modes

bench: $(STAMP) ## Speed and memory against public tools, in one run
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary=:all: ripgrep==14.1.0
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.speed
	$(BIN)/python -m benchmarks.folder
	$(BIN)/python -m benchmarks.fleet
	$(BIN)/python -m benchmarks.pages
	$(BIN)/python -m benchmarks.platforms

score: $(STAMP) ## Accuracy on the zoo's development split
	$(BIN)/python -m zoo.score --split dev

bench-test: $(STAMP) ## Accuracy on the zoo's test split; appends commit and figures to zoo/ledger.jsonl
	$(BIN)/python -m zoo.score --split test --ledger zoo/ledger.jsonl

zoo: $(STAMP) ## Run every failing program again and refresh its recording
	$(BIN)/python -m zoo.record

clean: ## Remove what was built
	rm -rf $(VENV) $(VENV)-trackers .pytest_cache .ruff_cache .hypothesis .import_linter_cache dist
