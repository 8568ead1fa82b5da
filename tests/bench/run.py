"""`make bench`: how fast tap is beside a C program of the same job, as a table with limits."""

import sys
from pathlib import Path

if __name__ == "__main__":
    root = Path(__file__).resolve().parents[2]
    sys.path[:0] = [str(root / folder) for folder in (".", "store", "viewers")]
    from tests.bench.main import main

    raise SystemExit(main(sys.argv[1:]))
