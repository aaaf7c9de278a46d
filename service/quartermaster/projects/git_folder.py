"""Opens the git folder of a project, without following links and without running git.

Somebody else may have written its content, in order to make us read other people's files. Each file
is therefore opened relative to a folder that is already open. It must be a regular file, and must
not exceed a size limit. A git folder outside the project is read only if it also names the project.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.projects.guard import printable
from quartermaster.projects.opening import NotPlainError, OpenFolder, opened_folder

_LARGEST_POINTER: Final = 4096
_LARGEST_LIST: Final = 32 * 2**20
_MOST_REFERENCES: Final = 100_000
_MOST_STEPS: Final = 5
_ASKED_S: Final = 20.0
_READ_S: Final = 20.0
_MOST_COPIED: Final = 512 * 2**20
_MOST_COPIES: Final = 200_000
_CHUNK: Final = 2**20
_ID: Final = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
# What git refuses in a name, as far as it could change how a line of a list is read.
_REFERENCE: Final = re.compile(rb"refs/[^\0-\x20\x7f~^:?*\[\\]+")
_PACKED_PATTERN: Final = re.compile(
    rb"^(" + _ID.pattern + rb") (" + _REFERENCE.pattern + rb")$", re.M
)
_OF_A_WORKTREE: Final = (b"refs/bisect/", b"refs/worktree/", b"refs/rewritten/")
_TABLE: Final = b"ref: refs/heads/.invalid"
# A branch may have the name of a folder in which others were.
_ABSENT_REASONS: Final = frozenset({"a folder", "a file, not a folder"})
# Where git would go on to read the objects of others.
_ALTERNATES_FILES: Final = frozenset({"info/alternates", "info/http-alternates"})


@dataclass(frozen=True)
class GitFolder:
    """The open git folder of a project.

    Attributes:
        root: folder of the project.
        own: folder with the data of this working tree only, such as its current commit.
        common: folder with the data that all working trees share; usually the same folder.
        objects: folder with the objects.
    """

    root: Path
    own: OpenFolder
    common: OpenFolder
    objects: OpenFolder

    def head(self) -> str | None:
        """Returns the id of the current commit; None if there is none yet.

        Raises:
            QmError: 422 git_failed if it cannot be read, git_references_unreadable.
        """
        text = self._read(self.own, "HEAD", _LARGEST_POINTER)
        if text is not None and text.strip() == _TABLE:
            raise QmError(
                422,
                "git_references_unreadable",
                f"The repository {self.root} keeps its branches in a form that Quartermaster does "
                "not read (reftable).",
                "Change the form with: git refs migrate --ref-format=files.",
            )
        if text is None:
            raise _not_found(self.root)
        found = self._followed(text)
        if found is None:
            raise git_failed(self.root)
        return found.decode() or None

    def references(self) -> dict[bytes, bytes]:
        """Returns the ids of all branches and tags, by their full names. Damaged references are
        left out.

        Raises:
            QmError: 413 git_output_too_large if there are too many, 504 git_timeout.
        """
        listed = self._read(self.common, "packed-refs", _LARGEST_LIST) or b""
        packed: dict[bytes, bytes] = {}
        for match in _PACKED_PATTERN.finditer(listed):
            packed[match[2]] = match[1]
            _check_number(len(packed))
        found = dict(packed)
        deadline = monotonic() + _READ_S
        for name, text in self._loose(self.common):
            if monotonic() > deadline:
                raise too_slow(
                    f"The branches and tags of the repository were not read within {_READ_S:g} s.",
                    "Put them into one file with: git pack-refs --all.",
                )
            if id_ := self._followed(text, packed):
                found[name] = id_
        _check_number(len(found))
        return found

    def shallow(self) -> bytes:
        """Returns the ids of the commits whose parents are missing in a shallow clone, one per
        line.
        """
        text = self._read(self.common, "shallow", _LARGEST_LIST) or b""
        ids = (line for line in text.splitlines() if _ID.fullmatch(line))
        return b"".join(each + b"\n" for each in ids)

    def excluded(self) -> bytes:
        """Returns the ignore rules in the git folder, which apply in addition to the project's
        .gitignore files.
        """
        text = self._read(self.common, "info/exclude", _LARGEST_POINTER * 16) or b""
        return b"\n".join(each for each in text.splitlines() if not each.startswith(b"#"))

    def borrows(self) -> bool:
        """Returns whether the repository uses objects of another repository."""
        return bool(self._read(self.objects, "info/alternates", _LARGEST_POINTER))

    def copy_objects(self, to: Path) -> None:
        """Copies the repository's objects to a new folder. Leaves out links and the objects of
        other repositories.

        Raises:
            QmError: 413 git_output_too_large.
            OSError: the copy cannot be written.
        """
        left, number = _MOST_COPIED, _MOST_COPIES
        for step in self.objects.walk():
            (to / step.prefix).mkdir()
            for name in step.files:
                if f"{step.prefix}{name}" in _ALTERNATES_FILES:
                    continue
                try:
                    descriptor = step.place.open(name)
                except (NotPlainError, FileNotFoundError, PermissionError):
                    continue
                left -= _copy(descriptor, to / step.prefix / name, left)
                number -= 1
                if left <= 0 or number <= 0:
                    raise too_large(
                        "Git cannot be confined on this machine, and the repository is too large"
                        f" to be copied first (more than {_MOST_COPIED // 2**20} MiB)."
                    )

    def _followed(self, text: bytes, packed: Mapping[bytes, bytes] | None = None) -> bytes | None:
        """Returns the commit id to which a reference leads. Returns an empty value if the reference
        names another reference that does not exist, and None if the reference is damaged.

        Args:
            text: content of the reference.
            packed: the list of references, if it has been read.
        """
        for _ in range(_MOST_STEPS):
            word = text.strip()
            if _ID.fullmatch(word):
                return word
            name = word.removeprefix(b"ref:").strip()
            if not word.startswith(b"ref:") or not _is_reference(name):
                return None
            place = self.own if name.startswith(_OF_A_WORKTREE) else self.common
            found = self._read(place, name.decode("utf-8", "surrogateescape"), _LARGEST_POINTER)
            if found is None:
                return self._packed(name) if packed is None else packed.get(name, b"")
            text = found
        return None

    def _packed(self, name: bytes) -> bytes:
        listed = self._read(self.common, "packed-refs", _LARGEST_LIST) or b""
        found = re.search(rb"^(" + _ID.pattern + rb") " + re.escape(name) + rb"$", listed, re.M)
        return found[1] if found else b""

    def _loose(self, place: OpenFolder) -> Iterator[tuple[bytes, bytes]]:
        with suppress(FileNotFoundError, NotPlainError), place.opened(["refs"]) as top:
            number = 0
            for step in top.walk():
                for name in step.files:
                    number += 1
                    _check_number(number)
                    full = os.fsencode(f"refs/{step.prefix}{name}")
                    if _is_reference(full):
                        with suppress(OSError, NotPlainError):
                            yield full, _content(step.place, name, _LARGEST_POINTER)

    def _read(self, place: OpenFolder, path: str, most: int) -> bytes | None:
        """Returns the content of a file in the git folder; None if the file does not exist.

        Raises:
            QmError: 403 git_folder_denied, 413 git_output_too_large.
        """
        *folders, name = path.split("/")
        try:
            with place.opened(folders) as at:
                return _content(at, name, most)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except NotPlainError as error:
            if str(error) in _ABSENT_REASONS:
                return None
            why = f"{printable(path)!r} in its git folder is, or lies below, {error}"
            raise _denied(self.root, why) from None
        except OSError:
            raise git_failed(self.root) from None


@contextmanager
def opened_git_folder(root: Path) -> Generator[GitFolder]:
    """Opens the git folder of a project.

    Args:
        root: top folder of the project: an absolute path without links.

    Raises:
        QmError: 404 repository_not_found, 403 repository_of_another_user, git_folder_outside,
            git_folder_denied.
    """
    with ExitStack() as stack:
        try:
            own = _own_folder(root, stack.enter_context(opened_folder(root, [])), stack)
            common = _common_folder(root, own, stack)
            objects = stack.enter_context(common.opened(["objects"]))
            _check_packs(objects)
        except NotPlainError as error:
            why = f"the folder, its git folder or a part of one is {error}"
            raise _denied(root, why) from None
        except FileNotFoundError:
            raise _not_found(root) from None
        except OSError as error:
            raise _denied(root, f"the system refuses it: {error.strerror}") from None
        yield GitFolder(root, own, common, objects)


def _check_packs(objects: OpenFolder) -> None:
    """Refuses files that git opens at each start if opening them would block, such as a FIFO."""
    with suppress(FileNotFoundError), objects.opened(["pack"]) as packs:
        for step in packs.walk():
            if step.special:
                raise NotPlainError("a file of another kind")
            break


def _own_folder(root: Path, top: OpenFolder, stack: ExitStack) -> OpenFolder:
    """Opens the git folder: the folder `.git`, or the folder that the file `.git` names."""
    try:
        facts = top.look(".git")
    except FileNotFoundError:
        if _is_bare(top):
            raise _bare(root) from None
        raise
    if stat.S_ISLNK(facts.st_mode):
        raise _outside(root)
    _check_owner(root, top.facts(), facts)
    if stat.S_ISDIR(facts.st_mode):
        return stack.enter_context(top.opened([".git"]))
    text = _pointer(top, ".git")
    if not text.startswith("gitdir:"):
        raise _not_found(root)
    at = _joined(root, text.removeprefix("gitdir:").strip())
    found = stack.enter_context(opened_folder(at, []))
    _check_owner(root, found.facts())
    return found


def _is_bare(top: OpenFolder) -> bool:
    """Returns whether a folder looks like the git folder of a bare repository. Links are not
    followed.
    """
    with suppress(OSError):
        head, objects = top.look("HEAD"), top.look("objects")
        return stat.S_ISREG(head.st_mode) and stat.S_ISDIR(objects.st_mode)
    return False


def _common_folder(root: Path, own: OpenFolder, stack: ExitStack) -> OpenFolder:
    """Opens the folder with the data that all working trees of a repository share.

    A folder outside the project must name the project as one of its working trees. The folder of a
    submodule must name the project as its only working tree. Otherwise, a `.git` that points to
    another repository would reveal the history of that repository.
    """
    try:
        text = _pointer(own, "commondir")
    except FileNotFoundError:
        if not own.path.is_relative_to(root) and not _is_submodule(root, own):
            raise _outside(root) from None
        return own
    at = _joined(own.path, text)
    if not at.is_relative_to(root):
        is_listed = own.path.parent == at / "worktrees"
        if not is_listed or _joined(own.path, _pointer(own, "gitdir")) != root / ".git":
            raise _outside(root)
    common = stack.enter_context(opened_folder(at, []))
    _check_owner(root, common.facts())
    return common


def _is_submodule(root: Path, own: OpenFolder) -> bool:
    """Returns whether the configuration of a git folder names the project as its working tree."""
    try:
        text = _content(own, "config", _LARGEST_POINTER * 16).decode("utf-8", "surrogateescape")
    except OSError:
        return False
    section, named = "", None
    for line in map(str.strip, text.splitlines()):
        key, equals, value = line.partition("=")
        if line.startswith("["):
            section = line[1:].partition("]")[0].strip().lower()
        elif section == "core" and equals and key.rstrip().lower() == "worktree":
            named = value.strip().strip('"')
    return named is not None and _joined(own.path, named) == root


def _pointer(place: OpenFolder, name: str) -> str:
    text = os.fsdecode(_content(place, name, _LARGEST_POINTER)).strip()
    if "\0" in text:
        raise NotPlainError("a file that names no place")
    return text


def _joined(base: Path, text: str) -> Path:
    return Path(os.path.normpath(base / text))


def _is_reference(name: bytes) -> bool:
    parts = name.split(b"/")
    return _REFERENCE.fullmatch(name) is not None and not {b"", b".", b".."} & set(parts)


def _content(place: OpenFolder, name: str, most: int) -> bytes:
    """Returns the content of a regular file.

    Raises:
        NotPlainError: the file is not a regular file.
        OSError: the file cannot be opened.
        QmError: 413 git_output_too_large.
    """
    with os.fdopen(place.open(name), "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise too_large(f"A file in the git folder is larger than {most:,} bytes.")
    return data


def _check_number(references: int) -> None:
    if references > _MOST_REFERENCES:
        raise too_large("The repository has too many branches and tags.")


def _copy(descriptor: int, to: Path, most: int) -> int:
    total = 0
    with os.fdopen(descriptor, "rb") as file, to.open("wb") as copy:
        while total <= most and (piece := file.read(_CHUNK)):
            total += copy.write(piece)
    return total


def _check_owner(root: Path, *facts: os.stat_result) -> None:
    """Refuses a folder of another user, unless the user's own git settings trust it."""
    if not hasattr(os, "geteuid"):
        return
    mine = {os.geteuid()}
    if mine == {0} and os.environ.get("SUDO_UID", "").isdecimal():
        mine.add(int(os.environ["SUDO_UID"]))
    if {each.st_uid for each in facts} <= mine or _is_trusted(root):
        return
    raise QmError(
        403,
        "repository_of_another_user",
        f"Another user owns the repository {root}.",
        f"To trust it, run as yourself: git config --global --add safe.directory {root}",
    )


