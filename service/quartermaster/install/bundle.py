"""Renders the installation as one psql script, for administrators who install manually."""

# All text that is inserted into SQL here comes from our own files or constants.
# ruff: noqa: S608
from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from psycopg import sql

from quartermaster import __version__
from quartermaster.install import discover, migrations
from quartermaster.install.apply import git_sha
from quartermaster.install.execute import LOCK, PINNED_SETTINGS, SESSION, rule_of
from quartermaster.install.kind_folder import KindFolder
from quartermaster.install.kind_folders import recorded
from quartermaster.install.steps import Actor, InstallStep


def bundle(folders: Sequence[KindFolder] = ()) -> str:
    """Returns the script, which runs with ``psql -v ON_ERROR_STOP=1 -f`` as one repeatable
    transaction.

    Args:
        folders: kind folders of the user, applied after the shipped files.
    """
    return "\n".join(_lines(folders)) + "\n"


def _lines(folders: Sequence[KindFolder]) -> Iterator[str]:
    yield f"-- Quartermaster {__version__}: installs or updates the schema. Made by qm bundle."
    yield "-- psql -v ON_ERROR_STOP=1 -d DATABASE -f bundle.sql, as a superuser."
    yield "\\set ON_ERROR_STOP on"
    yield "\\encoding UTF8"
    yield "begin;"
    yield SESSION.strip()
    yield f"{LOCK};"
    yield discover.schemas()
    yield from _plain(*discover.preparation())
    yield _checked(discover.shadows())
    for step in discover.extensions():
        yield from _optional(step) if step.optional else _plain(step)
    yield from _plain(discover.replacement())
    yield "set local check_function_bodies = off;"
    yield _as_owner(discover.BEFORE_MIGRATIONS)
    yield from _plain(discover.ledger())
    own = discover.all_migrations().values()
    for steps in (*own, *(folder.migrations() for folder in folders)):
        for step in steps:
            yield from _once(step)
    yield from _plain(*discover.reset())
    yield _as_owner(discover.BEFORE_FUNCTIONS)
    functions = discover.functions(has_python=True)
    yield from _functions(functions)
    yield _as_owner(discover.SHIPPED_FUNCTIONS)
    of_folders = [step for folder in folders for step in folder.functions()]
    yield from _plain(*discover.between_doors(of_folders))
    yield from _plain(*discover.steps_after_functions())
    yield from _plain(*(step for folder in folders for step in folder.applied()))
    yield _as_owner(discover.SHIPPED_FUNCTIONS_CHECK, discover.drop_leftovers())
    yield "set local check_function_bodies = on;"
    yield _as_owner(discover.VALIDATION)
    yield from _functions([step for step in functions if step.actor is Actor.ADMINISTRATOR])
    yield from _plain(discover.withheld_functions(), discover.login_limits())
    sha = f"'{git_sha()}'" if git_sha() else "null"
    yield _as_owner(
        recorded(folders),
        "update core.version set value = value + 1;",
        "select core.probe_capabilities();",
        "select search.create_words_index();",
        "insert into core.release (version, git_sha, digest) values"
        f" ('{__version__}', {sha}, '{discover.digest()}')"
        " on conflict (version) do update set digest = excluded.digest;",
        "select core.record_objects();",
        "notify qm_installation;",
    )
    yield from _plain(discover.schedule())
    yield from map(_checked, discover.checks())
    yield from _plain(discover.settlement())
    yield "commit;"


def _plain(*steps: InstallStep) -> Iterator[str]:
    for step in steps:
        yield f"-- {step.name}"
        if step.actor is Actor.OWNER:
            yield _as_owner(step.statement)
        else:
            yield PINNED_SETTINGS.strip()
            yield step.statement


def _checked(check: InstallStep) -> str:
    """Returns a block that ends the script if an object violates the rule of a check, as in
    `execute.run_checks`.
    """
    rule, remedy = rule_of(check)
    found, broken = _literal(f"{check.name}: "), _literal(f". The rule is: {rule}")
    query = _quoted(check.sql.strip().removesuffix(";"))
    return f"""-- {check.name}
do $check$
declare
    v_offenders constant text := (
        select string_agg(o.row ->> 'offender', ', ' order by o.place)
        from json_array_elements(pg_temp.ask_owner({query})) with ordinality as o (row, place)
    );
begin
    if v_offenders is not null then
        raise exception using
            errcode = 'QM500', constraint = 'check_failed',
            message = {found} || v_offenders || {broken},
            hint = {_literal(f"To mend it: {remedy}")};
    end if;
end
$check$;"""


def _literal(text: str) -> str:
    return sql.Literal(text).as_string()


def _as_owner(*statements: str) -> str:
    text = "\n".join(statements)
    return f"select pg_temp.as_owner({_quoted(text)});"


def _quoted(text: str) -> str:
    """Returns an SQL literal that contains the text unchanged, so that people can read it in the
    script.
    """
    quote = next(quote for n in count() if (quote := f"$owner{n or ''}$") not in text)
    return f"{quote}\n{text}\n{quote}"


def _if_any(query: str) -> Iterator[str]:
    r"""Returns the beginning of a block that ends with \\endif. psql runs the block only if the
    query, run as the owner, finds a row.
    """
    yield f"select pg_temp.ask_owner({_quoted(query)})::text <> '[]' as pending \\gset"
    yield "\\if :pending"


def _optional(step: InstallStep) -> Iterator[str]:
    """Returns a block that applies an optional extension only if it is available on the server."""
    name = step.name.rsplit("/", 1)[-1].removesuffix(".sql").split("_", 1)[-1]
    yield "select count(*) > 0 as offered from pg_available_extensions"
    yield f"where name = '{name}' \\gset"
    yield "\\if :offered"
    yield from _plain(step)
    yield "\\endif"


def _once(step: InstallStep) -> Iterator[str]:
    """Returns a block that applies a migration only if it has not run before."""
    yield from _if_any(migrations.is_pending(step))
    yield f"-- {step.name}"
    yield _as_owner(migrations.recorded(step))
    yield "\\endif"


def _functions(steps: list[InstallStep]) -> Iterator[str]:
    python = [step for step in steps if step.actor is Actor.ADMINISTRATOR]
    yield from _plain(*(step for step in steps if step not in python))
    yield "select count(*) > 0 as has_python from pg_language where lanname = 'plpython3u' \\gset"
    yield "\\if :has_python"
    for step in python:
        yield from _plain(step)
        yield f"alter function {step.function} owner to qm_owner;"
    yield "\\endif"
