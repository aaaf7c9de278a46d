# All commands for development. A target only calls a command, which contains the logic.
# ARGS passes further arguments to this command: make run ARGS="--port 9000", make test-sql ARGS="-k fuse".

.DEFAULT_GOAL := help
.PHONY: help setup setup-run run test test-all test-one lint fmt types test-sql test-service test-install test-databases test-install-matrix test-e2e test-clients test-first-minute attack soak bench bench-cli bench-tasks bench-overhead bench-quality bench-outputs openrefine eval eval-clients train-models known-vectors wheel bundle install refresh freeze doctor docs lock sbom audit check clean

# Some environments set this variable. Then every process would compile all modules again.
export PYTHONDONTWRITEBYTECODE :=
# A shell may set these for another Python. .venv has all that is needed.
unexport PYTHONHOME PYTHONPATH PYTHONSTARTUP PYTHONOPTIMIZE PYTHONWARNINGS PYTHONPLATLIBDIR
unexport __PYVENV_LAUNCHER__

QM := .venv/bin/qm
PYTEST := .venv/bin/python -m pytest
SLOW_FILES := rotating

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  %-20s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## create .venv with all pinned requirements, also those of tests and linters; KINDS=knowledge installs only this folder of kinds/, KINDS= none
	@scripts/setup.sh

setup-run: ## create .venv with what a running Quartermaster needs
	@scripts/setup.sh run

run: setup-run ## install and start Quartermaster; ARGS="--data-dir DIR" sets the data directory, KINDS as with setup
	$(QM) up $(ARGS)

test: ## run all checks: style, types and tests; of the slow test files, a third that the commit chooses; KIND=knowledge: the tests of a kind alone
	@scripts/test-prerequisites.sh & prerequisites=$$!; scripts/setup.sh && wait $$prerequisites
	$(PYTEST) --numprocesses=4 --dist=loadfile --no-loadscope-reorder -rs --durations=20 --slow-files=$(SLOW_FILES) \
		--override-ini=faulthandler_timeout=300 $(KIND:%=kinds/%/tests) $(ARGS)

test-all: ## run all checks and all tests (40 minutes on two cores)
	@$(MAKE) test SLOW_FILES=all

test-one: setup ## run one test, without what the others need; TEST=tests/service/calls/test_arguments.py, or TEST="tests/sql -k bm25/"
	@scripts/test-prerequisites.sh pgtap
	$(PYTEST) -q $(TEST) $(ARGS)

lint: setup ## check the style of Python and SQL, and the rules of this repository
	$(PYTEST) tests/lint --deselect tests/lint/test_python.py::test_types_are_checked_strictly $(ARGS)

fmt: setup ## format Python, and fix what can be fixed automatically
	.venv/bin/ruff check --fix --exit-zero --quiet . && .venv/bin/ruff format .

types: setup ## check types with pyright
	.venv/bin/pyright

test-sql: setup ## test the SQL functions (pgTAP) and the rules for database objects
	@scripts/test-prerequisites.sh
	$(PYTEST) tests/sql $(wildcard kinds/*/tests/sql) $(ARGS)

test-service: setup ## test the Python service
	$(PYTEST) tests/service $(wildcard kinds/*/tests/service) $(ARGS)

test-install: setup ## test installations and upgrades
	$(PYTEST) tests/install $(ARGS)

test-databases: setup ## compare the answers in databases of other locales, encodings and settings; ARGS="--only ICU"
	@scripts/test-prerequisites.sh
	.venv/bin/python -m tests.install.databases $(ARGS)

test-install-matrix: setup ## install in databases of one's own and shared, with and without a superuser, on both servers; ARGS="--only shared"
	@scripts/test-prerequisites.sh
	.venv/bin/python -m tests.install.matrix $(ARGS)

test-e2e: setup ## test the whole system with real servers and clients
	$(PYTEST) tests/e2e $(wildcard kinds/*/tests/e2e) $(ARGS)

test-clients: setup ## test with real clients and servers, which are downloaded from npm and PyPI
	QM_CLIENTS=1 $(PYTEST) tests/clients -m clients $(ARGS)

test-first-minute: setup ## try the first start on all machines, as root; for example ARGS="--only root --at-once 4"
	@scripts/test-prerequisites.sh
	.venv/bin/python -m tests.first_minute $(ARGS)
	QM_FIRST_MINUTE=1 $(PYTEST) tests/first_minute --numprocesses=2

# Tests outside of tests/attack that draw their cases by lot.
DRAWN := tests/sql/test_rights_fuzz.py kinds/quality/tests/service/test_checklist.py \
	kinds/decisions/tests/service/test_ingest_goes_on.py

attack: setup ## attack a running service, and print a table of the attacks; QM_LOTS multiplies what is drawn by lot
	@scripts/test-prerequisites.sh
	QM_LOTS=$${QM_LOTS:-5} $(PYTEST) tests/attack $(wildcard kinds/*/tests/attack) $(DRAWN) $(ARGS)

