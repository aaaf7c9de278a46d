"""What the machines of a first start are made of: a root filesystem, and a folder of wheels.

Imports nothing but Python's own, so that ``make test`` can build both before there is a .venv.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

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
    """Keep a root filesystem for as long as the block, whoever has another one."""
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
    """The folder with the wheels of all Python packages that a tree pins.

    Wheels of other trees are kept: a changed list downloads what has changed. What a starter needs
    and Debian's Python cannot have is not there, as it would not be for a person.

    Raises:
        RuntimeError: if one of the service cannot be downloaded.
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
            with suppress(RuntimeError):
                _download(pinned, wheels)
    return wheels


def _download(pinned: Path, wheels: Path) -> None:
    have = wheels / f".have-{hashlib.sha256(pinned.read_bytes()).hexdigest()[:16]}"
    if have.exists():
        return
    # By the host, whose package index is set up; the machines have no settings for it.
    command: Sequence[str] = (
        *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
        *("--no-deps", "--require-hashes", "--only-binary", ":all:", "--python-version", _PYTHON),
        *("--find-links", str(wheels), "--requirement", str(pinned), "--dest", str(wheels)),
    )
    run_or_fail(command)
    have.touch()


def _cache() -> Path:
    folder = Path(os.environ.get("QM_TEST_CACHE") or REPOSITORY / "build") / "machines"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


if __name__ == "__main__":
    build_root()
    fill_wheels()
