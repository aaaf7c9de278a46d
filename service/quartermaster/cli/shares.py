"""Who waits for a slot in the running service, for ``qm status`` and ``qm doctor``."""

from __future__ import annotations

from typing import Final

from quartermaster.cli.command import Qm
from quartermaster.cli.session import Row
from quartermaster.core.paths import RunFile

COLUMNS: Final = (("place", "queue"), "principal", "running", "waiting", "refused")
_TIMEOUT_S: Final = 5.0


def crowded(qm: Qm) -> list[Row]:
    """The principals of the running service with requests that wait, or were refused because too
    many waited; empty if no service answers, or if the command uses another database.
    """
    import httpx2

    run = None if qm.dsn else RunFile.read(qm.folder)
    if run is None or not run.is_alive():
        return []
    headers = {"Authorization": f"Bearer {run.token}"}
    try:
        with httpx2.Client(headers=headers, timeout=_TIMEOUT_S, trust_env=False) as http:
            reply = http.get(f"{run.url}/status")
        shares: dict[str, dict[str, Row]] = reply.raise_for_status().json()["shares"]
    except (httpx2.HTTPError, KeyError, ValueError):
        return []
    return [
        {"queue": queue, "principal": principal, **share}
        for queue, principals in shares.items()
        for principal, share in principals.items()
        if share["waiting"] or share["refused"]
    ]
