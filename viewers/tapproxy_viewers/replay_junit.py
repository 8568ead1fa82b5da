"""What replays have found as JUnit XML, which GitLab, Jenkins and GitHub actions read.

A test suite for each session. Its first test case is the replay as a whole, and tells everything;
each finding has a test case of its own, which has failed if it is a difference.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from tapproxy_viewers.lines import plain
from tapproxy_viewers.palette import SEPARATOR
from tapproxy_viewers.replay_report import (
    NO_DIFFERENCE,
    Found,
    Verdict,
    reasons,
    report,
    subject,
    values,
)
from tapproxy_viewers.visible import shown, symbol

CLASS = "tap.replay"
TEXT_WIDTH = 100

_NEVER_IN_XML = {ord(it): symbol(it) for it in "\ufffe\uffff"}
"""XML 1.0 (fifth edition, 2.2) allows neither, though they are no control characters."""

SECOND = 1e9
"""Nanoseconds."""


def junit(verdicts: Sequence[Verdict]) -> bytes:
    """Return the whole file, UTF-8; `verdicts` are of the sessions in their order."""
    root = Element("testsuites", name="tap replay")
    for verdict in verdicts:
        _suite(root, verdict)
    cases = root.findall("testsuite/testcase")
    _count(root, cases, sum(it.took_ns for it in verdicts))
    indent(root)
    found: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return found + b"\n"


def _suite(root: Element, verdict: Verdict) -> None:
    title = _text(f"{verdict.recording} as {verdict.role}")
    suite = SubElement(root, "testsuite", name=title)
    properties = SubElement(suite, "properties")
    for name, value in _properties(verdict):
        SubElement(properties, "property", name=name, value=_text(value))
    whole = _case(suite, verdict, f"replay of {title}")
    whole.set("time", _seconds(verdict.took_ns))
    if verdict.differs:
        failure = SubElement(whole, "failure", type=verdict.word, message=reasons(verdict))
        failure.text = "\n".join(map(_text, _lines(verdict)))
    for name, it in _named(verdict.found):
        change = values(it)
        case = _case(suite, verdict, name)
        message = _text(SEPARATOR.join(filter(None, [subject(it), change])))
        if it.kind in NO_DIFFERENCE:
            SubElement(case, "system-out").text = message
        else:
            SubElement(case, "failure", type=it.kind, message=message)
    _count(suite, suite.findall("testcase"), verdict.took_ns)


def _properties(verdict: Verdict) -> Iterator[tuple[str, str]]:
    yield "recording", verdict.recording
    if verdict.replay is not None:
        yield "replay", verdict.replay
    yield "role", verdict.role
    yield "pace", f"{verdict.pace:g}"


def _case(suite: Element, verdict: Verdict, name: str) -> Element:
    classname = _text(f"{CLASS}.{verdict.recording}")
    return SubElement(suite, "testcase", classname=classname, name=name, time=_seconds(0))


def _named(found: Sequence[Found]) -> Iterator[tuple[str, Found]]:
    """Name each finding as no other: GitLab takes test cases of one name for one."""
    times: Counter[str] = Counter()
    for it in found:
        number = "" if it.frame is None else f"#{it.frame}"
        name = _text(" ".join(filter(None, [it.kind, number, it.words])))
        times[name] += 1
        yield (name if times[name] == 1 else f"{name} [{times[name]}]"), it


def _lines(verdict: Verdict) -> Iterator[str]:
    return map(plain, report(verdict, TEXT_WIDTH))


def _count(element: Element, cases: Sequence[Element], took_ns: int) -> None:
    failures = sum(it.find("failure") is not None for it in cases)
    element.set("tests", str(len(cases)))
    element.set("failures", str(failures))
    element.set("errors", "0")
    element.set("skipped", "0")
    element.set("time", _seconds(took_ns))


def _seconds(ns: int) -> str:
    return f"{ns / SECOND:.3f}"


def _text(text: str) -> str:
    """Make any text one that XML can hold."""
    return shown(text).translate(_NEVER_IN_XML)
