"""The root filesystem of the Debian 13 server: built once per content of the install script.

Imports nothing but Python's own, so that ``make test`` can build it before there is a .venv.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
DOCKER = REPOSITORY / "docker"
_INPUTS = (DOCKER / "install-server.sh", DOCKER / "plpy-requirements.txt")
_TOOLS = ("mmdebstrap", "unshare", "chroot", "mount")


def skip_reason() -> str | None:
    """Returns why this machine cannot build or run the server; None when it can."""
    if os.geteuid() != 0:
        return "the Debian 13 server needs root"
    if missing := [tool for tool in _TOOLS if shutil.which(tool) is None]:
        return f"the Debian 13 server needs {', '.join(missing)}"
    if subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"]).returncode != 0:
        return "the Debian 13 server needs the right to make namespaces"
    return None


def build_root() -> Path:
    """The root filesystem, built with mmdebstrap unless it is there for this install script.

    Returns:
        Its folder below ``QM_TEST_CACHE``, by default ``build/debian13`` of the repository; 690 MB.
    """
    cache = Path(os.environ.get("QM_TEST_CACHE") or REPOSITORY / "build" / "debian13")
    cache.mkdir(parents=True, exist_ok=True)
    key = hashlib.sha256(b"\0".join(path.read_bytes() for path in _INPUTS)).hexdigest()[:12]
    root = cache / f"root-{key}"
    with (cache / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not root.is_dir():
            for outdated in (*cache.glob("root-*"), *cache.glob("partial-*")):
                remove_tree(outdated)
            partial = cache / f"partial-{key}"
            _bootstrap(partial)
            partial.rename(root)
    return root


def remove_tree(folder: Path) -> None:
    """Removes a root filesystem; refused while anything is mounted in it."""
    inside = f"{folder.resolve()}/"
    mounted = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
    if busy := [place for place in mounted if f"{place}/".startswith(inside)]:
        raise RuntimeError(f"{folder} is not removed: {', '.join(busy)} mounted")
    shutil.rmtree(folder, ignore_errors=False)


def _bootstrap(target: Path) -> None:
    """Builds the root filesystem as a container image is built: minimal Debian, then the script."""
    with tempfile.TemporaryDirectory() as scratch:
        inputs = Path(scratch) / "install"
        wheels = inputs / "wheels"
        wheels.mkdir(parents=True)
        for path in _INPUTS:
            shutil.copy2(path, inputs)
        # By the host, whose package index is set up; the root filesystem has no settings.
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        download += ["--only-binary", ":all:", "--python-version", "3.13", "--require-hashes"]
        download += ["--requirement", str(_INPUTS[1]), "--dest", str(wheels)]
        run_or_fail(download)
        options = "--with-tests --with-embedding --wheels /install/wheels"
        hooks = [f"copy-in {inputs} /", f'chroot "$1" sh /install/install-server.sh {options}']
        hooks.append('rm -r "$1/install"')
        # What is mounted in the tree goes with its namespace, even if this is killed.
        command = ["unshare", "--mount", "mmdebstrap"]
        command += ["--quiet", "--variant=minbase", "--mode=root"]
        # A tree that a power cut spoils is built again.
        command += ["--dpkgopt=force-unsafe-io"]
        command += [f"--customize-hook={hook}" for hook in hooks]
        run_or_fail([*command, "trixie", str(target), *mirror()])
    target.chmod(0o755)


def run_or_fail(command: Sequence[str]) -> None:
    """Runs a program to its end.

    Raises:
        RuntimeError: with the end of what it said.
    """
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} failed: {(done.stdout + done.stderr)[-3000:]}")


def mirror() -> list[str]:
    """Returns the Debian archive this machine uses, as mmdebstrap's argument; none if it cannot be
    told.
    """
    form = "$(ORIGIN)|$(LABEL)|$(REPO_URI)"
    command = ["apt-get", "indextargets", "--format", form, "Created-By: Packages"]
    known = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    mirrors = [line.split("|")[2] for line in known if line.startswith("Debian|Debian|")]
    return mirrors[:1]


if __name__ == "__main__":
    if reason := skip_reason():
        sys.exit(reason)
    build_root()
