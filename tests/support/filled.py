"""Fills an installation of any version with some of everything, and counts what is there."""

from __future__ import annotations

from psycopg import sql

from tests.support.database import ROOT, Database

_FOLDER = ROOT / "tests" / "install" / "filling"
_TABLES = """
select n.nspname, c.relname
from pg_class as c
inner join pg_namespace as n on n.oid = c.relnamespace
where n.nspowner = 'qm_owner'::regrole and c.relkind in ('r', 'p') and not c.relispartition
"""


def filling(database: Database) -> str:
    """Returns the script for psql that fills an installation with what its version can store."""
    with database.connect() as connection:
        found = connection.execute("select to_regnamespace('projects') is not null").fetchone()
    parts = ["1_always.sql", *["2_projects.sql"] * (found == (True,))]
    return "".join((_FOLDER / part).read_text(encoding="utf-8") for part in parts)


def counted(database: Database) -> dict[str, int]:
    """Returns the number of rows of each of our tables."""
    numbers: dict[str, int] = {}
    with database.connect() as connection:
        for schema, table in connection.execute(_TABLES).fetchall():
            query = sql.SQL("select count(*) from {}").format(sql.Identifier(schema, table))
            [[number]] = connection.execute(query).fetchall()
            numbers[f"{schema}.{table}"] = number
    return numbers
