"""Reads the history of a repository with git, so that nothing that the repository says is run.

A repository can name programs in its configuration: file-system monitors, hooks, filters, diff
drivers, pagers, aliases, helpers of transports. Git is therefore never run with that configuration.
`open_repository` asks git once where the objects lie and which commit is current (`rev-parse`,
which starts no program). All other reading uses an empty git directory of our own, whose
configuration we wrote, over the repository's objects. Git writes nothing into the repository and
reaches no network.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import IO, Final

from quartermaster.core.errors import QmError
from quartermaster.core.scratch import Scratch

TIMEOUT_S: Final = 120.0
ASKED_S: Final = 20.0
_MOST_BYTES: Final = 256 * 2**20
_LARGEST_POINTER: Final = 4096
_CHUNK: Final = 2**16
# Only what reads objects; none of these runs a program without a configuration that says so.
_COMMANDS: Final = frozenset(
    {"cat-file", "diff-tree", "log", "ls-files", "ls-tree", "merge-base", "rev-list", "rev-parse"}
)
_DIFFS: Final = frozenset({"diff-tree", "log"})
_OVERRIDES: Final = {
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


@dataclass(frozen=True)
class TreeEntry:
    """A file of a commit.

    Attributes:
        path: path from the root of the repository, with slashes.
        blob: id of the content.
        size: bytes.
        is_link: whether the content is the target of a symbolic link.
    """

    path: str
    blob: str
    size: int
    is_link: bool = False


class Repository:
    """The objects of a repository. `open_repository` creates it.

    Attributes:
        root: folder of the project.
        head: current commit; None if there is none yet.
        is_shallow: whether older commits are missing.
    """

    def __init__(self, root: Path, head: str | None, is_shallow: bool, env: dict[str, str]) -> None:
        self.root = root
        self.head = head
        self.is_shallow = is_shallow
        self._env = env
        self._folder = Path(env["GIT_DIR"])

    def read(self, *arguments: str) -> bytes:
        """The output of a git command that only reads.

        Raises:
            QmError: 422 git_failed (git refused), 504 git_timeout, 413 git_output_too_large.
        """
        return b"".join(self.stream(*arguments))

    def stream(self, *arguments: str, stdin: bytes = b"") -> Iterator[bytes]:
        """The output of a git command, in pieces. See `read`."""
        return _stream(_command(arguments), self._env, self._folder, TIMEOUT_S, stdin)

    def commit(self, revision: str) -> str | None:
        """The id of a commit that a branch, a tag or a part of an id names; None if there is none.

        Names are looked up in the repository's own references.
        """
        if revision.startswith("-") or "\0" in revision:
            return None
        try:
            found = _asked(
                self.root, ["rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"]
            )
        except QmError:
            return None
        return found.decode("ascii", "replace").strip() or None

    def tree(self, commit: str, *paths: str) -> Iterator[TreeEntry]:
        """The files of a commit below paths, without submodules."""
        listed = self.stream("ls-tree", "-r", "-z", "-l", "--full-tree", commit, "--", *paths)
        for record in split(listed, b"\0"):
            meta, _, path = record.partition(b"\t")
            mode, kind, blob, size = meta.split()
            # The size of a content that is missing is not a number.
            if kind == b"blob" and size.isdigit():
                yield TreeEntry(
                    path.decode("utf-8", "surrogateescape"),
                    blob.decode(),
                    int(size),
                    mode == b"120000",
                )

    def blobs(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """The contents of blobs, in the order of their ids; a missing blob is left out."""
        wanted = list(ids)
        if not wanted:
            return
        stdin = "".join(f"{each}\n" for each in wanted).encode("ascii")
        command, total = _command(["cat-file", "--batch"]), 0
        with _running(command, self._env, self._folder, TIMEOUT_S, stdin) as output:
            for header in output:
                parts = header.split()
                if len(parts) == 3:  # not "<id> missing"
                    size = int(parts[2])
                    total = _bounded(total + size)
                    content = output.read(size)
                    if len(content) < size:
                        break  # git has failed, which ends the block with an error
                    yield parts[0].decode(), content
                    output.read(1)

    def contents(self, blobs: Mapping[str, str]) -> dict[str, bytes]:
        """The content of each path, by its blob; a path whose blob is missing is left out."""
        found = dict(self.blobs(dict.fromkeys(blobs.values())))
        return {path: found[blob] for path, blob in blobs.items() if blob in found}

    def working_files(self) -> list[str]:
        """Paths of the files in the folder that .gitignore does not exclude, sorted; no links."""
        flags = ["ls-files", "--others", "--exclude-standard", "-z"]
        env = {**self._env, "GIT_WORK_TREE": str(self.root)}
        found = split(_stream(_command(flags), env, self.root, TIMEOUT_S), b"\0")
        # A nested repository is listed as a folder.
        paths = (path.decode("utf-8", "surrogateescape") for path in found)
        files = (path for path in paths if not path.endswith("/"))
        return sorted(path for path in files if not (self.root / path).is_symlink())


@contextmanager
def open_repository(root: Path) -> Generator[Repository]:
    """Opens the repository whose top folder is `root`.

    Raises:
        QmError: 404 git_missing, 404 repository_not_found, 403 repository_of_another_user,
            403 git_folder_outside, 422 git_failed, 504 git_timeout.
    """
    root = root.resolve()
    facts = _asked(
        root,
        ["rev-parse", "--git-common-dir", "--is-shallow-repository", "--show-object-format"],
    ).decode("utf-8", "surrogateescape")
    common_text, shallow, object_format = facts.splitlines()
    common = (root / common_text).resolve()
    _check_place(root, common)
    head = _head(root)
    with Scratch("git") as folder:
        env = _own_folder(Path(folder), common, object_format)
        yield Repository(root, head, shallow == "true", env)


def _head(root: Path) -> str | None:
    """The id of the current commit; None if there is none yet.

    Raises:
        QmError: 422 git_failed if it cannot be read.
    """
    try:
        _asked(root, ["rev-parse", "--verify", "--quiet", "HEAD"])
    except QmError as error:
        if error.slug != "git_failed":
            raise
        return None
    # There is a name, but its commit may be missing or damaged.
    return _asked(root, ["rev-parse", "--verify", "HEAD^{commit}"]).decode().strip()


def split(pieces: Iterable[bytes], separator: bytes) -> Iterator[bytes]:
    """The records in pieces of output; the last separator may be missing."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(separator)
        yield from whole
    if rest:
        yield rest


