"""Reads notes: Markdown files with front matter, cut into passages at their headings."""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import yaml

from quartermaster.core.errors import QmError

SHIPPED: Final = Path(__file__).with_name("notes")
_LARGEST: Final = 200_000
_LONGEST_PASSAGE: Final = 1_600
_PORTION: Final = 40
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_TEXTS: Final = ("domain", "title", "version", "source")
_MEMBER: Final = re.compile(r"([a-z]+):")
_ASKED: Final = "Asked:"
_FENCE: Final = re.compile(r"^ {0,3}(```|~~~)")
_HEADING: Final = re.compile(r"^ {0,3}(#{1,6}) +(.+?) *#*$")


class Fault(NamedTuple):
    """What is wrong with a note.

    Attributes:
        line: line of its file; 0 if the fault is not in a line.
        reason: the fault, as a clause.
    """

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}" if self.line else self.reason


@dataclass(frozen=True)
class Passage:
    """A part of a note below one heading.

    Attributes:
        heading: the heading.
        text: the text, which is served.
        asked: how people ask for it, in other words than the text; searched, and never served.
    """

    heading: str
    text: str
    asked: str = ""


@dataclass(frozen=True)
class Note:
    """A note as it stands in its file.

    Attributes:
        name: name of the note; for shipped notes, domain and file.
        domain: name of the domain, or another word for it.
        title: what the note is about.
        version: version of the note.
        source: the standards, books or manuals that it refers to.
        verified: whether somebody compared it with its source.
        reviewed: day of the last review.
        cites: files of the project and libraries with their version ("pydantic 2.5"); if one of
            them changes, the note is stale.
        digest: SHA-256 of the file, in hexadecimal.
        passages: its passages.
    """

    name: str
    domain: str
    title: str
    version: str
    source: str
    verified: bool
    reviewed: str
    cites: tuple[str, ...]
    digest: str
    passages: tuple[Passage, ...]

    def row(self) -> dict[str, Any]:
        """The note as knowledge.put_notes takes it."""
        return {
            **{name: value for name, value in vars(self).items() if name != "passages"},
            "passages": [vars(passage) for passage in self.passages],
        }


def parse_note(name: str, data: bytes) -> Note:
    """Reads a note.

    Args:
        name: name of the note.
        data: content of its file.

    Raises:
        QmError: QM422 note_invalid; it names all faults with their lines.
    """
    note, faults = read_note(name, data)
    if note is None:
        raise QmError(
            422,
            "note_invalid",
            f"The note {name[:200]} cannot be read: {'; '.join(map(str, faults))}.",
            "docs/knowledge.md shows what a note looks like.",
        )
    return note


def read_note(
    name: str, data: bytes, domains: Collection[str] = ()
) -> tuple[Note | None, list[Fault]]:
    """The note, or None and everything that is wrong with its file.

    Args:
        name: name of the note.
        data: content of its file.
        domains: names of the domains and other words for them, folded; empty: not checked.
    """
    if not all(_NAME.fullmatch(part) for part in name.split("/", 1)):
        return None, [Fault(0, "its name may have lower-case letters, digits and hyphens only")]
    if len(data) > _LARGEST:
        return None, [Fault(0, f"it is larger than {_LARGEST:,} bytes")]
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return None, [Fault(0, "it is not UTF-8 text")]
    head, separator, body = text.removeprefix("---\n").partition("\n---\n")
    if not text.startswith("---\n") or not separator:
        return None, [Fault(1, "it does not begin with front matter between two lines of ---")]
    try:
        front: object = yaml.safe_load(head)
    except (yaml.YAMLError, ValueError, RecursionError) as error:  # 2026-99-99; [[[[
        mark: yaml.Mark | None = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or "a value in it cannot be read"
        return None, [Fault(mark.line + 2 if mark else 1, f"this is not YAML: {reason}")]
    if not isinstance(front, dict):
        return None, [Fault(1, "the front matter is not a list of names with values")]
    facts = cast("dict[str, Any]", front)
    faults = sorted(_faults(facts, _lines(head), domains))
    passages = tuple(_passages(str(facts.get("title")).strip(), body))
    if not passages:
        faults.append(Fault(head.count("\n") + 3, "there is no text below the front matter"))
    if faults:
        return None, faults
    domain, title, version, source = (str(facts[each]).strip() for each in _TEXTS)
    note = Note(
        name,
        domain,
        title,
        version,
        source,
        facts["verified"],
        facts["reviewed"].isoformat()[:10],
        tuple(str(cite) for cite in facts.get("cites", [])),
        hashlib.sha256(data).hexdigest(),
        passages,
    )
    return note, []