def _is_trusted(root: Path) -> bool:
    retained = ("PATH", "HOME", "XDG_CONFIG_HOME")
    # Asked in the root of the file system: the repository's own settings are not read.
    try:
        said = subprocess.run(
            ["git", "config", "--global", "--get-all", "safe.directory"],
            env={name: os.environ[name] for name in retained if name in os.environ},
            cwd="/",
            capture_output=True,
            timeout=_ASKED_S,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    trusted = said.stdout.decode("utf-8", "surrogateescape").splitlines()
    return bool({"*", str(root)} & set(trusted))


def git_failed(root: Path, *, borrows: bool = False) -> QmError:
    """Returns the error for a repository that git, or our code, cannot read. It does not contain
    git's messages, which may quote secrets.

    Args:
        root: folder of the project.
        borrows: whether some objects are in another repository.
    """
    what = f"Git could not read the repository {root}: something in it is missing or damaged."
    if borrows:
        return QmError(
            422,
            "git_failed",
            f"{what} A part of it is kept in another repository, which is not read.",
            "Copy what is kept elsewhere: git repack -a -d, then delete"
            " .git/objects/info/alternates.",
        )
    hint = "Check the repository with: git fsck. Get what is missing with: git fetch --refetch."
    return QmError(422, "git_failed", what, hint)


def too_large(what: str) -> QmError:
    """Returns the error for a repository that exceeds a limit for reading."""
    hint = "Read fewer commits or fewer files."
    return QmError(413, "git_output_too_large", what, hint)


def too_slow(what: str, hint: str) -> QmError:
    """Returns the error for a repository whose reading takes too long.

    Args:
        what: description of the event, as a sentence.
        hint: the next step for the user.
    """
    return QmError(504, "git_timeout", what, hint)


def _denied(root: Path, why: str) -> QmError:
    return QmError(
        403,
        "git_folder_denied",
        f"Quartermaster does not read the repository {root}: {why}.",
        "Only regular files and folders are read there, not links. Make a clone without them.",
    )


def _outside(root: Path) -> QmError:
    return QmError(
        403,
        "git_folder_outside",
        f".git in {root} leads to a repository which does not belong to this folder.",
        "Use the repository that contains the history, or make a clone or a git worktree.",
    )


def _bare(root: Path) -> QmError:
    return QmError(
        404,
        "repository_not_found",
        f"{root} is a bare repository: it has no working tree.",
        "Make a clone with git clone, and give the folder of the clone.",
    )


def _not_found(root: Path) -> QmError:
    return QmError(
        404,
        "repository_not_found",
        f"{root} is not the top folder of a git repository.",
        "Give the folder that contains .git.",
    )
