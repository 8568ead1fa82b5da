"""Reads the command line of `tap run` without click, which would delay the first byte by 30 ms."""

import os

from tapproxy.wire.order import Order


class Option:
    """One option of `tap run`; `commands.run` makes a click option of it."""

    def __init__(
        self,
        names: tuple[str, ...],
        metavar: str,
        text: str,
        *,
        default: str | None = None,
        choices: tuple[str, ...] = (),
        repeated: bool = False,
    ) -> None:
        """Take the option's names (the long one last), its value's name and its help text."""
        self.names = names
        self.metavar = metavar
        self.text = text
        self.default = default
        self.choices = choices
        self.repeated = repeated

    @property
    def key(self) -> str:
        """Return the name under which the value is kept, that of the long option."""
        return self.names[-1].removeprefix("--").replace("-", "_")


OPTIONS = (
    Option(
        ("-o", "--output"),
        "FILE",
        "Where to record: FILE, or FILE~2, FILE~3… where that exists; where it is a folder, or "
        "ends in /, a new file in it. Missing folders are made.",
    ),
    Option(("--name",), "NAME", "Call the session NAME, instead of by its command's name."),
    Option(("--tag",), "KEY=VALUE", "Attach a tag to the recording; repeatable.", repeated=True),
    Option(
        ("--env",),
        "NAME",
        "Record the value of this environment variable; repeatable.",
        repeated=True,
    ),
    Option(
        ("--framing",),
        "FRAMING",
        "How the streams are cut into frames; auto looks at their first bytes.",
        default="auto",
        choices=("auto", "lines", "content-length", "raw"),
    ),
    Option(
        ("--dialect",),
        "NAME",
        "By which dialect the messages are read, such as mcp; by default it is recognised.",
    ),
    Option(
        ("--redact",),
        "RULE",
        "Keep secrets out of the recording: a preset such as all or tokens, key:NAME, re:REGEX, or "
        "a path such as params.token; repeatable. The traffic stays as it is, and so does the "
        "journal (FILE.wire, for you alone), which is removed once the recording is complete.",
        repeated=True,
    ),
    Option(
        ("--keep",),
        "BOUNDS",
        "When this session begins, remove older ones of its name and folder that had --keep, too, "
        "beyond these bounds: count=200,age=30d,size=1GiB, which is also called default.",
    ),
    Option(
        ("--on-record-error",),
        "CHOICE",
        "When recording fails, such as on a full disk: go on unrecorded, or stop the plugin.",
        default="continue",
        choices=("continue", "stop"),
    ),
    Option(
        ("--ingest",),
        "WHEN",
        "Write the recording during the session, or when it is first opened.",
        default="now",
        choices=("now", "later"),
    ),
)

DIALECTS = {"lingxi", "xlings", "acp", "mcp", "dap", "lsp", "jsonrpc", "jsonl", "raw"}
"""Those that are known to be there without looking: what else is asked for is looked up first."""

PRESETS = {"all", "tokens", "keys", "headers", "email", "home", "env"}
"""Rules that are known to be right without looking: all others are read first."""

_BY_NAME = {name: option for option in OPTIONS for name in option.names}

Values = dict[str, list[str]]


def read(arguments: list[str]) -> Order | None:
    """Return what to do; None where click has to say what is wrong, or to help."""
    values: Values = {}
    rest = list(arguments)
    while rest and rest[0].startswith("-"):
        argument = rest.pop(0)
        if argument == "--":
            break
        name, value = _split(argument)
        option = _BY_NAME.get(name)
        if option is None or (value is None and not rest):
            return None
        text = rest.pop(0) if value is None else value
        if option.choices and text not in option.choices:
            return None
        values.setdefault(option.key, []).append(text)
    return order(rest, values) if _is_right(rest, values) else None


def _is_right(command: list[str], values: Values) -> bool:
    named = {"", "-"}.isdisjoint(values.get("output", [])[-1:])
    tagged = all("=" in tag for tag in values.get("tag", []))
    usual = set(values.get("dialect", [])) <= DIALECTS
    readable = all(map(_is_plain_rule, values.get("redact", [])))
    known = set(values.get("keep", [])) <= {"default"}
    is_sound = named and tagged and usual and readable and known
    return is_sound and bool(command) and command[0] != ""


def _is_plain_rule(rule: str) -> bool:
    """Tell whether a rule of redaction is right at first sight; of all others its reader knows."""
    if rule.startswith("key:"):
        return _is_plain_name(rule[4:])
    path = rule.split(".")
    return rule in PRESETS or (len(path) > 1 and all(map(_is_plain_name, path)))


def _is_plain_name(name: str) -> bool:
    for sign in "_-*":
        name = name.replace(sign, "a")
    return name.isascii() and name.isalnum()


def _split(argument: str) -> tuple[str, str | None]:
    if argument.startswith("--"):
        name, equals, value = argument.partition("=")
        return name, value if equals else None
    return argument[:2], argument[2:] or None


def order(command: list[str], values: Values) -> Order:
    """Make the order from the command and the options' values, each a list."""
    last = {option.key: option.default for option in OPTIONS}
    last |= {key: given[-1] for key, given in values.items() if given}
    name = last["name"] or os.path.basename(command[0])
    return Order(
        [os.fsencode(argument) for argument in command],
        _places(last["output"], name),
        name,
        tags=dict(_pair(tag) for tag in values.get("tag", [])),
        kept_variables=tuple(values.get("env", [])),
        framing=last["framing"] or "auto",
        dialect=last["dialect"],
        must_record=last["on_record_error"] == "stop",
        ingest=last["ingest"] != "later",
        redact=tuple(values.get("redact", [])),
        keep=last["keep"],
    )


def _pair(tag: str) -> tuple[str, str]:
    key, _, value = tag.partition("=")
    return key, value


def _places(output: str | None, name: str) -> tuple[str, ...]:
    """Return where to record: the user's choice alone, or ours with something to fall back to."""
    if output is not None and not (output.endswith(os.sep) or os.path.isdir(output)):
        return (output,)
    from tapproxy_store import locate

    file = locate.recording_name(name)
    if output is not None:
        return (os.path.join(output, file),)
    if "TAP_DIR" in os.environ:
        return (os.path.join(locate.recordings_folder(), file),)
    return (os.path.join(locate.recordings_folder(), file), os.path.join(_fallback(), file))


def _fallback() -> str:
    """Name a folder that is ours alone: nobody can have made it before."""
    return os.path.join(
        os.environ.get("TMPDIR", os.path.join(os.sep, "tmp")), f"tap-{os.urandom(8).hex()}"
    )
