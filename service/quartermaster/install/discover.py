"""Lists the SQL files for the database in order, for the installer and for ``qm bundle``."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from glob import glob
from pathlib import Path
from typing import Final, LiteralString, cast

from psycopg import sql

from quartermaster.core.errors import QmError

ROLES: Final = ("qm_owner", "qm_reader", "qm_user", "qm_operator", "qm_admin", "qm_service")
"""Our roles in the cluster. core.list_objects() names them, too."""

NAMED_ROLES: LiteralString = f"set qm.roles = '{','.join(ROLES)}';"
"""The statement that names them to the files."""

_CONFINED: Final = """begin
    perform pg_catalog.set_config('qm.kind_folder', {}, true);
    execute {};
    perform pg_catalog.set_config('qm.kind_folder', '', true);
exception
    when insufficient_privilege then
        if sqlerrm !~ '"(role|session_authorization)"' then
            raise;
        end if;
        raise exception using errcode = 'QM422', constraint = 'kind_folder_invalid', message = {},
            hint = 'Remove set role, reset role and set session authorization from the file.';
end"""


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

# Drops our views, which their files make again, and lets the owner change every row in migrations;
# sql/reset/tables.sql binds him again.
BEFORE_MIGRATIONS: Final = """do $do$
declare
    v_table regclass;
begin
    perform pg_temp.drop_views();
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
# Released migrations did that by acting as the login.
_AS_LOGIN: Final = re.compile(r"^(re)?set role( qm_owner)?;$", re.MULTILINE)

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

_SHIPPED: Final = """
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
    perform pg_catalog.set_config('qm.functions_shipped', ({_SHIPPED}
        and v_before ->> p.oid::text is distinct from p.ctid::text
    )::text, true);
end
$do$;"""

# Refuses kind folders that have replaced or dropped any of them.
SHIPPED_FUNCTIONS_KEPT: Final = f"""do $do$
declare
    v_now constant jsonb := ({_SHIPPED});
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


class Actor(Enum):
    """The role that runs a step."""

    ADMINISTRATOR = "administrator"
    OWNER = "qm_owner"


@dataclass(frozen=True)
class Step:
    """One SQL file in the installation.

    Attributes:
        name: path below the database folder, for messages.
        sql: text of the file.
        actor: role that runs the file.
        folder: name of the kind folder that the file comes from; None for a shipped file.
        function: ``schema.name`` of the function that a shipped file replaces; None for others.
    """

    name: str
    sql: str
    actor: Actor
    folder: str | None = None
    function: str | None = None

    @property
    def digest(self) -> str:
        """SHA-256 hash of the text, in hexadecimal."""
        return hashlib.sha256(self.sql.encode()).hexdigest()

    @property
    def statement(self) -> str:
        """The SQL that the server executes: the text of the file, or a block that runs it.

        The file of a function replaces what there is of this name (sql/replace.sql). A migration
        acts as the owner from its beginning to its end. A file from a kind folder can neither end
        the transaction nor leave the next file with another role, and its kinds belong to its
        folder (search.put_kind).
        """
        if self.function is not None:
            return (
                "do $replace$ begin perform pg_temp.replace_function("
                f"'{self.function}', $file$\n{self.sql}$file$); end $replace$;"
            )
        if self.folder is None:
            is_migration = self.name.startswith("migrations/")
            return _AS_LOGIN.sub("", self.sql) if is_migration else self.sql
        message = f"{self.name} changes the role of the installation"
        block = sql.SQL(_CONFINED).format(self.folder, self.sql, message).as_string()
        return sql.SQL("do {};").format(block).as_string()

    @property
    def extension(self) -> bool:
        """Whether the step creates a server extension."""
        return self.name.startswith("extensions/")

    @property
    def optional(self) -> bool:
        """Whether the installation can continue without the capability if the step fails."""
        return self.name.startswith("extensions/optional/")


def database_folder() -> Path:
    """The folder that contains extensions/, migrations/, functions/ and sql/, in the repository or
    in the wheel."""
    packaged = Path(__file__).parents[1] / "database"
    return packaged if packaged.is_dir() else Path(__file__).parents[3]


def steps_before_migrations() -> list[Step]:
    """The steps that prepare a database, and those that create extensions."""
    return [
        *preparation(),
        *extensions(),
    ]


def preparation() -> list[Step]:
    """The steps that refuse databases, note what is there, create roles and schemas, and bring back
    what people have changed since the last installation.
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


