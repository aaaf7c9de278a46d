"""Reads the history of a repository with git. Git can read only the objects of the repository.

The repository is untrusted. Its configuration can name programs to run (monitors, hooks, filters,
diff drivers, pagers, helpers of transports). It can also point to files of other people (links,
alternates). Git therefore never runs in the repository. It runs in an empty git directory of ours,
with our configuration, and reads the repository's folder of objects. It is confined so that it can
read nothing else (`confined_reader`). If the system cannot confine it, the objects are copied
first. The other files in the git folder are read without git (`git_folder`). Git's messages are
never passed on, because they may quote the files that git read.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import IO, Final

from quartermaster.core import confined_reader
from quartermaster.core.errors import QmError
from quartermaster.core.scratch import Scratch
from quartermaster.projects.git_folder import (
    GitFolder,
    git_failed,
    opened_git_folder,
    too_large,
    too_slow,
)
from quartermaster.projects.guard import ProjectFileAccess
from quartermaster.projects.project_files import MOST_FILES, own_paths

TIMEOUT_S: Final = 60.0
STALLED_S: Final = 5.0
_LOOKS_S: Final = 1.0
_MOST_BYTES: Final = 128 * 2**20
_MOST_AT_ONCE: Final = 32 * 2**20
_CHUNK: Final = 2**16
# Only what reads objects; none of these runs a program without a configuration that says so.
_COMMANDS: Final = frozenset(
    {"cat-file", "diff-tree", "log", "ls-tree", "merge-base", "rev-list", "rev-parse"}
)
_DIFFS: Final = frozenset({"diff-tree", "log"})
_OVERRIDES: Final = {
    # Windows of the files of objects, which are mapped, and contents too large to be compared.
    "core.packedGitWindowSize": "32m",
    "core.packedGitLimit": "256m",
    "core.bigFileThreshold": "16m",
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.attributesFile": os.devnull,
    "core.pager": "cat",
    "core.sshCommand": "false",
    "core.untrackedCache": "false",
    "core.quotePath": "false",
    "credential.helper": "",
    "diff.external": "",
    "gpg.program": "false",
    "log.showSignature": "false",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "submodule.recurse": "false",
}


_SHALLOW_CLONE_NOTE: Final = (
    "The clone is shallow: older commits are missing. Get them with: git fetch --unshallow."
)
_MAX_CHARACTERS: Final = 1000
# Options, paths, and patterns of messages, for which git would read the whole history.
_NO_COMMIT: Final = re.compile(r"^-|:|\{/")
_SHA256: Final = 64
# How a program ends that has used its processor time, alone and below another one.
_OUT_OF_TIME: Final = (-signal.SIGXCPU, 128 + signal.SIGXCPU)


@dataclass(frozen=True)
class TreeEntry:
    """A file of a commit.

    Attributes:
        path: path from the root of the repository, with slashes.
        blob: id of the content.
        size: size of the content in bytes.
        is_link: whether the content is the target of a symbolic link.
    """

    path: str
    blob: str
    size: int
    is_link: bool = False


class Repository:
    """The objects of a repository. `open_repository` creates this object.

    Attributes:
        root: folder of the project.
        head: current commit; None if there is none yet.
        missing_commits: how to get the older commits that are missing; empty if none are missing.
    """

    def __init__(self, folder: GitFolder, own: Path) -> None:
        self.root = folder.root
        self.head = folder.head()
        self._shallow = folder.shallow()
        self.missing_commits = _SHALLOW_CLONE_NOTE if self._shallow else ""
        self._folder = folder
        self._own = own

    def read(self, *arguments: str) -> bytes:
        """Returns the output of a git command that only reads.

        Raises:
            QmError: 404 git_missing, 422 git_failed, 504 git_timeout, 413 git_output_too_large.
        """
        return b"".join(self.stream(*arguments, most=_MOST_AT_ONCE))

    def stream(
        self, *arguments: str, stdin: bytes = b"", most: int = _MOST_BYTES
    ) -> Iterator[bytes]:
        """Yields the output of a git command in pieces, up to a number of bytes. See `read`."""
        with self._running(arguments, stdin) as output:
            total = 0
            while piece := output.read(_CHUNK):
                total = _bounded(total + len(piece), most)
                yield piece

    def commit(self, revision: str) -> str | None:
        """Returns the id of the commit that a revision names; None if there is none. A revision is
        a branch, a tag or an abbreviated id, with an optional suffix such as ``~1``.
        """
        if (
            _NO_COMMIT.search(revision)
            or not revision.isprintable()
            or len(revision) > _MAX_CHARACTERS
        ):
            return None
        named = self._folder.references()
        lines = [b"%b %b\n" % (id_, name) for name, id_ in sorted(named.items())]
        self._env  # noqa: B018 - makes the folder
        (self._own / "packed-refs").write_bytes(b"".join(lines))
        question = ("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        try:
            found = self.read(*question)
        except QmError as error:
            if error.slug != "git_failed":
                raise
            return None
        return found.decode("ascii", "replace").strip() or None

    def tree(self, commit: str, *paths: str) -> Iterator[TreeEntry]:
        """Yields the files of a commit below the given paths, except files in submodules."""
        for mode, kind, blob, size, path in self._listed(commit, *paths):
            # The size of a content that is missing is not a number.
            if kind == b"blob" and size.isdigit():
                yield TreeEntry(path, blob.decode(), int(size), mode == b"120000")

    def submodules(self, commit: str) -> list[str]:
        """Returns the folders of a commit that are separate repositories (submodules)."""
        return [path for _, kind, _, _, path in self._listed(commit) if kind == b"commit"]

    def _listed(self, commit: str, *paths: str) -> Iterator[tuple[bytes, bytes, bytes, bytes, str]]:
        """Yields mode, kind, id, size and path of each entry of a commit."""
        flags = ("-r", "-z", "-l", "--full-tree")
        listed = self.stream("ls-tree", *flags, commit, "--", *paths, most=_MOST_AT_ONCE)
        for number, record in enumerate(split(listed, b"\0")):
            if number >= MOST_FILES:
                raise too_large(f"The commit has more than {MOST_FILES:,} files.")
            meta, _, path = record.partition(b"\t")
            mode, kind, blob, size = meta.split()
            yield mode, kind, blob, size, path.decode("utf-8", "surrogateescape")

    def blobs(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yields the contents of blobs, in the order of their ids; a missing blob is left out."""
        wanted = list(ids)
        if not wanted:
            return
        stdin = "".join(f"{each}\n" for each in wanted).encode("ascii")
        total = 0
        with self._running(["cat-file", "--batch"], stdin) as output:
            for header in output:
                parts = header.split()
                if len(parts) == 3:  # not "<id> missing"
                    size = int(parts[2])
                    total = _bounded(total + size, _MOST_BYTES)
                    content = output.read(size)
                    if len(content) < size:
                        break  # git has failed, which ends the block with an error
                    yield parts[0].decode(), content
                    output.read(1)

    def contents(self, blobs: Mapping[str, str]) -> dict[str, bytes]:
        """Maps each path to the content of its blob; leaves out a path whose blob is missing."""
        found = dict(self.blobs(dict.fromkeys(blobs.values())))
        return {path: found[blob] for path, blob in blobs.items() if blob in found}

    def working_files(self) -> list[str]:
        """Returns the sorted paths of the files in the folder. Leaves out links, files of nested
        repositories, and files that .gitignore excludes.

        Raises:
            QmError: 413 project_too_large.
        """
        return own_paths(ProjectFileAccess(self.root), self._folder.excluded())

    @cached_property
    def _way(self) -> confined_reader.Way | None:
        return confined_reader.way()

    @cached_property
    def _env(self) -> dict[str, str]:
        """Writes our own git directory; returns the environment variables that connect git to it
        and to the repository's objects.
        """
        own = self._own
        (own / "refs").mkdir()
        (own / "HEAD").write_text(f"{self.head or 'ref: refs/heads/none'}\n", encoding="ascii")
        (own / "shallow").write_bytes(self._shallow)
        lines = ["[core]", "repositoryformatversion = 1", "bare = false", "[extensions]"]
        lines += ["objectformat = sha256"] if len(self.head or "") == _SHA256 else []
        (own / "config").write_text("\n".join([*lines, ""]), encoding="ascii")
        objects = own / "objects"
        if self._way is None:
            self._folder.copy_objects(objects)
        else:
            objects.mkdir()
        shown = self._folder.objects.descriptor
        known = None if self._way is None or shown is None else self._way.place_of(shown)
        return _environment() | {
            "GIT_DIR": str(own),
            "GIT_OBJECT_DIRECTORY": known or str(objects),
            "GIT_SHALLOW_FILE": str(own / "shallow"),
        }

    @contextmanager
    def _running(self, arguments: Sequence[str], stdin: bytes) -> Generator[IO[bytes]]:
        """Runs a git command, and provides its output as a stream. At the end of the block, kills
        the command if it is still running.
        """
        command = _command(arguments)
        try:
            with tempfile.TemporaryFile() as sent:
                sent.write(stdin)
                sent.seek(0)
                shown = self._folder.objects.descriptor
                process = confined_reader.start_reader(
                    self._way, command, self._env, self._own, shown, sent, subprocess.PIPE
                )
        except OSError as error:
            raise _not_started() from error
        assert process.stdout is not None
        ended = Event()
        late: list[float] = []
        watch = Thread(target=_watch, args=(process, process.stdout.fileno(), ended, late))
        watch.start()
        try:
            yield process.stdout
            process.wait()
        finally:
            ended.set()
            confined_reader.end_reader(process)
            process.wait()
            watch.join()
            process.stdout.close()
        if late:
            raise _late(late[0])
        if process.returncode in _OUT_OF_TIME:
            raise _late(TIMEOUT_S)
        if process.returncode:
            raise git_failed(self.root, borrows=self._folder.borrows())


