"""The guard, which checks every path in a project before the file is read or written.

A file is read if it is below the project's root, and if no part of its path is a link, device or
FIFO. The guard returns the bytes that it read with their hash, so no caller needs to open the file
again. A package folder has a separate guard.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
import unicodedata
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from quartermaster.core.errors import QmError
from quartermaster.projects.opening import (
    HAS_DIR_FD,
    NotPlainError,
    OpenFolder,
    name_problem,
    opened_folder,
    set_mode,
    set_owner,
)

if TYPE_CHECKING:
    from collections.abc import Generator

MAX_BYTES: Final = 10_000_000
_MAX_PATH: Final = 4096
_CHUNK: Final = 1 << 20
# Folders in which the system shows itself as files. Nobody's code lies there.
_SYSTEM_FOLDERS: Final = ("/proc", "/sys", "/dev", "/run")


@dataclass(frozen=True)
class Content:
    """The content of a file when it was read.

    Attributes:
        base: root of the guard that read it.
        path: path below the root, with ``/``.
        data: the bytes of the file.
        blob_hash: git's object id for these bytes, 40 hexadecimal digits.
    """

    base: Path
    path: str
    data: bytes
    blob_hash: str


def blob_hash(data: bytes) -> str:
    """Returns git's object id for the content of a file."""
    return sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def real_folder(path: Path) -> Path:
    """Returns the path of an existing folder, with links resolved, in the form that is stored for a
    project.

    Raises:
        QmError: QM404 file_not_found, or QM403 path_denied for a folder of the system.
    """
    try:
        real = path.expanduser().resolve(strict=True)
    except (OSError, RuntimeError):
        raise _not_found(str(path)) from None
    if not real.is_dir():
        raise _denied(str(path), "it is not a folder")
    system = (real.is_relative_to(folder) for folder in _SYSTEM_FOLDERS)
    if real == Path(real.anchor) or any(system):
        raise _denied(str(path), "it is a folder of the system")
    return real


