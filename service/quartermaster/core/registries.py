"""Package registries: for how long pip and npm try to reach one, and whether that failed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

PATIENCE: Final[Mapping[str, str]] = {
    "PIP_RETRIES": "1",
    "PIP_DEFAULT_TIMEOUT": "10",
    "npm_config_fetch_retries": "1",
    "npm_config_fetch_retry_mintimeout": "1000",
    "npm_config_fetch_timeout": "60000",
}
"""Environment variables for pip and npm, unless the user has set others. Without them, both take a
minute or more to find out that there is no network."""
_UNREACHABLE_PATTERN: Final = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH"
    r"|ERR_SOCKET_TIMEOUT|Response timeout|socket hang up"
    r"|NewConnectionError|NameResolutionError|ConnectTimeoutError|ReadTimeoutError"
    r"|Name or service not known|Temporary failure in name resolution|Network is unreachable"
    r"|Connection refused|Connection aborted"
)


def is_unreachable(said: str) -> bool:
    """Returns whether pip or npm failed because it could not reach the registry.

    Args:
        said: the text that pip or npm wrote to standard error.
    """
    return bool(_UNREACHABLE_PATTERN.search(said))
