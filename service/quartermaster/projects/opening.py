"""Opens one file below a folder without following a link. Windows differs here and nowhere else."""

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
    """Something on the way is a link, a device or another thing that is not read.

    The message says what it is, such as ``a symbolic link``.
    """


def name_problem(name: str, *, on_windows: bool = not HAS_DIR_FD) -> str | None:
    """Returns why a name cannot be one part of a path, or None.

    Args:
        name: one part of a path.
        on_windows: apply the rules of Windows too, where some names mean devices or streams.
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
    """Opens a folder, one part of the path after the other, without following a link.

    Args:
        base: absolute path without links.
        folders: names of the folders below it.
        by_dir_fd: False on Windows, which cannot open relative to an open folder.

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
        path: where it is; used to reach files on Windows only.
        descriptor: of the open folder; None on Windows.
    """

    def __init__(self, path: Path, descriptor: int | None) -> None:
        self.path = path
        self.descriptor = descriptor

    def _at(self, name: str) -> str | Path:
        return name if self.descriptor is not None else self.path / name

    @contextmanager
    def opened(self, folders: Sequence[str]) -> Generator[OpenFolder]:
        """Opens a folder below this one. See `opened_folder`."""
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
        """Returns facts about the folder itself."""
        return self.path.stat() if self.descriptor is None else os.fstat(self.descriptor)

    def look(self, name: str) -> os.stat_result:
        """Returns facts about a file; of a link, the link's own."""
        return os.stat(self._at(name), dir_fd=self.descriptor, follow_symlinks=False)

    def open(self, name: str) -> int:
        """Opens a regular file for reading and returns its descriptor.

        Raises:
            NotPlainError: it is a link, a folder, a FIFO, a socket or a device.
            OSError: it cannot be opened.
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
        """Returns whether a file is this user's own, or its owner lets this user write to it.

        Whoever may write in a folder can replace every file in it.
        """
        if self.descriptor is None or facts.st_uid == os.geteuid():
            return True
        return os.access(name, os.W_OK, dir_fd=self.descriptor, effective_ids=True)

    def create(self, name: str, mode: int) -> int:
        """Creates a file that does not exist yet and returns its descriptor for writing."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE
        return os.open(self._at(name), flags, mode, dir_fd=self.descriptor)

    def rename(self, old: str, new: str) -> None:
        """Gives a file another name, in place of the file that has that name."""
        os.replace(
            self._at(old), self._at(new), src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor
        )

    def remove(self, name: str) -> None:
        """Removes a file."""
        os.unlink(self._at(name), dir_fd=self.descriptor)

    def walk(self, unread: dict[str, str] | None = None) -> Iterator[WalkedFolder]:
        """This folder and all below it, without following links, down to 64 folders in each other.
        Names that are removed from `WalkedFolder.folders` are not entered.

        Args:
            unread: gets the folders that are not read, each with ``/`` at the end, and why.
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
        prefix: its path with ``/`` at the end; empty for the first folder.
        folders: names of the folders in it.
        files: names of everything else in it.
        special: those of them that are no regular files, such as links.
        place: the folder; it is open until the next step.
    """

    prefix: str
    folders: list[str]
    files: list[str]
    special: frozenset[str]
    place: OpenFolder


def set_mode(descriptor: int, mode: int) -> None:
    """Sets the rights of an open file, as far as the system has such rights."""
    if HAS_DIR_FD:
        os.fchmod(descriptor, mode)


def set_owner(descriptor: int, like: os.stat_result) -> None:
    """Gives an open file to the owner and the group of another, or at least to its group, as far as
    this process may do so.
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
