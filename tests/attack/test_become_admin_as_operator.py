"""An operator defines origins: he chooses no program, takes no secret of others, and no token."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from psycopg.types.json import Jsonb

from quartermaster.core.errors import QmError
from quartermaster.secrets.store import SecretStore
from quartermaster.upstream.auth.opening import Opener
from quartermaster.upstream.auth.settings import OriginAuth
from tests.support.canary import canary
from tests.support.database import Database
from tests.support.mallory import mallory

_ALPHA = """
select api.add_origin(
    'alpha', 'http', url => 'https://alpha.example/mcp',
    headers => '{"Authorization": "secret:alpha/TOK"}'
)
"""
_OWN = "https://evil.example/mcp"
REFUSED = [
    {"transport": "stdio", "command": ["/bin/sh", "-c", "id"]},
    {"transport": "stdio", "command": ["listed", "more"]},
    {"transport": "stdio", "command": ["listed"], "cwd": "/tmp"},
    {"transport": "http", "url": _OWN, "headers": {"X": "secret:alpha/TOK"}},
    {"transport": "http", "url": _OWN, "headers": {"X": "env:PATH"}},
    {"transport": "http", "url": _OWN, "auth_reference": "secret:alpha/TOK"},
    {"transport": "stdio", "command": ["listed"], "environment": {"X": "secret:alpha/TOK"}},
    {"transport": "http", "url": _OWN, "auth": {"grant": "signed", "audience": "https://alpha"}},
    {"transport": "http", "url": _OWN, "tls": {"verify": False}},
    {"transport": "http", "url": _OWN, "tls": {"client_certificate": "/etc/x", "client_key": "x"}},
    {
        "name": "alpha",
        "replace": True,
        "transport": "http",
        "url": _OWN,
        "auth": {"grant": "signed"},
    },
]


def add(connection: psycopg.Connection[tuple[object, ...]], **definition: object) -> None:
    """Calls api.add_origin."""
    definition = {"name": "evil"} | definition
    adapted = [Jsonb(value) if isinstance(value, dict) else value for value in definition.values()]
    given = ", ".join(f"{name} => %s" for name in definition)
    connection.execute(f"select api.add_origin({given})".encode(), adapted)


@pytest.mark.parametrize("definition", REFUSED, ids=str)
def test_an_operator_defines_nothing_that_only_an_administrator_may(
    database: Database, definition: dict[str, object]
) -> None:
    with database.connect() as administrator:
        administrator.execute(_ALPHA.encode())
        administrator.execute("select api.allow('program', '[\"listed\"]')")
    with (
        mallory(database, "qm_operator") as dsn,
        psycopg.connect(dsn) as attacker,
        pytest.raises(psycopg.DatabaseError) as caught,
    ):
        add(attacker, **definition)
    assert caught.value.diag.constraint_name == "not_allowed"


def test_an_operator_adds_http_origins_and_what_is_listed(database: Database) -> None:
    with database.connect() as administrator:
        administrator.execute(_ALPHA.encode())
        administrator.execute(
            "select api.allow('program', '[\"listed\", \"--safe\"]'),"
            " api.allow('environment', 'env:LANG'),"
            " api.allow('secret', 'secret:alpha/TOK', 'second')"
        )
    with mallory(database, "qm_operator") as dsn, psycopg.connect(dsn) as operator:
        add(operator, name="web", transport="http", url=_OWN, headers={"X": "secret:web/KEY"})
        add(
            operator,
            name="program",
            transport="stdio",
            command=["listed", "--safe"],
            environment={"LANG": "env:LANG"},
        )
        add(operator, name="second", transport="http", url=_OWN, auth_reference="secret:alpha/TOK")
        add(
            operator,
            name="alpha",
            replace=True,
            transport="http",
            url="https://alpha.example/mcp",
            description="described anew",
            headers={"Authorization": "secret:alpha/TOK"},
        )
        for statement in (
            "select api.allow('program', '[\"sh\"]')",
            "select api.disallow('program', '[\"listed\"]')",
            "insert into catalog.allowance (kind, value) values ('program', '[]')",
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), operator.transaction():
                operator.execute(statement.encode())


def test_a_secret_is_not_sent_to_another_address(tmp_path: Path) -> None:
    store, value = SecretStore(tmp_path), canary("bound")
    store.put("alpha/TOK", value)

    def opener(url: str, name: str = "alpha") -> Opener:
        row = {"name": name, "transport": "http", "url": url}
        return Opener(row, OriginAuth(), store, None, "quartermaster")

    assert opener("https://alpha.example/mcp").resolve("secret:alpha/TOK") == value
    assert opener("https://alpha.example/other").resolve("secret:alpha/TOK") == value
    for url in ("https://evil.example/mcp", "http://alpha.example/mcp"):
        with pytest.raises(QmError) as caught:
            opener(url).resolve("secret:alpha/TOK")
        assert caught.value.slug == "secret_bound"
    store.put("alpha/TOK", value)
    assert opener("https://new.example/mcp").resolve("secret:alpha/TOK") == value


@pytest.mark.parametrize("name", ["login/alpha", "principals/1-alice/alpha/TOK"])
def test_logins_and_credentials_of_principals_cannot_be_named(
    database: Database, tmp_path: Path, name: str
) -> None:
    store = SecretStore(tmp_path)
    store.put(name, canary("kept"))
    row = {"name": "login", "transport": "http", "url": _OWN}
    with pytest.raises(QmError) as caught:
        Opener(row, OriginAuth(), store, None, "quartermaster").resolve(f"secret:{name}")
    assert caught.value.slug == "secret_reserved"
    with database.connect() as administrator, pytest.raises(psycopg.DatabaseError) as refused:
        add(administrator, transport="http", url=_OWN, headers={"X": f"secret:{name}"})
    assert refused.value.diag.constraint_name == "origin_invalid"
