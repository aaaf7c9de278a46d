"""Reads notes: Markdown files with front matter. Each note is split into passages at its
headings.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml

from quartermaster.core.errors import QmError
from quartermaster_knowledge.words import UNSTORABLE_PATTERN

SHIPPED_NOTES: Final = Path(__file__).with_name("notes")
_MAX_FILE_BYTES: Final = 200_000
_LONGEST_PASSAGE: Final = 1_600
_PORTION: Final = 40
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
# The keys of front matter whose value is one text, and how long it may be.
_TEXTS: Final = {
    "domain": 100,
    "title": 200,
    "version": 40,
    "source": 1000,
    "verified": 10,
    "reviewed": 10,
}
_KEYS: Final = (*_TEXTS, "cites")
_BOOLEANS: Final = {"true": True, "false": False}
# How similar a word must be to the one that was probably meant, from 0 to 1.
_MIN_WORD_SIMILARITY: Final = 0.7
_MOST_PASSAGES: Final = 200
_MOST_CITED: Final = 20
_LONGEST_CITE: Final = 300
_NULL: Final = "tag:yaml.org,2002:null"
_QUESTIONS_PREFIX: Final = "Asked:"
_FENCE: Final = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r"^ {0,3}(#{1,6}) +([^ ].*)$")


class NoteProblem(NamedTuple):
    """A fault of a note.

    Attributes:
        line: the line in the file. 0 if the fault is not in a particular line.
        reason: description of the fault, as a clause.
    """

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}" if self.line else self.reason


@dataclass(frozen=True)
class Passage:
    """A passage: a part of a note below one heading.

    Attributes:
        heading: the heading.
        text: the text, which agents and people get.
        asked: questions that people ask about the text, in other words. They are searched, but
            never shown.
    """

    heading: str
    text: str
    asked: str = ""


@dataclass(frozen=True)
class Note:
    """A note, with the content of its file.

    Attributes:
        name: name of the note. For notes that come with Quartermaster: the domain and the name of
            the file.
        domain: name of the domain, or another word for it.
        title: title of the note.
        version: version of the note.
        source: the standards, books or manuals on which the note is based.
        verified: whether somebody compared the note with its source.
        reviewed: day of the last review.
        cites: files of the project, and libraries with their version ("pydantic 2.5"). If one of
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
        """Returns the note in the form that knowledge.put_notes expects."""
        return asdict(self)


def parse_note(name: str, data: bytes) -> Note:
    """Reads a note.

    Args:
        name: name of the note.
        data: content of its file.

    Raises:
        QmError: QM422 note_invalid. The message names all faults and their lines.
    """
    note, faults = read_note(name, data)
    if note is None:
        raise QmError(
            422,
            "note_invalid",
            f"The note {name[:200]} cannot be read: {'; '.join(map(str, faults))}.",
            "kinds/knowledge/docs/knowledge.md shows what a note looks like.",
        )
    return note


def read_note(
    name: str, data: bytes, domains: Mapping[str, str] | None = None
) -> tuple[Note | None, list[NoteProblem]]:
    """Returns the note. If the file has faults, returns None and the list of all faults.

    Args:
        name: name of the note.
        data: content of its file.
        domains: maps each known word for a domain (see `folded`) to the name of the domain. None:
            the domain is not checked.
    """
    faults: list[NoteProblem] = []
    if not all(_NAME.fullmatch(part) for part in name.split("/", 1)):
        faults.append(
            NoteProblem(0, "its name may have up to 64 lower-case letters, digits and hyphens only")
        )
    try:
        head, body = _parts(_text(data))
        front = _front(head)
    except _UnreadableError as error:
        return None, [*faults, NoteProblem(*error.args)]
    faults += sorted(_faults(front, domains))
    facts: dict[str, Any] = {member.key: member.value for member in front}
    passages = tuple(_passages(str(facts.get("title")), body))
    if not passages:
        faults.append(NoteProblem(head.count("\n") + 3, "there is no text below the front matter"))
    if len(passages) > _MOST_PASSAGES:
        faults.append(NoteProblem(0, f"it has more than {_MOST_PASSAGES} passages"))
    if faults:
        return None, faults
    note = Note(
        name,
        facts["domain"],
        facts["title"],
        facts["version"],
        facts["source"],
        _BOOLEANS[facts["verified"].lower()],
        facts["reviewed"],
        tuple(facts.get("cites") or ()),
        hashlib.sha256(data).hexdigest(),
        passages,
    )
    return note, []


