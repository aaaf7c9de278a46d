"""Reads notes: Markdown files with front matter, cut into passages at their headings."""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import yaml

from quartermaster.core.errors import QmError

SHIPPED: Final = Path(__file__).with_name("notes")
_LARGEST: Final = 200_000
_LONGEST_PASSAGE: Final = 1_600
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_MEMBERS: Final = ("domain", "title", "version", "source", "verified", "reviewed")
_ASKED: Final = "Asked:"
_FENCE: Final = re.compile(r"^ {0,3}(```|~~~)")
_HEADING: Final = re.compile(r"^ {0,3}(#{1,6}) +(.+?) *#*$")


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
        QmError: QM422 note_invalid.
    """
    if not all(_NAME.fullmatch(part) for part in name.split("/", 1)):
        raise _invalid(name, "its name may have lower-case letters, digits and hyphens only")
    if len(data) > _LARGEST:
        raise _invalid(name, f"it is larger than {_LARGEST:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _invalid(name, "it is not UTF-8 text") from error
    front, body = _split(name, text.replace("\r\n", "\n"))
    facts = {member: _told(name, front, member) for member in _MEMBERS}
    reviewed, verified = front["reviewed"], front["verified"]
    if not isinstance(verified, bool):
        raise _invalid(name, "'verified' must be true or false")
    if not isinstance(reviewed, datetime.date):
        raise _invalid(name, "'reviewed' must be a date such as 2026-11-26")
    passages = tuple(_passages(facts["title"], body))
    if not passages:
        raise _invalid(name, "it has no text")
    return Note(
        name,
        facts["domain"],
        facts["title"],
        facts["version"],
        facts["source"],
        verified,
        reviewed.isoformat()[:10],
        tuple(_cites(name, front)),
        hashlib.sha256(data).hexdigest(),
        passages,
    )


def shipped_notes() -> list[Note]:
    """The notes that come with Quartermaster."""
    return [parse_note(f"{path.parent.name}/{path.stem}", path.read_bytes()) for path in _shipped()]


def shipped_digest() -> str:
    """The digest of the files of all notes that come with Quartermaster."""
    digest = hashlib.sha256()
    for path in _shipped():
        digest.update(f"{path.parent.name}/{path.stem}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _shipped() -> list[Path]:
    return sorted(SHIPPED.glob("*/*.md"))


def _split(name: str, text: str) -> tuple[dict[str, Any], str]:
    head, separator, body = text.removeprefix("---\n").partition("\n---\n")
    if not text.startswith("---\n") or not separator:
        raise _invalid(name, "it does not begin with front matter between two lines of ---")
    try:
        front: object = yaml.safe_load(head)
    except yaml.YAMLError as error:
        raise _invalid(name, f"its front matter is not YAML: {error}") from error
    if not isinstance(front, dict):
        raise _invalid(name, "its front matter is not a mapping")
    return cast("dict[str, Any]", front), body


def _told(name: str, front: dict[str, Any], member: str) -> str:
    if front.get(member) is None or str(front[member]).strip() == "":
        raise _invalid(name, f"its front matter lacks {member!r}")
    return str(front[member]).strip()


def _cites(name: str, front: dict[str, Any]) -> list[str]:
    given: object = front.get("cites", [])
    if not isinstance(given, list):
        raise _invalid(name, "'cites' must be a list, such as [src/orders.py, pydantic 2.5]")
    return [str(cite) for cite in cast("list[object]", given)]


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


def _invalid(name: str, reason: str) -> QmError:
    return QmError(
        422,
        "note_invalid",
        f"The note {name[:200]} cannot be read: {reason}.",
        "docs/knowledge.md shows what a note looks like.",
    )
