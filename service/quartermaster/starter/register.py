"""Adds the installed starter upstreams to the catalog, each once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from quartermaster.core.paths import write_private
from quartermaster.secrets.store import SecretStore
from quartermaster.service import Service
from quartermaster.starter.catalog import load_starters
from quartermaster.starter.install import StarterResult

_REGISTERED = "starters.json"


def unregistered_starters(data_dir: Path) -> list[str]:
    """Names of the starters that were never added and still need an installation."""
    known = _known(data_dir / _REGISTERED)
    return [starter.name for starter in load_starters() if starter.name not in known]


async def register_starters(service: Service, results: Sequence[StarterResult]) -> list[str]:
    """Adds the starters that are new or start differently since they were added last.

    One that somebody removed stays away: what was registered is remembered in the data directory.

    Returns:
        Names of the origins that were added or replaced, whose first refresh is under way.
    """
    path = service.data_dir / _REGISTERED
    known = _known(path)
    added: list[str] = []
    for result in results:
        if result.status == "skipped" or known.get(result.name) == list(result.command):
            continue
        await _add(service, result)
        known[result.name] = list(result.command)
        added.append(result.name)
    if added:
        write_private(path, json.dumps(known, indent=2) + "\n")
    return added


def _known(path: Path) -> dict[str, list[str]]:
    return json.loads(path.read_text()) if path.exists() else {}


async def _add(service: Service, result: StarterResult) -> None:
    secrets = SecretStore(service.data_dir)
    await service.database.call(
        "add_origin",
        service.worker,
        name=result.name,
        transport=result.transport,
        command=list(result.command),
        description=result.description,
        environment={
            name: secrets.put(f"{result.name}/{name}", value) for name, value in result.env.items()
        },
        replace=True,
    )