@contextmanager
def open_repository(root: Path) -> Generator[Repository]:
    """Opens the repository whose top folder is `root`.

    Args:
        root: absolute path of the folder without links, as `real_folder` returns it.

    Raises:
        QmError: 404 repository_not_found, 403 repository_of_another_user, git_folder_outside,
            git_folder_denied, 422 git_failed, git_references_unreadable, 413 git_output_too_large.
    """
    with (
        opened_git_folder(root) as folder,
        Scratch("git") as own,
    ):
        yield Repository(folder, Path(own))


def split(pieces: Iterable[bytes], separator: bytes) -> Iterator[bytes]:
    """Yields the records in an output that arrives in pieces. The separator is one byte; it may be
    missing after the last record.
    """
    begun: list[bytes] = []
    for piece in pieces:
        end, *records = piece.split(separator)
        begun.append(end)
        for record in records:
            yield b"".join(begun)
            begun = [record]
    if any(begun):
        yield b"".join(begun)


def _command(arguments: Sequence[str]) -> list[str]:
    name, *rest = arguments
    if name not in _COMMANDS:
        raise ValueError(f"git {name} is not one of the commands that only read")
    program = shutil.which("git")
    if program is None:
        raise QmError(
            404,
            "git_missing",
            "The program git was not found.",
            "Install git, and check that it is on the PATH.",
        )
    safe = ["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"] if name in _DIFFS else []
    overrides = [part for key, value in _OVERRIDES.items() for part in ("-c", f"{key}={value}")]
    return [program, "--no-pager", *overrides, name, *safe, *rest]


