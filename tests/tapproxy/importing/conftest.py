"""Times of day that name no zone are those of this machine: here it stands in Greenwich."""

import time
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _in_greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
