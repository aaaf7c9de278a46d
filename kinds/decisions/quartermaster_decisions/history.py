"""Reads the history of a repository: its commits, their messages and files, and the names that they
replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, Literal, NamedTuple

from quartermaster.core.errors import QmError
from quartermaster.projects.git import Repository, split

_LONGEST_MESSAGE: Final = 4000
_REVERT: Final = re.compile(r'^Revert "|This reverts commit ([0-9a-f]{7,40})')
_TRAILER: Final = re.compile(r"^([A-Z][A-Za-z-]{2,30}): (.{3,400})$")
_TOKEN: Final = re.compile(rb"[A-Za-z_.][\w.]*|\d+|\"[^\"]*\"|'[^']*'|[^\s\w]")
_IDENTIFIER: Final = re.compile(r"\.{0,3}[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_MOST_LINES: Final = 40
_MOST_TOKENS: Final = 60
# Of one commit: more files are no change that somebody made.
_MOST_RECORDS: Final = 20_000
_LONGEST_LINE: Final = 400
Kind = Literal["import", "call"]


class Change(NamedTuple):
    """A file that a commit changed. The status is A (added), M (modified), D (deleted), R (renamed)
    or T (type changed).
    """

    path: str
    status: str
    old_path: str = ""


@dataclass(frozen=True)
class Commit:
    """A commit. Treat its message as untrusted data, because anybody may have written it."""

    id: str
    subject: str
    body: str
    changes: tuple[Change, ...]

    @property
    def trailers(self) -> dict[str, str]:
        """The trailers: `Name: value` lines in the last paragraph of the message."""
        last = self.body.strip().rpartition("\n\n")[2] if self.body.strip() else ""
        found = (_TRAILER.match(line) for line in last.splitlines())
        return {match[1]: match[2] for match in found if match}

    @property
    def is_revert(self) -> bool:
        """Whether the commit reverts another commit."""
        return bool(_REVERT.search(f"{self.subject}\n{self.body}"))


class Substitution(NamedTuple):
    """A name that a commit replaced with another name, in a line that otherwise stayed the same."""

    commit: int
    path: str
    kind: Kind
    old: str
    new: str


@dataclass
class History:
    """The commits, oldest first, and the names that they replaced."""

    commits: list[Commit] = field(default_factory=list[Commit])
    substitutions: list[Substitution] = field(default_factory=list[Substitution])

    def added(self) -> dict[str, int]:
        """Returns the number of the commit that added each file. A renamed file keeps the number of
        its first commit.
        """
        found: dict[str, int] = {}
        for number, commit in enumerate(self.commits):
            for change in commit.changes:
                if change.status == "A":
                    found[change.path] = number
                elif change.status == "R" and change.old_path in found:
                    found[change.path] = found.pop(change.old_path)
        return found


def commit_ids(
    repository: Repository, end: str, max_commits: int, since: str | None = None
) -> list[str]:
    """Returns the ids of the newest commits up to a given commit, oldest first. Merges are left
    out.
    """
    flags = ["--no-merges", f"--max-count={max_commits}", "--reverse"]
    flags += [f"--since={since}"] if since else []
    return repository.read("rev-list", *flags, end).decode("ascii").split()


def read_commits(repository: Repository, ids: Sequence[str]) -> list[Commit]:
    """Returns the commits with the given ids, in the same order.

    If the contents of files are missing, as in a partial clone, renamed files count as new files.
    """
    try:
        return list(_read_commits(repository, ids, ["-M"]))
    except QmError as error:
        if error.slug != "git_failed":
            raise
        return list(_read_commits(repository, ids, ["--no-renames"]))


def _read_commits(repository: Repository, ids: Sequence[str], more: list[str]) -> Iterator[Commit]:
    flags = ["--no-walk=unsorted", "--stdin", "--raw", "-z", "--no-abbrev", *more]
    command = ["log", *flags, "--format=%x01%H%x02%B%x02"]
    records = split(repository.stream(*command, stdin=_lines(ids)), b"\0")
    tokens: list[bytes] = []
    for token in records:
        text = token.lstrip(b"\n")
        if text.startswith(b"\x01"):
            if tokens:
                yield _commit(tokens)
            tokens = [text]
        elif tokens and len(tokens) < _MOST_RECORDS:
            tokens.append(text)
    if tokens:
        yield _commit(tokens)


def _lines(ids: Sequence[str]) -> bytes:
    return "".join(f"{each}\n" for each in ids).encode("ascii")


def _commit(tokens: list[bytes]) -> Commit:
    head, *rest = tokens
    # The first record of the changes follows the message directly.
    id_, _, others = head[1:].decode("utf-8", "replace").partition("\x02")
    message, _, first = others.rpartition("\x02")
    if first.strip():
        rest = [first.strip("\n").encode("utf-8", "surrogateescape"), *rest]
    subject, _, body = message[:_LONGEST_MESSAGE].strip().partition("\n")
    return Commit(id_, subject.strip(), body.strip(), tuple(_changes(rest)))


def _changes(tokens: list[bytes]) -> Iterator[Change]:
    texts = (token.decode("utf-8", "surrogateescape") for token in tokens)
    for token in texts:
        if token.startswith(":"):
            status = token.rsplit(" ", 1)[-1][:1]
            old = next(texts) if status in {"R", "C"} else ""
            yield Change(next(texts), status, old)


def read_substitutions(
    repository: Repository, ids: Sequence[str], suffixes: Sequence[str]
) -> Iterator[Substitution]:
    """Yields the changed lines in which a commit replaced one name and changed nothing else."""
    # Added and deleted files have no line in the place of another one, and may be huge.
    flags = ["--no-walk=unsorted", "--stdin", "-M", "-p", "-U0", "--diff-filter=ad"]
    flags += ["--format=%x01%H"]
    globs = [f"*{suffix}" for suffix in suffixes]
    numbers = {id_: number for number, id_ in enumerate(ids)}
    output = split(repository.stream("log", *flags, "--", *globs, stdin=_lines(ids)), b"\n")
    number, path = 0, ""
    removed: list[bytes] = []
    added: list[bytes] = []
    for raw in chain(output, [b"@@"]):
        if raw.startswith((b"\x01", b"diff --git ", b"@@")):
            # As many new lines as old ones: each stands for the one in its place.
            if len(removed) == len(added) <= _MOST_LINES:
                for old, new in zip(removed, added, strict=True):
                    for kind, before, after in _substituted(old, new):
                        yield Substitution(number, path, kind, before, after)
            removed.clear()
            added.clear()
            if raw.startswith(b"\x01"):
                number = numbers.get(raw[1:41].decode("ascii", "replace"), number)
        elif raw.startswith(b"+++ "):
            path = raw[6:].decode("utf-8", "replace")
        elif raw.startswith(b"+"):
            added.append(raw[1:_LONGEST_LINE])
        elif raw.startswith(b"-") and not raw.startswith(b"--- "):
            removed.append(raw[1:_LONGEST_LINE])


def _substituted(old: bytes, new: bytes) -> Iterator[tuple[Kind, str, str]]:
    """Yields the old and the new name if two lines differ only in one name."""
    before = [part.decode("utf-8", "replace") for part in _TOKEN.findall(old)]
    after = [part.decode("utf-8", "replace") for part in _TOKEN.findall(new)]
    if len(before) != len(after) or not 2 <= len(before) <= _MOST_TOKENS:
        return
    differ = [index for index, part in enumerate(before) if part != after[index]]
    if len(differ) != 1:
        return
    [index] = differ
    one, other = before[index], after[index]
    if not (_IDENTIFIER.fullmatch(one) and _IDENTIFIER.fullmatch(other)):
        return
    match before:
        case ["from", _, "import", *names] if index == 1:
            for name in names:
                if name != "as" and _IDENTIFIER.fullmatch(name):
                    yield "import", f"{one}.{name}", f"{other}.{name}"
        case ["from", module, "import", *_] if index > 2:
            yield "import", f"{module}.{one}", f"{module}.{other}"
        case ["import", *_] if index == 1:
            yield "import", one, other
        case _ if before[index + 1 : index + 2] == ["("] or before[index - 1] == "@":
            yield "call", one, other
        case _:
            pass