def shipped_notes() -> list[Note]:
    """Returns the notes that come with Quartermaster."""
    return [parse_note(f"{path.parent.name}/{path.stem}", path.read_bytes()) for path in _shipped()]


def loading() -> Iterator[dict[str, Any]]:
    """Yields the arguments for the calls of api.load_notes that together load all notes. The calls
    must be made in this order.

    Each call loads only a few notes. So it does not exceed the time limit of statements, even on a
    busy machine.
    """
    notes = shipped_notes()
    names = [note.name for note in notes]
    for start in range(0, len(notes), _PORTION):
        part = [note.row() for note in notes[start : start + _PORTION]]
        is_last = start + _PORTION >= len(notes)
        yield {"notes": part, "digest": shipped_digest() if is_last else None, "names": names}


def shipped_digest() -> str:
    """Returns a digest of all note files that come with Quartermaster."""
    digest = hashlib.sha256()
    for path in _shipped():
        digest.update(f"{path.parent.name}/{path.stem}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _shipped() -> list[Path]:
    return sorted(SHIPPED_NOTES.glob("*/*.md"))


def folded(domain: str) -> str:
    """Returns a normalised form of a domain's name. Case, hyphens and underscores do not matter."""
    return " ".join(re.split(r"[\s_-]+", domain.lower())).strip()


class _UnreadableError(Exception):
    """A fault that prevents all other checks, with its line and its reason."""


def _text(data: bytes) -> str:
    if len(data) > _MAX_FILE_BYTES:
        raise _UnreadableError(0, f"it is larger than {_MAX_FILE_BYTES:,} bytes")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise _UnreadableError(0, "it is not UTF-8 text") from None
    before, zero, _ = text.partition("\0")
    if zero:
        raise _UnreadableError(before.count("\n") + 1, "it contains a zero byte, so it is not text")
    return text


def _parts(text: str) -> tuple[str, str]:
    """Returns the front matter, and the text after it."""
    head, separator, body = text.removeprefix("---\n").partition("\n---\n")
    if not text.startswith("---\n") or not separator:
        raise _UnreadableError(1, "it does not begin with front matter between two lines of ---")
    return head, body


def _front(head: str) -> list[_FrontMatterMember]:
    try:
        root = yaml.SafeLoader(head).get_single_node()
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        mark: yaml.Mark | None = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or "a value in it cannot be read"
        hint = " (text with a colon needs quotes)" if reason.startswith("mapping values") else ""
        message = f"this is not YAML: {reason}{hint}"
        raise _UnreadableError(mark.line + 2 if mark else 1, message) from None
    if not isinstance(root, yaml.MappingNode):
        raise _UnreadableError(1, "the front matter is not a list of keys with values")
    return [
        _FrontMatterMember(
            key.start_mark.line + 2,
            key.value if isinstance(key, yaml.ScalarNode) else "",
            _value(value),
        )
        for key, value in root.value
    ]


class _FrontMatterMember(NamedTuple):
    """A key in front matter, with its value: a text or a list of texts. The value is None if the
    front matter contains a value of another type.
    """

    line: int
    key: str
    value: str | list[str] | None


def _value(node: yaml.Node) -> str | list[str] | None:
    """Returns the text of a value exactly as it is written, so that version 1.10 does not become
    1.1.
    """
    if isinstance(node, yaml.ScalarNode):
        return "" if node.tag == _NULL else node.value.strip()
    if isinstance(node, yaml.SequenceNode):
        texts = [each.value for each in node.value if isinstance(each, yaml.ScalarNode)]
        return texts if len(texts) == len(node.value) else None
    return None


def _faults(
    front: list[_FrontMatterMember], domains: Mapping[str, str] | None
) -> Iterator[NoteProblem]:
    """Yields the faults of the keys and of their values. A missing key is reported for the first
    line.
    """
    seen, meant = set[str](), set[str]()
    for line, key, value in front:
        if key in seen:
            yield NoteProblem(line, f"{key!r} occurs twice")
        elif key in _KEYS:
            seen.add(key)
            yield from (NoteProblem(line, reason) for reason in _reasons(key, value, domains))
        else:
            near = get_close_matches(key.lower(), _KEYS, 1, _MIN_WORD_SIMILARITY)
            meant.update(near)
            known = f"did you mean {near[0]!r}?" if near else f"the keys are {', '.join(_KEYS)}"
            yield NoteProblem(line, f"there is no key {key[:100]!r}; {known}")
    yield from (NoteProblem(1, f"{key!r} is missing") for key in _TEXTS if key not in seen | meant)


def _reasons(
    key: str, value: str | list[str] | None, domains: Mapping[str, str] | None
) -> Iterator[str]:
    """Yields the faults of a key's value."""
    if key == "cites":
        yield from _reasons_of_cites(value)
    elif not isinstance(value, str):
        yield f"{key!r} must be one value"
    elif not value:
        yield f"{key!r} is missing"
    elif UNSTORABLE_PATTERN.search(value):
        yield f"{key!r} contains a character that cannot be stored"
    elif key == "verified" and value.lower() not in _BOOLEANS:
        yield "'verified' must be true or false"
    elif key == "reviewed" and not _is_date(value):
        yield "'reviewed' must be a date such as 2026-11-26"
    elif len(value) > _TEXTS[key]:
        yield f"{key!r} is longer than {_TEXTS[key]:,} characters"
    elif key == "domain" and domains is not None and folded(value) not in domains:
        near = get_close_matches(folded(value), domains, 1, _MIN_WORD_SIMILARITY)
        names = ", ".join(sorted(set(domains.values())))
        known = f"did you mean {near[0]!r}?" if near else f"the domains are {names}"
        yield f"there is no domain called {value!r}; {known}"


def _reasons_of_cites(value: str | list[str] | None) -> Iterator[str]:
    if not isinstance(value, list):
        if value != "":
            yield "'cites' must be a list, such as [src/orders.py, pydantic 2.5]"
    elif len(value) > _MOST_CITED:
        yield f"'cites' has more than {_MOST_CITED} elements"
    elif any(map(UNSTORABLE_PATTERN.search, value)):
        yield "'cites' contains a character that cannot be stored"
    elif any(len(each) > _LONGEST_CITE for each in value):
        yield f"'cites' has an element with more than {_LONGEST_CITE} characters"


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


class _Line(NamedTuple):
    """A line of a note, and whether it belongs to a code block."""

    text: str
    is_code: bool


def _passages(title: str, body: str) -> Iterator[Passage]:
    heading, lines = title, list[_Line]()
    for line in _lines(body):
        found = None if line.is_code else _HEADING.match(line.text)
        if found is None:
            lines.append(line)
            continue
        yield from _pieces(heading, lines)
        heading, lines = _unclosed(found[2])[:200], []
    yield from _pieces(heading, lines)


def _unclosed(heading: str) -> str:
    """Returns a heading without the `#` signs at its end."""
    if not heading.endswith("#"):
        return heading.rstrip(" ")
    return heading.rstrip("#").rstrip(" ") or heading[0]


def _lines(body: str) -> Iterator[_Line]:
    """Yields the lines of a note, and says for each line whether it belongs to a code block. A
    block ends at a fence of the same character that is at least as long as the opening fence.
    """
    fence = ""
    for text in body.split("\n"):
        found = _FENCE.match(text)
        yield _Line(text, bool(fence or found))
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence) and text.strip() == found[1]:
            fence = ""


def _paragraphs(lines: list[_Line]) -> Iterator[str]:
    """Yields the paragraphs, each as one line. A paragraph with code keeps its lines, including
    empty lines.
    """
    for is_blank, group in groupby(lines, lambda line: not (line.is_code or line.text.strip())):
        if not is_blank:
            found = list(group)
            text = "\n".join(line.text for line in found)
            yield text if any(line.is_code for line in found) else " ".join(text.split())


def _pieces(heading: str, lines: list[_Line]) -> Iterator[Passage]:
    """Yields the passages of a section. A long section is split between its paragraphs."""
    piece, asked = "", ""
    for text in _paragraphs(lines):
        if not piece and text.startswith(_QUESTIONS_PREFIX):
            asked = text.removeprefix(_QUESTIONS_PREFIX).strip()[:1000]
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
