"""Names of classes, files and constants say what one thing is, in words that the glossary keeps."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.lint.test_words import GLOSSARY, spans_of
from tests.support.sql_files import LAB, PACKAGES, ROOT, TESTS, relative

pytestmark = pytest.mark.lint

# Written by a generator, with the names of the database.
GENERATED = "api.py"
MODULES = sorted(
    path
    for folder in [*PACKAGES, ROOT / "extensions" / "plpy", LAB]
    for path in folder.rglob("*.py")
    if not path.is_relative_to(LAB / "tests") and path.name != GENERATED
)
TEST_MODULES = sorted(path for folder in TESTS for path in folder.rglob("*.py"))
# What Python and the contract of a kind call these files.
CONVENTIONS = {
    *("__init__.py", "__main__.py", "cli.py", "settings.py"),
    *("package.py", "short_help.py"),
}
# The setting limits.kept_free has this name, and so has all that it is passed to.
OF_SETTINGS = {"kept_free", "KEPT_FREE"}
# Alone, each is the beginning of a name: what is largest, hidden or away?
BARE = frozenset(
    """
    ABOUT ABOVE ABSENT ACCEPTED AGAIN ALSO ALWAYS AMBIGUOUS ANY ANYWHERE ASKED AUTOMATIC AWAY BARE
    BESIDE BETTER BETWEEN BIG BLANK BOTH BROKEN BUSY CHANGED CHECKED CLEAN CLOSED COMMON COMPARED
    COMPILED COMPRESSED CONFIDENT CONFINED CONTESTED COPIED COUNTED COVERED CURRENT CUT DAMAGED
    DANGEROUS DEEPEST DENIED DESCRIBED DISTINCT DONE DROPPED EARLIER ELSEWHERE EMPTY ENCODED ENDED
    ENOUGH EVERYTHING EVERYWHERE EXACT EXPECTED FAILED FARTHEST FEWEST FILLED FIRST FROZEN FULL
    GIVEN GLOBAL GONE HALF HARD HERE HIDDEN HIGHEST IDLE INTERNAL INTERRUPTED INVALID INVISIBLE
    JUDGED KEPT KNOWN LARGE LARGER LARGEST LEARNED LEAST LEFT LIMITED LISTED LITTLE LOADED LOCAL
    LONG LONGEST LOWEST MADE MANY MASKED MAYBE MEANT MISSED MIXED MORE MOST NAMED NEAR NEAREST
    NEEDED NEVER NEWER NEWEST NEXT NOBODY NOT NOTHING OF OFF OTHER OTHERS OURS OUTSIDE OVER OWN
    PINNED PLAIN PRINTED PRIVATE PUBLIC PUBLISHED QUICK QUOTED RAISED RANKED RARE RAW READABLE READY
    REFUSED REGISTERED REMEMBERED REMOVED RENAMED REPLACED REQUIRED RERANKED RESERVED REST RETIRED
    RETRIED SAID SAME SCORED SEARCHED SENSITIVE SERVED SHALLOW SHIPPED SHORT SHORTER SHORTEST SHOWN
    SIGNED SKIPPED SMALL SOMEBODY STANDING STEEPEST SURE SUREST TAKEN TOGETHER TOLD TRAINED TRIED
    TYPED UNCHANGED UNCHECKED UNKNOWN UNLIKELY UNSAFE UNSEEN UNSERVED UNSUPPORTED UNTYPED UNUSUAL
    USUAL VARYING WAITING WANTED WHAT WHERE WHOLE WIDEST WITHHELD YOUNG
    """.split()  # noqa: SIM905 - one word a line would take a page
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")

_SECTION = GLOSSARY.read_text(encoding="utf-8").partition("## Words that are no names")[2]
GIVEN_UP = frozenset(spans_of(_SECTION.partition("\n## ")[0], 0))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def constants(tree: ast.Module) -> Iterator[ast.Name]:
    """Yields the names that a module gives to values at its top level."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        yield from (target for target in targets if isinstance(target, ast.Name))


def names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yields the names that a module gives, with their lines; those of tests are sentences."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                if not node.name.startswith("test_"):
                    yield node.lineno, node.name
            case ast.arg():
                yield node.lineno, node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.lineno, node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.lineno, node.attr
            case _:
                pass


def given_up_in(name: str) -> set[str]:
    """Returns the words given up that a name is made of."""
    return GIVEN_UP.intersection(_CAMEL.sub("_", name).lower().split("_"))


def test_a_class_name_stands_once():
    found: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(f"{relative(path)}:{node.lineno}")
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def test_at_most_two_files_have_the_same_name():
    found: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        found[path.name].append(relative(path))
    many = {name: places for name, places in found.items() if len(places) > 2}
    assert {name: places for name, places in many.items() if name not in CONVENTIONS} == {}


def test_constants_are_nouns():
    found = [
        f"{relative(path)}:{name.lineno}: {name.id}"
        for path in MODULES
        for name in constants(parsed(path))
        if name.id.strip("_") in BARE
    ]
    assert found == []


def test_no_name_is_made_of_words_given_up():
    assert "told" in GIVEN_UP
    assert given_up_in("is_told") == given_up_in("ToldTwice") == {"told"}
    found = [
        f"{relative(path)}:{line}: {name}"
        for path in {*MODULES, *TEST_MODULES}
        if path.name != GENERATED
        for line, name in names(parsed(path))
        if given_up_in(name) and name not in OF_SETTINGS
    ]
    assert found == []
