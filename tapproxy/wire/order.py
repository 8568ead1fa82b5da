"""What `tap run` was asked to do."""


class Order:
    """One session to be run on record (a plain class: dataclasses cost the first byte 10 ms)."""

    __slots__ = (
        "command",
        "dialect",
        "framing",
        "ingest",
        "keep",
        "kept_variables",
        "must_record",
        "name",
        "places",
        "program",
        "redact",
        "tags",
    )

    def __init__(
        self,
        command: list[bytes],
        places: tuple[str, ...],
        name: str,
        *,
        tags: dict[str, str],
        kept_variables: tuple[str, ...],
        framing: str,
        dialect: str | None,
        must_record: bool,
        ingest: bool,
        program: bytes | None = None,
        redact: tuple[str, ...] = (),
        keep: str | None = None,
    ) -> None:
        """Take the argv, where to record (and fall back to), and what the options say.

        `kept_variables` names environment variables whose values are recorded; `must_record`
        rather stops the plugin than goes on unrecorded; `ingest` makes the recording alongside.
        `program` is what is executed, if it is not what argv[0] says. `redact` has the rules by
        which the ingester takes secrets out of the recording. `keep` has the bounds of
        what is kept of such sessions, None: everything.
        """
        self.command = command
        self.places = places
        self.name = name
        self.tags = tags
        self.kept_variables = kept_variables
        self.framing = framing
        self.dialect = dialect
        self.must_record = must_record
        self.ingest = ingest
        self.redact = redact
        self.keep = keep
        self.program = command[0] if program is None else program
