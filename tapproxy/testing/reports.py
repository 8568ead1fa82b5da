"""What each start of a stand-in leaves in its folder, and what its report says."""

import os

BEGUN = ".begun"
REPORT = ".xml"
RECORDED = ".tap"
"""Endings of an empty file, of the JUnit file and of the replay's own recording."""


def is_written(place: str) -> bool:
    """Tell whether the report is there; it is written at once, when the replay is over."""
    try:
        return os.path.getsize(place + REPORT) > 0
    except OSError:
        return False


def difference(place: str) -> str | None:
    """Return the report's text; None where the live side was as recorded."""
    from xml.etree import ElementTree as ET

    report = ET.parse(place + REPORT)  # noqa: S314 - tap itself has written it
    whole = report.find("testsuite/testcase/failure")
    return None if whole is None else whole.text
