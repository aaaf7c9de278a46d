"""Converts symbols into the rows and cards that the database stores."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import log1p
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any, Final

from quartermaster.guardrails.masking import masked_secrets
from quartermaster.guardrails.scan import find_spans
from quartermaster_knowledge.docstrings import prose
from quartermaster_knowledge.environment import CONTROL
from quartermaster_knowledge.glossary import meaning_of
from quartermaster_knowledge.reading import Symbol
from quartermaster_knowledge.words import UNSTORABLE_PATTERN, name_words

KINDS: Final = ("class", "function", "method", "property", "attribute", "module")
_ERRORS: Final = ("Error", "Exception", "Warning")
_MEMBERS: Final = 10
_CODE: Final = 200
_TEXTS: Final = (
    *("path", "paths", "signature", "file", "passage", "parameters", "deprecated"),
    *("fields", "embedding_text"),
)
# Of these, what is written by people and may name any path.
_TEXT_MEMBERS: Final = ("signature", "passage", "deprecated", "fields", "embedding_text")
# The longest path that an index of the database takes, in bytes.
_LONGEST_PATH: Final = 2000
_BATCH: Final = 40
# Modules that keep what an earlier version had.
_EARLIER_PATTERN: Final = re.compile(r"\.(_?compat|legacy|deprecated|v\d+)\.")


def rows_of(symbols: Sequence[Symbol]) -> list[dict[str, Any]]:
    """Returns one row for each symbol. Rows of public symbols also contain the data for their
    card.
    """
    symbols = [symbol for symbol in symbols if len(symbol.path.encode()) <= _LONGEST_PATH]
    members: dict[str, list[str]] = defaultdict(list)
    for symbol in symbols:
        owner, _, name = symbol.path.rpartition(".")
        members[owner].append(name_words(name))
    cards = [symbol for symbol in symbols if _has_card(symbol)]
    depths = [symbol.path.count(".") for symbol in cards] or [0]
    middle, spread = fmean(depths), pstdev(depths) or 1.0
    rows: list[dict[str, Any]] = []
    for symbol in symbols:
        row: dict[str, Any] = {
            "path": symbol.path,
            "paths": [
                path
                for path in symbol.paths
                if path != symbol.path and len(path.encode()) <= _LONGEST_PATH
            ],
            "kind": symbol.kind,
            "signature": symbol.signature,
            "file": CONTROL.sub("\ufffd", symbol.file),
            "line": symbol.line,
            "passage": symbol.passage,
            "parameters": list(symbol.parameters),
            "deprecated": symbol.deprecated,
            "is_async": symbol.is_async,
            "is_public": _has_card(symbol),
            "priors": _priors(symbol, (symbol.path.count(".") - middle) / spread),
        }
        if row["is_public"]:
            row["fields"] = _fields(symbol)
            row["embedding_text"] = embedding_text(symbol, members.get(symbol.path, ()))
        rows.append(row)
    return list(safe_rows(rows))


def safe_rows(rows: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yields the rows after masking secrets and replacing characters that the database cannot
    store.

    An object with a secret in its name is left out, because after masking two objects could have
    the same name.
    """
    for start in range(0, len(rows), _BATCH):
        yield from _safe(rows[start : start + _BATCH])


def _safe(rows: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    # Nearly always there is none, so one look at all texts is enough.
    together = "\n".join(text for row in rows for text in _texts(row))
    if not UNSTORABLE_PATTERN.search(together) and not find_spans(together, ("secrets",)):
        return rows
    clean = [
        {key: _changed(_storable, row[key]) if key in _TEXTS else row[key] for key in row}
        for row in rows
    ]
    for each, row in zip(clean, rows, strict=True):
        each["paths"] = [path for path in row.get("paths", ()) if path in each.get("paths", ())]
    return [each for each, row in zip(clean, rows, strict=True) if each["path"] == row["path"]]


def without_places(rows: Sequence[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    """Removes paths of this machine, which some packages contain, from the rows.

    Args:
        rows: the rows.
        folder: the package folder.
    """
    places = _places(folder)
    shown = re.compile(rf"(?<![\w.~-])({'|'.join(map(re.escape, places))})(?![\w.-])")

    def neutral(text: str) -> str:
        return shown.sub(lambda found: places[found[1]], text)

    return [
        {key: _changed(neutral, row[key]) if key in _TEXT_MEMBERS else row[key] for key in row}
        if any(place in text for text in _texts(row) for place in places)
        else row
        for row in rows
    ]


def _places(folder: Path) -> dict[str, str]:
    """Returns the replacements for folders of this machine, longest path first. Folders that exist
    on all machines are not replaced.
    """
    places: dict[str, str] = {}
    environment = Path(*folder.parts[:-3])
    if (environment / "pyvenv.cfg").is_file():
        places |= dict.fromkeys((str(environment), str(environment.resolve())), "<environment>")
    with suppress(RuntimeError):  # nobody knows the home
        home = Path.home()
        if len(home.parts) > 2:
            places |= dict.fromkeys((str(home), str(home.resolve())), "~")
    return {place: places[place] for place in sorted(places, key=len, reverse=True)}


def _texts(row: dict[str, Any]) -> Iterator[str]:
    for key in _TEXTS:
        value = row.get(key, "")
        yield from (value if isinstance(value, list) else (value,))


def _changed(change: Callable[[str], str], value: str | list[str]) -> str | list[str]:
    return [change(each) for each in value] if isinstance(value, list) else change(value)


def _storable(text: str) -> str:
    return masked_secrets(UNSTORABLE_PATTERN.sub("\ufffd", text))


def _has_card(symbol: Symbol) -> bool:
    return symbol.public and not symbol.path.rpartition(".")[2].startswith("__")


def embedding_text(symbol: Symbol, members: Sequence[str]) -> str:
    """Returns the text from which the vector of a symbol is computed: the words of its name, its
    owner, and its purpose.
    """
    parts = symbol.path.split(".")
    name, owner = name_words(parts[-1]), name_words(".".join(parts[-2:-1]))
    is_member = symbol.kind in ("method", "property", "attribute")
    head = f"{name} ({symbol.kind} of {owner})" if is_member else name
    body = " ".join(prose(symbol.passage).split())[:350]
    if len(body) < 60:
        more = [name_words(parameter) for parameter in symbol.parameters[:8]]
        listed = ", ".join(members[:_MEMBERS]) if symbol.kind == "class" else ""
        mentions = [each[:120] for each in symbol.mentions[:1]]
        body = " ".join([body, *more, listed, *mentions, symbol.body[:_CODE]])
    meaning = meaning_of(f"{name} {owner}".split())[:200]
    return f"{head}: {body} {meaning}".strip()


def _fields(symbol: Symbol) -> list[str]:
    parts = symbol.path.split(".")
    meaning = meaning_of(name_words(".".join(parts[-2:])).split())
    return [
        parts[-1],
        symbol.passage,
        f"{symbol.notes} {' '.join(symbol.parameters)} {' '.join(symbol.mentions)}",
        f"{symbol.body} {meaning}",
    ]


def _priors(symbol: Symbol, depth: float) -> list[float]:
    return [
        round(float(value), 4)
        for value in (
            log1p(symbol.mentioned),
            symbol.exported,
            depth,
            bool(symbol.summary),
            log1p(len(symbol.passage)),
            bool(symbol.paths),
            bool(symbol.deprecated or _EARLIER_PATTERN.search(symbol.path)),
            *(symbol.kind == kind for kind in KINDS),
            symbol.path.endswith(_ERRORS),
            bool(symbol.parameters),
        )
    ]
