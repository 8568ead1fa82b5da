"""What the stand-in for xlings can do: the same events each time, nothing is done for real.

Any capability takes `seconds` among its arguments: how long its slow step is silent (0).
"""

import base64
import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tests.programs.xlings_wire import PROTOCOL, Control, Json, Wire

FRAGMENT = 3  # bytes of a command's output, so that characters are split
PACE_S = 0.02  # between two events of one step
DOWNLOAD_PACE_S = 0.1  # the least between two events of one stream


class Session(NamedTuple):
    """What a capability works with."""

    wire: Wire
    control: Control

    def steps(self, phase: str, *messages: str) -> None:
        """Report a phase, one message after another, in the scale of the protocol's version."""
        for number, message in enumerate(messages, 1):
            percent = number / len(messages)
            old = PROTOCOL == "1.0"
            self.wire.say(
                "progress",
                phase=phase,
                percent=round(percent * 100) if old else single(percent),
                message=message,
            )
            self.control.pause(PACE_S)

    def download(self, sizes: dict[str, dict[str, int]], rounds: int = 4) -> None:
        """Report downloads, file sizes by name by stream, all streams in turn."""
        for number in range(1, rounds + 1):
            for stream, files in sizes.items():
                said = [download_of(name, size, number / rounds) for name, size in files.items()]
                named = {} if PROTOCOL == "1.0" else {"stream": stream}
                self.wire.data(
                    "download_progress",
                    files=said,
                    elapsedSec=round(number * 0.1, 1),
                    nameWidth=max(map(len, files)),
                    prevLines=0,
                    sizesReady=True,
                    **named,
                )
            self.control.pause(DOWNLOAD_PACE_S)

    def ask(self, key: str, question: str, default: str) -> str:
        """Ask yes or no; the default where there is no answer."""
        options = ["yes", "no"]
        self.wire.say("prompt", id=key, question=question, options=options, defaultValue=default)
        return self.control.answer(key) or default


def single(value: float) -> float:
    """Return the value as a single-precision number has it: 1/3 is 0.3333333432674408."""
    return float(struct.unpack("f", struct.pack("f", value))[0])


def download_of(name: str, size: int, share: float) -> Json:
    """Return one file of a download event."""
    whole = share == 1
    return {
        "name": name,
        "totalBytes": size,
        "downloadedBytes": int(size * share),
        "started": True,
        "finished": whole,
        "success": whole,
    }


def install_packages(session: Session, args: Json) -> Json:
    """Plan, ask, download from two streams, extract, configure, and say how it went."""
    names = [f"xim:{target.partition(':')[2] or target}" for target in args["targets"]]
    revision = [] if PROTOCOL == "1.0" else [0]
    session.wire.data("install_plan", packages=[[name, "", *revision] for name in names])
    if not args.get("yes"):
        answer = session.ask("confirm-install", f"Install {len(names)} packages?", "yes")
        if answer != "yes":
            session.wire.say("log", level="info", message="nothing was installed")
            return {}
    rebuild_index(session)
    archives = {f"{name[4:].replace('@', '-')}.tar.xz": 24_000_000 for name in names}
    session.download({"index:xim": {"xim": 204_800}, "install:1": archives})
    session.wire.say(
        "error",
        code="E_NETWORK",
        message="mirror 1 does not answer",
        hint="mirror 2 is tried",
        recoverable=True,
    )
    session.wire.say("log", level="info", message="extracting archives…")
    slow_step(session, args)
    session.steps(*installing(names))
    if PROTOCOL != "1.0":
        session.wire.data("install_targets", targets=list(map(target_of, args["targets"], names)))
    session.wire.data("install_summary", success=len(names), failed=0)
    return {}


def installing(names: list[str]) -> list[str]:
    """Return the phase that reports installed packages, and its messages."""
    return ["install" if PROTOCOL == "1.0" else "configure", *(f"installed {it}" for it in names)]


def target_of(request: str, name: str) -> Json:
    """Return one entry of install_targets."""
    short, _, version = name.removeprefix("xim:").partition("@")
    return {
        "request": request,
        "namespace": "xim",
        "name": short,
        "version": version,
        "revision": 0,
        "status": "installed",
        "payload_dir": f"/home/u/.xlings/data/xpkgs/xim-x-{short}/{version}",
    }


def update_packages(session: Session, args: Json) -> Json:
    """Synchronise two indexes, then rebuild."""
    session.steps("index_sync", "xim", "scode")
    slow_step(session, args)
    rebuild_index(session)
    return {"updated": 2}


def rebuild_index(session: Session) -> None:
    """Report the rebuild: at first its build script drew on stdout itself."""
    if PROTOCOL == "1.0":
        session.wire.write("\r[1/2] ns::one\x1b[K")
        session.control.pause(PACE_S)
        session.wire.write("\r[2/2] ns::two\x1b[K")
    else:
        session.steps("index_rebuild", "ns::one", "ns::two")


def slow_step(session: Session, args: Json) -> None:
    """Be silent but for heartbeats; from 10 s on, a hook tells each 30 s that it runs."""
    seconds = args.get("seconds", 0)
    if PROTOCOL != "1.0" and args.get("hook") and seconds > 10:
        session.control.pause(10)
        session.wire.say("progress", phase="hook", percent=0.0, message="install hook running 10s")
        seconds -= 10
    session.control.pause(seconds)


def subos_exec(session: Session, args: Json) -> Json:
    """Run `echo` or `false`; other commands are not found."""
    command, *words = args["command"]
    if command == "echo":
        for fragment in fragments((" ".join(words) + "\n").encode()):
            session.wire.data("subos_exec_output", stream="stdout", **fragment)
            session.control.pause(PACE_S)
        return {}
    if command == "false":
        return {"exitCode": 1}
    session.wire.data("subos_exec_output", stream="stderr", data=f"{command}: not found\n")
    return {"exitCode": 127}


def fragments(output: bytes) -> Iterator[Json]:
    """Yield output in pieces: as text, in base64 where it is not UTF-8 by itself."""
    for start in range(0, len(output), FRAGMENT):
        piece = output[start : start + FRAGMENT]
        try:
            yield {"data": piece.decode()}
        except UnicodeDecodeError:
            yield {"data": base64.b64encode(piece).decode(), "encoding": "base64"}


def env(session: Session, args: Json) -> Json:
    """Tell where things are; with `text`, as a text that is no JSON."""
    if args.get("text"):
        session.wire.say("data", dataKind="env", payload="xlingsHome=/home/u/.xlings")
    else:
        session.wire.data("env", xlingsHome="/home/u/.xlings", activeSubos="default")
    return {}


class Capability(NamedTuple):
    """One entry of --list."""

    description: str
    run: Callable[[Session, Json], Json] = env
    required: tuple[str, ...] = ()
    destructive: bool = False


CAPABILITIES = {
    "search_packages": Capability("find packages by a keyword"),
    "install_packages": Capability(
        "install packages", install_packages, ("targets",), destructive=True
    ),
    "plan_install": Capability("what an install would do"),
    "remove_package": Capability("remove a package", destructive=True),
    "update_packages": Capability("refresh the indexes", update_packages, destructive=True),
    "list_packages": Capability("installed packages"),
    "package_info": Capability("facts about a package"),
    "use_version": Capability("switch a package's version", destructive=True),
    "system_status": Capability("state of the system"),
    "subos_exec": Capability(
        "run a command in a sub-OS", subos_exec, ("command",), destructive=True
    ),
    "env": Capability("where things are"),
    "list_repos": Capability("index repositories"),
}
