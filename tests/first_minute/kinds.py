"""The machines of the first start: every person with and without bubblewrap and Node."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

from tests.support.machines import Kind

_PEOPLE: Final[tuple[dict[str, Any], ...]] = (
    {"person": "root", "has_closed_python": True},
    {"person": "root"},
    {},
    {"refused": "mounts"},
    {"refused": "namespaces"},
)
KINDS: Final = tuple(
    Kind(has_bubblewrap=bubblewrap, has_node=node, **person)
    for person, bubblewrap, node in product(_PEOPLE, (False, True), (False, True))
)
COMMON: Final = Kind()
"""The machine of `make test`: an ordinary user of Debian 12 without bubblewrap and without Node."""
