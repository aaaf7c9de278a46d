"""The database and the service know the same forms of checks, and judge them alike."""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Any, cast

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quartermaster_decisions.checks import FORMS, problem_of
from tests.support.database import Database


def without_descriptions(schema: Any) -> Any:
    if isinstance(schema, dict):
        members = cast("dict[str, Any]", schema)
        return {
            key: without_descriptions(value)
            for key, value in members.items()
            if not (key == "description" and isinstance(value, str))
        }
    return schema


def test_the_forms_are_the_same(shop: Database):
    with shop.connect() as connection:
        rows = connection.execute("select f.form, f.schema from decisions.check_form as f")
        assert {str(form): schema for form, schema in rows.fetchall()} == {
            form: without_descriptions(schema) for form, schema in FORMS.items()
        }


NAMES = st.lists(st.sampled_from(["a.b", "", "x" * 301, 1]), max_size=3)
VALUES: st.SearchStrategy[Any] = (
    st.sampled_from(["x", "T201", "T201; rm", "", 1, True, None, {}, {"bases": ["A"]}, {"name": 1}])
    | NAMES
)
MEMBERS = sorted({name for schema in FORMS.values() for name in schema["properties"]} | {"run"})
CHECKS = st.tuples(
    st.sampled_from([*FORMS, "command"]),
    st.dictionaries(st.sampled_from(MEMBERS), VALUES, max_size=5),
)


@pytest.fixture(scope="module")
def judge(shop: Database) -> Generator[psycopg.Connection[tuple[object, ...]]]:
    with shop.connect() as connection:
        yield connection


@given(CHECKS)
@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_both_refuse_the_same_checks(
    judge: psycopg.Connection[tuple[object, ...]], drawn: tuple[str, dict[str, Any]]
):
    form, members = drawn
    check = {**members, "form": form}
    [(problem,)] = judge.execute(
        "select decisions.check_problem(%s)", [json.dumps(check)]
    ).fetchall()
    assert (problem is None) == (problem_of(check) is None), (problem, problem_of(check))


@pytest.mark.parametrize(("length", "is_refused"), [(250, False), (251, True)])
def test_both_limit_the_globs_together(
    judge: psycopg.Connection[tuple[object, ...]], length: int, is_refused: bool
):
    globs = ["*" * length] * 20
    check = {
        "form": "written_only_through", "allowed": globs, "paths": globs[:10], "except": globs[:10],
        "names": ["a.b"],
    }  # fmt: skip
    [(problem,)] = judge.execute(
        "select decisions.check_problem(%s)", [json.dumps(check)]
    ).fetchall()
    assert (problem is not None) == (problem_of(check) is not None) == is_refused