def roles() -> Step:
    """The step that creates the roles of the cluster, and makes them members of each other."""
    step = _step("sql/roles.sql", Actor.ADMINISTRATOR)
    return replace(step, sql=f"{NAMED_ROLES}\n{step.sql}")


def extensions() -> list[Step]:
    """The steps that create extensions, the required ones first."""
    return [*required_extensions(), *_steps("extensions/optional/*.sql", Actor.ADMINISTRATOR)]


def extension_schema() -> Step:
    """The step that creates the schema for extensions."""
    return _step("sql/extension_schema.sql", Actor.ADMINISTRATOR)


def required_extensions() -> list[Step]:
    """The steps that create the extensions without which there is no installation."""
    return _steps("extensions/required/*.sql", Actor.ADMINISTRATOR)


def refusal() -> Step:
    """Raises QM500 schema_too_old if the tables come from a release that cannot be upgraded."""
    return _step("sql/refuse_old.sql", Actor.OWNER)


def owner() -> Step:
    """The step that lets qm_owner act in a session of the installing login."""
    return _step("sql/as_owner.sql", Actor.ADMINISTRATOR)


def settlement() -> Step:
    """The step that ends what qm_owner has begun, before the end of the transaction."""
    return _step("sql/settle.sql", Actor.ADMINISTRATOR)


def migrations() -> list[Step]:
    """The migration files in order.

    Raises:
        QmError: QM500 migration_edited if the digest of a released file has changed.
    """
    found = _steps("migrations/*.sql", Actor.OWNER)
    by_name = {Path(step.name).name: step for step in found}
    for line in (database_folder() / "migrations/frozen.txt").read_text().splitlines():
        digest, name = line.split()
        step = by_name.get(name)
        require_unchanged(step, digest, f"the released migration {name}")
    return found


def ledger() -> Step:
    """The step that makes the ledger of migrations, and refuses the database of a newer release."""
    digests = json.dumps({step.name: step.digest for step in migrations()})
    named = sql.SQL("set local qm.migrations = {};").format(digests).as_string()
    step = _step("sql/ledger.sql", Actor.OWNER)
    return replace(step, sql=f"{named}\n{step.sql}")


def require_unchanged(migration: Step | None, digest: str, called: str) -> None:
    """Checks that a migration, which must not change any more, has the digest that it had.

    Raises:
        QmError: QM500 migration_edited.
    """
    if migration is None or migration.digest != digest:
        raise QmError(
            500,
            "migration_edited",
            f"{called} was changed or removed",
            "Restore the file and put the change into a new migration.",
        )


def replacement() -> Step:
    """The step that makes what replaces functions and views, for the rest of the session."""
    return _step("sql/replace.sql", Actor.ADMINISTRATOR)


def schemas() -> LiteralString:
    """The statement that names our schemas."""
    return cast(LiteralString, f"set local qm.schemas = '{','.join(schema_names())}';")


def make_schemas() -> LiteralString:
    """The statements that make our schemas, without anything in them."""
    make = "".join(f"create schema if not exists {name};" for name in schema_names())
    return cast(LiteralString, make)


def schema_names() -> list[str]:
    """Our schemas: those in which our files make functions."""
    return sorted({name.partition(".")[0] for name in _function_names()})


def drop_leftovers() -> str:
    """The statement that drops functions and views which no file makes any more."""
    names = ",".join(_function_names())
    return f"do $do$ begin perform pg_temp.drop_leftovers('{{{names}}}'); end $do$;"


def _function_names() -> list[str]:
    steps = functions(has_python=True)
    return sorted(step.function for step in steps if step.function is not None)


def reset() -> list[Step]:
    """The steps that revoke all rights; later files grant them again."""
    return [reset_functions(), _step("sql/reset/tables.sql", Actor.OWNER)]


def reset_functions() -> Step:
    """The step that revokes EXECUTE on all functions; files under functions/ grant it again."""
    return _step("sql/reset/functions.sql", Actor.OWNER)


