"""Makes the recording of the newest schema in fixtures/recordings, and its tape beside it.

Run once for each released schema: python -m tests.store.make_fixture
"""

import sys
from pathlib import Path

from tapproxy_store.reading import open_recording
from tapproxy_store.schema import newest_version
from tapproxy_store.tape import tape_lines
from tests.store.made import write_spoken

FOLDER = Path(__file__).parents[2] / "fixtures/recordings"


def main() -> None:
    path = FOLDER / f"v{newest_version()}.tap"
    if path.exists():
        sys.exit(f"{path} exists; a fixture of a released schema stays as it is")
    write_spoken(str(path))
    with open_recording(str(path)) as recording:
        path.with_suffix(".tape").write_bytes(b"".join(tape_lines(recording)))
    path.chmod(0o644)


if __name__ == "__main__":
    main()
