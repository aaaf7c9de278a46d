"""The guardrails for notes. They check a note before it is stored, and again before it is shown."""

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
    """Returns the note in the form in which it may be stored, and the reason for a quarantine. The
    reason is None if the note needs no quarantine.

    Secrets and personal data are masked. A note is quarantined if any of its texts gives
    instructions to an agent. A quarantined note keeps only its front matter. If the instructions
    are in the front matter, the note does not keep the title, the source and the citations either.

    Args:
        note: the note.
        encode: the encoder of the embedding model. It judges sentences that the rules cannot
            decide. Without it, some instructions are not found.
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
    """Masks secrets and personal data in a text about software."""
    return masked(text, spared=_NOT_MASKED)


def masked_note(text: str) -> str:
    """Masks secrets, personal data and all mail addresses in a text from a project's note."""
    return _MAIL.sub(_NO_MAIL, masked_passage(text))


def indented(text: str) -> str:
    """Returns the text with all lines except the first indented, so that no line looks like
    Quartermaster's own text.
    """
    return "\n    ".join(text.splitlines())


def quotable(text: str, encode: Encode | None = None) -> str | None:
    """Returns the masked text of a passage. Returns None if the passage gives instructions to an
    agent.

    Every passage is checked again, however it was stored. Each passage is checked alone.
    Neighbouring texts would affect the result, and an attacker could hide an instruction next to a
    harmless passage.

    Args:
        text: the passage.
        encode: see `admitted`.
    """
    if find_spans(text, ("instructions",), encode):
        return None
    return masked_passage(text)


def quotable_note(text: str, encode: Encode | None = None) -> str | None:
    """Does the same as `quotable` for a passage from a project's note, and also masks mail
    addresses.
    """
    quoted = quotable(text, encode)
    return None if quoted is None else _MAIL.sub(_NO_MAIL, quoted)