def functions(*, has_python: bool) -> list[Step]:
    """One file for each function, between the steps that open and close the doors; PL/Python
    functions only if the server has PL/Python.
    """
    found = _functions("functions/**/*.sql", Actor.OWNER)
    plain = [step for step in found if not step.name.endswith(".plpy.sql")]
    python = _functions("functions/**/*.plpy.sql", Actor.ADMINISTRATOR)
    return [
        _step("sql/doors/open.sql", Actor.OWNER),
        *plain,
        *(python if has_python else []),
        _step("sql/doors/close.sql", Actor.OWNER),
    ]


def steps_after_functions() -> list[Step]:
    """The steps after the functions, in order.

    Policies come first, because the owner also needs a policy to write. Kinds come after the
    tables that they use.
    """
    return [
        _step("sql/default_rights.sql", Actor.OWNER),
        *_steps("sql/rls/*.sql", Actor.OWNER),
        *_steps("sql/triggers/*.sql", Actor.OWNER),
        *_steps("sql/views/*.sql", Actor.OWNER),
        _step("sql/error_codes.sql", Actor.OWNER),
        *_steps("sql/seeds/*.sql", Actor.OWNER),
        *_steps("sql/kinds/*.sql", Actor.OWNER),
    ]


def schedule() -> Step:
    """The step that schedules the pg_cron jobs, if pg_cron is installed."""
    return _step("sql/cron.sql", Actor.ADMINISTRATOR)


def login_limits() -> Step:
    """The step that limits what people who log in may take and fill, if this is requested
    (`execute.LIMIT_LOGINS`)."""
    return _step("sql/login_limits.sql", Actor.ADMINISTRATOR)


def withheld_functions() -> Step:
    """The step that makes a copy of core.withheld_functions() for the session, because the owner
    could have replaced the function."""
    return _for_session("withheld_functions")


def _for_session(name: str) -> Step:
    """The step that makes a copy of a function of the schema core for the session."""
    step = _step(f"functions/core/{name}.sql", Actor.ADMINISTRATOR)
    text = step.sql.replace(f"core.{name}", f"pg_temp.{name}")
    made = f"drop function if exists pg_temp.{name}();\ncreate function"
    return replace(step, sql=text.replace("create or replace function", made))


def returned_rights() -> Step:
    """The query for the statements that give back what an installation took from others."""
    return _step("sql/uninstall/rights.sql", Actor.ADMINISTRATOR)


def shadows() -> Step:
    """The check that finds who could put functions of his in the place of those of extensions. It
    runs before an installation uses an extension, and with the other checks.
    """
    return _step("sql/checks/0016_extensions_are_not_shadowed.sql", Actor.ADMINISTRATOR)


def checks() -> list[Step]:
    """The queries that check rules for all objects; each query returns the objects that violate its
    rule.
    """
    return _steps("sql/checks/*.sql", Actor.ADMINISTRATOR)


def digest() -> str:
    """SHA-256 hash of all files that an installation applies, in hexadecimal."""
    steps = [
        *steps_before_migrations(),
        ledger(),
        *migrations(),
        replacement(),
        *reset(),
        *functions(has_python=True),
        *steps_after_functions(),
        login_limits(),
        schedule(),
        settlement(),
    ]
    return digest_of(steps)


def digest_of(steps: Iterable[Step]) -> str:
    """SHA-256 hash of the names and texts of files, in hexadecimal."""
    return hashlib.sha256("".join(f"{s.name}\0{s.sql}\0" for s in steps).encode()).hexdigest()


def function_identity(step: Step) -> str:
    """``schema.name`` of the function that a file under functions/ defines.

    The first folder is the schema. Functions in schema api are one folder deeper, by domain.
    """
    path = Path(step.name)
    return f"{path.parts[1]}.{path.name.split('.')[0]}"


def _functions(pattern: str, actor: Actor) -> list[Step]:
    steps = _steps(pattern, actor)
    return [replace(step, function=function_identity(step)) for step in steps]


def _step(name: str, actor: Actor) -> Step:
    return Step(name, (database_folder() / name).read_text(encoding="utf-8"), actor)


def _steps(pattern: str, actor: Actor) -> list[Step]:
    folder = database_folder()
    names = sorted(glob(pattern, root_dir=folder, recursive=True))  # noqa: PTH207 - takes half
    return [Step(name, (folder / name).read_text(encoding="utf-8"), actor) for name in names]
