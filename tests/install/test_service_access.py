"""The login of the service, which all installations of a server share, and databases that are not
where they were.
"""

from __future__ import annotations

from collections.abc import Generator

import psycopg
import pytest
from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.install import apply
from quartermaster.install.doctor import diagnose
from quartermaster.install.execute import set_service_password
from quartermaster.install.service_access import service_dsn
from tests.support.database import Database, embedded

pytestmark = pytest.mark.install


@pytest.fixture(scope="module")
def two() -> Generator[tuple[Database, Database]]:
    """Two installations on a server of their own, because their logins change."""
    with embedded() as server, server.empty() as one, server.empty() as other:
        for database in (one, other):
            apply.install(database.dsn)
        yield one, other


def test_a_second_installation_takes_the_login_from_no_service_that_runs(
    two: tuple[Database, Database],
):
    one, other = two
    with psycopg.connect(service_dsn(one.dsn, "the first")):
        with pytest.raises(QmError) as refused:
            service_dsn(other.dsn, "the second")
        assert (refused.value.code, refused.value.slug) == ("QM409", "service_login_taken")
        assert one.name in refused.value.message
        assert "credentials.json" in refused.value.hint
        assert not any(secret in str(refused.value) for secret in ("the first", "the second"))
        psycopg.connect(service_dsn(other.dsn, "the first")).close()


def test_a_password_that_somebody_has_changed_is_named_and_set_again(
    two: tuple[Database, Database],
):
    one, _ = two
    dsn = service_dsn(one.dsn, "known")
    assert diagnose(one.dsn, service_password="known").problems == []
    with one.connect() as connection:
        connection.execute("alter role qm_service password 'unknown'")
    [report] = diagnose(one.dsn, service_password="known").problems
    assert "Restart qm up" in report
    assert service_dsn(one.dsn, "known") == dsn
    assert diagnose(one.dsn, service_password="known").problems == []


def test_a_password_is_not_in_the_log_of_a_server_that_logs_every_statement(
    two: tuple[Database, Database],
):
    one, _ = two
    logged: list[str] = []
    with one.connect() as connection:
        connection.add_notice_handler(lambda notice: logged.append(str(notice.message_primary)))
        connection.execute("set log_statement = 'all'; set client_min_messages = log")
        set_service_password(connection, "käse 'n' \\ wine")
    [statement] = [line for line in logged if "alter role qm_service" in line]
    assert "wine" not in statement
    assert diagnose(one.dsn, service_password="käse 'n' \\ wine").problems == []


def test_a_renamed_database_is_told_with_the_place_of_its_name(two: tuple[Database, Database]):
    one, other = two
    with other.connect() as connection:
        names = sql.Identifier(one.name), sql.Identifier("qm_test_renamed")
        connection.execute(sql.SQL("alter database {} rename to {}").format(*names))
        try:
            with pytest.raises(QmError) as refused:
                diagnose(one.dsn)
        finally:
            connection.execute(sql.SQL("alter database {} rename to {}").format(*reversed(names)))
    assert refused.value.slug == "database_unavailable"
    assert "database.dsn" in refused.value.hint
    assert diagnose(one.dsn).problems == []


def test_the_rights_of_a_login_end_at_its_installation(two: tuple[Database, Database]):
    one, other = two
    with one.connect() as connection:
        connection.execute("create role qm_test_ada login password 'x'")
        connection.execute("grant qm_user to qm_test_ada")
        connection.execute("select api.create_principal('ada')")
        connection.execute("select api.map_role('ada', 'qm_test_ada')")
    with other.connect() as connection:
        # The role of the cluster lets her in; no principal of this installation is hers.
        connection.execute("set session authorization qm_test_ada")
        with pytest.raises(psycopg.Error) as refused:
            connection.execute("select name from api.select_tools('x')")
        assert refused.value.diag.constraint_name == "principal_unknown"
        connection.execute("reset session authorization")
        connection.execute("drop role qm_test_ada")
