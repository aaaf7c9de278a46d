"""Lists the SQL files of an installation in order, for the installer and for ``qm bundle``."""

from __future__ import annotations

import json
from dataclasses import replace
from glob import glob
from pathlib import Path
from typing import Final, LiteralString, cast

from psycopg import sql

from quartermaster.install.kind_folder import KindFolder, packaged_folders
from quartermaster.install.steps import (
    Actor,
    InstallStep,
    digest_of,
    function_identity,
    require_frozen,
    view_identity,
)

ROLES: Final = ("qm_owner", "qm_reader", "qm_user", "qm_operator", "qm_admin", "qm_service")
"""Our roles in the cluster. core.list_objects() names them, too."""

NAMED_ROLES: LiteralString = f"set qm.roles = '{','.join(ROLES)}';"
"""The statement that sets qm.roles to the names of these roles, for use in the SQL files."""


# The state of all functions before their files run. What changes afterwards, the files have made.
# Functions that no file makes any more, such as those of a kind folder that is no longer named in
# the settings, may be broken.
BEFORE_FUNCTIONS: Final = """do $do$
begin
    perform pg_catalog.set_config('qm.functions_before', (
        select coalesce(pg_catalog.jsonb_object_agg(p.oid, p.ctid), '{}')::text
        from pg_catalog.pg_proc as p
        where p.proowner in ('qm_owner'::regrole, 'qm_reader'::regrole)
    ), true);
end
$do$;"""

# Drops our views and triggers, which their files make again, and lets the owner change every row in
# migrations; sql/reset/tables.sql binds him again.
BEFORE_MIGRATIONS: Final = """do $do$
declare
    v_table regclass;
begin
    perform pg_temp.drop_views(), pg_temp.drop_triggers();
    for v_table in
        select c.oid
        from pg_catalog.pg_class as c
        where
            c.relnamespace::regnamespace::text
            = any(pg_catalog.string_to_array(pg_catalog.current_setting('qm.schemas'), ','))
            and c.relkind in ('r', 'p') and c.relforcerowsecurity
    loop
        execute pg_catalog.format('alter table %s no force row level security', v_table);
    end loop;
end
$do$;"""

# Checks the bodies of the functions that were made since BEFORE_FUNCTIONS, whatever their files are
# called. It calls the validators that ``create function`` calls, in half the time that the files
# take. The owner may not call the validator of PL/Python.
VALIDATION: Final = """do $do$
declare
    v_before constant jsonb := pg_catalog.current_setting('qm.functions_before');
    v_check text;
begin
    -- Validators obey this setting, and a file may have switched it off.
    perform pg_catalog.set_config('check_function_bodies', 'on', true);
    for v_check in
        select pg_catalog.format('select %s(%s)', l.lanvalidator::pg_catalog.regproc, p.oid)
        from pg_catalog.pg_proc as p
        join pg_catalog.pg_language as l on l.oid = p.prolang
        where
            p.proowner in ('qm_owner'::regrole, 'qm_reader'::regrole)
            and l.lanname in ('sql', 'plpgsql')
            and v_before ->> p.oid::text is distinct from p.ctid::text
    loop
        execute v_check;
    end loop;
end
$do$;"""

_SHIPPED_QUERY: Final = """
    select pg_catalog.jsonb_object_agg(
        p.oid::regprocedure,
        pg_catalog.md5(row(p.prosrc, p.prosqlbody, p.prolang, p.prosecdef, p.proowner)::text)
    )
    from pg_catalog.pg_proc as p
    where p.proowner in ('qm_owner'::regrole, 'qm_reader'::regrole)
"""

# The functions that the shipped files have made.
SHIPPED_FUNCTIONS: Final = f"""do $do$
declare
    v_before constant jsonb := pg_catalog.current_setting('qm.functions_before');
begin
    perform pg_catalog.set_config('qm.functions_shipped', ({_SHIPPED_QUERY}
        and v_before ->> p.oid::text is distinct from p.ctid::text
    )::text, true);
end
$do$;"""

