"""Packets: numbered evidence about one area of the code. An agent or a model proposes decisions
from a packet.

Treat all texts in a packet as untrusted data. Before a packet is stored, secrets and personal data
are masked, and texts that look like instructions to a model are removed.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from quartermaster.guardrails.masking import sanitized
from quartermaster.projects.git import Repository
from quartermaster_decisions.codebase import WHOLE_TREE, CodeBase
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.globs import Globs, globs_of
from quartermaster_decisions.history import Commit
from quartermaster_decisions.miners.documents import sentences
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import words_of

Level = Literal["structure", "excerpts", "diffs"]
Piece = dict[str, Any]
LEVELS: Final[tuple[Level, ...]] = ("structure", "excerpts", "diffs")
MOST_TOKENS: Final = 3000
MOST_PACKETS: Final = 30
# No tokenizer splits text of repositories into pieces that are shorter than this on average.
_CHARACTERS_A_TOKEN: Final = 3
_FRAME_TOKENS: Final = 500
_LEAST_FILES: Final = 4
_TELLING_PATTERN: Final = re.compile(
    r"\b(instead|rather than|because|never|always|must|should|avoid|prefer|deprecat\w+|replac\w+"
    r"|revert\w*|no longer|so that|don't|do not|consisten\w+|convention|move[ds]?|unify|only)\b",
    re.IGNORECASE,
)
_REVERTS: Final = re.compile(r"^(re)?(revert|apply|deploy)\b.*$|This reverts commit.*", re.I | re.M)
_EXCERPT_LINES: Final = 24
# Sorts of counts, and how many of each a packet has.
_COUNTS_BY_SORT: Final = {
    "have a class derived from": 4,
    "decorate a function with": 4,
    "import": 6,
    "call": 4,
    "raise": 3,
    "define a function": 3,
    "have a class whose name ends in": 2,
}
_TESTS: Final = 0.3
_SAME_FILES_SHARE: Final = 0.8
_MAX_ENTRIES: Final = {"commits": 8, "documents": 6, "files": 2, "diffs": 2}
_MAX_CHARACTERS: Final = {"commits": 700, "documents": 320, "files": 1100, "diffs": 900}


def make_packets(repository: Repository, signals: Signals) -> list[dict[str, Any]]:
    """Returns the packets of a repository. The areas with the most files come first."""
    return [
        {"scope": area, "commit": signals.commit, "evidence": evidence}
        for area in _areas(signals)
        if (evidence := _numbered(_pieces(repository, signals, area)))
    ]


def may_leave(evidence: Sequence[Piece], allowed: Level) -> list[Piece]:
    """Returns the pieces of evidence that may leave the machine according to the user's
    settings.
    """
    levels = LEVELS[: LEVELS.index(allowed) + 1]
    return [piece for piece in evidence if piece["level"] in levels]


def written(evidence: Sequence[Piece]) -> str:
    """Returns the evidence as text for a model: one line per piece, with its text as a quoted
    string.
    """
    return "\n".join(_line(piece) for piece in evidence)


def _line(piece: Piece) -> str:
    place = piece.get("path") or f"commit {piece['commit'][:12]}"
    line = f":{piece['line']}" if "line" in piece else ""
    return f"{piece['id']} {place}{line} {json.dumps(piece['text'], ensure_ascii=False)}"


def _areas(signals: Signals) -> list[str]:
    """Returns the areas with the most files. Tests count less, because most tests follow the code.

    An area is left out if an earlier area has nearly the same files.
    """
    files: dict[str, set[str]] = defaultdict(set)
    tested: Counter[str] = Counter()
    for tests in (False, True):
        for facts in signals.code.mined(tests=tests):
            for area in signals.code.areas(facts.path):
                if not area.endswith(".py"):
                    files[area].add(facts.path)
                    tested[area] += tests
    wide = sum(1 for _ in signals.code.mined(tests=False)) * 0.7

    def weight(area: str) -> float:
        share = tested[area] / len(files[area])
        return len(files[area]) * (1 - (1 - _TESTS) * share)

    retained: list[str] = []
    for area in sorted(files, key=lambda one: (-weight(one), one)):
        here = files[area]
        if len(here) < _LEAST_FILES or (area != WHOLE_TREE and len(here) > wide):
            continue
        if any(
            len(here & files[one]) > _SAME_FILES_SHARE * len(here | files[one]) for one in retained
        ):
            continue
        retained.append(area)
    return retained[:MOST_PACKETS]


def _pieces(repository: Repository, signals: Signals, area: str) -> Iterator[Piece]:
    inside = globs_of(area)
    files = [facts for path, facts in signals.code.files.items() if inside.match(path)]
    yield from _counts(signals.code, files)
    commits = _commits(signals, inside)
    yield from (_of_commit(commit) for commit in commits[: _MAX_ENTRIES["commits"]])
    yield from _documents(signals, area)
    yield from _excerpts(repository, signals, files)
    for commit in commits[: _MAX_ENTRIES["diffs"]]:
        yield from _diff(repository, commit, inside)


def _counts(code: CodeBase, files: Sequence[FileFacts]) -> Iterator[Piece]:
    """Yields properties that many files of the area have in common, each with an example. The
    number of pieces of each sort is limited.
    """
    found: dict[str, dict[str, list[tuple[str, int]]]] = {sort: {} for sort in _COUNTS_BY_SORT}
    for facts in files:
        seen: dict[tuple[str, str], int] = {}
        for sort, what, line in _countable(code, facts):
            seen.setdefault((sort, what), line)
        for (sort, what), line in seen.items():
            found[sort].setdefault(what, []).append((facts.path, line))
    usual = ("__future__", "typing", "collections")
    for sort, most in _COUNTS_BY_SORT.items():
        rows = [row for row in found[sort].items() if not row[0].startswith(usual)]
        rows.sort(key=lambda row: (-len(row[1]), row[0]))
        for what, places in rows[:most]:
            if len(places) > 1:
                path, line = places[0]
                yield {
                    "level": "structure",
                    "kind": "file",
                    "path": path,
                    "line": line,
                    "text": f"{len(places)} of {len(files)} files {sort} {what.lstrip('~')}",
                }


def _countable(code: CodeBase, facts: FileFacts) -> Iterator[tuple[str, str, int]]:
    """Yields the elements of a file, each with its sort, name and line."""
    for each in facts.imports:
        yield "import", each.target, each.line
    for one in facts.classes:
        for base in one.bases:
            yield "have a class derived from", base, one.line
        last = (words_of(one.name) or [one.name])[-1]
        yield "have a class whose name ends in", last.title(), one.line
    for function in facts.functions:
        if not (function.owner or function.name.startswith("test")):
            yield "define a function", function.name, function.line
        for decorator in function.decorators:
            keywords = ", ".join(f"{name}=" for name in decorator.keywords)
            with_ = f"{decorator.name} with {keywords}" if keywords else decorator.name
            yield "decorate a function with", with_, decorator.line
    for error in facts.raises:
        yield "raise", error.name, error.line
    for call in facts.calls:
        if (name := code.canonical(call.name)) in code.functions:
            yield "call", name, call.line


def _commits(signals: Signals, inside: Globs) -> list[Commit]:
    """Returns commits that changed the area and that give reasons. Commits with the most reasons
    come first.
    """

    def telling(commit: Commit) -> int:
        # That something is reverted gives no reason yet.
        text = _REVERTS.sub("", f"{commit.subject}\n{commit.body}")
        reasons = len({match.lower() for match in _TELLING_PATTERN.findall(text)})
        return reasons + (commit.is_revert and reasons > 0)

    touching = [
        commit
        for commit in reversed(signals.history.commits)
        if any(inside.match(change.path) for change in commit.changes) and telling(commit)
    ]
    return sorted(touching, key=telling, reverse=True)


def _of_commit(commit: Commit) -> Piece:
    text = f"{commit.subject}\n{commit.body}".strip()
    return {
        "level": "excerpts",
        "kind": "commit",
        "commit": commit.id,
        "text": sanitized(text)[: _MAX_CHARACTERS["commits"]],
    }


def _documents(signals: Signals, area: str) -> Iterator[Piece]:
    words = {word for word in re.findall(r"\w{3,}", area.lower()) if word not in {"src"}}
    found: list[tuple[int, str, int, str]] = []
    for path, text in sorted(signals.documents.items()):
        for line, sentence in sentences(text):
            about = sum(word in sentence.lower() for word in words)
            if _TELLING_PATTERN.search(sentence) and (about or area == WHOLE_TREE):
                found.append((-about, path, line, sentence))
    for _, path, line, sentence in sorted(found)[: _MAX_ENTRIES["documents"]]:
        yield {
            "level": "excerpts",
            "kind": "document",
            "path": path,
            "line": line,
            "text": sanitized(sentence)[: _MAX_CHARACTERS["documents"]],
        }


def _excerpts(
    repository: Repository, signals: Signals, files: Sequence[FileFacts]
) -> Iterator[Piece]:
    """Yields an excerpt of each of the newest files, beginning at the first class or function."""
    added = signals.code.added
    chosen = sorted(
        (facts for facts in files if facts.classes or facts.functions),
        key=lambda facts: (-added.get(facts.path, -1), facts.path),
    )[: _MAX_ENTRIES["files"]]
    blobs = {facts.path: signals.blobs[facts.path] for facts in chosen}
    contents = repository.contents(blobs)
    for facts in chosen:
        lines = contents.get(facts.path, b"").decode("utf-8", "replace").splitlines()
        start = min(each.line for each in (*facts.classes, *facts.functions))
        shown = lines[start - 1 : start - 1 + _EXCERPT_LINES]
        if shown:
            yield {
                "level": "excerpts",
                "kind": "file",
                "path": facts.path,
                "line": start,
                "end_line": start + len(shown) - 1,
                "blob": blobs[facts.path],
                "text": sanitized("\n".join(shown))[: _MAX_CHARACTERS["files"]],
            }


def _diff(repository: Repository, commit: Commit, inside: Globs) -> Iterator[Piece]:
    paths = [change.path for change in commit.changes if inside.match(change.path)][:2]
    flags = ("--no-walk", "-p", "-U1", "--format=")
    raw = repository.read("log", *flags, commit.id, "--", *paths)
    if text := raw.decode("utf-8", "replace").strip():
        yield {
            "level": "diffs",
            "kind": "commit",
            "commit": commit.id,
            "path": paths[0],
            "text": sanitized(text)[: _MAX_CHARACTERS["diffs"]],
        }


def _numbered(pieces: Iterable[Mapping[str, Any]]) -> list[Piece]:
    """Returns the first pieces of evidence that fit into a packet, with ids. Returns an empty list
    if fewer than two pieces fit, because a proposal must cite two.
    """
    evidence: list[Piece] = []
    left = (MOST_TOKENS - _FRAME_TOKENS) * _CHARACTERS_A_TOKEN
    for piece in pieces:
        numbered = {"id": f"E{len(evidence) + 1}", **piece}
        left -= len(_line(numbered).encode()) + 1
        if left < 0:
            break
        evidence.append(numbered)
    return evidence if len(evidence) > 1 else []
