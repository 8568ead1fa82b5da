"""What can be wrong with a recording; each message says what, which one, and what to try."""


class StoreError(Exception):
    """Anything about recordings that a user must be told."""


class RecordingNotFound(StoreError):
    """No recording answers to the name."""


class AmbiguousName(StoreError):
    """More than one recording answers to the name."""


class NotARecording(StoreError):
    """The file is something else: not SQLite, or SQLite of another program."""


class DamagedRecording(StoreError):
    """The file is a recording, but cannot be read from some place on."""


class NewerSchema(StoreError):
    """The file was written by a newer tap."""


class BadTape(StoreError):
    """A line of a tape is not what the format page allows; names line and column."""


class CannotRead(StoreError):
    """A recording is there, but the system does not let us read it."""


class CannotWrite(StoreError):
    """A recording or its folder cannot be written."""
