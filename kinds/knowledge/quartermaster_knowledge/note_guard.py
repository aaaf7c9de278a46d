"""The guardrails of notes: what may come in, and what goes out."""

from __future__ import annotations

import re
from dataclasses import astuple, replace
from itertools import chain
from typing import Final

from quartermaster.guardrails.instruction_model import Encode
from quartermaster.guardrails.masking import mask_of, masked
from quartermaster.guardrails.scan import find_spans
from quartermaster_knowledge.note_files import Note, Passage

# In notes about software, these two were always false alarms: "hard to diagnose", "2.4.11".
_NOT_MASKED: Final = frozenset({"health", "birth_date"})
# In a note of a project, each mail address may be a person's. Those of documentation are nobody's,
# and git@ is how a repository is named.
_MAIL: Final = re.compile(
    r"(?<![\w.+%'-])(?!git@)[\w.+%'-]{1,64}@(?!\d)"
    r"(?!(?:[\w-]{1,63}\.){0,5}example(?:\.(?:com|net|org|edu))?(?![\w-]|\.\w))"
    r"(?:[\w-]{1,63}\.){1,5}[^\W\d_]{2,24}(?![^\W_]|-\w)"
)
_NO_MAIL: Final = mask_of("personal", "email")
_INSTRUCTIONS: Final = "It contains text that gives orders to an agent: {found}"


def admitted(note: Note, encode: Encode | None = None) -> tuple[Note, str | None]:
    """Returns the note as it may be stored, and why it must be quarantined.

    Secrets and personal data are masked. A note with text that gives orders to an agent is
    quarantined; such a note keeps its front matter only, and not even that if the text is there.

    Args:
        note: the note.
        encode: the embedding model's encoder, which is asked about sentences in doubt. Without it,
            some orders are missed that it would find.
    """
    clean = replace(
        note,
        title=masked_note(note.title),
        source=masked_note(note.source),
        cites=tuple(map(masked_note, note.cites)),
    )
    front = (note.title, note.source, *note.cites)
    parts = chain.from_iterable(map(astuple, note.passages))
    for place, text in enumerate((*front, *parts)):
        found = find_spans(text, ("instructions",), encode)
        if found:
            if place < len(front):
                clean = replace(clean, title="Withheld", source="Withheld", cites=())
            quoted = masked_note(text[found[0].start : found[0].end][:120])
            return replace(clean, passages=(_WITHHELD_PASSAGE,)), _INSTRUCTIONS.format(found=quoted)
    passages = tuple(Passage(*map(masked_note, astuple(each))) for each in note.passages)
    return replace(clean, passages=passages), None


_WITHHELD_PASSAGE: Final = Passage("Withheld", "This note is quarantined.")


def masked_passage(text: str) -> str:
    """Returns a text about software with secrets and personal data masked."""
    return masked(text, spared=_NOT_MASKED)


def masked_note(text: str) -> str:
    """Returns a text of a project's note with secrets, personal data and all mail addresses
    masked.
    """
    return _MAIL.sub(_NO_MAIL, masked_passage(text))


def indented(text: str) -> str:
    """Returns the text with its further lines indented, so that none of them stands for our own
    words.
    """
    return "\n    ".join(text.splitlines())


def quotable(text: str, encode: Encode | None = None) -> str | None:
    """Returns the text of a passage as it may go out, or None if it gives orders to an agent.

    Whatever stored the passage, this is checked again. Each passage is looked at alone: the texts
    around it change what is found, so with a neighbour of his own somebody could hide an order.

    Args:
        text: the passage.
        encode: see `admitted`.
    """
    if find_spans(text, ("instructions",), encode):
        return None
    return masked_passage(text)


def quotable_note(text: str, encode: Encode | None = None) -> str | None:
    """`quotable` for a passage of a project's note: mail addresses are masked as well."""
    quoted = quotable(text, encode)
    return None if quoted is None else _MAIL.sub(_NO_MAIL, quoted)
