"""Reads JSON that people write in configuration files, with errors that name the position."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any, Final, cast

from quartermaster.core.errors import QmError

# A string, a line comment, or a block comment. Each may lack its end, so that no text is read again
# from its next character on.
_STRING: Final = r'"(?:[^"\\\n]++|\\.)*+"?'
_BLOCK: Final = r"/\*(?:[^*]++|\*(?!/))*+(?:\*/)?"
_JSONC: Final = re.compile(rf"{_STRING}|(?://|#)[^\n]*|{_BLOCK}", re.DOTALL)
_TRAILING_COMMA: Final = re.compile(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)


class SyntaxProblem(ValueError):  # noqa: N818 - a fact about a text, reported or raised by others
    """A text is not valid JSON at this position.

    Attributes:
        line, column: position in the text, counted from 1.
        what: a description of what was expected or found there.
    """

    def __init__(self, line: int, column: int, what: str) -> None:
        super().__init__(f"{line}:{column}: {what}")
        self.line = line
        self.column = column
        self.what = what


def parse(text: str) -> tuple[Any, list[str]]:
    """Returns the value of a JSON text, and the names that occur twice in an object (the last value
    wins).

    Raises:
        SyntaxProblem: the text is not JSON.
    """
    repeated: list[str] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            counts = Counter(name for name, _ in pairs)
            repeated.extend(sorted(name for name, count in counts.items() if count > 1))
        return found

    try:
        return json.loads(text, object_pairs_hook=members), repeated
    except json.JSONDecodeError as error:
        raise SyntaxProblem(error.lineno, error.colno, _expectation(error)) from None
    except (RecursionError, ValueError) as error:
        raise SyntaxProblem(1, 1, f"cannot be read: {error}") from None


def is_json_of(text: str, value: object) -> bool:
    """Returns whether a text is JSON for a value.

    A text with another structure is not read, because it could have millions of values.
    """
    written = json.dumps(value, ensure_ascii=False)
    if any(text.count(sign) != written.count(sign) for sign in "[{,"):
        return False
    try:
        return json.loads(text) == value
    except ValueError:
        return False


def without_comments(text: str, *, keep_commas: bool = False) -> str:
    """Replaces comments and trailing commas with spaces, so that all positions stay the same.

    Args:
        text: JSON with comments that begin with ``//``, ``#`` or ``/*``.
        keep_commas: whether trailing commas stay.
    """

    def blank(match: re.Match[str]) -> str:
        found = match.group()
        is_open = found.startswith("/*") and not found.endswith("*/", 2)
        return found if found.startswith('"') or is_open else re.sub(r"[^\n]", " ", found)

    bare = _JSONC.sub(blank, text)
    if keep_commas:
        return bare
    return _TRAILING_COMMA.sub(lambda match: cast("str | None", match.group(1)) or " ", bare)


def syntax_error(file: str, problem: SyntaxProblem) -> QmError:
    """Returns the error for a file that is not JSON: the file, line, column and what was
    expected.
    """
    hint = "Correct the file at this position."
    if "escape" in problem.what:
        hint += " In JSON, write \\\\ for each \\ of a Windows path."
    return QmError(
        422, "config_invalid", f"{file}:{problem.line}:{problem.column}: {problem.what}", hint
    )


def _expectation(error: json.JSONDecodeError) -> str:
    found = error.doc[error.pos : error.pos + 1]
    at = "the end of the file" if not found else "the end of the line" if found == "\n" else found
    what = error.msg[0].lower() + error.msg[1:]
    if what.startswith("expecting "):
        return f"expected {what.removeprefix('expecting ')}, found {at}"
    return f"{what}, found {at}"
