"""How stdio upstreams are kept away from the service, its secrets and each other.

The best way that this machine supports is used: a bubblewrap sandbox that shows an allow-list of
files, or an operating system user of its own if the service runs as root. This module imports
little, because commands use it, too.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from quartermaster.core.errors import QmError
from quartermaster.upstream.program_files import files_of

Kind = Literal["bwrap", "user", "none"]
Network = Literal["internet", "none", "host"]

# Nobody else uses these user ids: systemd's table of ids lists them as unused.
_FIRST_USER: Final = 60578
_USERS: Final = 606
# Names that can be the name of a folder; others get a digest.
_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,47}")
_UNUSUAL: Final = re.compile(r"[^A-Za-z0-9_-]+")
# Temporary files are in memory, which the limit on memory does not count.
_TEMPORARY_BYTES: Final = 2**29
_TRIAL_S: Final = 10.0
_TUN: Final = "/dev/net/tun"
# Inside its own network, the upstream asks this address for names; slirp4netns answers.
_RESOLVER: Final = "nameserver 10.0.2.3\n"
_ROOTS: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_STORES: Final = ("/usr", "/nix/store", "/gnu/store")
_ETC: Final = (
    *("alternatives", "ca-certificates", "ca-certificates.conf", "fonts", "gai.conf", "group"),
    *("host.conf", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "magic"),
    *("mime.types", "nsswitch.conf", "os-release", "pki", "protocols", "services", "ssl"),
    *("terminfo", "timezone"),
)
# The service's folders that upstreams may see: the programs of the starters, and their runtimes.
_PROGRAM_FOLDERS: Final = ("upstreams", "runtime")


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
class House:
    """Where an upstream lives, and what it may see.

    Attributes:
        data_dir: data directory of the service, which stays hidden.
        home: lasting home of the upstream.
        user: user id of the upstream if the service runs as root.
        folders: what an administrator has granted.
        network: internet: a network of its own, without the addresses of this machine; none: no
            network; host: the network of this machine with its loopback addresses.
        before: words to put before the command inside the sandbox.
    """

    data_dir: Path
    home: Path
    user: int
    folders: tuple[Folder, ...] = ()
    network: Network = "internet"
    before: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Confinement:
    """What this machine offers.

    Attributes:
        kind: bwrap: a sandbox; user: an operating system user; none: nothing.
        slirp: path of slirp4netns, which gives a sandbox a network of its own; None if there is
            none, so that the network is that of this machine.
        bwrap: path of bubblewrap.
    """

    kind: Kind
    bwrap: str = ""
    slirp: str | None = None

    def as_dict(self) -> dict[str, str]:
        """Returns the kind, and whether a sandbox has a network of its own (own or host)."""
        has_own = self.kind == "bwrap" and self.slirp is not None
        return {"kind": self.kind, "network": "own" if has_own else "host"}

    def describe(self) -> str:
        """Says for people what holds, and what to install for more."""
        if self.kind == "bwrap" and self.slirp:
            return (
                "Local servers run in a sandbox (bubblewrap): they see their own files and the"
                " folders that you granted, and cannot reach this machine's network addresses."
            )
        if self.kind == "bwrap":
            return (
                "Local servers run in a sandbox (bubblewrap): they see their own files and the"
                " folders that you granted. They share this machine's network. To give them a"
                f" network of their own, install slirp4netns and allow {_TUN}."
            )
        if self.kind == "user":
            return (
                "Each local server runs as an operating system user of its own. It can read what"
                " every user can read, and shares this machine's network. For a sandbox, install"
                " bubblewrap (bwrap) and allow it to create namespaces."
            )
        return (
            "Local servers cannot be confined on this machine and are not started. Install"
            " bubblewrap (bwrap) and allow it to create namespaces, run the service as root, or"
            " accept the risk with the setting upstream.unconfined: true."
        )


@dataclass(frozen=True, slots=True)
class Start:
    """How to start a confined program.

    Attributes:
        command: program and arguments.
        env: whole environment of the program.
        cwd: working directory in which it is started; a sandbox changes to another by itself.
        options: options of the reaper.
    """

    command: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str | None
    options: tuple[str, ...] = ()


@cache
def confinement() -> Confinement:
    """Returns what this machine offers; it is tried out once per process."""
    if sys.platform != "linux":
        return Confinement("none")
    bwrap = shutil.which("bwrap")
    if bwrap is not None and _works([bwrap, *_outside(), *_system(), "--", *_dropped(), "true"]):
        return Confinement("bwrap", bwrap, _own_network())
    if os.geteuid() == 0 and _works(["true"], _FIRST_USER):
        return Confinement("user")
    return Confinement("none")


def user_of(origin_id: int) -> int:
    """Returns the user id under which an upstream runs if the service runs as root."""
    return _FIRST_USER + origin_id % _USERS


def home_of(data_dir: Path, name: str) -> Path:
    """Returns the lasting home of an upstream, which is created when it is first started."""
    if _PLAIN.fullmatch(name) is None:
        name = f"{_UNUSUAL.sub('-', name)[:24]}.{hashlib.sha256(name.encode()).hexdigest()[:16]}"
    return data_dir / "homes" / name


def is_hidden(house: House, path: str) -> bool:
    """Returns whether a path cannot be seen in a sandbox, although its top folder is a folder of
    this machine. Nothing below that folder is looked at, so the answer tells nobody what exists.
    """
    if confinement().kind != "bwrap" or not path.startswith("/") or "\0" in path:
        return False
    place = Path(os.path.normpath(path))
    shown = (*_STORES, "/tmp", "/dev", "/proc", *_ROOTS)  # noqa: S108
    seen = (house.home, *(Path(folder.path) for folder in house.folders), *map(Path, shown))
    top = Path(*place.parts[:2])
    return len(place.parts) > 2 and top.is_dir() and not any(map(place.is_relative_to, seen))


def start_of(
    house: House, program: str, arguments: Sequence[str], env: Mapping[str, str], cwd: str | None
) -> Start:
    """Prepares the home, and returns how to start a program in its house.

    Args:
        program: absolute path of the program.
        env: environment without the variables that name a home.
        cwd: working directory; None means the home.

    Raises:
        QmError: QM422 origin_invalid if a granted folder belongs to the service, or leads
            elsewhere.
        OSError: the home cannot be created.
    """
    found = confinement()
    _make_home(house)
    user = str(house.user) if os.geteuid() == 0 else str(os.geteuid())
    env = dict(env) | {
        "HOME": str(house.home),
        "USER": "upstream",
        "LOGNAME": "upstream",
        "SHELL": "/bin/sh",
        "TMPDIR": "/tmp",  # noqa: S108
    }
    command = (*house.before, program, *arguments)
    if found.kind == "user":
        return Start(command, env, cwd or str(house.home), ("--user", user))
    names = _write_names(house, user)
    has_own = house.network == "internet" and found.slirp is not None
    inside = [
        *_system(),
        *("--ro-bind", str(names), "/etc/passwd"),
        *_resolver(names, has_own),
        *_shown(house, program, env.get("PATH")),
        *([] if os.geteuid() == 0 else ["--chdir", cwd or str(house.home)]),
    ]
    is_cut = house.network == "none" or has_own
    outside = [*_outside(), *(["--unshare-net"] if is_cut else [])]
    options = ("--network", found.slirp) if has_own and found.slirp else ()
    dropped = _dropped(user, cwd or str(house.home))
    words = (found.bwrap, *outside, *inside, "--", *dropped, *command)
    return Start(words, env, "/", ("--sandbox", "1", *options))


def _works(command: Sequence[str], user: int | None = None) -> bool:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TRIAL_S,
            cwd="/",
            user=user,
            group=user,
            extra_groups=None if user is None else [],
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _own_network() -> str | None:
    slirp = shutil.which("slirp4netns")
    try:
        os.close(os.open(_TUN, os.O_RDWR))
    except OSError:
        return None
    return slirp


def _outside() -> list[str]:
    """The namespaces. Root keeps the right to change its user, and then changes it."""
    shared = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    if os.geteuid() == 0:
        shared += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        shared += ["--unshare-user", "--cap-drop", "ALL"]
    return [*shared, "--die-with-parent"]


def _dropped(user: str = str(_FIRST_USER), cwd: str = "/") -> list[str]:
    """The words before a program with which root becomes its user, who alone may enter its home."""
    if os.geteuid() != 0:
        return []
    ids = ["--reuid", user, "--regid", user, "--clear-groups"]
    return ["setpriv", *ids, "--no-new-privs", "--inh-caps=-all", "env", f"--chdir={cwd}"]


def _system() -> list[str]:
    """The files of the system that every program needs, and empty places for temporary ones."""
    words: list[str] = []
    for path in _STORES:
        words += ["--ro-bind-try", path, path]
    for path in _ROOTS:
        if Path(path).is_symlink():
            words += ["--symlink", str(Path(path).readlink()), path]
        else:
            words += ["--ro-bind-try", path, path]
    words += ["--dir", "/etc"]
    for name in _ETC:
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    words += ["--proc", "/proc", "--dev", "/dev", *_empty("/dev/shm"), *_empty("/tmp")]  # noqa: S108
    # By itself, bubblewrap would close the folder above a link.
    others = ["--dir", "/run", "--dir", "/var", "--symlink", "/tmp", "/var/tmp"]  # noqa: S108
    return [*words, *others]


def _empty(path: str) -> list[str]:
    return ["--perms", "1777", "--size", str(_TEMPORARY_BYTES), "--tmpfs", path]


def _resolver(names: Path, has_own: bool) -> list[str]:
    if not has_own:
        return ["--ro-bind-try", "/etc/resolv.conf", "/etc/resolv.conf"]
    path = names.with_name("resolv.conf")
    path.write_text(_RESOLVER, encoding="ascii")
    path.chmod(0o644)
    return ["--ro-bind", str(path), "/etc/resolv.conf"]


def _shown(house: House, program: str, search: str | None) -> list[str]:
    """The program, the granted folders and the home. The data directory is covered in between."""
    words: list[str] = []
    data_dir = house.data_dir.resolve()
    granted = [Path(folder.path) for folder in house.folders if folder.write]
    writable = {path: path.resolve() for path in (*granted, house.home)}
    for folder in house.folders:
        path, real = Path(folder.path), Path(folder.path).resolve()
        if _is_private(real, data_dir):
            raise _refused(f"The folder {path} belongs to the service and cannot be granted.")
        # The upstream could have replaced a part of what it may change by a link to anything.
        for shown, at in writable.items():
            if path.is_relative_to(shown) and not real.is_relative_to(at):
                raise _refused(f"The folder {path} is a link that leads out of {shown}.")
        words += _bind("--bind-try" if folder.write else "--ro-bind-try", folder.path)
        if data_dir.is_relative_to(real):
            words += _empty(str(Path(folder.path, data_dir.relative_to(real))))
    for path in files_of([*house.before[:1], program], search, [*writable.values()]):
        words += _bind("--ro-bind", str(path))
    # What is still writable is in memory: the files that bubblewrap made itself.
    closed = ["--remount-ro", "/dev", "--remount-ro", "/"]
    return [*words, *_bind("--bind", str(house.home)), *closed]


def _refused(what: str) -> QmError:
    hint = "Choose the folders of the origin again: qm origin sandbox NAME --hide FOLDER."
    return QmError(422, "origin_invalid", what, hint)


def _bind(how: str, path: str) -> list[str]:
    # By itself, bubblewrap would close the folders above a closed folder.
    return ["--dir", str(Path(path).parent), how, path, path]


def _is_private(path: Path, data_dir: Path) -> bool:
    if path == data_dir or not path.is_relative_to(data_dir):
        return path == data_dir
    return not any(path.is_relative_to(data_dir / name) for name in _PROGRAM_FOLDERS)


def _make_home(house: House) -> None:
    house.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.geteuid() == 0 and house.home.stat().st_uid != house.user:
        for folder, folders, files in os.walk(house.home):
            for name in (".", *folders, *files):
                os.chown(Path(folder, name), house.user, house.user, follow_symlinks=False)


def _write_names(house: House, user: str) -> Path:
    """Writes the list of users that the upstream sees, which names only itself."""
    folder = house.home.with_name(f".{house.home.name}")
    folder.mkdir(mode=0o755, exist_ok=True)
    path = folder / "passwd"
    lines = ["root:x:0:0:root:/root:/bin/sh", f"upstream:x:{user}:{user}::{house.home}:/bin/sh"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    path.chmod(0o644)
    return path
