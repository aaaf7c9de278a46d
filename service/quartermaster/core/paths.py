"""Locations of files: the data directory, the runtime directory, `run.json` and `admin.json`."""

from __future__ import annotations

import errno
import json
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from platformdirs import user_data_path

from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.core.shell import forget_libpq_settings

_SYSTEM_DATA_DIR: Final = Path("/var/lib/quartermaster")
_RUN_FILE: Final = "run.json"
_ADMIN_FILE: Final = "admin.json"
UP_LOCK: Final = "up.lock"
"""File that ``qm up`` keeps locked, from its start on."""
T = TypeVar("T")


def data_dir(explicit: Path | None = None) -> Path:
    """Returns the absolute path of the data directory, which is not created.

    Args:
        explicit: directory that takes precedence over ``QM_DATA_DIR``; without both, root uses
            a system directory and every other user their own data directory.
    """
    if explicit is None and (from_environment := os.environ.get("QM_DATA_DIR")):
        explicit = Path(from_environment)
    if explicit is None:
        is_root = sys.platform != "win32" and os.geteuid() == 0
        explicit = _SYSTEM_DATA_DIR if is_root else user_data_path("quartermaster", appauthor=False)
    return explicit.expanduser().absolute()


def make_usable(folder: Path, *, writes: bool = True) -> None:
    """Creates a folder if it does not exist.

    Args:
        folder: the folder.
        writes: whether this process must be able to write into it.

    Raises:
        QmError: QM500 data_dir_not_writable.
    """
    try:
        # Other users need to pass through the folder to reach their own folders; our files have
        # mode 0600.
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        if writes and not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, "the directory belongs to another user")
    except OSError as error:
        raise unusable(folder, error) from error


def unusable(folder: Path | str, error: OSError) -> QmError:
    """Returns the error QM500 data_dir_not_writable: a folder of the data directory cannot be
    used.
    """
    return QmError(
        500,
        "data_dir_not_writable",
        f"{folder} cannot be used: {error.strerror}.",
        "Choose another directory with --data-dir, or correct its permissions.",
    )


def runtime_dir(data: Path) -> Path:
    """Returns the directory for files that can be recreated: binaries, converted models, PL/Python
    modules.

    Args:
        data: data directory, whose ``runtime`` folder is used unless ``QM_RUNTIME_DIR`` is set;
            with that variable, several data directories can share one runtime directory.
    """
    if from_environment := os.environ.get("QM_RUNTIME_DIR"):
        return Path(from_environment).expanduser().absolute()
    return data / "runtime"


