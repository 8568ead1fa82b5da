"""xlings' data events: what their payloads say, in every shape that a version gave them."""

import pytest

from tapproxy.dialects.api import Meaning
from tests.tapproxy.dialects.xlings_talk import data, talk

SILENCE_NS = 6_000_000_000


def said(data_kind: str, payload: str) -> str:
    """Return the summary of a data event."""
    (meaning,) = talk(data(data_kind, payload))
    return meaning.summary


@pytest.mark.parametrize(
    ("packages", "words"),
    [
        ('[["xim:a@1",""],["xim:b@2",""]]', "2 packages: xim:a@1, xim:b@2"),
        ('[["xim:a@1","reinstall",1]]', "1 package: xim:a@1 r1"),
        ('[["a","",0],["b","",0],["c","",0],["d","",0]]', "4 packages: a, b, c, …"),
        ("[]", "0 packages"),
        ('["a",[],7]', '3 packages: "a", [], 7'),
    ],
)
def test_an_install_plan_names_its_packages(packages: str, words: str) -> None:
    assert said("install_plan", f'{{"packages":{packages}}}') == words


def test_install_targets_say_what_became_of_each_and_a_failed_one_is_flagged() -> None:
    (meaning,) = talk(
        data(
            "install_targets",
            '{"targets":[{"request":"node@22","version":"22.4.0","status":"installed"},'
            '{"request":"nosuch","version":"","status":"failed"},'
            '{"request":"gcc@14","version":"14","status":"already_present"},7]}',
        )
    )
    words = "4 targets: node@22 22.4.0 installed, nosuch failed, gcc@14 already_present, …"
    assert meaning == Meaning(
        "data", "install_targets", words, within_ns=SILENCE_NS, flags=("error",)
    )


@pytest.mark.parametrize(("failed", "flags"), [("0", ()), ("2", ("error",))])
def test_an_install_summary_counts(failed: str, flags: tuple[str, ...]) -> None:
    (meaning,) = talk(data("install_summary", f'{{"failed":{failed},"success":1}}'))
    assert (meaning.summary, meaning.flags) == (f"1 installed, {failed} failed", flags)


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ('"downloadedBytes":102400,"totalBytes":204800', "xim 50 % of 205 kB"),
        ('"downloadedBytes":999,"totalBytes":0', "xim 999 B"),
        ('"downloadedBytes":3000000,"totalBytes":5e15,"started":false', "xim not begun"),
        ('"finished":true,"success":true', "xim done"),
        ('"finished":true,"success":false', "xim failed"),
        ('"started":true', "xim begun"),
    ],
)
def test_a_download_says_how_far_a_file_is(members: str, words: str) -> None:
    assert said("download_progress", f'{{"files":[{{"name":"xim",{members}}}]}}') == words


def test_a_download_of_unknown_size_says_what_has_come() -> None:
    payload = (
        '{"files":[{"name":"a","downloadedBytes":1500,"totalBytes":0},7],'
        '"sizesReady":false,"stream":"install:1"}'
    )
    assert said("download_progress", payload) == "install:1 2 files: a 1.5 kB, 7"


def test_downloads_of_two_streams_are_one_run_and_a_failed_one_stands_alone() -> None:
    index, install, failed = talk(
        data("download_progress", '{"files":[],"stream":"index:xim"}'),
        data("download_progress", '{"files":[],"stream":"install:1"}'),
        data("download_progress", '{"files":[{"finished":true,"success":false}]}'),
    )
    assert (index.run, install.run, failed.run) == ("download", "download", None)
    assert (index.summary, failed.summary) == ("index:xim 0 files", "? failed")
    assert failed.flags == ("error",)


@pytest.mark.parametrize(
    ("data_kind", "payload", "words"),
    [
        ("env", '{"xlingsHome":"/h"}', 'xlingsHome="/h"'),
        ("install_plan", '{"packages":7}', "packages=7"),
        ("install_targets", '{"targets":null}', "targets=null"),
        ("install_summary", '{"success":1}', "success=1"),
        ("download_progress", '{"files":{}}', "files={}"),
        ("env", "[1,2]", "[1, 2]"),
    ],
)
def test_any_other_payload_is_said_as_any_json(data_kind: str, payload: str, words: str) -> None:
    assert said(data_kind, payload) == words


def test_a_payload_that_could_not_be_parsed_is_text() -> None:
    assert talk(data("env", '"{half"')) == [
        Meaning(
            "data",
            "env",
            '"{half"',
            within_ns=SILENCE_NS,
            flags=("payload-text",),
            note="the payload is text: as JSON it could not be read",
        )
    ]


def test_a_data_event_without_its_members_says_what_is_missing() -> None:
    (meaning,) = talk('{"kind":"data"}')
    assert (meaning.summary, meaning.note) == ("", "no dataKind and no payload")
