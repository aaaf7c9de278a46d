"""The engine knows no kind of card: its functions name none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.each import for_each
from tests.support.kinds import ENGINE, RULE_SYNTAX, SHIPPED
from tests.support.sql_files import FUNCTION_FILES, ROOT, code_of, relative

pytestmark = pytest.mark.lint

_FUNCTIONS = ROOT / "functions"
# What is about one kind says so in its name, and so does what a mere default names.
_OF_ONE_KIND = re.compile(r"tools?$|^read_outage_copy$")
_DEFAULT = re.compile(r"\bdefault '[^']*'")
_OF_ENGINE = [
    path
    for path in FUNCTION_FILES
    if path.relative_to(_FUNCTIONS).parts[0] in ENGINE and path != RULE_SYNTAX
] + [
    path
    for domain in (*ENGINE, "catalog")
    if domain not in {"search", "selection"}
    for path in (_FUNCTIONS / "api" / domain).glob("*.sql")
    if not _OF_ONE_KIND.search(path.stem)
]


@for_each(_OF_ENGINE, relative)
def test_a_function_of_the_engine_names_no_kind(path: Path):
    named = re.compile(rf"(?<=['{{,])({'|'.join(SHIPPED)})(?=['}},])")
    assert not named.findall(_DEFAULT.sub("", code_of(path.read_text(encoding="utf-8"))))
