"""Finds an unprivileged user to run PostgreSQL, which refuses to run as root."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger

_OWN_NAME: Final = "quartermaster"
_STAND_INS: Final = ("postgres", "nobody")
_ADMIN_PATH: Final = "/usr/sbin:/sbin:/usr/bin:/bin"


@dataclass(frozen=True, slots=True)
class OsUser:
    """An operating system user other than the current one.

    Attributes:
        name: login name.
        uid: user id, not 0.
        gid: id of the user's primary group.
    """

    name: str
    uid: int
    gid: int

    def popen_options(self) -> dict[str, Any]:
        """Returns arguments with which `subprocess` starts a program as this user, with the user's
        primary group only.
        """
        return {"user": self.uid, "group": self.gid, "extra_groups": []}


def server_user(data: Path) -> OsUser | None:
    """Finds the user that runs the server; root creates one if necessary.

    Args:
        data: the cluster's directory. If the directory exists, its owner is returned, because
            PostgreSQL starts only for the owner.

    Returns:
        The user. None if the current user is not root; the server then runs as the current user.

    Raises:
        QmError: QM403 ``data_dir_not_ours`` if the cluster belongs to another user; QM500
            ``no_server_user`` if root finds no unprivileged user.
    """
    owner = data.stat().st_uid if data.exists() else None
    if os.geteuid() != 0:
        if owner is not None and owner != os.geteuid():
            raise QmError(
                403,
                "data_dir_not_ours",
                f"{data} belongs to user id {owner}, and this process runs as {os.geteuid()}.",
                "Run the command as that user or as root, or choose another directory with"
                " --data-dir.",
            )
        return None
    if owner is not None:
        return user_by_id(owner)
    if user := own_user():
        return user
    for name in _STAND_INS:
        if user := _by_name(name):
            return user
    raise QmError(
        500,
        "no_server_user",
        "PostgreSQL does not run as root. This system has none of the users quartermaster, "
        "postgres and nobody, and the program useradd is missing or could not create one.",
        "Create a system user named quartermaster, or run the command as an ordinary user.",
    )


def own_user() -> OsUser | None:
    """Returns the user quartermaster, and creates it if necessary; None if that fails."""
    return _by_name(_OWN_NAME) or _make()


def user_by_id(uid: int) -> OsUser:
    """Returns the user with this id, which is the owner of a data directory.

    Raises:
        QmError: QM500 ``no_server_user``.
    """
    try:
        entry = pwd.getpwuid(uid)
    except KeyError as error:
        raise QmError(
            500,
            "no_server_user",
            f"The data directory belongs to user id {uid}, which does not exist on this system.",
            "Create a user with that id, or give the directory to the user quartermaster.",
        ) from error
    return OsUser(entry.pw_name, entry.pw_uid, entry.pw_gid)


def run_as(
    user: OsUser | None, command: Sequence[str | Path], env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a program to completion as a user, from the root directory.

    Args:
        user: user to become; None keeps the current user.
        command: program and arguments.
        env: the program's whole environment; None passes only a search path.

    Returns:
        The exit code and the output. A program that fails does not raise an error here.

    Raises:
        QmError: QM500 ``server_user_unusable`` if the system does not allow switching to that user.
    """
    try:
        return subprocess.run(
            command,
            # Programs may fail in a current directory that the user cannot enter.
            cwd="/",
            env=dict(env) if env is not None else {"PATH": _ADMIN_PATH},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            **(user.popen_options() if user else {}),
        )
    except PermissionError as error:
        raise cannot_become(user, error) from error


def cannot_become(user: OsUser | None, error: OSError) -> QmError:
    """Returns the error for a system that refuses to start a program as the given user."""
    name = user.name if user else str(os.geteuid())
    return QmError(
        500,
        "server_user_unusable",
        f"No program can be started as user {name}: {error.strerror}.",
        "Run the command as an ordinary user, or use your own database with --dsn.",
    )


def require_traversable(path: Path, user: OsUser | None) -> None:
    """Checks that a user can reach the content of a directory.

    Raises:
        QmError: QM500 ``data_dir_not_traversable`` with the first directory that cannot be entered.
    """
    if user is None:
        return
    steps = [*reversed(path.parents), path]
    script = 'for step; do test -x "$step" || { printf %s "$step"; exit; }; done'
    # Asking the system instead of reading mode bits also respects access control lists.
    barred = run_as(user, ["/bin/sh", "-c", script, "sh", *steps]).stdout
    if barred:
        raise QmError(
            500,
            "data_dir_not_traversable",
            f"PostgreSQL must not run as root. It would run as {user.name}, who cannot enter"
            f" {barred}.",
            f"Let this user enter it (chmod o+x {barred}), or choose another directory with"
            " --data-dir, for example /var/lib/quartermaster.",
        )


def can_read_tree(path: Path, user: OsUser | None) -> bool:
    """Returns whether a user can read a file, or a folder and everything in it."""
    if not path.exists():
        return False
    search = ["find", str(path), "(", "!", "-readable", "-o", "-type", "d", "!", "-executable"]
    done = run_as(user, [*search, ")", "-print", "-quit"])
    return done.returncode == 0 and not done.stdout


def _by_name(name: str) -> OsUser | None:
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        return None
    return OsUser(entry.pw_name, entry.pw_uid, entry.pw_gid) if entry.pw_uid else None


def _make() -> OsUser | None:
    useradd = shutil.which("useradd", path=_ADMIN_PATH)
    if useradd is None:
        return None
    options = ["--system", "--no-create-home", "--shell", "/usr/sbin/nologin"]
    done = run_as(None, [useradd, *options, _OWN_NAME])
    # If another process has just created the same user, that is fine.
    user = _by_name(_OWN_NAME)
    if user is None:
        get_logger(part="substrate").warning("useradd_failed", reason=done.stderr.strip())
    return user
