"""A clone by git, over git's own binary protocol (pkt-lines, then a pack).

Our arguments are the command line of the upload-pack; a summary of the clone is printed as JSON.
"""

import hashlib
import json
import os
import random
import shlex
import subprocess
import sys
from pathlib import Path

COMMITS = 20
FILE_SIZE = 40_000  # bytes a commit; random, so that the pack is about as large as all of them

ENVIRONMENT = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (
            ("NAME", "tap"),
            ("EMAIL", "tap@example"),
            ("DATE", "@1000000000 +0000"),
        )
    },
}


def git(folder: Path, *arguments: str) -> str:
    """Run git in a folder; return what it prints."""
    argv = ["git", "-C", str(folder), *arguments]
    return subprocess.run(
        argv, env=ENVIRONMENT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def make_repository(folder: Path) -> None:
    """Make a repository that is the same every time."""
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    source = random.Random(20261130)
    for number in range(COMMITS):
        (folder / f"blob-{number}").write_bytes(source.randbytes(FILE_SIZE))
        git(folder, "add", ".")
        git(folder, "commit", "--quiet", "--message", f"commit {number} ☃")
        git(folder, "tag", f"v{number}")


def digest(folder: Path) -> str:
    """Digest what was checked out."""
    blobs = sorted(folder.glob("blob-*"))
    return hashlib.sha256(b"".join(blob.read_bytes() for blob in blobs)).hexdigest()


here = Path.cwd()
make_repository(here / "source")
upload_pack = shlex.join(sys.argv[1:])
git(here, "clone", "--quiet", "--upload-pack", upload_pack, f"file://{here}/source", "copy")
summary = {
    "refs": git(here / "copy", "for-each-ref", "--format=%(objectname) %(refname)").splitlines(),
    "fsck": git(here / "copy", "fsck", "--full", "--strict"),
    "same files": digest(here / "source") == digest(here / "copy"),
}
print(json.dumps(summary))
