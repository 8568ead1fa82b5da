"""Events in plain words: what a person would have written beside the timeline."""

from collections.abc import Callable
from typing import Any

from tapproxy_store.records import Event
from tapproxy_viewers import words

Detail = dict[str, Any]
Told = tuple[str, str]
"""How much it matters (event, notable, bad), and the words."""

STREAM_NAMES = {"in": "stdin", "out": "stdout", "err": "stderr"}


def tell(event: Event) -> Told:
    """Say what happened; an event of an unknown kind is shown as it was recorded."""
    teller = _TELLERS.get(event.kind)
    return teller(event.detail) if teller else ("notable", _plainly(event.kind, event.detail))


def _plainly(kind: str, detail: Detail) -> str:
    members = (f"{key}={_listed(value)}" for key, value in detail.items())
    return " ".join([f"{kind}:" if detail else kind, *members])


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _name(detail: Detail) -> str:
    return _stream_name(detail.get("stream", "a stream"))


def _stream_name(stream: object) -> str:
    return STREAM_NAMES.get(str(stream), str(stream))


def _size(detail: Detail, key: str) -> str:
    value = detail.get(key)
    return words.size(value) if isinstance(value, int) else "bytes"


def _spawn(detail: Detail) -> Told:
    return "event", "plugin started" + (f", pid {detail['pid']}" if "pid" in detail else "")


def _spawn_error(detail: Detail) -> Told:
    reason = detail.get("message", "no reason known")
    if "path" in detail:
        reason = f"it is in no folder of PATH={detail['path']}"
    status = f" (exit {detail['status']})" if "status" in detail else ""
    return "bad", f"plugin could not be started: {reason}{status}"


def _eof(detail: Detail) -> Told:
    by = detail.get("by", "host" if detail.get("stream") == "in" else "plugin")
    return "event", f"{by} closed {_name(detail)}"


def _broken_pipe(detail: Detail) -> Told:
    by = detail.get("by", "plugin" if detail.get("stream") == "in" else "host")
    lost = f"; {_size(detail, 'unsent')} not delivered" if detail.get("unsent") else ""
    if "error" in detail:
        return "bad", f"{_name(detail)} cannot be written to: {detail['error']}{lost}"
    if detail.get("stream") == "in" and not lost:  # every plugin that ends first leaves so
        return "event", f"{by} closed {_name(detail)}"
    return "notable", f"{by} stopped reading {_name(detail)} and closed it{lost}"


def _signal(detail: Detail) -> Told:
    sender = detail.get("sender")
    source = f"pid {sender}" if sender else f"the {detail.get('from', 'process')}"
    if sender is None and detail.get("from", "process") == "process":
        source = "another process"
    passed = ", passed on to the plugin" if detail.get("forwarded") else ""
    return "notable", f"{detail.get('signal', 'a signal')} from {source}{passed}"


def _stopped(detail: Detail) -> Told:
    by = f" by {detail['signal']}" if "signal" in detail else ""
    return "notable", f"plugin stopped{by}"


def _continued(_: Detail) -> Told:
    return "event", "plugin goes on"


def _stall(detail: Detail) -> Told:
    reader = detail.get("reader", "nobody")
    return "notable", f"{reader} is not reading {_name(detail)}: {_size(detail, 'size')} waiting"


def _stall_end(detail: Detail) -> Told:
    waited = detail.get("duration_ns")
    after = f", after {words.duration(waited)}" if isinstance(waited, int) else ""
    return "notable", f"{detail.get('reader', 'the reader')} reads {_name(detail)} again{after}"


def _exit(detail: Detail) -> Told:
    if "signal" in detail:
        return "bad", f"plugin was killed by {detail['signal']}"
    code = detail.get("code")
    return "event" if code == 0 else "bad", f"plugin exited with code {code}"


def _lingering(detail: Detail) -> Told:
    unread = _names(detail.get("unread"))
    if unread:
        return "notable", f"plugin is gone; the host has not read all of its {unread} yet"
    held = _names(detail.get("streams")) or "streams"
    return "notable", f"plugin is gone, but something that it started still holds its {held}"


def _names(streams: object) -> str:
    return " and ".join(map(_stream_name, streams)) if isinstance(streams, list) else ""


def _recording_error(detail: Detail) -> Told:
    return "bad", f"could not record here: {detail.get('message', 'no reason known')}"


def _gap(detail: Detail) -> Told:
    start = f" from byte {detail['from']:,} on" if isinstance(detail.get("from"), int) else ""
    reason = f" ({detail['reason']})" if detail.get("reason") else ""
    return "bad", f"{_size(detail, 'size')} of {_name(detail)}{start} are not on record{reason}"


def _recorder_killed(detail: Detail) -> Told:
    if detail.get("noticed"):
        return "bad", "tap was killed"
    return "bad", "tap was killed at or after this; nothing more is on record"


def _end(_: Detail) -> Told:
    return "event", "end of the session"


_TELLERS: dict[str, Callable[[Detail], Told]] = {
    "spawn": _spawn,
    "spawn-error": _spawn_error,
    "eof": _eof,
    "broken-pipe": _broken_pipe,
    "signal": _signal,
    "stopped": _stopped,
    "continued": _continued,
    "stall": _stall,
    "stall-end": _stall_end,
    "exit": _exit,
    "lingering": _lingering,
    "recording-error": _recording_error,
    "gap": _gap,
    "recorder-killed": _recorder_killed,
    "end": _end,
}
