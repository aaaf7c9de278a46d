"""Globs mean the same in Python as in SQL, and cost little whoever wrote them."""

from __future__ import annotations

from time import process_time

from quartermaster_decisions.globs import globs_of
from tests.support.database import Database

MATCHES = (
    ("**", "app/api/users.py", True),
    ("app/**", "app/api/users.py", True),
    ("app/**", "application/users.py", False),
    ("app/*.py", "app/users.py", True),
    ("app/*.py", "app/api/users.py", False),
    ("**/users.py", "users.py", True),
    ("**/users.py", "app/api/users.py", True),
    ("app/user?.py", "app/users.py", True),
    ("app/user?.py", "app/user/.py", False),
    ("app/a+b (c).py", "app/a+b (c).py", True),
    ("app/größe.py", "app/größe.py", True),
    ("app/**", "app/two\nlines.py", True),
)


def test_globs_match_whole_paths() -> None:
    for glob, path, matches in MATCHES:
        assert globs_of(glob).match(path) is matches, (glob, path)


def test_globs_mean_the_same_in_sql(database: Database) -> None:
    with database.connect() as connection:
        for glob, path, matches in MATCHES:
            asked = connection.execute(
                "select %s ~ decisions.glob_expression(%s)", (path, glob)
            ).fetchone()
            assert asked == (matches,), (glob, path)


def test_names_that_are_not_utf_8_are_matched() -> None:
    place = globs_of("caf\udce9/**")
    assert place.match("caf\udce9/menu.py")
    assert not place.match("cafes/menu.py")


def test_no_globs_stand_for_nothing() -> None:
    assert not globs_of().match("app/users.py")


def test_many_stars_cost_little() -> None:
    begun = process_time()
    assert not globs_of("**/" * 40 + "*a" * 40 + ".py").match("a/" * 500 + "a" * 500)
    assert process_time() - begun < 1
