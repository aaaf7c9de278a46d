"""Lists the principals that wait for a slot in the running service, for ``qm status`` and ``qm
doctor``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from quartermaster.cli.command import Qm
from quartermaster.cli.session import Row
from quartermaster.core.errors import QmError

COLUMNS: Final = (("place", "queue"), "principal", "running", "waiting", "refused")


def crowded(qm: Qm) -> Sequence[Row]:
    """Returns the principals whose requests to the running service wait, or were refused because
    too many waited. The result is empty if no service answers, or if the command uses a database
    that a DSN names.
    """
    if qm.dsn is not None:
        return []
    try:
        shares: dict[str, dict[str, Row]] = qm.service.get("/status")["shares"]
    except (QmError, KeyError):
        return []
    return [
        {"queue": queue, "principal": principal, **share}
        for queue, principals in shares.items()
        for principal, share in principals.items()
        if share["waiting"] or share["refused"]
    ]
