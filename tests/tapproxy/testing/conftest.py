"""Gives tests the folder that a reader of the page about testing has made."""

import sys

import pytest

from tests.tapproxy.testing.page import copy_files, run


@pytest.fixture
def page(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Give a folder with the files of the page, outside of CI."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("BUILD_NUMBER", raising=False)
    # An edit within a second that changes no size would leave the bytecode of before in use.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    copy_files(pytester.path)
    return pytester


@pytest.fixture
def taped(page: pytest.Pytester) -> pytest.Pytester:
    """Give the same, with the page's cassette."""
    run(page, "-k", "told").assert_outcomes(passed=1, deselected=3)
    return page
