"""Where recordings are: the folder, the name of a new one, and what a user's word for one means.

The wire asks for a name on its way to the first byte, so next to nothing is imported.
"""

import os
import sys
import time

from tapproxy_store.errors import AmbiguousName, CannotRead, RecordingNotFound, StoreError

ENDING = ".tap"
JOURNAL = ".wire"

LONGEST_WORD = 40
"""Characters of the session's name that a file name keeps: it must stay below 255 bytes."""
STAMP_LENGTH = len("20261130-203005")
MOST_CANDIDATES = 5
"""How many recordings an error lists."""


def recordings_folder() -> str:
    """Return $TAP_DIR, else `recordings` in the user's data folder; it need not exist."""
    chosen = os.environ.get("TAP_DIR")
    if chosen:
        return os.path.abspath(os.path.expanduser(chosen))
    return _usual_folder()


def _usual_folder() -> str:
    return os.path.join(data_folder(), "recordings")


def data_folder() -> str:
    """Return what platformdirs says; on Linux that is looked up here, as its import takes 20 ms."""
    if sys.platform == "linux":
        base = os.environ.get("XDG_DATA_HOME", "")
        if not os.path.isabs(base):
            base = os.path.expanduser("~/.local/share")
        if not os.path.isabs(base):  # nobody's home: a container's user without a name
            base = os.path.join(os.sep, "tmp", f"tap-{os.getuid()}")
        return os.path.join(base, "tap")
    from platformdirs import user_data_dir

    return user_data_dir("tap", appauthor=False)


def recording_name(name: str) -> str:
    """Return a file name for a session that begins now, such as 20261130-203005-my-plugin-4242.tap.

    `name` is the session's: its command, or what the user called it.
    """
    return f"{_stamp(time.time())}-{_word_for(name) or 'session'}-{os.getpid()}{ENDING}"


def _word_for(name: str) -> str:
    """Return what a file name keeps of the session's name, possibly nothing."""
    kept = "".join(it if it.isalnum() or it in "._-" else "-" for it in os.path.basename(name))
    return kept.strip(".-")[:LONGEST_WORD]


def recordings(folder: str | None = None) -> list[str]:
    """Return the paths of the recordings in the folder, newest first; none where it is not there.

    A journal counts as the recording that it will become. Raises CannotRead.
    """
    folder = recordings_folder() if folder is None else folder
    ages: dict[str, tuple[str, int, str]] = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name.removesuffix(JOURNAL)
                if is_recording_name(name) and (changed_ns := _changed(entry)) is not None:
                    age = _age(name, changed_ns)
                    ages[name] = max(age, ages.get(name, age))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise CannotRead(f"cannot read the folder {folder}: {error.strerror}") from error
    return [os.path.join(folder, name) for name in sorted(ages, key=ages.__getitem__, reverse=True)]


def find_recording(name: str, folder: str | None = None) -> str:
    """Return the path that a user means by a path, a name, the beginning of one, last or last~N.

    A name is that of the file, 20261130-203005-my-plugin-4242, or else the session's, my-plugin:
    then the newest recording of exactly that name is meant, or the newest of the only name that
    begins so. The recording may still be a journal beside the path. Raises RecordingNotFound,
    AmbiguousName, CannotRead.
    """
    if _exists(name):
        return name.removesuffix(JOURNAL)
    if os.path.dirname(name) or not name:
        raise RecordingNotFound(_nothing_at(name))
    if folder is not None:
        return _find_in(folder, name)
    folder = recordings_folder()
    try:
        return _find_in(folder, name)
    except RecordingNotFound as error:
        elsewhere = _found_elsewhere(name, folder)
        if elsewhere is None:
            raise
        raise RecordingNotFound(
            f"no recording {name} in {folder}; there is one in {_usual_folder()} (did the host not "
            f"pass TAP_DIR on?): `tap show {elsewhere}`"
        ) from error


def _found_elsewhere(name: str, folder: str) -> str | None:
    """Return what is meant in the folder that a host uses which does not pass TAP_DIR on."""
    usual = _usual_folder()
    if usual == folder:
        return None
    try:
        return _find_in(usual, name)
    except StoreError:
        return None


def _find_in(folder: str, name: str) -> str:
    paths = recordings(folder)
    if not paths:
        raise RecordingNotFound(
            f"no recordings in {folder} yet; `tap run -- COMMAND` makes one, `tap demo` too; "
            "what -o FILE wrote is shown by `tap show FILE`"
        )
    age = _age_asked_for(name)
    if age is None:
        return _find_name(name, folder, paths)
    if age >= len(paths):
        raise RecordingNotFound(
            f"no recording {name}: {folder} has {len(paths)}, up to last~{len(paths) - 1}"
        )
    return paths[age]


