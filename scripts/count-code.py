#!/usr/bin/env python3
"""Counts the lines of SQL and Python that people have to read, without tests and migrations.

Blank lines, comments, docstrings and `comment on` statements are not counted.
To compare checkouts: scripts/count-code.py [FOLDER ...]
"""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import sys
import tokenize
from pathlib import Path

_LEFT_OUT = ("tests/", "migrations/", "docs/")
_COMMENT_ON = re.compile(
    r"^comment on .*?';[ \t]*(?:--.*)?$", re.MULTILINE | re.DOTALL | re.IGNORECASE
)
_HIDDEN = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def python_lines(source: str) -> int:
    """The number of lines with code: all lines that a token covers, except docstrings."""
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(
            node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        ) and ast.get_docstring(node, clean=False):
            docstring = node.body[0]
            docstrings.update(
                range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1)
            )
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _HIDDEN:
            code.update(range(token.start[0], token.end[0] + 1))
    return len(code - docstrings)


def sql_lines(source: str) -> int:
    """The number of lines without blank lines, `--` comments and `comment on` statements."""
    without = _COMMENT_ON.sub("", source)
    return sum(
        1 for line in without.splitlines() if line.strip() and not line.strip().startswith("--")
    )


def tracked_files(folder: Path) -> list[str]:
    listed = subprocess.run(
        ["git", "-C", str(folder), "ls-files"], check=True, capture_output=True, text=True
    )
    return [name for name in listed.stdout.splitlines() if not name.startswith(_LEFT_OUT)]


def counts(folder: Path) -> dict[str, int]:
    files = tracked_files(folder)
    sql = [name for name in files if name.endswith(".sql")]
    python = [name for name in files if name.endswith(".py")]
    result = {
        "sql_lines": sum(sql_lines((folder / name).read_text(encoding="utf-8")) for name in sql),
        "python_lines": sum(
            python_lines((folder / name).read_text(encoding="utf-8")) for name in python
        ),
        "sql_files": len(sql),
        "python_files": len(python),
        "api_functions": sum(1 for name in sql if name.startswith("functions/api/")),
    }
    result["lines"] = result["sql_lines"] + result["python_lines"]
    return result


if __name__ == "__main__":
    for argument in sys.argv[1:] or ["."]:
        sys.stdout.write(f"{argument} {json.dumps(counts(Path(argument)))}\n")
