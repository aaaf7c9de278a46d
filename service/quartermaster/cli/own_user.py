"""Makes the owner of the data directory run the service: if root starts ``qm``, ``qm`` starts
itself again as that user.

Root gives a new data directory to the user quartermaster. An existing data directory keeps its
owner.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final, NoReturn

from quartermaster.core import paths
from quartermaster.core.errors import QmError
from quartermaster.secrets import passphrase
from quartermaster.substrate.os_user import (
    OsUser,
    own_user,
    require_traversable,
    run_as,
    user_by_id,
)
from quartermaster.upstream.confinement import confinement

RUNS_AS_ROOT: Final = (
    "The service runs as root, so a fault in it, or an attack, could change every file on this"
    " machine. It is safer to run the service as a separate user."
)
"""The text to print before the answer of `why_root`, which is the reason and the remedy."""

_PROBE: Final = """
import numpy, psycopg
from quartermaster.upstream.confinement import confinement
print(confinement().kind)
"""


def leave_root(data_dir: Path) -> str | None:
    """Starts this program again as the user of the service, if root has started it.

    Returns:
        Why root still runs the service, in sentences; None if another user has started it.

    Raises:
        QmError: QM500 ``no_server_user``, ``server_user_unusable``, ``data_dir_not_writable``.
    """
    follow_owner(data_dir)
    is_new = not data_dir.exists() or (data_dir.is_dir() and not any(data_dir.iterdir()))
    if _is_root() and is_new and (user := own_user()) and _obstacle(user, data_dir) is None:
        _give(data_dir, user)
        _continue_as(user, data_dir)
    return why_root(data_dir)


def follow_owner(data_dir: Path) -> None:
    """Starts this program again as the owner of the data directory, if root has started it and root
    does not own the directory.

    Raises:
        QmError: QM500 ``no_server_user``, ``server_user_unusable``.
    """
    if not _is_root() or not data_dir.exists() or not (owner := data_dir.stat().st_uid):
        return
    user = user_by_id(owner)
    if _confinement_of(user) is None:
        raise QmError(
            500,
            "server_user_unusable",
            f"{data_dir} belongs to {user.name}, so the service runs as {user.name}."
            f" {_closed_installation(user)}",
            f"To run the service as root, enter: chown root: {data_dir}",
        )
    _continue_as(user, data_dir)


def why_root(data_dir: Path) -> str | None:
    """Returns why root runs the service, and what to do; None if this process is not root, or
    another user owns the directory.
    """
    if not _is_root() or (data_dir.exists() and data_dir.stat().st_uid != 0):
        return None
    user = own_user()
    if user is None:
        return (
            "The user quartermaster does not exist and could not be created. Create it, for example"
            " with useradd --system quartermaster, and start the service again."
        )
    return _obstacle(user, data_dir) or (
        f"It runs as root because root owns {data_dir}. To change that, stop the service, run this"
        f" command, and start the service again: chown -R {user.name}: {data_dir}"
    )


def _is_root() -> bool:
    return sys.platform != "win32" and os.geteuid() == 0


def _obstacle(user: OsUser, data_dir: Path) -> str | None:
    """Returns why this user cannot run the service, in sentences; None if the user can."""
    existing = next(path for path in (data_dir, *data_dir.parents) if path.exists())
    runtime = paths.runtime_dir(data_dir)
    try:
        require_traversable(existing, user)
    except QmError as error:
        return f"{error.message} {error.hint}"
    if not runtime.is_relative_to(data_dir) and run_as(user, ["test", "-w", runtime]).returncode:
        return f"The user {user.name} cannot write to {runtime}, which QM_RUNTIME_DIR names."
    kind = _confinement_of(user)
    if kind is None:
        return _closed_installation(user)
    if kind not in {"bwrap", "landlock"} and confinement().kind != "none":
        return f"Only root can confine local servers on this machine; {user.name} cannot."
    return None


def _closed_installation(user: OsUser) -> str:
    python = Path(sys.executable).resolve()
    if run_as(user, ["test", "-x", python]).returncode:
        return (
            f"The user {user.name} cannot run the Python of qm ({python}). Install qm with a Python"
            " that everybody can run, such as that of the system, in a folder that everybody can"
            " read, such as /opt/quartermaster."
        )
    return (
        f"The user {user.name} cannot read the installation of qm ({sys.executable}). Install it in"
        " a folder that everybody can read, such as /opt/quartermaster."
    )


def _confinement_of(user: OsUser) -> str | None:
    """Returns the kind of confinement that this user can use; None if the user cannot run `qm`."""
    if run_as(user, ["test", "-x", sys.executable]).returncode:
        return None
    done = run_as(user, [sys.executable, "-c", _PROBE])
    return done.stdout.strip() if done.returncode == 0 else None


def _give(data_dir: Path, user: OsUser) -> None:
    try:
        data_dir.mkdir(mode=0o755, parents=True, exist_ok=True)
        os.chown(data_dir, user.uid, user.gid)
    except OSError as error:
        raise paths.unusable(data_dir, error) from error


def _continue_as(user: OsUser, data_dir: Path) -> NoReturn:
    """Switches this process to the user, and executes the same command again."""
    os.setgroups([])
    os.setgid(user.gid)
    os.setuid(user.uid)
    environment = {
        **os.environ,
        **passphrase.for_successor(),
        "HOME": str(data_dir),
        "USER": user.name,
        "LOGNAME": user.name,
        "QM_DATA_DIR": str(data_dir),
    }
    command = [sys.executable, "-m", "quartermaster", *sys.argv[1:]]
    os.execve(sys.executable, command, environment)  # noqa: S606
