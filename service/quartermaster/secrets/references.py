"""References to credentials inside of a text: ``${secret:NAME}`` and ``${env:NAME}``.

The arguments of a program and the URL of a server may contain some. The values are put in their
places when the server is started or called.
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
    """Returns the text with values in place of its references.

    Args:
        text: the text.
        resolve: returns the value of a locator.
    """
    return REFERENCE.sub(lambda match: resolve(match[1]), text)