# Refuses kind folders that have replaced or dropped any of them.
SHIPPED_FUNCTIONS_CHECK: Final = f"""do $do$
declare
    v_now constant jsonb := ({_SHIPPED_QUERY});
    v_function text;
begin
    for v_function in
        select f.key
        from pg_catalog.jsonb_each(pg_catalog.current_setting('qm.functions_shipped')::jsonb) as f
        where v_now -> f.key is distinct from f.value
    loop
        raise exception using errcode = 'QM422', constraint = 'kind_folder_invalid',
            message = 'a kind folder replaces ' || v_function,
            hint = 'Give the function of the folder another name, in a schema of the folder.';
    end loop;
end
$do$;"""  # noqa: S608 - of constants only


def database_folder() -> Path:
    """Returns the folder that contains extensions/, migrations/, functions/ and sql/, in the
    repository or in the wheel.
    """
    packaged = Path(__file__).parents[1] / "database"
    return packaged if packaged.is_dir() else Path(__file__).parents[3]


def steps_before_migrations() -> list[InstallStep]:
    """Returns the steps that prepare a database, followed by the steps that create extensions."""
    return [
        *preparation(),
        *extensions(),
    ]


def preparation() -> list[InstallStep]:
    """Returns the steps that prepare the database. They refuse unsuitable databases, record the
    existing objects, create roles and schemas, and undo changes that people made after the last
    installation.
    """
    return [
        roles(),
        owner(),
        _step("sql/owners.sql", Actor.ADMINISTRATOR),
        _step("sql/shared.sql", Actor.ADMINISTRATOR),
        refusal(),
        _step("sql/prior_state.sql", Actor.ADMINISTRATOR),
        extension_schema(),
        _step("sql/admin.sql", Actor.ADMINISTRATOR),
        _step("sql/database.sql", Actor.ADMINISTRATOR),
        # A release of before may lack it.
        _for_session("lagging_sequences"),
        _step("sql/mend.sql", Actor.OWNER),
    ]


def roles() -> InstallStep:
    """Returns the step that creates the roles of the cluster, and makes them members of each
    other.
    """
    step = _step("sql/roles.sql", Actor.ADMINISTRATOR)
    return replace(step, sql=f"{NAMED_ROLES}\n{step.sql}")


def extensions() -> list[InstallStep]:
    """Returns the steps that create extensions, the required ones first."""
    return [*required_extensions(), *_steps("extensions/optional/*.sql", Actor.ADMINISTRATOR)]


def extension_schema() -> InstallStep:
    """Returns the step that creates the schema for extensions."""
    return _step("sql/extension_schema.sql", Actor.ADMINISTRATOR)


def required_extensions() -> list[InstallStep]:
    """Returns the steps that create the required extensions."""
    return _steps("extensions/required/*.sql", Actor.ADMINISTRATOR)


def refusal() -> InstallStep:
    """Returns the step that raises QM500 schema_too_old if the tables come from a release that
    cannot be upgraded.
    """
    return _step("sql/refuse_old.sql", Actor.OWNER)


def owner() -> InstallStep:
    """Returns the step that lets qm_owner act in a session of the installing login."""
    return _step("sql/as_owner.sql", Actor.ADMINISTRATOR)


def settlement() -> InstallStep:
    """Returns the step that runs the deferred triggers of qm_owner before the transaction ends."""
    return _step("sql/settle.sql", Actor.ADMINISTRATOR)


def migrations() -> list[InstallStep]:
    """Returns the migration files in order.

    Raises:
        QmError: QM500 migration_edited if the digest of a released file has changed.
    """
    found = _steps("migrations/*.sql", Actor.OWNER)
    require_frozen(database_folder(), found)
    return found


def all_migrations() -> dict[str, list[InstallStep]]:
    """Maps the name of each folder to its migrations, in order: the core, under an empty name, and
    each kind that comes with Quartermaster.

    Raises:
        QmError: QM500 migration_edited.
    """
    return {"": migrations()} | {kind.name: kind.migrations() for kind in kinds()}