class ProjectFileAccess:
    """Reads files of one project or of a package folder, and replaces files of the project.

    Args:
        root: root folder, as `real_folder` returns it.
        by_dir_fd: whether files are opened relative to an open folder. False on Windows, which
            cannot do this.
    """

    def __init__(self, root: Path, *, by_dir_fd: bool = HAS_DIR_FD) -> None:
        self.root = root
        self._by_dir_fd = by_dir_fd
        if not root.is_absolute() or ".." in root.parts:
            raise _denied(str(root), "a project's folder needs an absolute path")

    def below(self, path: str | PurePath) -> str:
        """Converts a path to a path relative to the root, without opening a file.

        Args:
            path: path below the root, or absolute path. The path is used literally: nothing in it
                is decoded or expanded.

        Raises:
            QmError: QM403 path_denied.
        """
        text = path.as_posix() if isinstance(path, PurePath) else path
        if not text or len(text) > _MAX_PATH:
            raise _denied(text[:80], "it is empty or too long")
        if "\0" in text:
            raise _denied(text, "it contains a control character")
        if os.path.isabs(text):  # noqa: PTH117 - a Path would already have changed the text
            prefix = f"{self.root.as_posix()}/"
            if not text.startswith(prefix):
                raise _denied(text, "it lies outside the project")
            text = text.removeprefix(prefix)
        parts = [part for part in text.split("/") if part not in {"", "."}]
        if not parts:
            raise _denied(text, "it names a folder")
        for part in parts:
            if problem := name_problem(part):
                raise _denied(text, problem)
        return "/".join(parts)

    def read(self, path: str | PurePath, most: int = MAX_BYTES) -> Content:
        """Reads a file of the project.

        Args:
            path: see `below`.
            most: maximum size of the file in bytes.

        Raises:
            QmError: QM403 path_denied, QM404 file_not_found, QM413 file_too_large, QM409
                file_changed if somebody wrote to the file during the read.
        """
        below = self.below(path)
        with self._opened(below) as (place, name):
            data, _ = self._contents(place, name, below, most)
        return Content(self.root, below, data, blob_hash(data))

    def facts(self, path: str | PurePath) -> tuple[int, int] | None:
        """Returns the size of a file and the time of its last change in nanoseconds; None if the
        guard refuses the file.
        """
        try:
            with self._opened(self.below(path)) as (place, name):
                found = place.look(name)
        except QmError:
            return None
        return (found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None

    def replace(self, content: Content, data: bytes) -> Content:
        """Replaces the content of a file, unless the file has changed since it was read.

        The replacement is atomic: a reader sees either the old or the new content.

        Args:
            content: the file as it was read.
            data: the new content.

        Raises:
            QmError: the errors of `read`; QM409 file_changed; QM403 path_denied for a file that
                another guard read, and for another user's file that this user may not write to.
                Also QM403 path_denied for a file with several names (hard links), because the other
                names would keep the old content.
        """
        if content.base != self.root:
            raise _denied(content.path, "files of an environment are only read")
        if len(data) > MAX_BYTES:
            raise _too_large(content.path)
        with self._opened(self.below(content.path)) as (place, name):
            current, before = self._contents(place, name, content.path)
            if before.st_nlink > 1:
                raise _denied(content.path, "it has several names (hard links)")
            if current != content.data:
                raise _changed(content.path)
            if not place.may_write(name, before):
                raise _denied(content.path, "it is a file of another user, and read-only for us")
            temporary = f".qm-{secrets.token_hex(8)}"
            try:
                _write(place, temporary, data, before)
                if _identity(place.look(name)) != _identity(before):
                    raise _changed(content.path)
                place.rename(temporary, name)
            except BaseException:
                with suppress(FileNotFoundError):
                    place.remove(temporary)
                raise
        return Content(self.root, content.path, data, blob_hash(data))

    @contextmanager
    def opened_root(self) -> Generator[OpenFolder]:
        """Opens the root of the project.

        Raises:
            QmError: QM403 path_denied if the root is a link now, QM404 file_not_found if it no
                longer exists.
        """
        with self._opened_folder([], str(self.root)) as place:
            yield place

    @contextmanager
    def _opened(self, below: str) -> Generator[tuple[OpenFolder, str]]:
        """Opens the folder that contains a file, and returns it with the file's name."""
        *folders, name = below.split("/")
        with self._opened_folder(folders, below) as place:
            yield place, name

    @contextmanager
    def _opened_folder(self, folders: list[str], shown: str) -> Generator[OpenFolder]:
        try:
            with opened_folder(self.root, folders, by_dir_fd=self._by_dir_fd) as place:
                yield place
        except NotPlainError as error:
            raise _denied(shown, f"it is, or lies below, {error}") from None
        except OSError as error:
            if error.errno in {errno.ENOENT, errno.ENOTDIR}:
                raise _not_found(shown) from None
            raise _denied(shown, f"the system refuses it: {error.strerror}") from None

    def _contents(
        self, place: OpenFolder, name: str, shown: str, most: int = MAX_BYTES
    ) -> tuple[bytes, os.stat_result]:
        descriptor = place.open(name)
        try:
            before = os.fstat(descriptor)
            if before.st_size > most:
                raise _too_large(shown, most)
            data = _read(descriptor, most + 1)
            after = os.fstat(descriptor)
        finally:
            os.close(descriptor)
        if len(data) > most:
            raise _too_large(shown, most)
        if _identity(before) != _identity(after) or len(data) != after.st_size:
            raise _changed(shown)
        return data, after


def _identity(facts: os.stat_result) -> tuple[int, ...]:
    return (facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_nlink)


def _read(descriptor: int, limit: int) -> bytes:
    chunks: list[bytes] = []
    while limit > 0 and (chunk := os.read(descriptor, min(_CHUNK, limit))):
        chunks.append(chunk)
        limit -= len(chunk)
    return b"".join(chunks)


def _write(place: OpenFolder, name: str, data: bytes, like: os.stat_result) -> None:
    descriptor = place.create(name, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        set_owner(file.fileno(), like)
        set_mode(file.fileno(), stat.S_IMODE(like.st_mode) & 0o777)
        os.fsync(file.fileno())


def printable(path: str) -> str:
    """Returns a path in a form for messages: short, and without control characters."""
    cut = path if len(path) <= 200 else f"{path[:200]}..."
    return "".join("?" if unicodedata.category(c)[0] == "C" else c for c in cut)


def _denied(path: str, reason: str) -> QmError:
    return QmError(
        403,
        "path_denied",
        f"Quartermaster does not read or write the path {printable(path)!r}: {reason}.",
        "Give the path of a file below the project's root, without '..' or links.",
    )


def _not_found(path: str) -> QmError:
    return QmError(
        404,
        "file_not_found",
        f"The file {printable(path)!r} does not exist.",
        "Check the path. It is relative to the project's root.",
    )


def _too_large(path: str, most: int = MAX_BYTES) -> QmError:
    return QmError(
        413,
        "file_too_large",
        f"The file {printable(path)!r} is larger than {most:,} bytes.",
        "Quartermaster does not read files this large. Leave this file out.",
    )


def _changed(path: str) -> QmError:
    return QmError(
        409,
        "file_changed",
        f"The file {printable(path)!r} changed while Quartermaster used it.",
        "Read the file again and repeat the call.",
    )
