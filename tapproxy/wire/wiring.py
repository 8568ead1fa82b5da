"""Puts tap between the host's standard descriptors and the plugin's."""

from __future__ import annotations

import os

from tapproxy.wire.descriptors import Descriptor, describe, inherited, mirror, plug_closed
from tapproxy.wire.pump import Pump
from tapproxy.wire.sink import to_host, to_plugin
from tapproxy.wire.terminal import TerminalPump

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tapproxy.wire.recorder import Recorder

FDS = {"in": 0, "out": 1, "err": 2}


class Wiring:
    """The host's descriptors, and a link to the plugin for each that has another side.

    `one_stream`: stderr is the same file as stdout, so both are the stream `out`.
    """

    def __init__(self) -> None:
        """Look at what the host gave us and make the links; nothing is moved yet."""
        closed = plug_closed()
        self._extra = inherited()
        self.host = {
            stream: Descriptor(fd, "closed") if fd in closed else describe(fd)
            for stream, fd in FDS.items()
        }
        self.one_stream = not self.host["out"].handed_on and os.path.sameopenfile(1, 2)
        self._one_socket = self.host["in"].kind == "socket" and os.path.sameopenfile(0, 1)
        self._links: dict[str, tuple[int, int]] = {}  # our end, the plugin's
        for stream, descriptor in self.host.items():
            if descriptor.handed_on or (stream == "err" and self.one_stream):
                continue
            if stream == "out" and self._one_socket:
                self._links["out"] = self._links["in"]
            else:
                self._links[stream] = mirror(descriptor, plugin_reads=stream == "in")

    def for_plugin(self) -> dict[int, int | None]:
        """Return what the plugin's descriptors 0 to 2 become; those left out stay the host's."""
        ends: dict[int, int | None] = {
            FDS[stream]: theirs for stream, (_, theirs) in self._links.items()
        }
        if self.one_stream:
            ends[2] = ends[1]
        return ends | {one.fd: None for one in self.host.values() if one.kind == "closed"}

    def pumps(self, recorder: Recorder) -> list[Pump]:
        """Make the pumps, once the plugin is started; keep nothing open that is the plugin's."""
        for fd in {theirs for _, theirs in self._links.values()} | set(self._extra):
            os.close(fd)
        pumps = [self._pump(stream, recorder) for stream in self._links]
        nowhere = os.open(os.devnull, os.O_RDWR)
        for fd in FDS.values():
            os.dup2(nowhere, fd, inheritable=False)
        os.close(nowhere)
        return pumps

    def warn(self, message: str) -> None:
        """Tell it while the plugin runs, hence not where stderr is also the plugin's stdout.

        A terminal is read by a person, and takes it.
        """
        if not self.one_stream or self.host["out"].kind == "tty":
            say(message)

    def _pump(self, stream: str, recorder: Recorder) -> Pump:
        host, (ours, _) = self.host[stream], self._links[stream]
        outer = os.dup(host.fd)
        size = host.read_size
        if stream == "in":
            make = TerminalPump if host.kind == "tty" else Pump
            return make(stream, outer, to_plugin(ours, host.kind), recorder, read_size=size)
        inner = os.dup(ours) if self._one_socket and stream == "out" else ours
        return Pump(stream, inner, to_host(host, outer), recorder, read_size=size)


def say(message: str) -> None:
    """Tell the user one line on stderr."""
    try:
        os.write(2, f"tap: {message}\n".encode(errors="backslashreplace"))
    except OSError:  # closed, or nobody reads
        return
