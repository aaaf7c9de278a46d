"""References to credentials inside a text: ``${secret:NAME}`` and ``${env:NAME}``.

The arguments of a program and the URL of a server may contain references. They are replaced by the
values when the server is started or called.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

REFERENCE: Final = re.compile(r"\$\{((?:secret|env):[A-Za-z0-9_./-]+)\}")


def reference(locator: str) -> str:
    """Returns the reference to a locator, ``secret:NAME`` or ``env:NAME``."""
    return f"${{{locator}}}"


def filled(text: str, resolve: Callable[[str], str]) -> str:
    """Returns the text in which values replace the references.

    Args:
        text: the text.
        resolve: function that returns the value of a locator.
    """
    return REFERENCE.sub(lambda match: resolve(match[1]), text)
