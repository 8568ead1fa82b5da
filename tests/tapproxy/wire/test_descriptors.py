"""Which descriptors a host has left open, with and without a list of them."""

import os

import pytest

from tapproxy.wire import descriptors

HIGH = 777
"""A descriptor that nobody has."""


def test_without_a_list_of_descriptors_each_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = descriptors.inherited()
    inheritable = os.dup2(0, HIGH)
    try:
        assert descriptors.inherited() == sorted([*listed, inheritable])
        monkeypatch.setattr(descriptors, "LISTED_IN", ("/no/such/folder",))
        assert descriptors.inherited() == sorted([*listed, inheritable])
    finally:
        os.close(inheritable)
