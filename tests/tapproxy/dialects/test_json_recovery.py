"""What is made of frames that are not JSON, as people have met them."""

import pytest

from tapproxy.dialects.json_recovery import FURTHEST, LARGEST, MOST_PARTS, Found, Recovery

Said = tuple[bytes | None, str, tuple[str, ...]]


def found_in(*bodies: bytes) -> list[list[Said]]:
    """Return text, note and flags of what is found in each frame."""
    recovery = Recovery()
    return [
        [said(it) for it in recovery.find(body, number)]
        for number, body in enumerate(bodies, start=1)
    ]


def said(found: Found) -> Said:
    """Return all but the value."""
    return found.text, found.note, found.flags


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b"", (None, "empty line", ("blank",))),
        (b" \r", (None, "empty line", ("blank",))),
        (b"got a message", (None, "not JSON", ("not-json",))),
        (
            b"\x1b[2m10:00\x1b[0m INFO started",
            (None, "not JSON: text with terminal codes", ("not-json", "ansi")),
        ),
        (
            b'\xef\xbb\xbf{"id":1}',
            (b'{"id":1}', "byte order mark at the beginning", ("bom",)),
        ),
        (
            b'\r[1/2] one\x1b[K{"kind":"result"}',
            (
                b'{"kind":"result"}',
                "text before the JSON: [1/2] one\x1b[K",
                ("not-json", "ansi"),
            ),
        ),
        (
            b'{"id":1}dbg: done',
            (b'{"id":1}', "text after the JSON: dbg: done", ("interleaved",)),
        ),
        (
            b'{"type":"resu',
            (None, "not JSON: ends in the middle", ("not-json", "unfinished")),
        ),
        (
            b'{"id":1,\r\n"result":{}',
            (None, "not JSON: ends in the middle", ("not-json", "unfinished")),
        ),
        (
            b'{"a":1 "b":2}',
            (None, "not JSON: expecting ',' delimiter at character 8", ("not-json",)),
        ),
        (
            b'{"tools":[{"name":"a"}] oops}',
            (None, "not JSON: expecting ',' delimiter at character 25", ("not-json",)),
        ),
        (b"[1, 2] [3]", (None, "not JSON: extra data at character 8", ("not-json",))),
        (b"{} {}", (None, "not JSON: extra data at character 4", ("not-json",))),
        (b"[1, NaN]", (None, "JSON, but no object in it", ("not-json",))),
        (
            b'{"t":"\xc4\xe3"}',
            (
                '{"t":"\ufffd\ufffd"}'.encode(),
                "not UTF-8 at byte 6",
                ("not-utf8",),
            ),
        ),
        (b"\xff\xfe", (None, "not JSON; not UTF-8 at byte 0", ("not-json", "not-utf8"))),
        (
            b'{"t":"\\ud83d"}',
            (b'{"t":"\\\\ud83d"}', "half of a surrogate pair in a string", ("lone-surrogate",)),
        ),
        (
            b'{"a":NaN,"b":1}',
            (b'{"a":"NaN","b":1}', "NaN, which JSON does not have", ("nonfinite",)),
        ),
        (
            b'{"a":-1e999}',
            (
                b'{"a":"-Infinity"}',
                "a number too large for most readers",
                ("huge-number",),
            ),
        ),
        (
            b'{"a":"tab\there"}',
            (
                b'{"a":"tab\\there"}',
                "raw control characters in a string",
                ("control-character",),
            ),
        ),
    ],
)
def test_a_frame_that_is_not_json_gets_a_reason_and_what_json_is_in_it(
    body: bytes, found: Said
) -> None:
    assert found_in(body) == [[found]]


def test_several_texts_in_one_frame_are_found_one_by_one() -> None:
    note = "several JSON texts in one frame"
    assert found_in(b'{"id":1}{"id":2}') == [
        [(b'{"id":1}', note, ("concatenated",)), (b'{"id":2}', note, ("concatenated",))]
    ]


def test_a_text_over_several_lines_is_joined_at_its_last() -> None:
    part = (None, "part of the JSON text that begins in #1", ("multiline",))
    whole = b'{\n  "id": 3,\n  "result": {"tools": []}\n}'
    assert found_in(b"{", b'  "id": 3,', b'  "result": {"tools": []}', b"}") == [
        [(None, "not JSON: ends in the middle", ("not-json", "unfinished"))],
        [part],
        [part],
        [(whole, "one JSON text over #1 to #4", ("multiline",))],
    ]


def test_both_texts_are_found_when_one_was_written_in_the_middle_of_the_other() -> None:
    assert found_in(b'{"id":5,"name":"{"method":"cancel"}', b'slow"}') == [
        [
            (
                b'{"method":"cancel"}',
                'in the middle of another text: {"id":5,"name":"',
                ("not-json", "interleaved"),
            )
        ],
        [
            (
                b'{"id":5,"name":"slow"}',
                "the rest of #1: one JSON text came in the middle of another",
                ("interleaved",),
            )
        ],
    ]


def test_a_line_that_does_not_go_on_with_what_had_begun_stands_for_itself() -> None:
    assert found_in(b'{"id":', b"a log line", b"1}") == [
        [(None, "not JSON: ends in the middle", ("not-json", "unfinished"))],
        [(None, "not JSON", ("not-json",))],
        [(None, "not JSON", ("not-json",))],
    ]


def test_a_part_that_comes_much_later_is_none() -> None:
    recovery = Recovery()
    recovery.find(b'{"id":', 1)
    assert recovery.part(b"1", 2 + FURTHEST) is None
    recovery.find(b'{"id":', 1)
    part = recovery.part(b"1", 1 + FURTHEST)
    assert part is not None
    assert said(part) == (None, "part of the JSON text that begins in #1", ("multiline",))


def test_what_has_begun_is_given_up_when_it_has_too_many_parts() -> None:
    recovery = Recovery()
    recovery.find(b"[0", 1)
    parts = [recovery.part(b",0", number) for number in range(2, MOST_PARTS + 2)]
    assert [it is None for it in parts] == [False] * (MOST_PARTS - 1) + [True]


def test_what_has_begun_is_given_up_when_it_is_too_long() -> None:
    recovery = Recovery()
    recovery.find(b"[0", 1)
    assert recovery.part(b"," + b" " * LARGEST + b"0", 2) is None


@pytest.mark.parametrize("body", [b"[" * 2000, b'{"a":' * 2000, b'[{"a":' * 70_000])
def test_what_is_nested_too_deeply_is_told(body: bytes) -> None:
    note = "not JSON that can be read: nested too deeply"
    assert found_in(body) == [[(None, note, ("not-json",))]]


def test_a_large_frame_is_read_only_from_its_first_bracket() -> None:
    padding = b"x" * LARGEST
    assert found_in(b'a {"id":1}' + padding)[0][0][0] == b'{"id":1}'
    assert found_in(b'{a} {"id":1}' + padding)[0][0][0] is None