soak: setup ## make 100,000 calls and check for leaks; QM_SOAK_CALLS sets the number of calls
	QM_SOAK_CALLS=$${QM_SOAK_CALLS:-100000} $(PYTEST) tests/e2e/chaos -k soak $(ARGS)

bench: setup ## measure the speed of import, embedding and search
	.venv/bin/python -m lab.bench $(ARGS)

bench-cli: setup ## measure what commands of qm take; compare with another checkout: ARGS="--beside DIR"
	.venv/bin/python -m lab.bench.cli $(ARGS)

bench-tasks: setup ## measure start_task and lookups where much is known; fails if one takes longer than its budget
	.venv/bin/python -m lab.bench.tasks $(ARGS)

bench-overhead: setup ## compare the time that gateways add to a call; for example ARGS="--calls 200"
	.venv/bin/python -m lab.bench.overhead $(ARGS)

bench-quality: setup ## measure the quality tools over MCP; fails if one takes longer than its budget
	.venv/bin/python -m lab.bench.quality $(ARGS)

bench-outputs: setup ## write what users see into a folder, to compare it with that of another checkout; ARGS="DIR"
	.venv/bin/python -m lab.bench.outputs $(ARGS)

openrefine: setup ## run a project in a real OpenRefine; ARGS="LOOKUP.csv GOLD.csv"
	.venv/bin/python -m lab.bench.openrefine $(ARGS)

eval: setup ## compare the ranking with other systems; for example ARGS="--sets toolbench --split test"
	.venv/bin/python -m lab.comparisons $(ARGS)

eval-clients: setup ## what Claude Code, Codex, Gemini CLI and FastMCP find, directly and through Quartermaster; ARGS="--desks dev1"
	.venv/bin/python -m lab.clients $(ARGS)

train-models: setup ## train the embedding model again; ARGS="FOLDER_OF_SETS QUESTIONS --output FILE"
	@scripts/train.sh $(ARGS)

known-vectors: setup ## after a change of notes or built-in tools: compute their vectors for the package
	QM_WRITE_SNAPSHOTS=1 $(PYTEST) tests/service/models/test_known_vectors.py $(ARGS)

wheel: setup ## build the wheels of the core, of each kind and of the client library in dist/, for an installation without a clone
	@rm -f dist/*.whl
	.venv/bin/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist $(ARGS) . $(dir $(wildcard kinds/*/pyproject.toml clients/*/pyproject.toml))

bundle: setup-run ## print the whole installation as one script for psql
	@$(QM) bundle $(ARGS)

install: setup-run ## install or update the schema in a database; ARGS="--dsn DSN"
	$(QM) install $(ARGS)

refresh: setup-run ## apply the SQL functions again
	$(QM) install --functions-only $(ARGS)

new-%:
	@python3 scripts/new.py $* $(NAME) --kind=$(KIND) $(ARGS)

new-function: ## create a function and its test; NAME=search.shorten, KIND=knowledge in the folder of this kind
new-operation: ## create an operation, its test and its row of rights; NAME=jobs.pause_job, KIND as with new-function
new-migration: ## create a migration; NAME=catalog_licences, KIND as with new-function
new-command: ## create a command of qm and its test; NAME=job
new-setting: ## create a setting, its default and its test; NAME=server.max_clients
new-tool: ## create an MCP tool of a kind and its test; NAME=tapps_example KIND=knowledge
new-page: ## create a page of the manual; NAME=backups
new-kind: ## create a kind with its package and its tests; NAME=recipes

freeze: setup ## before each landing: freeze all migrations, and keep the installation for the test of upgrades; a release: ARGS=VERSION
	@.venv/bin/python -m tests.support.landings $(ARGS)

doctor: setup-run ## check the installation and the database server
	$(QM) doctor $(ARGS)

docs: setup ## generate docs/reference.md, the modules with calls of api functions, and the table of layers
	QM_WRITE_SNAPSHOTS=1 $(PYTEST) tests/install/test_reference.py tests/lint/test_layers.py $(ARGS)

lock: ## pin all requirements again; ARGS="--upgrade" uses newer versions
	scripts/lock.sh $(ARGS)

sbom: setup ## list the pinned packages of the service in dist/quartermaster.cdx.json (CycloneDX)
	scripts/audit.sh sbom

audit: setup ## list the known vulnerabilities of the pinned packages
	scripts/audit.sh audit

check: test ## the same as test

clean: ## remove everything that was built, but no data directories
	rm -rf .venv build dist .pytest_cache .ruff_cache .hypothesis
