# Everything starts from a bare python3 (>= 3.11) with pip. The first target that needs it makes .venv; see tools/environment.py.
#   make demo PYTHON=python3.12     another interpreter
#   make test ARGS='-k geometry'    arguments for pytest

PYTHON ?= python3
VENV   ?= .venv
ARGS   ?=
BIN    := $(VENV)/bin
venv    = @$(PYTHON) tools/environment.py --dir $(VENV) --extras "$(1)"

.PHONY: help demo test check lint types imports literals names generated bench bench-ci stress-ci stress-ci-baseline docs clean
.NOTPARALLEL:

help:
	@echo 'make demo      read the example paper, fuse its PDF, HTML and LaTeX, ask a library of three papers; writes demo-output/ (installs the core only)'
	@echo 'make test      run all tests'
	@echo 'make check     lint, format, types, import contracts, thresholds, names, generated pages'
	@echo 'make bench     measure accuracy and speed on the corpus; writes bench/results/'
	@echo 'make bench-ci  the small part of the same that CI runs'
	@echo 'make stress-ci the stress test on a few short papers; fails on what is worse than the committed one without a note'
	@echo 'make docs      write the generated pages and build the site in build/docs'
	@echo 'make clean     remove everything that make made'

demo:
	$(call venv,)
	$(BIN)/variorum extract examples/technical-report/report.pdf -o demo-output
	$(BIN)/variorum fuse --pdf demo-output/document.json --ar5iv examples/technical-report/report.html \
	  --latex examples/technical-report/report.tex -o demo-output/fused
	$(BIN)/python tools/example_library.py demo-output/Zotero
	$(BIN)/variorum index --zotero demo-output/Zotero --index demo-output/library.sqlite --config fast
	$(BIN)/variorum search 'why does constant service time halve the wait?' --index demo-output/library.sqlite -n 1
	$(BIN)/variorum tables 'height of the noon sun by latitude' --index demo-output/library.sqlite -n 1
	$(BIN)/variorum figures 'length of the day over the year' --index demo-output/library.sqlite -n 1
	@echo 'The report of the PDF, with the votes: demo-output/report.html'
	@echo 'The report of PDF, HTML and LaTeX as one text: demo-output/fused/report.html'

test:
	$(call venv,dev bench)
	$(BIN)/python -m pytest -n auto $(ARGS)

check: lint types imports literals names generated

lint:
	$(call venv,dev bench)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types:
	$(call venv,dev bench)
	$(BIN)/mypy

imports:
	$(call venv,dev bench)
	$(BIN)/lint-imports

literals:
	$(call venv,dev bench)
	$(BIN)/python tools/check_literals.py

names:
	$(call venv,dev bench)
	$(BIN)/python tools/check_names.py

generated:
	$(call venv,dev bench)
	$(BIN)/python tools/build_docs.py --check

bench:
	$(call venv,dev bench)
	$(BIN)/python -m bench.accuracy
	$(BIN)/python -m bench.document
	$(BIN)/python -m bench.speed

bench-ci:
	$(call venv,dev bench)
	$(BIN)/python -m bench.accuracy --ci
	$(BIN)/python -m bench.document --ci
	$(BIN)/python -m bench.speed --ci

stress-ci:
	$(call venv,dev bench)
	$(BIN)/python -m bench.stress_ci

stress-ci-baseline:
	$(call venv,dev bench)
	$(BIN)/python -m bench.stress_ci --accept

docs:
	$(call venv,docs)
	$(BIN)/python tools/build_docs.py
	$(BIN)/python -m sphinx -W --keep-going -E -a -q -b html docs build/docs
	@echo 'The site: build/docs/index.html'

clean:
	rm -rf $(VENV) build dist demo-output .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
