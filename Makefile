# For developers' comfort; everything here is a line that the README or this file names in full.
.PHONY: demo test lint bench coverage pages peers

# Not .venv/bin/tap: an install for use alone has that too.
.venv/.dev: pyproject.toml
	python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && touch $@

demo: .venv/.dev
	.venv/bin/tap demo

test: .venv/.dev
	.venv/bin/pytest

lint: .venv/.dev
	.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/mypy

bench: .venv/.dev
	.venv/bin/python tests/bench/run.py

coverage: .venv/.dev
	.venv/bin/coverage run -m pytest && .venv/bin/coverage combine -q && .venv/bin/coverage report

# What the pages show of tap's output, and the pictures.
pages: .venv/.dev
	.venv/bin/python -m tests.pages && PYTHONPATH=.:store:viewers .venv/bin/python -m tests.screenshots

# Real clients and servers, for the tests marked `real`.
peers:
	python3 tests/real/install.py
