"""The one error shape, and how SQLSTATE becomes it."""

from __future__ import annotations

import pickle

import pytest

from quartermaster.core.errors import QmError


def test_an_error_answers_with_code_slug_message_hint_and_detail():
    error = QmError(404, "tool_not_found", "there is no tool 'x'", "Search for it.", "a fact")
    assert error.code == "QM404"
    assert error.as_dict() == {
        "error": {
            "code": "QM404",
            "slug": "tool_not_found",
            "message": "there is no tool 'x'",
            "hint": "Search for it.",
            "detail": "a fact",
        }
    }
    assert error.as_dict("abc")["error"]["request_id"] == "abc"


def test_an_error_survives_the_way_between_processes():
    error = QmError(409, "origin_exists", "there is one", "Choose another name.", "d")
    assert pickle.loads(pickle.dumps(error)).as_dict() == error.as_dict()


def test_our_own_sqlstate_keeps_status_slug_hint_and_detail():
    error = QmError.from_sqlstate("QM422", "mode_unknown", "no mode 'x'", "Use fast.", "facts")
    assert (error.status, error.slug, error.hint, error.detail) == (
        422,
        "mode_unknown",
        "Use fast.",
        "facts",
    )


@pytest.mark.parametrize("sqlstate", ["22021", "22P05"])
def test_the_character_nul_is_named(sqlstate: str):
    error = QmError.from_sqlstate(sqlstate, None, "invalid byte sequence: 0x00", None, None)
    assert (error.status, error.slug) == (422, "invalid_value")
    assert "the character NUL" in error.message


@pytest.mark.parametrize(
    ("sqlstate", "constraint", "status", "slug"),
    [
        ("42501", None, 403, "not_permitted"),
        ("23505", "origin_name_key", 409, "origin_name_key"),
        ("23505", None, 409, "already_exists"),
        ("23514", "tool_name_check", 422, "tool_name_check"),
        ("22P02", None, 422, "invalid_value"),
        ("57014", None, 504, "timeout"),
        ("40001", None, 503, "retryable"),
        ("40P01", None, 503, "retryable"),
        ("55P03", None, 503, "retryable"),
        ("08006", None, 503, "database_unavailable"),
        ("57P01", None, 503, "database_unavailable"),
        ("42P01", None, 500, "internal"),
        ("QMxyz", None, 500, "internal"),
    ],
)
def test_a_sqlstate_becomes_a_status_and_a_slug(
    sqlstate: str, constraint: str | None, status: int, slug: str
):
    error = QmError.from_sqlstate(sqlstate, constraint, "what the server said", None, "its detail")
    assert (error.status, error.slug) == (status, slug)
    assert error.hint
    assert error.is_retryable == (slug == "retryable")


@pytest.mark.parametrize("sqlstate", ["XX000", "42P01", "42501", "08006"])
def test_an_internal_error_tells_nothing_of_the_server(sqlstate: str):
    error = QmError.from_sqlstate(sqlstate, "hidden_name", "relation secret", None, "row of Bob")
    assert "secret" not in str(error)
    assert "Bob" not in str(error)
    assert "hidden_name" not in str(error)
