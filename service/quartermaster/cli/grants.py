"""Shows what local servers may see, and asks an administrator to confirm it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quartermaster.cli import output
from quartermaster.cli.command import Command


def confirm_grants(qm: Command, grants: Mapping[str, Mapping[str, Any]]) -> None:
    """Asks whether servers may see these files and this machine's network; no ends the command.

    Args:
        grants: the sandbox of each server, by name.
    """
    for name, sandbox in grants.items():
        for sentence in granted(sandbox):
            qm.note(f"{name} {sentence}")
    if grants:
        output.confirm("Confirm this?", yes=qm.yes)


def granted(sandbox: Mapping[str, Any]) -> list[str]:
    """What a server may see in addition to its own files, as ends of sentences."""
    folders = [
        f"may {'read and change' if folder.get('write') else 'read'} {folder['path']}"
        for folder in sandbox.get("folders", ())
    ]
    networks = {
        "host": "may use this machine's network, including its loopback addresses",
        "none": "has no network",
    }
    return [*folders, *filter(None, [networks.get(sandbox.get("network", ""))])]
