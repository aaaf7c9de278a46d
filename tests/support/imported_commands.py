"""Imports what commands of `qm` need, and `qm up`, for `fork_server.py`.

On the servers of the tests, `qm eval` measures in copies of the template that every test uses: to
install the schema for each measurement was most of the work.
"""

from __future__ import annotations

import os
import pkgutil
from importlib import import_module

# A console learns how wide it is when it is imported.
os.environ["COLUMNS"] = "200"
# A process with threads is not forked.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from quartermaster import cli
from quartermaster.core.kind_packages import COMMANDS, MORE_COMMANDS, entries, kind_packages
from quartermaster.guardrails.linear_patterns import compile_constants
from quartermaster.install import throw_away
from quartermaster.install.discover import database_folder

_TEMPLATE = "qm_template"
_install = throw_away.install


def copy_or_install(dsn: str) -> None:
    """Makes a database what `install` makes of an empty one."""
    name = sql.Identifier(str(conninfo_to_dict(dsn)["dbname"]))
    with psycopg.connect(make_conninfo(dsn, dbname="postgres"), autocommit=True) as connection:
        there = "select from pg_catalog.pg_database as d where d.datname = %s"
        if not connection.execute(there, [_TEMPLATE]).fetchall():
            _install(dsn)
            return
        connection.execute(sql.SQL("drop database {}").format(name))
        connection.execute(
            sql.SQL("create database {} template {} strategy file_copy").format(
                name, sql.Identifier(_TEMPLATE)
            )
        )
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute((database_folder() / "sql" / "database.sql").read_bytes())


throw_away.install = copy_or_install

for module in pkgutil.walk_packages(cli.__path__, f"{cli.__name__}."):
    import_module(module.name)
for group in (COMMANDS, *MORE_COMMANDS.values()):
    for command in entries(group):
        command.load()
kind_packages()
import_module("quartermaster.doors.http.app")
# These are imported only when they are needed, by nearly each service and command.
for name in ("anyio._backends._asyncio", "onnxruntime", "tokenizers", "typer._adapters", "uvloop"):
    import_module(name)
compile_constants()
