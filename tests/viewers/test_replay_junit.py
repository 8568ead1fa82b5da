"""The JUnit file is one that every reader of them takes, whatever a live peer has said."""

from dataclasses import replace
from xml.etree.ElementTree import Element, fromstring

from hypothesis import given
from hypothesis import strategies as st

from tapproxy_viewers.replay_junit import junit
from tapproxy_viewers.replay_report import Found, Verdict
from tapproxy_viewers.visible import shown
from tests.viewers.replayed import BADLY, HOSTILE, WELL

COUNTS = {"tests", "failures", "errors", "skipped", "time"}
SCHEMA: dict[str, tuple[set[str], list[str]]] = {
    "testsuites": ({"name", *COUNTS}, ["testsuite"]),
    "testsuite": ({"name", *COUNTS}, ["properties", "testcase"]),
    "properties": (set(), ["property"]),
    "property": ({"name", "value"}, []),
    "testcase": ({"classname", "name", "time"}, ["failure", "system-out"]),
    "system-out": (set(), []),
    "failure": ({"type", "message"}, []),
}
"""Of each element its attributes, and the elements in it in their order."""


def parsed(data: bytes) -> Element:
    return fromstring(data)  # noqa: S314 - it is our own


def check(element: Element) -> None:
    """Assert that an element, and all in it, is as the schema says and its counts are true."""
    attributes, inner = SCHEMA[element.tag]
    assert set(element.attrib) == attributes
    tags = [it.tag for it in element]
    assert tags == sorted(tags, key=inner.index)
    if "time" in attributes:
        assert float(element.attrib["time"]) >= 0
    if "tests" in attributes:
        cases = list(element.iter("testcase"))
        assert element.attrib["tests"] == str(len(cases))
        assert element.attrib["failures"] == str(
            sum(it.find("failure") is not None for it in cases)
        )
    for it in element:
        check(it)


def test_a_suite_for_each_session_and_a_failure_for_each_finding() -> None:
    badly = replace(
        BADLY, counts={"changed": 1, "extra": 2}, ended=None, replay=None,
        found=(BADLY.found[1], BADLY.found[3], BADLY.found[3]),
    )  # fmt: skip
    expected = """\
<?xml version='1.0' encoding='utf-8'?>
<testsuites name="tap replay" tests="5" failures="4" errors="0" skipped="0" time="16.000">
  <testsuite name="bug as host" tests="1" failures="0" errors="0" skipped="0" time="3.000">
    <properties>
      <property name="recording" value="bug" />
      <property name="replay" value="bug-2" />
      <property name="role" value="host" />
      <property name="pace" value="1" />
    </properties>
    <testcase classname="tap.replay.bug" name="replay of bug as host" time="3.000" />
  </testsuite>
  <testsuite name="bug of monday as plugin" tests="4" failures="4" errors="0" skipped="0" \
time="13.000">
    <properties>
      <property name="recording" value="bug of monday" />
      <property name="role" value="plugin" />
      <property name="pace" value="10" />
    </properties>
    <testcase classname="tap.replay.bug of monday" name="replay of bug of monday as plugin" \
time="13.000">
      <failure type="differs" message="1 changed, 2 extra · 29 of 30 same">\
differs: 1 changed, 2 extra · 29 of 30 same
changed  #12  "pong"  "pong" → "pang ␛[31m"
extra         notification notifications/message
extra         notification notifications/message
  bug of monday as plugin: 13 steps in 13.0 s (recorded: 2.0 s) · 10× as fast\
</failure>
    </testcase>
    <testcase classname="tap.replay.bug of monday" name="changed #12 &quot;pong&quot;" time="0.000">
      <failure type="changed" \
message="&quot;pong&quot; · &quot;pong&quot; → &quot;pang ␛[31m&quot;" />
    </testcase>
    <testcase classname="tap.replay.bug of monday" name="extra notification notifications/message" \
time="0.000">
      <failure type="extra" message="notification notifications/message" />
    </testcase>
    <testcase classname="tap.replay.bug of monday" name="extra notification notifications/message \
[2]" time="0.000">
      <failure type="extra" message="notification notifications/message" />
    </testcase>
  </testsuite>
</testsuites>
"""
    assert junit([WELL, badly]).decode() == expected


def test_what_xml_cannot_hold_is_written_by_its_code() -> None:
    words = "\x00 \x0b \ufffe \uffff \ud800 <&>\"'"
    found = Found("extra", words)
    root = parsed(junit([Verdict("bug", "host", 0, 0, 0, {"extra": 1}, (found,))]))
    failure = root.findall("testsuite/testcase/failure")[1]
    assert failure.attrib["message"] == "␀ ␋ ‹U+FFFE› ‹U+FFFF› ‹U+D800› <&>\"'"


@given(st.lists(HOSTILE, max_size=3))
def test_whatever_was_said_the_file_is_as_its_schema_says(verdicts: list[Verdict]) -> None:
    data = junit(verdicts)
    lines = data.decode().split("\n")
    assert lines == [shown(line) for line in lines]
    root = parsed(data)
    check(root)
    for suite, verdict in zip(root, verdicts, strict=True):
        cases = suite.findall("testcase")
        assert len(cases) == 1 + len(verdict.found)
        assert len({it.attrib["name"] for it in cases}) == len(cases)
        assert len(cases[0]) == verdict.differs


def test_what_the_real_plugin_has_answered_is_told_and_no_failure() -> None:
    found = (Found("forwarded", "nothing recorded answers request add (3)"),)
    root = parsed(junit([Verdict("bug", "plugin", 4, 3, 0, {"forwarded": 1}, found)]))
    check(root)
    assert root.attrib["failures"] == "0"
    [case] = root.findall("testsuite/testcase[system-out]")
    assert case.attrib["name"] == "forwarded nothing recorded answers request add (3)"
    assert [it.text for it in case] == ["nothing recorded answers request add (3)"]
