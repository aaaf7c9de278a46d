"""Machines on which a first start is tried: root filesystems that are entered as a person does.

A machine has its own processes, mounts, network, loopback and temporary files, and starts clean. It
has what a person has (see `machine_root`) and the tree under test as a git repository to clone.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from tests.support.debian_root import REPOSITORY
from tests.support.machine_root import HOME, PERSON, PERSON_ID, build_root, fill_wheels, used
from tests.support.place import new_place

SOURCE: Final = "/srv/quartermaster.git"
"""The repository to clone."""
_WHEELS: Final = "/srv/wheels"
_AUTHORITIES: Final = "/etc/ssl/certs/ca-certificates.crt"
SUPPORT: Final = Path(__file__).parent
_OF_ROOT: Final = "/root"
_CLOSED_PYTHON: Final = f"{_OF_ROOT}/.pyenv/versions/3.11"
_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
_NODE: Final = ("node", "nodejs", "npm", "npx")
# What says how this machine reaches its registries.
_PROXIES: Final = ("http_proxy", "https_proxy", "no_proxy")

Refusal = Literal["mounts", "namespaces"]


@dataclass(frozen=True)
class Kind:
    """What a machine is like.

    Attributes:
        person: ``root`` or the name of the ordinary user.
        has_closed_python: whether the only Python lies in the closed home of root.
        refused: ``mounts`` as by AppArmor of Ubuntu 24.04, ``namespaces`` as by a setting.
        has_bubblewrap, has_node: whether these programs are installed.
        has_network: whether it reaches what this machine reaches.
        has_wheels: whether pip finds all packages in a folder and asks no index.
        small: size of a file system of its own, such as ``64m``, by the folder where it is.
    """

    person: str = PERSON
    has_closed_python: bool = False
    refused: Refusal | None = None
    has_bubblewrap: bool = False
    has_node: bool = False
    has_network: bool = True
    has_wheels: bool = True
    small: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def title(self) -> str:
        """What the machine is, in words."""
        if self.person == "root":
            python = "a closed home" if self.has_closed_python else "Debian"
            who = f"root, Python of {python}"
        else:
            why = {"mounts": " (AppArmor)", "namespaces": " (no namespaces)", None: ""}
            who = f"ordinary user{why[self.refused]}"
        has = {True: "with", False: "without"}
        return f"{who}, {has[self.has_bubblewrap]} bubblewrap, {has[self.has_node]} Node"

    @property
    def home(self) -> str:
        """The person's home."""
        return _OF_ROOT if self.person == "root" else HOME


