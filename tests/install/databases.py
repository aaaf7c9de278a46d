"""The same installation and the same questions in databases of other locales, encodings and
settings: `python -m tests.install.databases`, as a table.

Every answer equals that of a plain database to the letter, or the installation refuses the database
in one sentence.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, LiteralString, cast

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo
from rich.console import Console
from rich.table import Table

from quartermaster.core.errors import QmError
from quartermaster.install import apply
from tests.support import database as databases
from tests.support.database import Database, Server

_SCRIPT: Final = Path(__file__).with_name("fill_and_ask.sql")
_DECIMALS: Final = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_NO_SETTINGS: Final = " ".join(
    f"-c {setting}"
    for setting in (
        "row_security=on",
        "default_transaction_read_only=off",
        "role=none",
        "search_path=public",
        "statement_timeout=0",
        "lock_timeout=0",
        "standard_conforming_strings=on",
        "transform_null_equals=off",
        "array_nulls=on",
        "extra_float_digits=1",
        "quote_all_identifiers=off",
        "backslash_quote=safe_encoding",
        "datestyle=ISO",
        "plpgsql.variable_conflict=error",
        "plpgsql.extra_errors=none",
        "session_replication_role=origin",
    )
)
_ICU: Final = "locale_provider icu icu_locale '{}' locale 'C.UTF-8'"


@dataclass(frozen=True)
class Case:
    """A database that is not plain.

    Attributes:
        name: what is unusual about it.
        options: of ``create database``.
        settings: set for the database before the installation.
        refused: slug of the error with which it is refused; None if it answers like any other.
    """

    name: str
    options: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    refused: str | None = None


LOCALES: Final = (
    *(
        Case(f"ICU {locale}", _ICU.format(locale))
        for locale in ("tr-TR", "az", "lt", "de", "th", "und-u-ks-level1", "en-US-u-kn", "el")
    ),
    Case("libc C.UTF-8", "locale_provider libc locale 'C.UTF-8'"),
    Case("builtin C.UTF-8", "locale_provider builtin builtin_locale 'C.UTF-8' locale 'C.UTF-8'"),
    Case("libc C", "locale_provider libc locale 'C'", refused="letters_unknown"),
    Case(
        "LATIN1", "encoding 'LATIN1' locale_provider libc locale 'C'", refused="encoding_unsuitable"
    ),
    Case(
        "SQL_ASCII",
        "encoding 'SQL_ASCII' locale_provider libc locale 'C'",
        refused="encoding_unsuitable",
    ),
    Case(
        "EUC_JP", "encoding 'EUC_JP' locale_provider libc locale 'C'", refused="encoding_unsuitable"
    ),
)
SETTINGS: Final = tuple(
    Case(
        f"{name} = {value or repr(value)}",
        settings=((name, value),),
        refused="triggers_disabled" if name == "session_replication_role" else None,
    )
    for name, value in (
        ("array_nulls", "off"),
        ("backslash_quote", "off"),
        ("bytea_output", "escape"),
        ("check_function_bodies", "off"),
        ("client_encoding", "LATIN1"),
        ("client_min_messages", "error"),
        ("constraint_exclusion", "on"),
        ("cpu_tuple_cost", "1000"),
        ("datestyle", "German, DMY"),
        ("datestyle", "SQL, MDY"),
        ("default_statistics_target", "1"),
        ("default_text_search_config", "pg_catalog.turkish"),
        ("default_toast_compression", "lz4"),
        ("default_transaction_isolation", "serializable"),
        ("default_transaction_read_only", "on"),
        ("default_transaction_deferrable", "on"),
        ("enable_hashagg", "off"),
        ("enable_hashjoin", "off"),
        ("enable_indexscan", "off"),
        ("enable_material", "off"),
        ("enable_nestloop", "off"),
        ("enable_seqscan", "off"),
        ("enable_sort", "off"),
        ("escape_string_warning", "off"),
        ("extra_float_digits", "-15"),
        ("from_collapse_limit", "1"),
        ("geqo_threshold", "2"),
        ("gin_fuzzy_search_limit", "1"),
        ("hnsw.ef_search", "1"),
        ("hnsw.iterative_scan", "relaxed_order"),
        ("hnsw.max_scan_tuples", "1"),
        ("idle_in_transaction_session_timeout", "1h"),
        ("intervalstyle", "sql_standard"),
        ("jit_above_cost", "0"),
        ("join_collapse_limit", "1"),
        ("lock_timeout", "1ms"),
        ("max_parallel_workers_per_gather", "8"),
        ("debug_parallel_query", "on"),
        ("pg_trgm.similarity_threshold", "0.9"),
        ("pg_trgm.word_similarity_threshold", "0.99"),
        ("plan_cache_mode", "force_generic_plan"),
        ("plan_cache_mode", "force_custom_plan"),
        ("plpgsql.extra_errors", "all"),
        ("plpgsql.variable_conflict", "use_variable"),
        ("quote_all_identifiers", "on"),
        ("row_security", "off"),
        ("search_path", ""),
        ("session_replication_role", "replica"),
        ("standard_conforming_strings", "off"),
        ("statement_timeout", "5s"),
        ("synchronize_seqscans", "on"),
        ("timezone", "Asia/Kathmandu"),
        ("timezone", "America/St_Johns"),
        ("timezone_abbreviations", "Australia"),
        ("transform_null_equals", "on"),
        ("work_mem", "64kB"),
        ("xmlbinary", "hex"),
    )
)
_APART: Final = {
    "cpu_tuple_cost",
    "debug_parallel_query",
    "jit_above_cost",
    "session_replication_role",
    "statement_timeout",
}
ALL_SETTINGS: Final = Case(
    "all settings at once",
    settings=tuple(
        pair
        for case in SETTINGS
        for pair in case.settings
        # The time limit ends what the slow settings make slow.
        if pair[0] not in _APART and not pair[0].startswith("enable_")
    ),
)


@contextmanager
def made(server: Server, case: Case) -> Generator[Database]:
    """Provides an empty database as the case wants it, dropped at the end."""
    database = server.database(f"qm_case_{abs(hash(case.name)) % 10**9}")
    with psycopg.connect(server.admin_dsn, autocommit=True) as admin:
        name = sql.Identifier(database.name)
        create = sql.SQL("create database {} template template0 ").format(name).as_string()
        admin.execute(cast(LiteralString, create + case.options))
        try:
            for setting, value in case.settings:
                admin.execute(
                    sql.SQL("alter database {} set {} = {}").format(
                        name, sql.SQL(cast(LiteralString, setting)), sql.Literal(value)
                    )
                )
            yield database
        finally:
            admin.execute(sql.SQL("drop database {} with (force)").format(name))


def plain_answers(server: Server) -> list[str]:
    """Returns what a plain database of the server answers: a copy of the template."""
    with server.clone() as database:
        return _answers(database)


def answers(server: Server, case: Case) -> list[str]:
    """Returns what a new installation in such a database answers.

    Raises:
        QmError: the installation refuses the database.
    """
    with made(server, case) as database:
        apply.install(database.dsn)
        # The functions of tests are no operations, and pin no settings.
        plain = replace(database, dsn=_with_plain_settings(database))
        replace(server, pgtap=None).add_test_parts(plain)
        return _answers(database)


def _answers(database: Database) -> list[str]:
    fill, _, ask = _SCRIPT.read_text(encoding="utf-8").partition("\n---- ask\n")
    return [*_results(_with_plain_settings(database), fill), *_results(database.dsn, ask)]


def _with_plain_settings(database: Database) -> str:
    return make_conninfo(database.dsn, options=_NO_SETTINGS)


def _results(dsn: str, script: str) -> list[str]:
    """Returns the rows of all statements, or the error of the statement, to seven decimals.

    Plans add up numbers in different orders, which changes the decimals after these.
    """
    report: list[str] = []
    with psycopg.connect(dsn, client_encoding="UTF8") as connection:
        connection.execute("set transaction read write")
        for statement in script.split("\n----\n"):
            try:
                with connection.transaction(), connection.cursor(binary=True) as cursor:
                    cursor.execute(cast(LiteralString, statement))
                    report += map(_shown, cursor.fetchall())
            except psycopg.Error as error:
                report.append(
                    f"{error.sqlstate} {error.diag.message_primary} {error.diag.message_hint}"
                )
    return report


def _shown(value: Any) -> str:
    return _DECIMALS.sub(lambda found: f"{float(found[0]):.7f}", repr(value))


def outcome(server: Server, case: Case, plain: list[str]) -> str:
    """Returns what became of the case: equal, refused with its sentence, or the first
    difference.
    """
    try:
        found = answers(server, case)
    except QmError as error:
        return f"refused: {error}" if error.slug == case.refused else f"DIFFERS: {error}"
    if case.refused:
        return f"DIFFERS: it is not refused ({case.refused})"
    for ours, theirs in zip(plain, found, strict=False):
        if ours != theirs:
            at = next(
                (i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b),
                min(len(ours), len(theirs)),
            )
            cut = slice(max(0, at - 40), at + 60)
            return f"DIFFERS: {ours[cut]} | {theirs[cut]}"
    return f"{len(found)} answers, equal" if len(found) == len(plain) else "DIFFERS: in number"


def main() -> int:
    """Prints the table; 1 if a database answers otherwise without a sentence."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="cases whose names contain this")
    parser.add_argument("--server", choices=("17", "18"), help="default: both")
    chosen = parser.parse_args()
    table = Table("database", "PostgreSQL", "answers")
    failed = False
    console = Console()
    with ExitStack() as running:
        for version, start in {"18": databases.embedded, "17": databases.debian}.items():
            if chosen.server not in {None, version}:
                continue
            server = running.enter_context(start())
            plain = plain_answers(server)
            for case in (*LOCALES, *SETTINGS, ALL_SETTINGS):
                # The embedded server has no ICU.
                if chosen.only in case.name and not (version == "18" and "ICU" in case.name):
                    report = outcome(server, case, plain)
                    failed = failed or report.startswith("DIFFERS")
                    table.add_row(case.name, version, report)
                    console.print(version, case.name, report, markup=False)
    console.print(table)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
