"""A host that says its lines one by one, and reads after each as many as it is told to expect.

`talk.py COUNT:LINE… -- COMMAND…`; in the end it closes the command's stdin and reads the rest.
"""

import subprocess
import sys


def main() -> None:
    """Have the talk."""
    split = sys.argv.index("--")
    lines, command = sys.argv[1:split], sys.argv[split + 1 :]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        for line in lines:
            count, _, text = line.partition(":")
            process.stdin.write(text.encode() + b"\n")
            process.stdin.flush()
            for _ in range(int(count)):
                process.stdout.readline()
        process.stdin.close()
        process.stdout.read()


main()