class Machine:
    """A running machine. Use `started`."""

    def __init__(self, kind: Kind, init: int) -> None:
        self.kind = kind
        self._init = init
        self._launched: list[subprocess.Popen[str]] = []

    def path(self, inside: str | Path) -> Path:
        """Returns where a file of the machine lies for the test."""
        return Path(f"/proc/{self._init}/root") / str(inside).lstrip("/")

    def launch(
        self, command: str, output: Path | int, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[str]:
        """Starts a command of the person's shell in the person's home, its output to a file."""
        descriptor = output if isinstance(output, int) else os.open(output, _APPENDED, 0o644)
        try:
            process = subprocess.Popen(
                self._entered(command, environment or {}),
                stdin=subprocess.DEVNULL,
                stdout=descriptor,
                stderr=subprocess.STDOUT,
                text=True,
            )
            self._launched.append(process)
            return process
        finally:
            if descriptor != output:
                os.close(descriptor)

    def run(
        self, command: str, environment: Mapping[str, str] | None = None, timeout_s: float = 300
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command of the person's shell to its end; standard output has both outputs."""
        return subprocess.run(
            self._entered(command, environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=timeout_s,
        )

    def close(self) -> None:
        """Waits for the ends of what was launched, when the machine has ended."""
        for process in self._launched:
            process.kill()
            process.wait()

    def _entered(self, command: str, environment: Mapping[str, str]) -> list[str]:
        kind = self.kind
        entered = [sys.executable, "-I", str(SUPPORT / "refuse_mounts.py")]
        entered = entered if kind.refused == "mounts" else []
        entered += ["nsenter", f"--target={self._init}", "--mount", "--uts", "--ipc", "--net"]
        entered += ["--pid"]
        if kind.refused == "namespaces":
            entered += ["--user", "--setuid=0", "--setgid=0"]
        if kind.person != "root":
            identity = f"--reuid={PERSON_ID}", f"--regid={PERSON_ID}", "--init-groups"
            entered += ["/usr/bin/setpriv", *identity]
        variables = {**_environment(kind), **environment}
        entered += ["/usr/bin/env", "-i", *(f"{name}={text}" for name, text in variables.items())]
        return [*entered, "/bin/bash", "-c", f"umask 022; cd; {command}"]


_APPENDED: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND


@contextmanager
def started(kind: Kind, source: Path) -> Generator[Machine]:
    """Provides a new machine, which ends with the block and leaves nothing.

    Args:
        kind: what it is like.
        source: the repository that it offers at `SOURCE` (see `repository_of`).

    Raises:
        RuntimeError: if it cannot be made; a machine that is missing is no reason to skip a test.
    """
    if os.geteuid() != 0:
        raise RuntimeError("Only root can make a machine: run the tests as root.")
    root = build_root()
    shown = {str(source): SOURCE}
    if kind.has_wheels:
        shown[str(fill_wheels())] = _WHEELS
    if Path(_AUTHORITIES).exists():
        shown[_AUTHORITIES] = _AUTHORITIES
    with (
        used(root),
        new_place("qm-machine-", on_disk=True) as place,
        ExitStack() as launched,
    ):
        _furnish(kind, root, place / "upper")
        described = {
            "place": str(place),
            "lower": str(root),
            "shown": shown,
            "small": dict(kind.small),
            "network": kind.has_network,
            "max_user_namespaces": 0 if kind.refused == "namespaces" else None,
        }
        init = subprocess.Popen(
            [sys.executable, "-I", SUPPORT / "machine_init.py", json.dumps(described)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert init.stdout is not None
            line = init.stdout.readline()
            if not line:
                raise RuntimeError(f"{kind.title}: {init.communicate()[1][-2000:]}")
            machine = Machine(kind, int(line))
            launched.callback(machine.close)
            yield machine
        finally:
            init.communicate()


def repository_of(place: Path, revision: str | None = None) -> Path:
    """Returns a bare repository with one commit, for machines to clone.

    Args:
        place: an empty folder for it.
        revision: the commit to take the files of; None: the files as they are in the checkout,
            which git does not ignore.
    """
    bare = place / "quartermaster.git"
    _git("init", "--quiet", "--bare", "--initial-branch=main", bare)
    index = place / "index"
    own = Path(_git("rev-parse", "--path-format=absolute", "--git-common-dir"))
    # Nothing is written to the checkout's repository.
    apart = {
        "GIT_INDEX_FILE": str(index),
        "GIT_OBJECT_DIRECTORY": str(bare / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(own / "objects"),
    }
    _git("read-tree", revision or "HEAD", environment=apart)
    if revision is None:
        _git("add", "--all", environment=apart)
    tree = _git("write-tree", environment=apart)
    identity = {
        f"GIT_{role}_{what}": text
        for role in ("AUTHOR", "COMMITTER")
        for what, text in (("NAME", "tests"), ("EMAIL", "tests@example.org"))
    }
    message = ["commit-tree", tree, "-m", "The tree under test"]
    commit = _git(*message, environment={**apart, **identity})
    names = _git("rev-list", "--objects", commit, environment=apart)
    pack = bare / "objects" / "pack" / "pack"
    _git("pack-objects", "--quiet", pack, environment=apart, stdin=names)
    _git("--git-dir", bare, "update-ref", "refs/heads/main", commit)
    index.unlink()
    return bare


def checked_out(bare: Path, place: Path) -> Path:
    """Returns the files of a repository that `repository_of` has made, in a new folder."""
    folder = place / "tree"
    _git("clone", "--quiet", bare, folder)
    return folder


def _furnish(kind: Kind, root: Path, upper: Path) -> None:
    """What the machine has beyond the root filesystem, or has not, in the layer above it."""
    upper.mkdir()
    etc = upper / "etc"
    etc.mkdir()
    (etc / "hosts").write_text("127.0.0.1 localhost machine\n")
    # slirp4netns answers for the name servers of this machine.
    (etc / "resolv.conf").write_text("nameserver 10.0.2.3\n" if kind.has_network else "")
    (etc / "gitconfig").write_text("[safe]\n\tdirectory = *\n")
    if kind.has_wheels:
        (etc / "pip.conf").write_text(f"[global]\nno-index = true\nfind-links = {_WHEELS}\n")
    gone = [] if kind.has_bubblewrap else ["usr/bin/bwrap"]
    gone += [] if kind.has_node else [f"usr/bin/{name}" for name in _NODE]
    if kind.has_closed_python:
        gone += ["usr/bin/python3", "usr/bin/python3.11", "usr/lib/python3.11"]
        _close_python(root, upper)
    for name in gone:
        whiteout = upper / name
        whiteout.parent.mkdir(parents=True, exist_ok=True)
        os.mknod(whiteout, 0o020000, os.makedev(0, 0))
    home = upper / kind.home.lstrip("/")
    _carry_npm_settings(home)
    for folder in (upper, *upper.rglob("*")):
        if folder.is_dir() and not folder.is_relative_to(upper / "root"):
            folder.chmod(0o755)
    (upper / "root").mkdir(exist_ok=True)
    (upper / "root").chmod(0o700)
    if kind.person != "root":
        for path in (home, *home.rglob("*")):
            os.chown(path, PERSON_ID, PERSON_ID, follow_symlinks=False)


def _close_python(root: Path, upper: Path) -> None:
    """A whole Python below the closed home of root, as pyenv and uv install it."""
    python = upper / _CLOSED_PYTHON.lstrip("/")
    (python / "bin").mkdir(parents=True)
    shutil.copy2(root / "usr/bin/python3.11", python / "bin")
    for name in ("python3", "python"):
        (python / "bin" / name).symlink_to("python3.11")
    shutil.copytree(root / "usr/lib/python3.11", python / "lib/python3.11", symlinks=True)


def _carry_npm_settings(home: Path) -> None:
    """How this machine reaches npm's registry, as a company tells its people."""
    home.mkdir(parents=True, exist_ok=True)
    asked = ("config", "get", "globalconfig"), ("config", "get", "userconfig")
    lines: list[str] = []
    for arguments in asked:
        if shutil.which("npm") is None:
            break
        done = subprocess.run(["npm", *arguments], capture_output=True, text=True, cwd="/")
        path = Path(done.stdout.strip())
        # Two settings of it would belong to this machine's Node.
        lines += [
            line
            for line in (path.read_text().splitlines() if path.is_file() else ())
            if line.partition("=")[0].strip() not in {"nodedir", "prefix", "cache", "yes"}
        ]
    if lines:
        (home / ".npmrc").write_text("\n".join(lines) + "\n")


def _environment(kind: Kind) -> dict[str, str]:
    """Returns what a person's shell has after a login, and how this machine reaches its
    registries.
    """
    path = f"{_CLOSED_PYTHON}/bin:{_PATH}" if kind.has_closed_python else _PATH
    proxies = {
        name: os.environ[name]
        for plain in _PROXIES
        for name in (plain, plain.upper())
        if name in os.environ
    }
    own = {"HOME": kind.home, "USER": kind.person, "LOGNAME": kind.person, "SHELL": "/bin/bash"}
    return {**proxies, **own, "LANG": "C.UTF-8", "TERM": "xterm", "PATH": path}


def _git(
    *arguments: str | Path, environment: Mapping[str, str] | None = None, stdin: str | None = None
) -> str:
    done = subprocess.run(
        ["git", *map(str, arguments)],
        cwd=REPOSITORY,
        env={**os.environ, **(environment or {})},
        input=stdin,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        raise RuntimeError(f"{shlex.join(['git', *map(str, arguments)])}: {done.stderr}")
    return done.stdout.strip()
