"""Locations of files: data directory, runtime directory, `run.json` of a running server."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, cast

from platformdirs import user_data_path

_SYSTEM_DATA_DIR: Final = Path("/var/lib/quartermaster")
_RUN_FILE: Final = "run.json"


def data_dir(explicit: Path | None = None) -> Path:
    """The absolute data directory; it is not created.

    Args:
        explicit: wins over ``QM_DATA_DIR``, which wins over the default: the system's
            directory for root, the user's data directory for everybody else.
    """
    if explicit is None and (from_environment := os.environ.get("QM_DATA_DIR")):
        explicit = Path(from_environment)
    if explicit is None:
        is_root = sys.platform != "win32" and os.geteuid() == 0
        explicit = _SYSTEM_DATA_DIR if is_root else user_data_path("quartermaster", appauthor=False)
    return explicit.expanduser().absolute()


def runtime_dir(data: Path) -> Path:
    """The directory for files that can be made again: binaries, converted models, PL/Python
    modules.

    Args:
        data: the data directory; its ``runtime`` folder is used unless ``QM_RUNTIME_DIR`` is set,
            which lets several data directories share one.
    """
    if from_environment := os.environ.get("QM_RUNTIME_DIR"):
        return Path(from_environment).expanduser().absolute()
    return data / "runtime"


def write_private(path: Path, text: str) -> None:
    """Replace a file at once, readable by its owner only; folders are made as needed.

    A reader sees the old text or the new one, also after a crash half-way.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@dataclass(frozen=True, slots=True)
class RunFile:
    """The content of ``DIR/run.json``, by which others find a running server.

    Attributes:
        url: base address of the service, ``http://host:port``.
        token: bearer token of the local operator.
        dsn: connection string of the database.
        pid: process id of the service.
    """

    url: str
    token: str
    dsn: str
    pid: int

    def write(self, data: Path) -> None:
        """Put it into the data directory, mode 0600, at once."""
        write_private(data / _RUN_FILE, json.dumps(asdict(self), indent=2) + "\n")

    @classmethod
    def read(cls, data: Path) -> RunFile | None:
        """Reads the file of this data directory; None if it is missing or damaged."""
        try:
            found = json.loads((data / _RUN_FILE).read_text(encoding="utf-8"))
            fields = cast("dict[str, Any]", found)
            return cls(
                url=str(fields["url"]),
                token=str(fields["token"]),
                dsn=str(fields["dsn"]),
                pid=int(fields["pid"]),
            )
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None

    @staticmethod
    def remove(data: Path) -> None:
        """Removes the file, if it still exists, as a clean stop does."""
        (data / _RUN_FILE).unlink(missing_ok=True)

    def is_alive(self) -> bool:
        """Whether another process with this id runs.

        This process itself does not count: in a container the next server often gets the
        process id of the one that was killed.
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


def _is_zombie(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    # The name of the command, in parentheses, may contain spaces and parentheses.
    return stat.rpartition(")")[2].split()[0] == "Z"
