# For developers' comfort; everything here is a line that the README or this file names in full.
.PHONY: demo test lint bench coverage peers

.venv/bin/tap: pyproject.toml
	python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]'

demo: .venv/bin/tap
	.venv/bin/tap demo

test: .venv/bin/tap
	.venv/bin/pytest

lint: .venv/bin/tap
	.venv/bin/ruff check . && .venv/bin/ruff format --check . && .venv/bin/mypy

bench: .venv/bin/tap
	.venv/bin/python tests/bench/run.py

coverage: .venv/bin/tap
	.venv/bin/coverage run -m pytest && .venv/bin/coverage combine -q && .venv/bin/coverage report

# Real clients and servers, for the tests marked `real`.
peers:
	python3 tests/real/install.py
