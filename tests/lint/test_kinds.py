"""The engine knows no kind of card: its functions name none, not even as a default. And a domain of
kinds knows its own only.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.lint.test_domain_edges import KINDS as DOMAINS
from tests.support.each import for_each
from tests.support.kinds import DECLARED, SHIPPED, is_of_engine
from tests.support.sql_files import FUNCTION_FILES, ROOT, code_of, relative

pytestmark = pytest.mark.lint

_OF_ENGINE = [path for path in FUNCTION_FILES if is_of_engine(path)]


@for_each(_OF_ENGINE, relative)
def test_a_function_of_the_engine_names_no_kind(path: Path):
    named = sorted({*names_in(path, SHIPPED)})
    assert not named, (
        f"names {', '.join(named)}, but must work for every kind of card. Compare kinds with each"
        " other (h.kind = i.kind), or ask a column of search.kind. The name of an operation that"
        " is about tools only ends in tool or tools"
    )


@for_each(FUNCTION_FILES, relative)
def test_a_function_names_no_kind_of_a_domain_that_is_not_its_own(path: Path):
    others = {*DOMAINS}.difference(path.relative_to(ROOT).parts)
    assert not names_in(path, [kind for kind, of in domains_of_kinds().items() if of & others])


def names_in(path: Path, kinds: list[str]) -> list[str]:
    """Returns the given kinds that a file names in quotes or in an array."""
    named = re.compile(rf"(?<=['{{,])({'|'.join(kinds)})(?=['}},])")
    return named.findall(code_of(path.read_text(encoding="utf-8")))


@cache
def domains_of_kinds() -> dict[str, set[str]]:
    """For each kind, the domains of kinds that its declaration uses: its own, or none."""
    uses = re.compile(rf"(?<![\w.])({'|'.join(DOMAINS)})\.\w")
    return {
        kind: {*uses.findall(code_of(path.read_text(encoding="utf-8")))}
        for kind, path in DECLARED.items()
    }
