"""Determines whether the running Python can parse a file and, if not, whether a newer one could."""

from __future__ import annotations

import ast
import platform
import warnings

import tree_sitter_python
from tree_sitter import Language, Parser

from quartermaster.core.findings import Scan, Status
from quartermaster_quality.scanners.interface import SourceFile


def unparsed(source: SourceFile, tool: str) -> Scan | None:
    """Returns a scan that says why the running Python cannot parse a file; None if Python can parse
    it. The status is degraded if the file needs a newer Python, else error.

    Args:
        source: the file.
        tool: name of the scanner that needs to parse the file.

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
    except (ValueError, MemoryError, RecursionError):
        pass
    else:
        return None
    reason = f"{tool} cannot parse the file: it is nested too deeply."
    return Scan(tool, "", Status.ERROR, reason)


def _explained(text: str, tool: str, line: int | None) -> Scan:
    tree = Parser(Language(tree_sitter_python.language())).parse(text.encode())
    if not tree.root_node.has_error:
        reason = (
            f"{tool} runs on Python {platform.python_version()}, which cannot parse line {line}: "
            "its syntax is newer. Run Quartermaster on a newer Python."
        )
        return Scan(tool, "", Status.DEGRADED, reason)
    reason = f"{tool} cannot parse the file: there is a syntax error on line {line}."
    return Scan(tool, "", Status.ERROR, f"{reason} Correct it first.")
