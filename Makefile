# The one entry point; every target is one line, and the logic is in the command it calls.
# ARGS= passes further arguments: make run ARGS="--port 9000", make test-sql ARGS="-k fuse".

.DEFAULT_GOAL := help
.PHONY: help setup run test lint fmt types test-sql test-service test-install test-e2e attack soak bench bench-overhead eval train-models bundle install refresh new-function new-migration freeze doctor docs lock check clean

# An environment that forbids it would have every process compile what it imports.
export PYTHONDONTWRITEBYTECODE :=

QM := .venv/bin/qm
PYTEST := .venv/bin/python -m pytest

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## make .venv with the pinned requirements
	@scripts/setup.sh

run: setup ## start everything and serve: database, models, starter servers, worked example: ARGS="--data-dir DIR" for another data directory
	$(QM) up $(ARGS)

test: ## lint, types and all tests
	@scripts/test-prerequisites.sh & prerequisites=$$!; scripts/setup.sh && wait $$prerequisites
	$(PYTEST) --numprocesses=3 --dist=loadfile --no-loadscope-reorder -rs --durations=20 $(ARGS)

lint: setup ## style of Python and SQL, rules of the repository
	$(PYTEST) tests/lint --deselect tests/lint/test_python.py::test_types_are_checked_strictly $(ARGS)

fmt: setup ## lay out Python and fix what can be fixed
	.venv/bin/ruff check --fix --exit-zero --quiet . && .venv/bin/ruff format .

types: setup ## pyright, strict
	.venv/bin/pyright

test-sql: setup ## pgTAP tests and catalogue rules
	@scripts/test-prerequisites.sh
	$(PYTEST) tests/sql $(ARGS)

test-service: setup ## the Python service
	$(PYTEST) tests/service $(ARGS)

test-install: setup ## install, re-install, upgrade, wheel
	$(PYTEST) tests/install $(ARGS)

test-e2e: setup ## the whole system with real servers and clients
	$(PYTEST) tests/e2e $(ARGS)

attack: setup ## attacks on a running service, and a table of what was tried and held
	@scripts/test-prerequisites.sh
	$(PYTEST) tests/attack $(ARGS)

soak: setup ## 100,000 calls, and what is left of them: QM_SOAK_CALLS=1000000 for more
	QM_SOAK_CALLS=$${QM_SOAK_CALLS:-100000} $(PYTEST) tests/e2e/chaos -k soak $(ARGS)

bench: setup ## measure import, embedding and search
	.venv/bin/python -m tests.bench $(ARGS)

bench-overhead: setup ## measure what a gateway adds to a call, beside others: ARGS="--calls 200"
	.venv/bin/python -m tests.bench.overhead $(ARGS)

eval: setup ## measure the ranking beside that of others: ARGS="--sets toolbench --split test"
	.venv/bin/python -m tests.eval $(ARGS)

train-models: setup ## train the embedding model anew: ARGS="FOLDER_OF_SETS --output FILE"
	@scripts/train.sh $(ARGS)

bundle: setup ## print the installation as one psql script
	@$(QM) bundle $(ARGS)

install: setup ## install or update the schema in a database: ARGS="--dsn DSN"
	$(QM) install $(ARGS)

refresh: setup ## re-apply functions only
	$(QM) install --functions-only $(ARGS)

new-function: ## start a function and its test: NAME=search.rerank
	@scripts/new-function.sh $(NAME)

new-migration: ## start a migration: NAME=catalog_licences
	@scripts/new-migration.sh $(NAME)

freeze: setup ## list the digests of all migrations and keep the script, when a release is made
	@cd migrations/versions && sha256sum *.sql > ../frozen.txt
	@mkdir -p tests/install/releases
	@QM_DATA_DIR=$$(mktemp -d) $(QM) bundle > tests/install/releases/$$($(QM) --version | cut -d ' ' -f 2).sql

doctor: setup ## what the database has, lacks, and what stands in
	$(QM) doctor $(ARGS)

docs: setup ## render the reference from the database's own comments
	$(QM) docs $(ARGS) > docs/reference.md

lock: ## pin all requirements anew: ARGS="--upgrade" takes newer versions
	scripts/lock.sh $(ARGS)

check: test ## the same as test

clean: ## remove what was built; data directories stay
	rm -rf .venv build dist .pytest_cache .ruff_cache .hypothesis
