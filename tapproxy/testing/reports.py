"""What each start of a stand-in leaves in its folder, and what it tells of the host."""

import os

from tapproxy.testing.waiting import has_begun, is_live

BEGUN = ".begun"
REPORT = ".xml"
RECORDED = ".tap"
"""Endings of an empty file, of the JUnit file and of the replay's own recording."""


def is_over(place: str) -> bool:
    """Tell whether the replay is over: it has reported, or been killed before it could."""
    recording = place + RECORDED
    was_killed = has_begun(recording) and not is_live(recording)
    return was_killed or has_reported(place)


def has_reported(place: str) -> bool:
    """Tell whether the report is there; it is written at once, and before the recording ends."""
    try:
        return os.path.getsize(place + REPORT) > 0
    except OSError:
        return False


def reported(place: str) -> str | None:
    """Return the report's text; None where the live side was as recorded."""
    from xml.etree import ElementTree as ET

    report = ET.parse(place + REPORT)  # noqa: S314 - tap itself has written it
    whole = report.find("testsuite/testcase/failure")
    return None if whole is None else whole.text
