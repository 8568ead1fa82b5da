"""A recording as a table: rows that `csv` reads back, and no formula in any cell."""

import csv
import io
from pathlib import Path

from tapproxy_store.reading import open_recording
from tapproxy_viewers.as_csv import csv_table
from tests.viewers.made import MS, SECOND, record, session
from tests.viewers.spoken import message, record_messages, record_small

SMALL = """\
session,number,t_s,stream,who,kind,method,id,summary,latency_s,answers,size,flags,note,text
1,,0.001000000,,,spawn,,,"plugin started, pid 42",,,,,,
1,1,0.002000000,in,host,request,search,1,"for=""<end>;#"" n=1",,,27,,,
1,2,0.003000000,in,host,request,export,2,,,,27,,no answer,
1,3,0.004000000,err,plugin,,,,,,,16,,,␛[1mcache; cold
1,4,0.005000000,out,plugin,notification,log,,-1,,,17,,,
1,5,0.009000000,out,plugin,response,search,1,[],0.007000000,1,21,out-of-order swift-data,,
1,6,0.010000000,out,plugin,unknown,,,,,,6,not-json,not JSON,'=cmd‹FF›
1,,2.000000000,,,stall,,,plugin is not reading stdin: 65.5 kB waiting,,,,,,
1,,2.005000000,,,stall-end,,,"plugin reads stdin again, after 55 ms",,,,,,
1,7,3.000000000,out,plugin,error,,7,{},,,20,error unmatched,answers no request,
1,,4.000000000,,,exit,,,plugin exited with code 0,,,,,,
1,,4.000000000,,,end,,,end of the session,,,,,,
"""


def table(path: str) -> str:
    with open_recording(path) as recording:
        return b"".join(csv_table(recording)).decode()


def cells(path: str, column: str) -> list[str]:
    return [row[column] for row in csv.DictReader(io.StringIO(table(path), newline=""))]


def test_there_is_a_row_for_each_message_bare_frame_and_event(tmp_path: Path) -> None:
    record_small(str(tmp_path / "a.tap"))
    assert table(str(tmp_path / "a.tap")) == SMALL.replace("\n", "\r\n")


def test_each_message_of_a_batch_has_its_row(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    batch = message(1, "request", "a", part=0), message(1, "request", "b", part=1)
    record_messages(path, session(), [("in", MS, b"[{},{}]\n")], batch)
    assert list(zip(cells(path, "number"), cells(path, "method"), strict=True)) == [
        ("1", "a"),
        ("1", "b"),
    ]


def test_of_a_frame_that_is_not_understood_the_beginning_is_in_the_table(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    record(path, session(duration_ns=SECOND), ("err", MS, b"x" * 1001 + b"\n"))
    assert cells(path, "text") == ["x" * 1000 + "…"]


def test_what_a_spreadsheet_would_calculate_is_preceded_by_an_apostrophe(tmp_path: Path) -> None:
    path = str(tmp_path / "a.tap")
    texts = ["=1+1", "+1-1", "-1-1", "@sum(a1)", "＝1", "-1.5", "-0x1", "a=b", " =1"]
    texts += ["a;b", "a; =1", 'a;"@b']
    said = [message(at, "request", summary=text) for at, text in enumerate(texts, 1)]
    record_messages(path, session(), [("in", MS, b"{}\n") for _ in texts], said)
    assert cells(path, "summary") == [
        "'=1+1",
        "'+1-1",
        "'-1-1",
        "'@sum(a1)",
        "'＝1",
        "-1.5",
        "'-0x1",
        "a=b",
        " =1",
        "a;b",
        "a;' =1",
        "a;'\"@b",
    ]
