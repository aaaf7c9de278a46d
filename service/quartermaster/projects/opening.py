"""Opens one file below a folder without following a link. This is the only module with special code
for Windows paths.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

HAS_DIR_FD: Final = sys.platform != "win32"

_CLOSED_AT_EXEC: Final = getattr(os, "O_CLOEXEC", 0)
# With O_PATH, a folder that may be entered but not listed can be passed through, as for any path.
_FOLDER: Final = (
    getattr(os, "O_PATH", os.O_RDONLY)
    | getattr(os, "O_DIRECTORY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | _CLOSED_AT_EXEC
)
_LISTING_FLAGS: Final = _FOLDER & ~getattr(os, "O_PATH", 0)
_MAX_DEPTH: Final = 64
_REPLACED_ERRNOS: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
_DENIED_REASON: Final = "it may not be read"
_TOO_DEEP: Final = f"it is in more than {_MAX_DEPTH} folders"
# A FIFO must not wait for its writer, and a terminal must not become ours.
_FILE: Final = (
    getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
    | _CLOSED_AT_EXEC
)
_DEVICE_NAMES: Final = frozenset(
    {"CON", "PRN", "AUX", "NUL", "CLOCK$", "CONIN$", "CONOUT$"}
    | {f"{port}{number}" for port in ("COM", "LPT") for number in range(10)}
)

# Characters that the file system of macOS ignores in names.
_IGNORED_BY_HFS: Final = dict.fromkeys(
    [*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF]
)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
# One half of a pair, which by itself is no character.
_HALF_PATTERN: Final = re.compile(r"[\ud800-\udfff]")


class NotPlainError(Exception):
    """A part of a path is neither a folder nor a regular file. The message says what the part is,
    such as ``a symbolic link``.
    """


def name_problem(name: str, *, on_windows: bool = not HAS_DIR_FD) -> str | None:
    """Returns why a name is not allowed as a part of a path; None if it is allowed.

    Args:
        name: one part of a path.
        on_windows: whether to apply the rules of Windows, too, where some names mean devices or
            streams.
    """
    if name == "..":
        return "it contains '..'"
    if "\\" in name:
        return "it contains a backslash; separate folders by '/'"
    if _CONTROL.search(name):
        return "it contains a control character"
    if _HALF_PATTERN.search(name):
        return "it is not valid Unicode"
    # git takes all of these for its own folder on some file systems.
    plain = name.rstrip(". ").partition(":")[0].casefold()
    plain = plain if plain.isascii() else plain.translate(_IGNORED_BY_HFS)
    if plain in {".git", "git~1"}:
        return "the folder .git is not part of a project"
    return _windows_problem(name) if on_windows else None


def _windows_problem(name: str) -> str | None:
    if ":" in name:
        return "it contains a colon, which on Windows names a drive or a stream"
    if name != name.rstrip(". "):
        return "it ends with a dot or a space, which Windows ignores"
    if name.partition(".")[0].rstrip().upper() in _DEVICE_NAMES:
        return "on Windows it is the name of a device"
    return None


@contextmanager
def opened_folder(
    base: Path, folders: Sequence[str], *, by_dir_fd: bool = HAS_DIR_FD
) -> Generator[OpenFolder]:
    """Opens a folder part by part of its path, without following a link.

    Args:
        base: absolute path without links.
        folders: names of the folders below it.
        by_dir_fd: whether files are opened relative to an open folder. False on Windows, which
            cannot do this.

    Raises:
        NotPlainError: a part is a link or not a folder.
        OSError: the folder cannot be opened.
    """
    parts = [*base.parts[1:], *folders]
    top = Path(base.anchor)
    if not by_dir_fd:
        with OpenFolder(top, None).opened(parts) as place:
            yield place
        return
    descriptor = os.open(top, _FOLDER)
    try:
        with OpenFolder(top, descriptor).opened(parts) as place:
            yield place
    finally:
        os.close(descriptor)


class OpenFolder:
    """An open folder, in which files are reached by name.

    Attributes:
        path: path of the folder; used to reach files on Windows only.
        descriptor: descriptor of the open folder; None on Windows.
    """

    def __init__(self, path: Path, descriptor: int | None) -> None:
        self.path = path
        self.descriptor = descriptor

    def _at(self, name: str) -> str | Path:
        return name if self.descriptor is not None else self.path / name

    @contextmanager
    def opened(self, folders: Sequence[str]) -> Generator[OpenFolder]:
        """Opens a folder below this folder. See `opened_folder`."""
        path = self.path.joinpath(*folders)
        if self.descriptor is None:
            at = self.path
            for part in folders:
                at /= part
                _must_be(os.lstat(at), stat.S_ISDIR)
            yield OpenFolder(path, None)
            return
        descriptor = os.dup(self.descriptor)
        try:
            for part in folders:
                try:
                    inner = os.open(part, _FOLDER, dir_fd=descriptor)
                except OSError as error:
                    if error.errno in {errno.ELOOP, errno.ENOTDIR}:
                        _must_be(os.lstat(part, dir_fd=descriptor), stat.S_ISDIR)
                    raise
                os.close(descriptor)
                descriptor = inner
            yield OpenFolder(path, descriptor)
        finally:
            os.close(descriptor)

    def facts(self) -> os.stat_result:
        """Returns the result of `stat` for the folder itself."""
        return self.path.stat() if self.descriptor is None else os.fstat(self.descriptor)

    def look(self, name: str) -> os.stat_result:
        """Returns the result of `stat` for a file; for a link, the result describes the link
        itself.
        """
        return os.stat(self._at(name), dir_fd=self.descriptor, follow_symlinks=False)

    def open(self, name: str) -> int:
        """Opens a regular file for reading and returns its descriptor.

        Raises:
            NotPlainError: the file is a link, a folder, a FIFO, a socket or a device.
            OSError: the file cannot be opened.
        """
        # Before it is opened: to open some devices is already to use them.
        before = self.look(name)
        _must_be(before, stat.S_ISREG)
        try:
            descriptor = os.open(self._at(name), os.O_RDONLY | _FILE, dir_fd=self.descriptor)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise NotPlainError("a symbolic link") from None
            raise
        after = os.fstat(descriptor)
        if not stat.S_ISREG(after.st_mode) or not os.path.samestat(before, after):
            os.close(descriptor)
            raise NotPlainError("replaced while it was opened")
        return descriptor

    def may_write(self, name: str, facts: os.stat_result) -> bool:
        """Returns whether this user may write to a file, as its owner or by its permissions.

        The check is needed because whoever may write to a folder can replace every file in it.
        """
        if self.descriptor is None or facts.st_uid == os.geteuid():
            return True
        return os.access(name, os.W_OK, dir_fd=self.descriptor, effective_ids=True)

    def create(self, name: str, mode: int) -> int:
        """Creates a file that does not exist yet and returns its descriptor for writing."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE
        return os.open(self._at(name), flags, mode, dir_fd=self.descriptor)

    def rename(self, old: str, new: str) -> None:
        """Renames a file, and replaces any file that has the new name."""
        os.replace(
            self._at(old), self._at(new), src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor
        )

    def remove(self, name: str) -> None:
        """Removes a file from the folder."""
        os.unlink(self._at(name), dir_fd=self.descriptor)

    def walk(self, unread: dict[str, str] | None = None) -> Iterator[WalkedFolder]:
        """Yields this folder and all folders below it, at most 64 levels deep, without following
        links. Folders whose names are removed from `WalkedFolder.folders` are not entered.

        Args:
            unread: mapping to which each folder that cannot be read is added, with ``/`` at the end
                of its path, and with the reason.
        """
        problems: dict[str, str] = {} if unread is None else unread
        if self.descriptor is not None:
            yield from _steps(self, ".", "", problems)
            return

        def failed(error: OSError) -> None:
            if not isinstance(error, FileNotFoundError):
                problems[_below(error.filename, self.path)] = _DENIED_REASON

        for top, folders, files in os.walk(self.path, onerror=failed):
            prefix = _below(top, self.path)
            links = [name for name in folders if Path(top, name).is_symlink()]
            folders[:] = [name for name in folders if name not in links]
            place = OpenFolder(Path(top), None)
            special = (name for name in files if not stat.S_ISREG(place.look(name).st_mode))
            yield WalkedFolder(
                prefix, folders, [*files, *links], frozenset([*links, *special]), place
            )
            if prefix.count("/") >= _MAX_DEPTH:
                problems |= {f"{prefix}{name}/": _TOO_DEEP for name in folders}
                folders.clear()


