"""Variables of a person's shell that are meant for other programs, and not for Quartermaster.

People who work with PostgreSQL, pip and npm set variables for their own databases and projects. Our
database and our installations must not follow them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Final

_OF_PYTHON: Final = ("PYTHON", "__PYVENV_")
_OF_NODE: Final = frozenset({"NODE_ENV", "NODE_OPTIONS", "NODE_PATH"})
_PIP: Final = "pip_"
_NPM: Final = "npm_config_"
# What says where packages come from, and how they are reached. Everything else of pip and npm says
# what is installed, or where to.
_PASSED_TO_PIP: Final = frozenset(
    {"cache_dir", "cert", "client_cert", "config_file", "default_timeout", "extra_index_url"}
    | {"find_links", "index_url", "keyring_provider", "no_cache_dir", "no_index", "proxy"}
    | {"retries", "timeout", "trusted_host"}
)
_PASSED_TO_NPM: Final = frozenset(
    {"ca", "cache", "cafile", "cert", "fetch_retries", "fetch_timeout", "globalconfig"}
    | {"https_proxy", "key", "maxsockets", "noproxy", "proxy", "registry", "strict_ssl"}
    | {"userconfig"}
)


def forget_libpq_settings() -> None:
    """Removes the variables that drivers of PostgreSQL read from the environment of this process.

    Call this only before connections to our own server. A person who names another database may
    describe the rest of the connection in such variables. The time limit for connecting is kept,
    because it is meant for any server.
    """
    for name in [name for name in os.environ if name.startswith("PG")]:
        if name != "PGCONNECT_TIMEOUT":
            del os.environ[name]


def use_own_modes() -> None:
    """Sets the umask, so that files and folders get the modes that we give them, whatever umask the
    shell has.

    If root starts the server, the server runs as another user, which must be able to enter its
    folders.
    """
    os.umask(0o022)


def installer_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Returns the environment for pip, npm and Python when they install something of ours.

    Args:
        environment: the variables of the shell; default: those of this process.

    Returns:
        The variables, without those that would change the installed packages or their place.
        Registries, proxies, certificates and credentials are kept.
    """
    given = os.environ if environment is None else environment
    # A configuration file may say so, too.
    return {name: text for name, text in given.items() if _is_passed_on(name)} | {"PIP_USER": "0"}


def _is_passed_on(name: str) -> bool:
    if name.startswith(_OF_PYTHON) or name in _OF_NODE:
        return False
    lower = name.lower().replace("-", "_")
    if lower.startswith(_PIP):
        return lower.removeprefix(_PIP) in _PASSED_TO_PIP
    if lower.startswith(_NPM):
        setting = lower.removeprefix(_NPM)
        # Credentials and scopes of registries: `//HOST/:_authToken`, `@SCOPE:registry`.
        return setting in _PASSED_TO_NPM or setting.startswith(("//", "@"))
    return True
