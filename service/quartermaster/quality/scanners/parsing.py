"""Whether this interpreter can parse a file; if not, whether a newer one could."""

from __future__ import annotations

import ast
import platform
import warnings
from dataclasses import dataclass

import tree_sitter_python
from tree_sitter import Language, Parser

from quartermaster.quality.findings import Status
from quartermaster.quality.scanners.interface import Source


@dataclass(frozen=True)
class Problem:
    """Why a scanner that needs Python's own parser cannot read a file.

    Attributes:
        status: DEGRADED if only the interpreter is too old; ERROR if the file is wrong.
        reason: what is wrong and what to do.
    """

    status: Status
    reason: str


def problem(source: Source, tool: str) -> Problem | None:
    """Why a scanner cannot parse a file on this interpreter, or None.

    Args:
        source: the file.
        tool: name of the scanner, for the reason.

    Raises:
        UnreadableError: the bytes are not text.
    """
    text = source.text()
    try:
        with warnings.catch_warnings():
            # Of an invalid escape in the file.
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        if "too many" not in error.msg:
            return _explained(text, tool, error.lineno)
        return Problem(Status.ERROR, f"{tool} cannot parse the file: it is nested too deeply.")
    except (ValueError, MemoryError, RecursionError):
        return Problem(Status.ERROR, f"{tool} cannot parse the file: it is nested too deeply.")
    return None


def _explained(text: str, tool: str, line: int | None) -> Problem:
    tree = Parser(Language(tree_sitter_python.language())).parse(text.encode())
    if not tree.root_node.has_error:
        return Problem(
            Status.DEGRADED,
            f"{tool} runs on Python {platform.python_version()}, which cannot parse line {line}: "
            "its syntax is newer. Run Quartermaster on a newer Python.",
        )
    return Problem(
        Status.ERROR,
        f"{tool} cannot parse the file: there is a syntax error on line {line}. Correct it first.",
    )