def ledger() -> InstallStep:
    """Returns the step that creates the ledger of migrations, and refuses the database of a newer
    release.
    """
    digests = {
        folder: {step.name: step.digest for step in steps}
        for folder, steps in all_migrations().items()
    }
    named = sql.SQL("set local qm.migrations = {}; set local qm.moved = {};").format(
        json.dumps(digests), json.dumps(_moved())
    )
    step = _step("sql/ledger.sql", Actor.OWNER)
    return replace(step, sql=f"{named.as_string()}\n{step.sql}")


def _moved() -> list[dict[str, str]]:
    """Returns the lines of migrations/moved.txt, in order."""
    members = ("before", "after", "migration", "folder", "moved_to", "digest")
    lines = (database_folder() / "migrations" / "moved.txt").read_text().splitlines()
    return [dict(zip(members, line.split(), strict=True)) for line in lines]


def replacement() -> InstallStep:
    """Returns the step that creates temporary procedures, which replace functions and views in the
    rest of the session.
    """
    return _step("sql/replace.sql", Actor.ADMINISTRATOR)


def schemas() -> LiteralString:
    """Returns the statement that sets qm.schemas to the names of our schemas."""
    return cast(LiteralString, f"set local qm.schemas = '{','.join(schema_names())}';")


def make_schemas() -> LiteralString:
    """Returns the statements that create our schemas, without their contents."""
    make = "".join(f"create schema if not exists {name};" for name in schema_names())
    return cast(LiteralString, make)


def kinds() -> list[KindFolder]:
    """Returns the folders of the installed kinds that come with Quartermaster."""
    return [folder for folder in packaged_folders() if folder.is_shipped]


def schema_names() -> list[str]:
    """Returns our schemas, which are the schemas in which our files create functions."""
    return sorted({name.partition(".")[0] for name in _function_names()})


def core_schemas() -> list[str]:
    """Returns the schemas of the core."""
    return sorted({path.name for path in (database_folder() / "functions").iterdir()})


def drop_leftovers() -> str:
    """Returns the statement that drops functions and views that no file creates any more."""
    names = ",".join(_function_names())
    return f"do $do$ begin perform pg_temp.drop_leftovers('{{{names}}}'); end $do$;"


def _function_names() -> list[str]:
    """Returns the names of the functions that our files create, derived from the names of the
    files.
    """
    names = _names("functions/**/*.sql")
    of_kinds = (name for kind in kinds() for name in kind.function_names())
    return sorted([*map(function_identity, names), *of_kinds])


def reset() -> list[InstallStep]:
    """Returns the steps that revoke all rights; later files grant them again."""
    return [reset_functions(), _step("sql/reset/tables.sql", Actor.OWNER)]


def reset_functions() -> InstallStep:
    """Returns the step that revokes EXECUTE on all functions; files under functions/ grant it
    again.
    """
    return _step("sql/reset/functions.sql", Actor.OWNER)


def functions(*, has_python: bool) -> list[InstallStep]:
    """Returns the steps that create the functions of the core and of the kinds that come with it.
    The first and the last step are those of `between_doors`. PL/Python functions are included only
    if the server has PL/Python.
    """
    found = _functions("functions/**/*.sql", Actor.OWNER)
    plain = [step for step in found if not step.name.endswith(".plpy.sql")]
    python = _functions("functions/**/*.plpy.sql", Actor.ADMINISTRATOR)
    return between_doors(
        [
            *plain,
            *(step for kind in kinds() for step in kind.functions()),
            *(python if has_python else []),
        ]
    )


def between_doors(functions: list[InstallStep]) -> list[InstallStep]:
    """Returns the files between the steps sql/doors/open.sql and sql/doors/close.sql; an empty list
    if there are no files.

    Only between these steps can a function be granted to qm_reader and get the settings of an
    operation.
    """
    if not functions:
        return []
    opening = _step("sql/doors/open.sql", Actor.OWNER)
    return [opening, *functions, _step("sql/doors/close.sql", Actor.OWNER)]


