"""Earlier landings in a database whose owner is no superuser: the owner upgrades them.

`make test-install-matrix` tries the landing before in each of its cells.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import LiteralString
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.install import apply
from quartermaster.install.admin_sql import admin_sql
from quartermaster.install.doctor import diagnose
from tests.install.test_bundle import run
from tests.install.test_managed import SERVERS, as_provider, require
from tests.install.test_upgrade import STARTS
from tests.support.catalogue import snapshot
from tests.support.database import Database
from tests.support.filled import counted, filling
from tests.support.look_alikes import (
    ADMINISTRATOR,
    EXTENSIONS,
    LookAlike,
    another_database,
    look_alike,
)

pytestmark = [pytest.mark.install, pytest.mark.slow]

on_each = pytest.mark.parametrize("server", SERVERS)
from_each = pytest.mark.parametrize("start", ["0.2.0", "bf5432e7"])

_SEARCH: LiteralString = "select name from api.select_tools('count zebras') limit 1"
# As the service does after it has tried it.
_CAN_EMBED: LiteralString = """
select core.report_capability('embed', true, 'searching by meaning', 'words', null);
update core.setting set value = '"/nowhere"' where name = 'embedding.directory';
"""


@contextmanager
def handed_over(server: str) -> Generator[LookAlike]:
    """Provides a database of an owner with CREATEROLE only, whose provider has made the
    extensions.
    """
    require(server)
    with look_alike("create role only", server) as made:
        as_provider(
            made,
            # A new database of the same owner is to have the same settings.
            f"alter database {made.database.name} reset idle_session_timeout",
            "create schema ext",
            "grant usage on schema ext to public",
            *(f"create extension {name} schema ext" for name in EXTENSIONS),
        )
        yield made


def of_provider(made: LookAlike) -> Database:
    return Database(made.database.name, made.provider_dsn, made.database.service_dsn)


def fill(made: LookAlike, psql: Path, login: str) -> None:
    """Fills it with some of everything: what is not of the service is entered by this login."""
    become = f"set session authorization {login};"
    script = filling(of_provider(made)).replace("reset session authorization;", become)
    done = run(psql, made.provider_dsn, f"\\set ON_ERROR_STOP on\n{become}\n{script}")
    assert done.returncode == 0, done.stderr


def as_new(made: LookAlike) -> list[str]:
    # A model has indexes of its own.
    return [line for line in snapshot(made.provider_dsn) if " USING hnsw " not in line]


def found_by(dsn: str) -> object:
    with psycopg.connect(dsn) as connection:
        return connection.execute(_SEARCH).fetchone()


@on_each
@from_each
def test_its_owner_upgrades_what_he_has_installed(server: str, start: str, psql: Path):
    with handed_over(server) as made:
        # As the installer did it, without the extensions that only a superuser may create.
        script = STARTS[start].replace("count(*) > 0 as offered", "count(*) < 0 as offered")
        done = run(psql, made.dsn, script)
        assert done.returncode == 0, done.stderr
        fill(made, psql, ADMINISTRATOR)
        before = counted(of_provider(made))
        apply.install(made.dsn)
        after = counted(of_provider(made))
        assert [table for table, rows in before.items() if rows > after.get(table, 0)] == []
        assert diagnose(made.dsn).problems == []
        assert found_by(made.dsn) == ("o__count_zebras",)
        with another_database("create role only", made) as fresh:
            as_provider(fresh, admin_sql(fresh.dsn))
            apply.install(fresh.dsn)
            assert as_new(made) == as_new(fresh)


@on_each
@from_each
def test_a_new_owner_is_told_who_lets_him_upgrade_what_a_superuser_has_installed(
    server: str, start: str, psql: Path
):
    with handed_over(server) as made:
        name, owner = made.database.name, sql.Identifier(ADMINISTRATOR)
        superuser = str(urlsplit(made.provider_dsn).username)
        as_provider(made, f"alter database {name} owner to {superuser}")
        done = run(psql, made.provider_dsn, STARTS[start])
        assert done.returncode == 0, done.stderr
        fill(made, psql, superuser)
        as_provider(made, _CAN_EMBED, f"alter database {name} owner to {owner.as_string()}")
        before = counted(of_provider(made)), snapshot(made.provider_dsn)
        with pytest.raises(QmError) as refused:
            apply.install(made.dsn)
        assert refused.value.slug == "not_permitted"
        assert "of a superuser" in refused.value.hint
        assert "qm install --print-admin-sql" in refused.value.hint
        assert (counted(of_provider(made)), snapshot(made.provider_dsn)) == before
        as_provider(made, admin_sql(made.dsn))
        apply.install(made.dsn)
        # Only a superuser could have replaced what is in PL/Python.
        assert found_by(made.provider_dsn) == ("o__count_zebras",)
        assert diagnose(made.dsn).problems == []