def write_private(path: Path, text: str) -> None:
    """Replaces a file atomically, so that a reader sees either the old or the new text, even after
    a crash. Only the owner can read the file. Missing folders are created.
    """
    make_folder(path.parent)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            give_to_owner(descriptor, path.parent)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def make_folder(path: Path) -> None:
    """Creates a folder and the missing folders above it. See `give_to_owner`."""
    if not path.exists():
        make_folder(path.parent)
        path.mkdir(exist_ok=True)
        descriptor = os.open(path, os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            give_to_owner(descriptor, path.parent)
        finally:
            os.close(descriptor)


def give_to_owner(descriptor: int, folder: Path) -> None:
    """Gives a file that root has just created to the owner of its folder.

    The service runs as the owner of the data directory, and must be able to read the file.
    """
    if sys.platform != "win32" and os.geteuid() == 0:
        owner = folder.stat()
        os.fchown(descriptor, owner.st_uid, owner.st_gid)


@dataclass(frozen=True, slots=True)
class RunFile:
    """The content of ``DIR/run.json``, with which clients find a running server.

    Attributes:
        url: base address of the service, ``http://host:port`` or ``https://host:port``.
        token: bearer token of the local operator.
        pid: process id of the service.
        ca: path of the PEM file with the authorities to trust; None means the authorities of the
            system.
    """

    url: str
    token: str
    pid: int
    ca: str | None = None

    def write(self, data: Path) -> None:
        """Writes the file to the data directory atomically, with mode 0600."""
        write_private(data / _RUN_FILE, json.dumps(asdict(self), indent=2) + "\n")

    @classmethod
    def read(cls, data: Path) -> RunFile | None:
        """Reads the file in this data directory; None if it is missing or damaged.

        Raises:
            QmError: QM403 data_dir_not_ours.
        """

        def parsed(found: Any) -> RunFile:
            url, token = str(found["url"]), str(found["token"])
            return cls(url, token, int(found["pid"]), found.get("ca"))

        return _read_own(data, _RUN_FILE, parsed)

    @classmethod
    def in_environment(cls) -> RunFile | None:
        """Returns the service on another machine, or of another user: ``QM_URL``, ``QM_KEY`` and
        ``QM_CA`` in the environment. None if ``QM_URL`` is not set.

        Raises:
            QmError: QM422 argument_invalid.
        """
        if not (url := os.environ.get("QM_URL")):
            return None
        if not _is_address(url):
            raise argument_invalid(
                "QM_URL is not the address of a service.",
                "Set QM_URL to an address such as http://127.0.0.1:8765.",
            )
        key, ca = os.environ.get("QM_KEY", ""), os.environ.get("QM_CA") or None
        return cls(url.rstrip("/").removesuffix("/mcp"), key, 0, ca)

    @staticmethod
    def remove(data: Path) -> None:
        """Removes `run.json`, if it still exists. This is called when the service stops cleanly."""
        (data / _RUN_FILE).unlink(missing_ok=True)

    def is_alive(self) -> bool:
        """Returns whether another process with this id is running.

        Returns false for the id of the current process. In a container, a new server often gets the
        process id of the server that was killed.
        """
        if self.pid <= 0 or self.pid == os.getpid():
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return not _is_zombie(self.pid)


def find_service(explicit: Path | None) -> RunFile | None:
    """Returns the service that the environment names, or else the one that runs in a data
    directory.

    ``QM_URL`` takes precedence over ``QM_DATA_DIR``, and ``QM_KEY`` over the key of the data
    directory.

    Args:
        explicit: data directory from the command line; it takes precedence over all variables.

    Raises:
        QmError: QM403 data_dir_not_ours.
    """
    if explicit is None and (named := RunFile.in_environment()) is not None:
        return named
    run = RunFile.read(data_dir(explicit))
    if run is None or not run.is_alive():
        return None
    key = chosen_key(explicit)
    return replace(run, token=key) if key else run


def chosen_key(explicit: Path | None) -> str | None:
    """Returns the key in ``QM_KEY``; None if it is not set. Commands then act for the owner of this
    key.

    Args:
        explicit: data directory from the command line; it takes precedence over all variables.
    """
    return (os.environ.get("QM_KEY") or None) if explicit is None else None


def write_admin(data: Path, dsn: str, *, is_embedded: bool = False) -> None:
    """Writes ``DIR/admin.json`` with the administrator's DSN, for the owner of the data directory.

    No client needs this file. It is not in `run.json`, so that the address and the key of the
    service can be read without it.

    Args:
        data: the data directory.
        dsn: the administrator's DSN.
        is_embedded: whether the server is the one in the data directory.
    """
    text = json.dumps({"dsn": dsn, "embedded": is_embedded}, indent=2)
    write_private(data / _ADMIN_FILE, text + "\n")


def read_admin(data: Path) -> str | None:
    """Returns the administrator's DSN of the running service; None if there is none.

    If it is the DSN of the embedded server, the shell's variables for other databases are removed
    from the environment.

    Raises:
        QmError: QM403 data_dir_not_ours.
    """

    def parsed(found: Any) -> str:
        if found.get("embedded"):
            forget_libpq_settings()
        return str(found["dsn"])

    return _read_own(data, _ADMIN_FILE, parsed)


def remove_admin(data: Path) -> None:
    """Removes the file, if it still exists."""
    (data / _ADMIN_FILE).unlink(missing_ok=True)


def _is_address(url: str) -> bool:
    try:
        place = urlsplit(url)
        # The port is read from the text only now.
        return place.scheme in {"http", "https"} and bool(place.hostname) and place.port != 0
    except ValueError:
        return False


def _read_own(data: Path, name: str, parsed: Callable[[Any], T]) -> T | None:
    try:
        return parsed(json.loads((data / name).read_text(encoding="utf-8")))
    except (FileNotFoundError, NotADirectoryError, ValueError, KeyError, TypeError):
        return None
    except PermissionError:
        raise QmError(
            403,
            "data_dir_not_ours",
            f"{data / name} can be read only by the owner of the data directory, and by root.",
            "Run the command as the owner. Other users can search, call and list: set QM_URL to the"
            " address of the service, and QM_KEY to a key from its administrator.",
        ) from None


def _is_zombie(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    # The command name, which is in parentheses, may contain spaces and parentheses.
    return stat.rpartition(")")[2].split()[0] == "Z"
