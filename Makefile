# Everything a contributor needs. A bare machine with python3 (3.11 or newer) and its venv module is enough to start.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.synced

.DEFAULT_GOAL := help
.PHONY: help demo test test-fast test-servers check fmt bench bench-test zoo docs clean

help: ## Show what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(STAMP): pyproject.toml uv.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/uv sync --quiet --locked --inexact --all-extras --group dev
	@touch $@

demo: $(STAMP) ## Diagnose a recorded real failure
	@$(BIN)/python -m runtriage diagnose --exit-zero --context 2 zoo/recordings/$(or $(CASE),torchrun-rank1-killed)

test: test-fast test-servers ## Everything that is tested

test-fast: $(STAMP) ## Tests without a system package
	$(BIN)/python -m pytest -m "not server and not gpu" tests

test-servers: $(STAMP) ## Tests against real servers; starts what tests/services.toml lists
	$(BIN)/python -m tests.servers.start $(BIN)/python -m pytest -m "server and not gpu" tests

check: $(STAMP) ## Format, lint, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports

fmt: $(STAMP) ## Format and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP) ## Speed and memory against public tools, in one run
	$(BIN)/python -m benchmarks

bench-test: $(STAMP) ## Accuracy on the zoo's test split; appends to the ledger
	$(BIN)/python -m runtriage bench --split test --ledger zoo/ledger.jsonl

zoo: $(STAMP) ## Run every failing program again and refresh its recording
	$(BIN)/python -m zoo.record

clean: ## Remove what was built
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis .import_linter_cache dist