def _environment() -> dict[str, str]:
    """Returns the environment for git. Of the caller's variables, only PATH is passed on."""
    retained = ("PATH", "SYSTEMROOT")
    return {name: os.environ[name] for name in retained if name in os.environ} | {
        "LC_ALL": "C.UTF-8",
        "GIT_ALLOW_PROTOCOL": "",
        "GIT_ASKPASS": "false",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_PAGER": "cat",
        "GIT_SSH_COMMAND": "false",
        "GIT_TERMINAL_PROMPT": "0",
    }


def _watch(process: subprocess.Popen[bytes], output: int, ended: Event, late: list[float]) -> None:
    """Kills a process that runs too long or makes no progress. A process can wait forever, because
    any file may be a FIFO.
    """
    begun = moved = monotonic()
    before = None
    while not ended.wait(min(_LOOKS_S, STALLED_S, TIMEOUT_S)):
        now = monotonic()
        # It may wait for us to read what it has written.
        is_read = not select.select([output], [], [], 0)[0]
        seen = _progress(process.pid) if is_read else None
        if seen is None or seen != before:
            before, moved = seen, now
        for limit, since in ((STALLED_S, moved), (TIMEOUT_S, begun)):
            if now - since >= limit:
                late.append(limit)
                confined_reader.end_reader(process)
                return


def _progress(pid: int) -> list[bytes] | None:
    """Returns counters of the kernel that change while a process or a descendant computes or reads;
    None if they cannot be read.
    """
    found: list[bytes] = []
    waiting = [pid]
    try:
        while waiting:
            folder = Path(f"/proc/{waiting.pop()}")
            found.append((folder / "schedstat").read_bytes())
            for task in (folder / "task").iterdir():
                waiting += map(int, (task / "children").read_text(encoding="ascii").split())
    except OSError:
        return None
    return found


def _bounded(total: int, most: int) -> int:
    if total > most:
        raise too_large(f"The output of git is larger than {most // 2**20} MiB.")
    return total


def _late(limit: float) -> QmError:
    is_stalled = limit == STALLED_S
    what = "waited for a file of the repository for" if is_stalled else "did not finish within"
    hint = "Read fewer commits, or try again when the machine is less busy."
    return too_slow(
        f"Git {what} {limit:g} s.",
        "Find what is no regular file: find .git -type p." if is_stalled else hint,
    )


def _not_started() -> QmError:
    return QmError(
        503,
        "git_not_started",
        "Git could not be started.",
        "Try again when the machine has more free memory, disk space and processes.",
    )
