"""The errors that the SQL files register, each with the file that has it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from tests.support.sql_files import ROOT, files

OF_CORE: Final = ROOT / "sql" / "error_codes.sql"
STATEMENT: Final = re.compile(r"^insert into core\.error_code .*?;$", re.DOTALL | re.MULTILINE)
ROW: Final = re.compile(
    r"^\(\n    '([a-z0-9_]+)', (\d{3}), (true|false),\n.*?\n\)", re.DOTALL | re.MULTILINE
)


class Registered(NamedTuple):
    """An error in a file.

    Attributes:
        path: the file.
        status: HTTP status.
        retryable: whether a retry can help: true or false.
    """

    path: Path
    status: str
    retryable: str


@cache
def registered() -> dict[str, Registered]:
    """Returns the errors of the core and of the kinds, by their slugs."""
    return {
        slug: Registered(path, status, retryable)
        for path in [OF_CORE, *files("sql/seeds/*.sql")]
        for statement in STATEMENT.findall(path.read_text(encoding="utf-8"))
        for slug, status, retryable in ROW.findall(statement)
    }
