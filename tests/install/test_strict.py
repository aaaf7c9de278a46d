"""Databases whose administrators have taken rights away, or make each session another role's."""

from __future__ import annotations

from collections.abc import Generator

import psycopg
import pytest

from quartermaster.core.errors import QmError
from quartermaster.install import apply
from quartermaster.install.admin_sql import admin_sql
from quartermaster.install.doctor import diagnose
from quartermaster.install.uninstall import uninstall
from tests.support.database import run_script
from tests.support.look_alikes import LookAlike, look_alike

pytestmark = [pytest.mark.install, pytest.mark.slow]


@pytest.fixture
def managed() -> Generator[LookAlike]:
    """A database of a login without superuser rights, in which the extensions stand."""
    with look_alike("extensions elsewhere", "postgresql-18") as made:
        yield made


def as_provider(managed: LookAlike, *statements: str) -> None:
    with psycopg.connect(managed.provider_dsn, autocommit=True) as provider:
        for statement in statements:
            run_script(provider, statement)


def refused(dsn: str) -> QmError:
    with pytest.raises(QmError) as caught:
        apply.install(dsn)
    assert (caught.value.code, caught.value.slug) == ("QM403", "not_permitted")
    return caught.value


def statement_of(error: QmError, before: str) -> str:
    """Returns the statement in an error, after some words."""
    return error.hint.partition(before)[2].partition(";")[0]


@pytest.mark.parametrize("language", ["plpgsql", "sql"])
def test_a_login_that_may_not_use_a_language_is_told_the_grant(managed: LookAlike, language: str):
    as_provider(managed, f"revoke usage on language {language} from public")
    error = refused(managed.dsn)
    assert f"may not use the language {language}" in error.message
    as_provider(managed, statement_of(error, "must run: "))
    apply.install(managed.dsn)
    assert diagnose(managed.dsn).problems == []
    removal = uninstall(managed.dsn)
    assert removal.retained_roles == {}
    # The script of the administrator has the same.
    as_provider(managed, f"revoke usage on language {language} from customer")
    as_provider(managed, admin_sql(managed.dsn))
    apply.install(managed.dsn)


def test_a_superuser_installs_where_nobody_else_may_use_a_language(managed: LookAlike):
    as_provider(managed, "revoke usage on language plpgsql from public")
    as_provider(managed, "revoke usage on language sql from public")
    apply.install(managed.provider_dsn)
    assert diagnose(managed.provider_dsn).problems == []
    assert uninstall(managed.provider_dsn).retained_roles == {}


def test_a_role_with_rights_on_a_language_that_only_the_provider_can_take_away_stays(
    managed: LookAlike,
):
    as_provider(managed, "revoke usage on language plpgsql from public")
    as_provider(managed, admin_sql(managed.dsn))
    as_provider(managed, "grant usage on language plpgsql to qm_reader, qm_owner")
    apply.install(managed.dsn)
    reason = "only its owner can take away the rights on language plpgsql"
    as_provider(managed, "revoke grant option for usage on language plpgsql from customer")
    assert uninstall(managed.dsn).retained_roles == {"qm_reader": reason, "qm_owner": reason}


@pytest.mark.parametrize(
    "whose", ["database {0}", "role customer", "role customer in database {0}"]
)
def test_a_login_whose_sessions_begin_as_another_role_is_told_how_they_do_not(
    managed: LookAlike, whose: str
):
    as_provider(
        managed,
        "create role app nologin",
        "grant app to customer",
        f"alter {whose.format(managed.database.name)} set role app",
    )
    error = refused(managed.dsn)
    assert "begin as the role app" in error.message
    for act in (diagnose, uninstall, admin_sql):
        with pytest.raises(QmError, match="begin as the role app"):
            act(managed.dsn)
    with psycopg.connect(managed.dsn, autocommit=True) as connection:
        run_script(connection, "set role none")
        run_script(connection, statement_of(error, "set role none; "))
    apply.install(managed.dsn)
    assert diagnose(managed.dsn).problems == []
