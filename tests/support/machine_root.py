"""What the machines of a first start are made of: a root filesystem, and a folder of wheels.

Imports nothing but Python's own and pip, so that ``make test`` can build both before there is a
.venv.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

# Of pip itself, which is wherever wheels can be downloaded.
from pip._vendor.packaging.markers import Marker

from tests.support.debian_root import REPOSITORY, mirror, remove_tree, run_or_fail

# What a person has who follows the README, and what some have and others have not. A machine
# removes what it does not have.
PACKAGES = (
    *("ca-certificates", "git", "make", "python3", "python3-venv"),
    *("bubblewrap", "nodejs", "npm"),
)
PERSON = "ada"
PERSON_ID = 1000
HOME = "/people/ada"
_PYTHON = "3.11.2"
# Where a tree has its lists of packages.
_LISTS = ("requirements/run.txt", "service/quartermaster/models/requirements.txt")
# Older commits have this list instead of the first.
_FORMER_LIST = "requirements/dev.txt"
# A package with a condition, and the lines that belong to it.
_CONDITIONAL = re.compile(r"^(\S+==\S+) ; (.+?)( \\\n(?:[ \t]+.*\n?)*)", re.MULTILINE)
_LISTS_OF_STARTERS = "service/quartermaster/starter/locks/*/requirements.txt"


def build_root() -> Path:
    """The root filesystem of Debian 12, built with mmdebstrap unless it is there; 610 MB.

    Raises:
        RuntimeError: if it cannot be built; what says why is in the message.
    """
    cache = _cache()
    key = hashlib.sha256(repr((PACKAGES, HOME, PERSON, PERSON_ID)).encode()).hexdigest()[:12]
    root = cache / f"root-{key}"
    with (cache / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not root.is_dir():
            for outdated in (*cache.glob("root-*"), *cache.glob("partial-*")):
                if not _is_used(outdated):
                    remove_tree(outdated)
            partial = cache / f"partial-{key}"
            # What is mounted in the tree goes with its namespace, even if this is killed.
            command = ["unshare", "--mount", "mmdebstrap", "--quiet", "--mode=root"]
            command += ["--variant=minbase", f"--include={','.join(PACKAGES)}"]
            # A tree that a power cut spoils is built again.
            command += ["--dpkgopt=force-unsafe-io"]
            person = f"useradd -m -d {HOME} -u {PERSON_ID} -s /bin/bash {PERSON}"
            command += [f'--customize-hook=mkdir "$1{Path(HOME).parent}"']
            command += [f'--customize-hook=chroot "$1" {person}']
            run_or_fail([*command, "bookworm", str(partial), *mirror()])
            partial.chmod(0o755)
            partial.rename(root)
    return root


@contextmanager
def used(root: Path) -> Generator[None]:
    """Keeps a root filesystem for as long as the block, whoever has another one."""
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        yield
    finally:
        os.close(descriptor)


def _is_used(root: Path) -> bool:
    descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def fill_wheels(tree: Path = REPOSITORY) -> Path:
    """Returns the folder with the wheels of all Python packages that a tree pins.

    Wheels of other trees are kept: a changed list downloads what has changed.

    Raises:
        RuntimeError: if one cannot be downloaded.
    """
    cache = _cache()
    wheels = cache / "wheels"
    wheels.mkdir(exist_ok=True)
    with (cache / ".wheels.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for name in _LISTS:
            pinned = tree / name
            _download(pinned if pinned.exists() else tree / _FORMER_LIST, wheels)
        for pinned in tree.glob(_LISTS_OF_STARTERS):
            _download(pinned, wheels)
    return wheels


def _download(pinned: Path, wheels: Path) -> None:
    wanted = _of_debian(pinned.read_text())
    have = wheels / f".have-{hashlib.sha256(wanted.encode()).hexdigest()[:16]}"
    if have.exists():
        return
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as given:
        given.write(wanted)
        given.flush()
        # By the host, whose package index is set up; the machines have no settings for it.
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--disable-pip-version-check", "--require-hashes", "--only-binary", ":all:"]
        command += ["--python-version", _PYTHON, "--find-links", str(wheels)]
        run_or_fail([*command, "--requirement", given.name, "--dest", str(wheels)])
    have.touch()


def _of_debian(pinned: str) -> str:
    """Returns what Debian's Python installs of a list: pip would ask the markers of the host's
    Python.
    """
    python = {"python_full_version": _PYTHON, "python_version": _PYTHON.rpartition(".")[0]}

    def chosen(entry: re.Match[str]) -> str:
        package, marker, hashes = entry.groups()
        return package + hashes if Marker(marker).evaluate(python) else ""

    return _CONDITIONAL.sub(chosen, pinned)


def _cache() -> Path:
    folder = Path(os.environ.get("QM_TEST_CACHE") or REPOSITORY / "build") / "machines"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


if __name__ == "__main__":
    build_root()
    fill_wheels()
