"""Converts scopes of decisions between the text that people write and the form that the database
stores.
"""

from __future__ import annotations

from typing import Final

LANGUAGES: Final = frozenset(
    {"python", "javascript", "typescript", "go", "rust", "java", "ruby", "c", "cpp", "sql"}
)
_WORDS: Final = ("path", "module", "language")


def read_scope(text: str) -> dict[str, str]:
    """Parses a scope: ``global``, a language, a dotted module name, or a path glob.

    The kind of the scope may come first, as in ``module app.api``.
    """
    text = text.strip()
    kind, _, value = text.partition(" ")
    if kind in _WORDS and value.strip():
        return {"kind": kind, "value": value.strip()}
    if text in {"", "global", "**"}:
        return {"kind": "global", "value": ""}
    if text.lower() in LANGUAGES:
        return {"kind": "language", "value": text.lower()}
    if "/" in text or "*" in text or text.rpartition(".")[2] in {"py", "js", "ts", "go", "rs"}:
        return {"kind": "path", "value": text.removeprefix("./")}
    return {"kind": "module", "value": text}


def write_scope(scope: dict[str, str]) -> str:
    """Returns the text of a scope. `read_scope` turns this text back into the same scope."""
    if scope["kind"] == "global":
        return "global"
    if read_scope(scope["value"]) == scope:
        return scope["value"]
    return f"{scope['kind']} {scope['value']}"
