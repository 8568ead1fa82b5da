"""Keeps the host's modules, in its PYTHONPATH or its folder, from standing in for ours."""

import os
import sys

_PACKAGES = ("tapproxy", "tapproxy_store", "tapproxy_viewers")


def prefer_own_modules() -> None:
    """Look in PYTHONPATH last: a `json.py` there is the plugin's, and not for us."""
    foreign = [os.path.abspath(entry) for entry in _entries()]
    sys.path.sort(key=lambda entry: entry in foreign)  # stable: all others keep their order


def own_environment() -> dict[str, str]:
    """Return our environment for a process of ours, with what it finds our packages by."""
    environment = dict(os.environ)
    ours = [entry for entry in _entries() if _has_packages(entry)]
    environment.pop("PYTHONPATH", None)
    return environment | ({"PYTHONPATH": os.pathsep.join(ours)} if ours else {})


def tap_command(*arguments: str) -> list[str]:
    """Return what starts tap as a process of its own; a `json.py` in the working folder is not it.

    The folder is the host's, and may be anybody's.
    """
    return [sys.executable, "-P", "-m", "tapproxy", *arguments]


def _entries() -> list[str]:
    return [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]


def _has_packages(folder: str) -> bool:
    return any(os.path.isdir(os.path.join(folder, package)) for package in _PACKAGES)
