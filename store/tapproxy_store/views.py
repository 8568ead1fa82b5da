"""The views that people open with `sqlite3` or Datasette; derived, so each migration remakes them.

`timeline` merges frames and events along two indexes and works on a row only once it is asked for,
so that the first rows of a million come at once.
"""

from string import Template

PREVIEW = 120
"""Characters of a frame that `timeline` shows."""

LARGEST_TEXT = 500_000_000
"""Bytes of a frame that `frame_payloads` puts together: SQLite makes no value above 10^9."""


def _filled(sql: str, **parts: object) -> str:
    return Template(sql).substitute(parts)


def _body(largest: int) -> str:
    """Return an expression: the body of the frame `it` as text, its first `largest` bytes.

    Pieces become text before they are joined and are not looked into, so that a character that is
    split between two chunks comes out whole, and NULs stay.
    """
    sql = """(
        SELECT ifnull(group_concat(piece, ''), '') FROM (
            SELECT CAST(
                substr(bytes, $start - start_offset + 1, max(0, $end - $start)) AS TEXT
            ) AS piece
            FROM chunks
            WHERE seq BETWEEN it.first_chunk AND it.last_chunk
                AND session = it.session AND stream = it.stream
                AND start_offset < it.body_start + $largest
            ORDER BY seq
        )
    )"""
    start = "max(it.body_start, start_offset)"
    end = f"min(it.body_end, it.body_start + {largest})"
    return _filled(sql, start=start, end=end, largest=largest)


def _width(place: str) -> str:
    """Return an expression: bytes of the printable UTF-8 character at `place`, -1 if there is none.

    Those are the well-formed sequences of Unicode 15, table 3-7, less the controls.
    """
    sql = """CASE
                    WHEN $first BETWEEN x'20' AND x'7e' THEN 1
                    WHEN $second NOT $continues THEN -1
                    WHEN $pair BETWEEN x'c2a0' AND x'dfbf' THEN 2
                    WHEN $third NOT $continues THEN -1
                    WHEN $pair BETWEEN x'eda0' AND x'edbf' THEN -1
                    WHEN $pair BETWEEN x'e0a0' AND x'efbf' THEN 3
                    WHEN $fourth NOT $continues THEN -1
                    WHEN $pair BETWEEN x'f090' AND x'f48f' THEN 4
                    ELSE -1
                END"""
    return _filled(
        sql,
        first=f"substr(head, {place}, 1)",
        second=f"substr(head, {place} + 1, 1)",
        third=f"substr(head, {place} + 2, 1)",
        fourth=f"substr(head, {place} + 3, 1)",
        pair=f"substr(head, {place}, 2)",
        continues="BETWEEN x'80' AND x'bf'",
    )


_BODY_SPAN = """start_offset + header_size AS body_start,
        end_offset - CASE terminator
            WHEN 'LF' THEN 1 WHEN 'CRLF' THEN 2 WHEN 'CRCRLF' THEN 3 ELSE 0
        END AS body_end"""

_FRAME_PAYLOADS = """
CREATE VIEW frame_payloads AS
SELECT
    session,
    number,
    stream,
    last_ns AS t_ns,
    body_end - body_start AS size,
    flaw,
    CASE WHEN body_end - body_start <= $largest THEN $body END AS text
FROM (
    SELECT
        *,
        $span
    FROM frames
) AS it"""

_GAP = """(
        SELECT printf('+%.6f s', max(0, it.t_ns - previous.t_ns) / 1e9)
        FROM (
            SELECT * FROM (
                SELECT last_ns AS t_ns FROM frames
                WHERE session = it.session
                    AND (last_chunk, number) < (it.seq, ifnull(it.number, 0))
                ORDER BY last_chunk DESC, number DESC LIMIT 1
            )
            UNION ALL
            SELECT * FROM (
                SELECT t_ns FROM events
                WHERE session = it.session AND seq < it.seq
                ORDER BY seq DESC LIMIT 1
            )
        ) AS previous
        ORDER BY previous.t_ns DESC LIMIT 1
    )"""

