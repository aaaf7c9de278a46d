"""Every setting of a session is known: it changes no answer, or every operation pins it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import cast

import psycopg
import pytest

pytestmark = pytest.mark.sql

Connection = psycopg.Connection[tuple[object, ...]]

_GROUPS = tomllib.loads(Path(__file__).with_name("settings.toml").read_text(encoding="utf-8"))
# The settings of extensions are known when their libraries are loaded.
_LOADED = "select ext.similarity('', ''), ext.vector_dims('[0]'::ext.vector)"
_SETTINGS = "select name from pg_settings where context in ('user', 'superuser')"
_PINNED = """
select p.oid::regprocedure::text, p.proconfig from pg_proc as p
where p.pronamespace in ('api'::regnamespace, 'service'::regnamespace)
"""


def groups_of(name: str) -> Iterator[dict[str, object]]:
    for group in _GROUPS["group"]:
        exact = name in group["settings"]
        if exact or any(fnmatchcase(name, pattern) for pattern in group["settings"]):
            yield group


def group_of(name: str) -> dict[str, object] | None:
    """Returns the group that names the setting, or else the first whose pattern fits."""
    found = list(groups_of(name))
    named = [group for group in found if name in cast(list[str], group["settings"])]
    return next(iter(named or found), None)


def settings_of(connection: Connection) -> set[str]:
    connection.execute(_LOADED)
    return {str(row[0]) for row in connection.execute(_SETTINGS)}


def test_every_setting_of_a_session_is_known(rolled_back: Connection):
    assert {name for name in settings_of(rolled_back) if group_of(name) is None} == set()


def test_every_operation_pins_the_settings_that_change_an_answer(rolled_back: Connection):
    groups = {name: group_of(name) for name in settings_of(rolled_back)}
    wanted = {name for name, group in groups.items() if group and group.get("pinned")}
    # pg_settings does not list it everywhere.
    wanted |= {"search_path"}
    assert {"row_security", "hnsw.ef_search", "pg_trgm.similarity_threshold"} <= wanted
    missing = {}
    for function, pins in rolled_back.execute(_PINNED).fetchall():
        pinned = {pin.partition("=")[0] for pin in cast(list[str], pins or [])}
        if lacking := wanted - pinned:
            missing[function] = lacking
    assert missing == {}


def test_an_operation_answers_the_same_whatever_the_session_has_set(rolled_back: Connection):
    rolled_back.execute("select t.make_catalog(), t.make_principal('alice'), t.act_as('alice')")
    ask = "select name, score, scores from api.select_tools('creat tikcet', explain => true)"
    before = rolled_back.execute(ask, binary=True).fetchall()
    assert before
    for setting, value in (
        ("pg_trgm.similarity_threshold", "0.99"),
        ("pg_trgm.word_similarity_threshold", "0.99"),
        ("extra_float_digits", "-15"),
        ("row_security", "off"),
        ("quote_all_identifiers", "on"),
        ("transform_null_equals", "on"),
        ("hnsw.ef_search", "1"),
    ):
        rolled_back.execute("select set_config(%s, %s, true)", (setting, value))
        assert rolled_back.execute(ask, binary=True).fetchall() == before, setting