def steps_after_functions() -> list[InstallStep]:
    """Returns the steps after the functions, in order.

    Policies come first, because the owner also needs a policy to write. Kinds come after the
    tables that they use.
    """
    return [
        _step("sql/default_rights.sql", Actor.OWNER),
        *_applied("rls"),
        *_applied("triggers"),
        *_applied("views"),
        _step("sql/error_codes.sql", Actor.OWNER),
        *_applied("seeds"),
        *_applied("kinds"),
    ]


def _applied(part: str) -> list[InstallStep]:
    """Returns the files in a folder of sql/, of the core and of the kinds that come with it."""
    of_kinds = [step for kind in kinds() for step in kind.applied(part)]
    found = _steps(f"sql/{part}/**/*.sql", Actor.OWNER)
    return [*(replace(step, view=view_identity(step.name)) for step in found), *of_kinds]


def schedule() -> InstallStep:
    """Returns the step that schedules the pg_cron jobs, if pg_cron is installed."""
    return _step("sql/cron.sql", Actor.ADMINISTRATOR)


def login_limits() -> InstallStep:
    """Returns the step that limits how much of the server the logins of people may use, if
    `execute.LIMIT_LOGINS` requests the limits.
    """
    return _step("sql/login_limits.sql", Actor.ADMINISTRATOR)


def withheld_functions() -> InstallStep:
    """Returns the step that makes a copy of core.withheld_functions() for the session, because the
    owner could have replaced the function.
    """
    return _for_session("withheld_functions")


def _for_session(name: str) -> InstallStep:
    """Returns the step that makes a copy of a function of the schema core for the session."""
    step = _step(f"functions/core/{name}.sql", Actor.ADMINISTRATOR)
    text = step.sql.replace(f"core.{name}", f"pg_temp.{name}")
    made = f"drop function if exists pg_temp.{name}();\ncreate function"
    return replace(step, sql=text.replace("create or replace function", made))


def returned_rights() -> InstallStep:
    """Returns the query that builds the statements to restore the rights that an installation took
    from other roles.
    """
    return _step("sql/uninstall/rights.sql", Actor.ADMINISTRATOR)


def shadows() -> InstallStep:
    """Returns the check that finds roles that could replace functions of extensions with their own
    functions. It runs before an installation uses an extension, and with the other checks.
    """
    return _step("sql/checks/0016_extensions_are_not_shadowed.sql", Actor.ADMINISTRATOR)


def checks() -> list[InstallStep]:
    """Returns the queries that check rules for all objects; each query returns the objects that
    violate its rule.
    """
    return _steps("sql/checks/*.sql", Actor.ADMINISTRATOR)


def digest() -> str:
    """Returns the SHA-256 hash of all files that an installation applies, in hexadecimal."""
    steps = [
        *steps_before_migrations(),
        ledger(),
        *(step for steps in all_migrations().values() for step in steps),
        replacement(),
        *reset(),
        *functions(has_python=True),
        *steps_after_functions(),
        login_limits(),
        schedule(),
        settlement(),
    ]
    return digest_of(steps)


def _functions(pattern: str, actor: Actor) -> list[InstallStep]:
    steps = _steps(pattern, actor)
    return [replace(step, function=function_identity(step.name)) for step in steps]


def _step(name: str, actor: Actor) -> InstallStep:
    return InstallStep(name, (database_folder() / name).read_text(encoding="utf-8"), actor)


def _steps(pattern: str, actor: Actor) -> list[InstallStep]:
    folder = database_folder()
    names = _names(pattern)
    return [InstallStep(name, (folder / name).read_text(encoding="utf-8"), actor) for name in names]


def _names(pattern: str) -> list[str]:
    return sorted(glob(pattern, root_dir=database_folder(), recursive=True))  # noqa: PTH207 - takes half
