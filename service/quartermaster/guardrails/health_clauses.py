"""Decides whether clauses with a word about health say something about a person."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.guardrails import health
from quartermaster.guardrails import personal_words as words
from quartermaster.guardrails.addresses import OFFICE
from quartermaster.guardrails.linear_patterns import Constant
from quartermaster.guardrails.spans import widened

Floats = NDArray[np.float32]
# Nobody is meant in particular.
_PEOPLE_PATTERN: Final = Constant(
    r"(?i)\b(?:people|persons?|patients|children|adults|those who|any(?:one|body)|"
    r"every(?:one|body)|some(?:one|body)|whoever|visitors|guests|customers|users|participants|pupils|employees|"
    r"if you|you may|your doctor|kinder\b|menschen|personen|patienten|betroffene|wer\b|falls sie|"
    r"wenn sie|personnes|enfants|si vous|personas|pacientes|si usted|persone\b|pazienti|bambini|"
    r"mensen|kinderen|als u\b|personer|patienter|hvis du|om du\b|ludzi|pacjent(?:ó|c)|pacienti|"
    r"awareness|prevention|screening|leaflet|lecture|conference|vortrag|kurs\b|conférence|charla|"
    r"allergens?\b|may contain|rates?\b)"
)
# Somebody is meant.
_SOMEBODY_PATTERN: Final = Constant(
    r"(?i)\b(?:i|i['’]m|i['’]ve|my|me|he|she|his|her|we|our|mum|mom|dad|father|mother|son|daughter|"
    r"wife|husband|sister|brother|grand\w{2,6}|mr|mrs|ms|miss|ich|meine?n?|er|ihre?|seine?|frau|"
    r"herrn?|sohn|tochter|mutter|vater|mama|papa|je|mon|ma|elle|il|mme|fils|fille|mari|yo|mi|su|"
    r"ella|hij[oa]|madre|padre|marido|don|sra?|io|mi[oa]|lui|lei|figli[oa]|marito|moglie|sig|ik|"
    r"mijn|hij|zij|haar|zoon|dochter|mw|dhr|mevrouw|jag|min|han|hon|jeg|hun|mamma|pappa|fru)\b"
)
_WORD: Final = Constant(f"{health.CLAUSE_WORDS.pattern}|{health.VAGUE_WORDS.pattern}")
_CLASSES: Final = (
    *(Constant(words.CLASSES[name]) for name in ("birth", "document", "home", "office", "private")),
    *(Constant(words.CLASSES[name]) for name in ("phone", "host")),
    OFFICE, _PEOPLE_PATTERN, _SOMEBODY_PATTERN, health.CLAUSE_WORDS, health.VAGUE_WORDS,
)  # fmt: skip
_BEFORE, _FAR, _BEHIND, _ABOUT = 40, 110, 40, 300
_MAX_COUNT: Final = 10
_HIGHEST_LOG_ODDS: Final = 8.0
# Where a clause ends, a part of one, and a field.
BORDER: Final = re.compile(r"[.;:!?()\"|\n{}\[\]<>=\t→]|, ?|\\n|\s[–—-]\s|  |(?<!\w)'|'(?!\w)")
_PART: Final = re.compile(
    BORDER.pattern + r"|(?i:\b(?:and|but|so|because|who|which|that|as|since|und|aber|weil|da|dass|"
    r"der|die|wegen|et|car|qui|que|y|pero|porque|e|ma|che|en|maar|omdat|och|men|og|fordi|som|at|att|"
    r"i|a|bo|że|ve|и|но)\b(?= ))"
)
_FIELD: Final = re.compile(
    r"(?<=\w{2})[.!?](?=\s|\\|$)|[:\"|\n{}\[\]<>=\t]|\\n|  |(?<!\w)'|'(?!\w)"
)
_AT_BORDER: Final = frozenset('":=|;,(\n>[\t')
_PLAIN_FEATURES: Final = 15
# How many features a clause has.
WIDTH: Final = _PLAIN_FEATURES + 5 * len(_CLASSES)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a text that may say something about a person's health.

    Attributes:
        start, end: positions of the clause.
        surer: by how much each token's score for health exceeds its score for no label.
    """

    start: int
    end: int
    surer: Floats


def places(text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    """Finds the places that a word about health may belong to: a part of a clause, a clause, or a
    field.
    """
    piece = text[low:high]
    data = piece.encode("utf-8", "replace")
    done = byte = at = 0
    for match in _WORD.finditer(data):
        at += len(data[byte : match.start()].decode("utf-8", "ignore"))
        byte = match.start()
        start = low + at
        if start < done:
            continue
        end = start + len(match[0].decode("utf-8", "ignore"))
        for border in (_PART, BORDER, _FIELD):
            left, right = widened(text, start, end, border)
            if border is _PART:
                done = right
            yield left, right


def describe(text: str, clauses: Sequence[Clause]) -> Floats:
    """Returns the features of the clauses, one row per clause."""
    rows = np.zeros((len(clauses), WIDTH), np.float32)
    for row, clause in zip(rows, clauses, strict=True):
        start, end = clause.start, clause.end
        surer = np.clip(clause.surer, -_HIGHEST_LOG_ODDS, _HIGHEST_LOG_ODDS) / 4
        inside = text[start:end].encode("utf-8", "replace")
        before = text[max(0, start - _BEFORE) : start].encode("utf-8", "replace")
        far = text[max(0, start - _FAR) : max(0, start - _BEFORE)].encode("utf-8", "replace")
        behind = text[end : end + _BEHIND].encode("utf-8", "replace")
        first = inside[:16]
        about = text[max(0, start - _ABOUT) : start] + "\n" + text[end : end + _ABOUT]
        around = about.encode("utf-8", "replace")
        begins = start == 0 or text[max(0, start - 4) : start].rstrip(" ")[-1:] in _AT_BORDER
        ends = end == len(text) or text[end : end + 1] in _AT_BORDER
        said = sum(len(match[0]) for match in health.CLAUSE_WORDS.finditer(inside))
        row[:_PLAIN_FEATURES] = (
            1.0, surer.mean(), surer.max(), surer.min(), np.log(end - start),
            np.log(len(surer)), begins, ends, begins and ends, text[start].isupper(),
            any(sign.isdigit() for sign in text[start:end]), said / len(inside),
            min(sum(1 for _ in health.CLAUSE_WORDS.finditer(around)), _MAX_COUNT) / 5,
            min(sum(1 for _ in _PEOPLE_PATTERN.finditer(around)), _MAX_COUNT) / 5,
            min(sum(1 for _ in _SOMEBODY_PATTERN.finditer(around)), _MAX_COUNT) / 5,
        )  # fmt: skip
        row[_PLAIN_FEATURES:] = [
            pattern.search(part) is not None
            for part in (before, far, inside, first, behind)
            for pattern in _CLASSES
        ]
    return rows
