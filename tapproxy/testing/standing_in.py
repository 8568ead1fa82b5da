"""Is started by a host under test in the plugin's place: `tap replay`, with a report of its own.

`python -m tapproxy.testing.standing_in FOLDER [OPTIONS] RECORDING... [-- WORDS]`. A host may start
it more than once, and each time leaves a report and a recording in the folder.
"""

import os
import sys
import time
from typing import NoReturn

from tapproxy.cli import main as tap
from tapproxy.testing.reports import BEGUN, RECORDED, REPORT


def main() -> NoReturn:
    """Leave a word that we were started, and become the replay."""
    folder, *words = sys.argv[1:]
    place = os.path.join(folder, f"{time.time_ns()}-{os.getpid()}")
    with open(place + BEGUN, "x"):
        pass
    os.environ["XDG_RUNTIME_DIR"] = folder  # which session is next is each test's own affair
    ours = ["--as=plugin", f"--junit={place}{REPORT}", f"--output={place}{RECORDED}"]
    sys.argv[1:] = ["replay", *ours, *words]
    tap()


if __name__ == "__main__":
    main()