def _command(arguments: Sequence[str]) -> list[str]:
    name, *rest = arguments
    if name not in _COMMANDS:
        raise ValueError(f"git {name} is not one of the commands that only read")
    safe = ["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"] if name in _DIFFS else []
    overrides = [part for key, value in _OVERRIDES.items() for part in ("-c", f"{key}={value}")]
    return ["git", "--no-pager", *overrides, name, *safe, *rest]


def _environment() -> dict[str, str]:
    """Variables for git: those of the caller are not passed on, except for PATH."""
    return _kept("PATH", "SYSTEMROOT", "TMPDIR") | {
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


def _kept(*names: str) -> dict[str, str]:
    return {name: os.environ[name] for name in names if name in os.environ}


def _own_folder(folder: Path, common: Path, object_format: str) -> dict[str, str]:
    """Writes an empty git directory of our own; the environment that joins it to the objects."""
    (folder / "objects").mkdir()
    (folder / "refs").mkdir()
    (folder / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
    lines = ["[core]", "repositoryformatversion = 1", "bare = false", "[extensions]"]
    lines += [f"objectformat = {object_format}"] if object_format != "sha1" else []
    (folder / "config").write_text("\n".join([*lines, ""]), encoding="ascii")
    return _environment() | {
        "GIT_DIR": str(folder),
        "GIT_OBJECT_DIRECTORY": str(common / "objects"),
        "GIT_SHALLOW_FILE": str(common / "shallow"),
    }


def _asked(root: Path, question: Sequence[str]) -> bytes:
    """What git says of the repository itself. Only `rev-parse`, which starts no program."""
    env = _environment() | {"GIT_CEILING_DIRECTORIES": str(root.parent)}
    command = _command(question)
    if allowed := _allowed_owners(root):
        command[1:1] = ["-c", f"safe.directory={allowed}"]
    return b"".join(_stream(command, env, root, ASKED_S))


def _allowed_owners(root: Path) -> str | None:
    """The folder itself if the user's own git settings trust it although another user owns it."""
    if not hasattr(os, "getuid") or root.stat().st_uid == os.getuid():
        return None
    # Asked in the root of the file system: the repository's own settings are not read.
    said = subprocess.run(
        ["git", "config", "--global", "--get-all", "safe.directory"],
        env=_kept("PATH", "HOME", "XDG_CONFIG_HOME"),
        cwd="/",
        capture_output=True,
        timeout=ASKED_S,
    )
    trusted = said.stdout.decode("utf-8", "surrogateescape").splitlines()
    return str(root) if {"*", str(root)} & set(trusted) else None


def _check_place(root: Path, common: Path) -> None:
    """Refuses a git directory outside of the project, unless that one names the project as well.

    Otherwise, a `.git` that points to another repository would show that one's history.
    """
    if not common.is_relative_to(root) and not _points_back(root, common):
        raise QmError(
            403,
            "git_folder_outside",
            f"The file .git in {root} points to {common}, which does not belong to this folder.",
            "Use the repository that contains the history, or make a clone or a git worktree.",
        )


def _points_back(root: Path, common: Path) -> bool:
    """Whether a git directory knows this folder as one of its worktrees."""
    dot = root / ".git"
    if dot.is_symlink() or not dot.is_file():
        return False
    own = dot.resolve()
    for pointer in (common / "worktrees").glob("*/gitdir"):
        if pointer.stat().st_size > _LARGEST_POINTER:
            continue
        text = pointer.read_text(encoding="utf-8", errors="surrogateescape").strip()
        if (pointer.parent / text).resolve() == own:
            return True
    return False


@contextmanager
def _running(
    command: Sequence[str], env: dict[str, str], folder: Path, timeout_s: float, stdin: bytes
) -> Generator[IO[bytes]]:
    """The output of a command. It is ended if not all of its output is read."""
    with tempfile.TemporaryFile() as sent, tempfile.TemporaryFile() as said:
        sent.write(stdin)
        sent.seek(0)
        try:
            process = subprocess.Popen(
                command, env=env, cwd=folder, stdin=sent, stdout=subprocess.PIPE, stderr=said
            )
        except FileNotFoundError as error:
            raise QmError(
                404,
                "git_missing",
                "The program git was not found.",
                "Install git, and check that it is on the PATH.",
            ) from error
        assert process.stdout is not None
        late: list[bool] = []
        timer = Timer(timeout_s, lambda: (late.append(True), process.kill()))
        timer.start()
        try:
            yield process.stdout
            process.wait()
        finally:
            timer.cancel()
            process.kill()
            process.wait()
            process.stdout.close()
        if process.returncode:
            said.seek(0)
            raise _failure(
                folder, said.read(2000).decode("utf-8", "replace"), bool(late), timeout_s
            )


def _stream(
    command: Sequence[str],
    env: dict[str, str],
    folder: Path,
    timeout_s: float,
    stdin: bytes = b"",
) -> Iterator[bytes]:
    with _running(command, env, folder, timeout_s, stdin) as output:
        total = 0
        while piece := output.read(_CHUNK):
            total = _bounded(total + len(piece))
            yield piece


def _bounded(total: int) -> int:
    if total > _MOST_BYTES:
        raise QmError(
            413,
            "git_output_too_large",
            f"The output of git is larger than {_MOST_BYTES // 2**20} MiB.",
            "Read fewer commits or fewer files.",
        )
    return total


def _failure(folder: Path, said: str, late: bool, timeout_s: float) -> QmError:
    if late:
        return QmError(
            504,
            "git_timeout",
            f"Git did not finish within {timeout_s:g} s.",
            "Read fewer commits, or try again when the machine is less busy.",
        )
    if "dubious ownership" in said:
        return QmError(
            403,
            "repository_of_another_user",
            f"Another user owns the repository {folder}.",
            f"To trust it, run as yourself: git config --global --add safe.directory {folder}",
        )
    if "not a git repository" in said:
        return QmError(
            404,
            "repository_not_found",
            f"{folder} is not the top folder of a git repository.",
            "Give the folder that contains .git.",
        )
    reason = said.strip().splitlines()[-1][:300] if said.strip() else "no reason"
    return QmError(
        422,
        "git_failed",
        f"Git could not read the repository: {reason}.",
        "Check the repository with: git fsck.",
    )
