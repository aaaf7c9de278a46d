"""What the shells of people have set for other programs, by the program that reads it.

Each variable has a value that somebody has. None of them is meant for Quartermaster.
"""

from __future__ import annotations

from typing import Final

from psycopg import pq

_LIBPQ: Final = {
    "PGAPPNAME": "billing",
    "PGCHANNELBINDING": "require",
    "PGCLIENTENCODING": "LATIN1",
    "PGCONNECT_TIMEOUT": "2",
    "PGDATABASE": "billing",
    "PGGSSDELEGATION": "1",
    "PGGSSENCMODE": "require",
    "PGGSSLIB": "gssapi",
    "PGHOST": "db.example.org",
    "PGHOSTADDR": "192.0.2.1",
    "PGKRBSRVNAME": "postgres",
    "PGLOADBALANCEHOSTS": "random",
    "PGMAXPROTOCOLVERSION": "3.0",
    "PGMINPROTOCOLVERSION": "3.0",
    "PGOPTIONS": "-c statement_timeout=1 -c search_path=billing",
    "PGPASSFILE": "/people/ada/.pgpass-of-billing",
    "PGPASSWORD": "billing",
    "PGPORT": "6543",
    "PGREQUIREAUTH": "gss",
    "PGREQUIREPEER": "postgres",
    "PGSERVICE": "billing",
    "PGSSLCERT": "/people/ada/.postgresql/billing.crt",
    "PGSSLCERTMODE": "require",
    "PGSSLCOMPRESSION": "1",
    "PGSSLCRL": "/people/ada/.postgresql/billing.crl",
    "PGSSLCRLDIR": "/people/ada/.postgresql/crl",
    "PGSSLKEY": "/people/ada/.postgresql/billing.key",
    "PGSSLMAXPROTOCOLVERSION": "TLSv1.3",
    "PGSSLMINPROTOCOLVERSION": "TLSv1.3",
    "PGSSLMODE": "verify-full",
    "PGSSLNEGOTIATION": "direct",
    "PGSSLROOTCERT": "/people/ada/.postgresql/company.crt",
    "PGSSLSNI": "0",
    "PGTARGETSESSIONATTRS": "standby",
    "PGUSER": "billing",
}
# Read by libpq, but no member of a connection string.
_BESIDE_LIBPQ: Final = {
    "PGDATA": "/srv/postgres",
    "PGDATESTYLE": "German",
    "PGGEQO": "off",
    "PGLOCALEDIR": "/people/ada/locale",
    "PGSERVICEFILE": "/people/ada/.pg_service.conf",
    "PGSYSCONFDIR": "/people/ada/etc",
    "PGTZ": "Asia/Tokyo",
}
SHELLS: Final = {
    "libpq": {**_LIBPQ, **_BESIDE_LIBPQ},
    "pip": {
        "PIP_BREAK_SYSTEM_PACKAGES": "1",
        "PIP_CONSTRAINT": "/people/ada/constraints.txt",
        "PIP_DRY_RUN": "1",
        "PIP_LOG": "/people/ada/no-such-folder/pip.log",
        "PIP_NO_BINARY": ":all:",
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_ONLY_BINARY": "numpy",
        "PIP_PLATFORM": "manylinux2014_x86_64",
        "PIP_PREFIX": "/people/ada/.local",
        "PIP_PYTHON": "/usr/bin/python3",
        "PIP_REQUIRE_HASHES": "1",
        "PIP_REQUIRE_VIRTUALENV": "1",
        "PIP_REQUIREMENT": "/people/ada/requirements.txt",
        "PIP_ROOT": "/people/ada/root",
        "PIP_SRC": "/people/ada/src",
        "PIP_TARGET": "/people/ada/lib",
        "PIP_USER": "1",
    },
    "npm": {
        "NODE_ENV": "production",
        "NODE_OPTIONS": "--require /people/ada/no-such-hook.js",
        "NODE_PATH": "/people/ada/node_modules",
        "NPM_CONFIG_GLOBAL": "true",
        "npm_config_dry_run": "true",
        "npm_config_engine_strict": "true",
        "npm_config_ignore_scripts": "false",
        "npm_config_location": "global",
        "npm_config_offline": "true",
        "npm_config_omit": "prod",
        "npm_config_package_lock": "false",
        "npm_config_prefix": "/people/ada/.npm-global",
        "npm_config_workspaces": "true",
    },
    "Python": {
        "CONDA_PREFIX": "/people/ada/miniconda3",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONHOME": "/usr",
        "PYTHONIOENCODING": "latin-1",
        "PYTHONNOUSERSITE": "1",
        "PYTHONOPTIMIZE": "2",
        "PYTHONPATH": "/people/ada/lib",
        "PYTHONSAFEPATH": "1",
        "PYTHONSTARTUP": "/people/ada/no-such-startup.py",
        "PYTHONUNBUFFERED": "1",
        "PYTHONUSERBASE": "/people/ada/.local",
        "PYTHONUTF8": "0",
        "PYTHONWARNINGS": "error",
        "VIRTUAL_ENV": "/people/ada/other/.venv",
        "__PYVENV_LAUNCHER__": "/usr/bin/python3",
    },
    "git": {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/people/ada/objects",
        "GIT_CEILING_DIRECTORIES": "/home",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_GLOBAL": "/people/ada/no-such-gitconfig",
        "GIT_CONFIG_KEY_0": "core.bare",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_VALUE_0": "true",
        "GIT_DIR": "/people/ada/other/.git",
        "GIT_INDEX_FILE": "/people/ada/other/.git/index",
        "GIT_NAMESPACE": "other",
        "GIT_OBJECT_DIRECTORY": "/people/ada/other/.git/objects",
        "GIT_TEMPLATE_DIR": "/people/ada/templates",
        "GIT_WORK_TREE": "/people/ada/other",
    },
}
"""Variables by the program that reads them; those of asyncpg are those of libpq."""


def unset_in_libpq() -> set[str]:
    """Returns the variables that libpq itself names, and for which there is no value here."""
    named = {one.envvar.decode() for one in pq.Conninfo.get_defaults() if one.envvar}
    return named - SHELLS["libpq"].keys()