def shipped_notes() -> list[Note]:
    """The notes that come with Quartermaster."""
    return [parse_note(f"{path.parent.name}/{path.stem}", path.read_bytes()) for path in _shipped()]


def loading() -> Iterator[dict[str, Any]]:
    """The arguments of the calls of api.load_notes that load all notes, in this order.

    Each call has few notes: it ends within the time limit of statements on a busy machine, too.
    """
    notes = shipped_notes()
    names = [note.name for note in notes]
    for start in range(0, len(notes), _PORTION):
        part = [note.row() for note in notes[start : start + _PORTION]]
        is_last = start + _PORTION >= len(notes)
        yield {"notes": part, "digest": shipped_digest() if is_last else None, "names": names}


def shipped_digest() -> str:
    """The digest of the files of all notes that come with Quartermaster."""
    digest = hashlib.sha256()
    for path in _shipped():
        digest.update(f"{path.parent.name}/{path.stem}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _shipped() -> list[Path]:
    return sorted(SHIPPED.glob("*/*.md"))


def folded(domain: str) -> str:
    """The name of a domain without case, hyphens and underscores, which do not matter."""
    return " ".join(re.split(r"[\s_-]+", domain.lower())).strip()


def _lines(head: str) -> dict[str, int]:
    """The line of each member of front matter in its file."""
    lines: dict[str, int] = {}
    for number, line in enumerate(head.split("\n"), start=2):
        if found := _MEMBER.match(line):
            lines.setdefault(found[1], number)
    return lines


def _faults(
    facts: dict[str, Any], lines: dict[str, int], domains: Collection[str]
) -> Iterator[Fault]:
    """What is missing or has the wrong form; the fault of a missing member is at the first line."""
    for member in (*_TEXTS, "verified", "reviewed"):
        if isinstance(value := facts.get(member), dict | list | set):
            # It may refer to itself or to others many times, so that it fills the memory as text.
            yield Fault(lines.get(member, 1), f"{member!r} must be one value")
        elif value is None or not str(value).strip():
            yield Fault(lines.get(member, 1), f"{member!r} is missing")
    domain = facts.get("domain")
    if isinstance(domain, str) and domains and folded(str(domain)) not in domains:
        yield Fault(lines.get("domain", 1), f"there is no domain called {str(domain)[:100]!r}")
    if not isinstance(facts.get("verified", True), bool | None):
        yield Fault(lines.get("verified", 1), "'verified' must be true or false")
    if not isinstance(facts.get("reviewed"), datetime.date | None):
        yield Fault(lines.get("reviewed", 1), "'reviewed' must be a date such as 2026-11-26")
    if not _are_texts(facts.get("cites", [])):
        yield Fault(
            lines.get("cites", 1), "'cites' must be a list, such as [src/orders.py, pydantic 2.5]"
        )


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(each, str | int | float) for each in cast("list[object]", value)
    )


def _passages(title: str, body: str) -> Iterator[Passage]:
    heading, lines, is_code = title, list[str](), False
    for line in body.split("\n"):
        is_code ^= bool(_FENCE.match(line))
        found = None if is_code else _HEADING.match(line)
        if found is None:
            lines.append(line)
            continue
        yield from _pieces(heading, lines)
        heading, lines = found[2][:200], []
    yield from _pieces(heading, lines)


def _pieces(heading: str, lines: list[str]) -> Iterator[Passage]:
    """Cuts a long text between its paragraphs."""
    piece, asked = "", ""
    for paragraph in re.split(r"\n\s*\n", "\n".join(lines).strip()):
        text = paragraph if "```" in paragraph else " ".join(paragraph.split())
        if not piece and text.startswith(_ASKED):
            asked = text.removeprefix(_ASKED).strip()[:1000]
            continue
        if piece and len(piece) + len(text) > _LONGEST_PASSAGE:
            yield Passage(heading, piece, asked)
            piece = ""
        piece = f"{piece}\n\n{text}" if piece else text
        while len(piece) > _LONGEST_PASSAGE * 4:
            yield Passage(heading, piece[: _LONGEST_PASSAGE * 4], asked)
            piece = piece[_LONGEST_PASSAGE * 4 :]
    if piece:
        yield Passage(heading, piece, asked)
