"""xlings' data events: their payloads in a few words.

Source: interface-ndjson-v1, sections 6.3.1 (installing) and 6.3.2 (download_progress).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from tapproxy.dialects.api import Meaning
from tapproxy.dialects.brief import ELLIPSIS, brief, clipped, counted
from tapproxy.dialects.jsonrpc import words_of
from tapproxy.dialects.xlings_events import SILENCE_NS, text_of

DOWNLOAD = "download"
"""The run of everything that tells of downloads: the events of several streams interleave."""

DOWNLOAD_PROGRESS = "download_progress"

NAMED = 3
"""Packages, targets and capabilities that are named; more are counted."""

LONGEST_NAME = 40
LONGEST_WORDS = 120

_TARGET_MEMBERS = ("request", "version", "status")
_UNITS = ("B", "kB", "MB", "GB", "TB")


def data(value: dict[str, Any]) -> Meaning:
    """Return the meaning of a data event; its dataKind stands as the method."""
    data_kind, payload = text_of(value.get("dataKind")) or None, value.get("payload")
    note, flags = _oddity(value)
    words = None
    if isinstance(payload, dict) and data_kind in _SHAPES:
        shape = _SHAPES[data_kind]
        words = shape.words(payload)
        flags = (*flags, "error") if shape.tells_of_failure(payload) else flags
    run = DOWNLOAD if data_kind == DOWNLOAD_PROGRESS and not flags else None
    return Meaning(
        "data",
        data_kind,
        clipped(words, LONGEST_WORDS) if words else words_of(payload),
        within_ns=SILENCE_NS,
        run=run,
        flags=flags,
        note=note,
    )


def has_failures(summary: dict[str, Any]) -> bool:
    """Tell whether the payload of an install_summary counts failures."""
    failed = summary.get("failed")
    return isinstance(failed, int) and failed > 0


def listed(names: Sequence[str], noun: str, plural: str = "") -> str:
    """Say `3 packages: a, b, c`, naming the first few."""
    said = counted(len(names), noun, plural)
    more = [ELLIPSIS] if len(names) > NAMED else []
    return f"{said}: {', '.join([*names[:NAMED], *more])}" if names else said


def _plan(payload: dict[str, Any]) -> str | None:
    """Say the packages: lists of coordinate and reason, since 1.1 also of a revision."""
    packages = payload.get("packages")
    if not isinstance(packages, list):
        return None
    return listed(list(map(_package, packages)), "package")


def _package(item: Any) -> str:
    if not isinstance(item, list) or not item or not isinstance(item[0], str):
        return brief(item, LONGEST_NAME)
    revision = item[2] if len(item) > 2 else 0
    return clipped(item[0], LONGEST_NAME) + (f" r{revision}" if revision else "")


def _targets(payload: dict[str, Any]) -> str | None:
    targets = payload.get("targets")
    if not isinstance(targets, list):
        return None
    return listed(list(map(_target, targets)), "target")


def _target(target: Any) -> str:
    if not isinstance(target, dict):
        return brief(target, LONGEST_NAME)
    request, version, status = (str(target.get(it, "")) for it in _TARGET_MEMBERS)
    said = [request, "" if request.endswith(f"@{version}") else version, status]
    return " ".join(clipped(it, LONGEST_NAME) for it in said if it)


def _summary(payload: dict[str, Any]) -> str | None:
    if "success" not in payload or "failed" not in payload:
        return None
    return f"{brief(payload['success'])} installed, {brief(payload['failed'])} failed"


def _download(payload: dict[str, Any]) -> str | None:
    files = payload.get("files")
    if not isinstance(files, list):
        return None
    stream = payload.get("stream")
    before = f"{stream} " if isinstance(stream, str) else ""
    sizes_ready = payload.get("sizesReady") is not False
    said = [_file(it, sizes_ready=sizes_ready) for it in files]
    return before + (said[0] if len(said) == 1 else listed(said, "file"))


def _file(file: Any, *, sizes_ready: bool) -> str:
    if not isinstance(file, dict):
        return brief(file, LONGEST_NAME)
    name = clipped(str(file.get("name", "?")), LONGEST_NAME)
    return f"{name} {_state(file, sizes_ready=sizes_ready)}"


def _state(file: dict[str, Any], *, sizes_ready: bool) -> str:
    if file.get("finished") is True:
        return "done" if file.get("success") is not False else "failed"
    if file.get("started") is False:
        return "not begun"
    have, total = file.get("downloadedBytes"), file.get("totalBytes")
    if not isinstance(have, int | float):
        return "begun"
    if sizes_ready and isinstance(total, int | float) and total > 0:
        return f"{have / total:.0%} of {_size(total)}".replace("%", " %")
    return _size(have)


def _size(count: float) -> str:
    """Say a number of bytes: 204800 is 205 kB."""
    unit = 0
    while count >= 1000 and unit < len(_UNITS) - 1:
        count, unit = count / 1000, unit + 1
    return f"{count:.3g} {_UNITS[unit]}"


def _oddity(value: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    if isinstance(value.get("payload"), str):
        return "the payload is text: as JSON it could not be read", ("payload-text",)
    missing = [it for it in ("dataKind", "payload") if it not in value]
    return (f"no {' and no '.join(missing)}", ("not-dialect",)) if missing else ("", ())


def _has_failed_targets(payload: dict[str, Any]) -> bool:
    return any(it.get("status") == "failed" for it in _objects(payload.get("targets")))


def _has_failed_files(payload: dict[str, Any]) -> bool:
    return any(
        it.get("finished") is True and it.get("success") is False
        for it in _objects(payload.get("files"))
    )


def _objects(value: Any) -> Iterable[dict[str, Any]]:
    return (it for it in value if isinstance(it, dict)) if isinstance(value, list) else ()


class _Shape(NamedTuple):
    words: Callable[[dict[str, Any]], str | None]
    tells_of_failure: Callable[[dict[str, Any]], bool] = lambda _: False


_SHAPES = {
    "install_plan": _Shape(_plan),
    "install_targets": _Shape(_targets, _has_failed_targets),
    "install_summary": _Shape(_summary, has_failures),
    DOWNLOAD_PROGRESS: _Shape(_download, _has_failed_files),
}