# The quick way for printable ASCII; else a walk from character to character, on which every byte
# that is of none is shown as an escape.
_FRAME_TEXT = """(
        SELECT CASE
            WHEN CAST(head AS TEXT) NOT GLOB '*[^ -~]*'
                AND length(head) = length(CAST(head AS TEXT))
            THEN substr(CAST(head AS TEXT), 1, $preview)
                || CASE WHEN it.body_end - it.body_start > $preview THEN '…' ELSE '' END
            ELSE (
            WITH RECURSIVE walk (place, width, number) AS (
                SELECT 1, $first_width, 1
                UNION ALL
                SELECT place + abs(width), $next_width, number + 1
                FROM walk
                WHERE place + abs(width) <= length(head) AND number < $preview
            )
            SELECT group_concat(CASE
                WHEN width > 0 THEN CAST(substr(head, place, width) AS TEXT)
                ELSE CASE substr(head, place, 1)
                    WHEN x'0a' THEN '\\n'
                    WHEN x'0d' THEN '\\r'
                    WHEN x'09' THEN '\\t'
                    ELSE '\\x' || lower(hex(substr(head, place, 1)))
                END
            END, '') || CASE
                WHEN max(place + abs(width)) <= it.body_end - it.body_start THEN '…' ELSE ''
            END
            FROM walk
            )
        END
        FROM (SELECT CAST($head AS BLOB) AS head)
    )"""

_TIMELINE = """
CREATE VIEW timeline AS
SELECT
    printf('%.6f s', it.t_ns / 1e9) AS at,
    $gap AS gap,
    CASE it.stream
        WHEN 'in' THEN 'host → plugin'
        WHEN 'out' THEN 'plugin → host'
        WHEN 'err' THEN 'plugin stderr'
        ELSE 'event'
    END AS who,
    CASE it.end_offset - it.start_offset
        WHEN 1 THEN '1 byte' ELSE (it.end_offset - it.start_offset) || ' bytes'
    END || ifnull(', ' || it.flaw, '') AS size,
    (SELECT group_concat($message, ' | ') $its_messages) AS message,
    (SELECT printf('%.6f s', latency_ns / 1e9) $its_messages AND latency_ns NOT NULL LIMIT 1)
        AS latency,
    (SELECT group_concat(note, ' | ') $its_messages) AS note,
    CASE
        WHEN it.stream IS NOT NULL THEN $frame_text
        WHEN it.detail = '{}' THEN it.kind
        ELSE it.kind || ' ' || it.detail
    END AS text,
    it.number AS frame,
    it.session AS session
FROM (
    SELECT
        session,
        last_chunk AS seq,
        number,
        last_ns AS t_ns,
        stream,
        start_offset,
        end_offset,
        $span,
        first_chunk,
        last_chunk,
        flaw,
        NULL AS kind,
        NULL AS detail
    FROM frames
    UNION ALL
    SELECT
        session, seq, NULL, t_ns, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, kind, detail
    FROM events
    ORDER BY 1, 2, 3
) AS it"""


_MESSAGE = "trim(kind || ' ' || ifnull(method || ' ', '') || summary)"

_EXCHANGES = """
CREATE VIEW exchanges AS
SELECT
    printf('%.6f s', frames.last_ns / 1e9) AS at,
    CASE frames.stream WHEN 'in' THEN 'host' ELSE 'plugin' END AS who,
    question.method AS method,
    question.id AS id,
    question.summary AS question,
    CASE WHEN answer.latency_ns NOT NULL THEN printf('%.6f s', answer.latency_ns / 1e9) END
        AS latency,
    ifnull(answer.kind, 'no answer') AS outcome,
    answer.summary AS answer,
    question.frame AS frame,
    answer.frame AS answer_frame,
    question.session AS session
FROM messages AS question
    JOIN frames ON frames.session = question.session AND frames.number = question.frame
    LEFT JOIN messages AS answer INDEXED BY messages_by_question
        ON answer.session = question.session
        AND answer.answers = question.frame AND answer.answers_part = question.part
WHERE question.asks"""


def _timeline() -> str:
    frame_text = _filled(
        _FRAME_TEXT,
        preview=PREVIEW,
        first_width=_width("1"),
        next_width=_width("place + abs(width)"),
        head=_body(4 * PREVIEW),  # no character has more than four bytes
    )
    return _filled(
        _TIMELINE,
        gap=_GAP,
        frame_text=frame_text,
        span=_BODY_SPAN,
        message=_MESSAGE,
        its_messages="FROM messages WHERE session = it.session AND frame = it.number",
    )


def _frame_payloads() -> str:
    body = _body(LARGEST_TEXT)
    return _filled(_FRAME_PAYLOADS, largest=LARGEST_TEXT, body=body, span=_BODY_SPAN)


VIEWS = {
    "timeline": _timeline(),
    "exchanges": _EXCHANGES,
    "frame_payloads": _frame_payloads(),
}
"""The statements, by the name of the view."""