@dataclass(frozen=True)
class WalkedFolder:
    """One folder of a walk.

    Attributes:
        prefix: path of the folder below the first folder of the walk, with ``/`` at the end; empty
            for the first folder.
        folders: names of the folders in it.
        files: names of all other entries in it.
        special: names in `files` that do not belong to regular files, such as the names of links.
        place: the folder, which stays open until the next step of the walk.
    """

    prefix: str
    folders: list[str]
    files: list[str]
    special: frozenset[str]
    place: OpenFolder


def set_mode(descriptor: int, mode: int) -> None:
    """Sets the permissions of an open file, if the system has such permissions."""
    if HAS_DIR_FD:
        os.fchmod(descriptor, mode)


def set_owner(descriptor: int, like: os.stat_result) -> None:
    """Gives an open file the owner and the group of another file. If this process may not change
    the owner, it tries to change only the group.
    """
    own = os.fstat(descriptor)
    if HAS_DIR_FD and (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
        try:
            os.fchown(descriptor, like.st_uid, like.st_gid)
        except PermissionError:
            with suppress(PermissionError):
                os.fchown(descriptor, -1, like.st_gid)


def _steps(
    outer: OpenFolder, name: str, prefix: str, unread: dict[str, str]
) -> Iterator[WalkedFolder]:
    try:
        descriptor = os.open(name, _LISTING_FLAGS, dir_fd=outer.descriptor)
    except OSError as error:
        if error.errno not in _REPLACED_ERRNOS:
            unread[prefix] = _DENIED_REASON
        return
    try:
        place = OpenFolder(outer.path / name, descriptor)
        folders: list[str] = []
        files: list[str] = []
        special: list[str] = []
        with os.scandir(descriptor) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.name)
                    continue
                files.append(entry.name)
                if not entry.is_file(follow_symlinks=False):
                    special.append(entry.name)
        yield WalkedFolder(prefix, folders, files, frozenset(special), place)
        if prefix.count("/") < _MAX_DEPTH:
            for inner in folders:
                yield from _steps(place, inner, f"{prefix}{inner}/", unread)
        else:
            unread |= {f"{prefix}{inner}/": _TOO_DEEP for inner in folders}
    finally:
        os.close(descriptor)


def _below(top: str, base: Path) -> str:
    # Not os.path.relpath, which needs a folder in which the process is.
    below = PurePath(top).relative_to(base).as_posix()
    return "" if below == "." else f"{below}/"


def _must_be(facts: os.stat_result, is_right: Callable[[int], bool]) -> None:
    reparsed = getattr(facts, "st_file_attributes", 0) & stat.FILE_ATTRIBUTE_REPARSE_POINT
    if reparsed or stat.S_ISLNK(facts.st_mode):
        raise NotPlainError("a symbolic link")
    if is_right(facts.st_mode):
        return
    kinds = (
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISREG, "a file, not a folder"),
        (stat.S_ISFIFO, "a FIFO"),
        (stat.S_ISSOCK, "a socket"),
    )
    raise NotPlainError(next((what for of, what in kinds if of(facts.st_mode)), "a device"))