def _find_name(name: str, folder: str, paths: list[str]) -> str:
    names = [os.path.basename(path) for path in paths]
    exact = [it for it in names if it in (name, name + ENDING)]
    candidates = exact or [it for it in names if it.startswith(name)] or _of_session(name, names)
    if not candidates:
        is_folder = os.path.isdir(name)
        raise RecordingNotFound(_nothing_at(name) if is_folder else _none(name, folder, names))
    if len(candidates) > 1:
        raise _ambiguous(name, [it.removesuffix(ENDING) for it in candidates])
    return os.path.join(folder, candidates[0])


def is_called(path: str, word: str) -> bool:
    """Tell whether a word is the whole name of the recording's file, or of its session."""
    name = os.path.basename(path)
    return word in (name, name.removesuffix(ENDING), session_word(name))


def _of_session(name: str, names: list[str]) -> list[str]:
    """Return the newest recording whose session is called so; raises AmbiguousName.

    `names` has the newest first.
    """
    asked = _word_for(name)
    words = [session_word(it) for it in names]
    if asked and asked not in words:
        beginning = sorted({it for it in words if it.startswith(asked)})
        if len(beginning) > 1:
            raise _ambiguous(name, beginning)
        asked = beginning[0] if beginning else ""
    return [names[words.index(asked)]] if asked else []


def session_word(name: str) -> str:
    """Return what stands between the instant and the process id; nothing in any other name.

    `name` may be a path.
    """
    name = os.path.basename(name)
    start, _, _ = name.rpartition(ENDING)
    word, _, pid = start[STAMP_LENGTH + 1 :].rpartition("-")
    return word if pid.isdecimal() and _has_stamp(name) else ""


def _ambiguous(name: str, candidates: list[str]) -> AmbiguousName:
    return AmbiguousName(f"{name} may be any of {_listed(candidates)}; type more of the name")


def _none(name: str, folder: str, names: list[str]) -> str:
    from difflib import get_close_matches  # only for the error: a start has no time for it

    called = {session_word(it) or it.removesuffix(ENDING) for it in names}
    close = get_close_matches(name, sorted(called), 1)
    guess = f"did you mean {close[0]}? " if close else ""
    return (
        f"no recording {name}: no file of that name here, and nothing in {folder} begins so; "
        f"{guess}`tap ls` lists what there is"
    )


def _nothing_at(path: str) -> str:
    what = f"{path} is a folder, not a recording" if os.path.isdir(path) else f"no file {path}"
    return f"{what if path else 'a recording has no empty name'}; `tap ls` lists the recordings"


def _exists(path: str) -> bool:
    """Tell whether the path is that of a file, or of one that will come of a journal."""
    return any(os.path.exists(it) and not os.path.isdir(it) for it in (path, path + JOURNAL))


def _age_asked_for(name: str) -> int | None:
    """Return N of last~N, 0 of last, None of any other name."""
    word, tilde, number = name.partition("~")
    if word != "last" or not (number.isdecimal() if tilde else True):
        return None
    return int(number or 0)


def _listed(names: list[str]) -> str:
    more = len(names) - MOST_CANDIDATES
    return ", ".join(names[:MOST_CANDIDATES]) + (f" and {more} more" if more > 0 else "")


def is_recording_name(name: str) -> bool:
    """Tell whether a file of this name is a recording: *.tap, or *.tap~2 where that was taken."""
    start, _, number = name.rpartition("~")
    return name.endswith(ENDING) or (start.endswith(ENDING) and number.isdecimal())


def _changed(entry: os.DirEntry[str]) -> int | None:
    """Return when the file was last changed; None for a folder, or a journal just removed."""
    try:
        return entry.stat().st_mtime_ns if entry.is_file() else None
    except OSError:
        return None


def _age(name: str, changed_ns: int) -> tuple[str, int, str]:
    """Return what sorts recordings by their beginning: as the name says, else the last change."""
    stamp = name[:STAMP_LENGTH] if _has_stamp(name) else _stamp(changed_ns / 1e9)
    return stamp, changed_ns, name


def _has_stamp(name: str) -> bool:
    day, dash, time_of_day = name[:8], name[8:9], name[9:STAMP_LENGTH]
    return dash == "-" and len(time_of_day) == 6 and (day + time_of_day).isdecimal()


def _stamp(seconds: float) -> str:
    return time.strftime("%Y%m%d-%H%M%S", time.localtime(seconds))
