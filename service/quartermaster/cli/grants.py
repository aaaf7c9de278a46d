"""Shows which files and networks servers may use, and asks an administrator to confirm it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from quartermaster import api
from quartermaster.cli import output
from quartermaster.cli.command import Command

if TYPE_CHECKING:
    from quartermaster.catalog.importers.origin_definition import OriginDefinition


def confirm_grants(qm: Command, grants: Mapping[str, Mapping[str, Any]]) -> None:
    """Asks whether servers may use these files and this machine's network. If the answer is no, the
    command ends.

    Args:
        grants: maps the name of each server to its sandbox.
    """
    for name, sandbox in grants.items():
        for sentence in granted(sandbox):
            qm.note(f"{name} {sentence}")
    if grants:
        output.confirm("Confirm this?", yes=qm.yes)


def confirm_secrets(qm: Command, secrets: Mapping[str, Iterable[str]]) -> None:
    """Asks whether servers may get secrets that were stored for other servers. If the answer is no,
    the command ends.

    Args:
        secrets: maps the name of each server to the names of the secrets.
    """
    for name, foreign in secrets.items():
        for secret in foreign:
            qm.note(f"{name} gets the secret {secret}, which is not under its own name")
    if secrets:
        output.confirm("Confirm this?", yes=qm.yes)


def granted(sandbox: Mapping[str, Any]) -> list[str]:
    """Returns the folders and the network that a sandbox grants, as predicates such as ``may read
    /srv/data``.
    """
    folders = [
        f"may {'read and change' if folder.get('write') else 'read'} {folder['path']}"
        for folder in sandbox.get("folders", ())
    ]
    networks = {
        "host": "may use this machine's network, including its loopback addresses",
        "none": "has no network",
    }
    return [*folders, *filter(None, [networks.get(sandbox.get("network", ""))])]


def shared_network(sandbox: Mapping[str, Any]) -> list[str]:
    """Returns a predicate that says that a server shares this machine's network; empty if this
    machine can give the server a separate network.
    """
    from quartermaster.upstream.confinement import confinement

    if sandbox.get("network", "internet") != "internet" or confinement().has_own_network:
        return []
    return ["shares this machine's network, with its loopback addresses"]


def note_network(qm: Command, origins: Iterable[OriginDefinition]) -> None:
    """Prints which local servers share this machine's network, and how to change that."""
    for name, given in ((origin.name, origin.arguments) for origin in origins):
        if given["transport"] == "stdio":
            for report in shared_network(given.get("sandbox", {})):
                cut = f"qm origin sandbox {shlex.quote(name)} --network none"
                qm.note(f"{name} {report}. To cut it off: {cut}")


def allow_networks(qm: Command, urls: Mapping[str, str]) -> None:
    """Allows origins to connect to addresses in their URLs that are not public, after a
    confirmation.

    Args:
        qm: the command.
        urls: maps the name of each origin to its URL.

    Raises:
        typer.Abort: the user did not confirm.
    """
    found = {name: _private(url) for name, url in urls.items()}
    found = {name: addresses for name, addresses in found.items() if addresses}
    if not found:
        return
    for name, addresses in found.items():
        qm.note(f"{name} is not at a public address: {', '.join(addresses)}")
    output.confirm("Allow the connection?", yes=qm.yes)
    for name, addresses in found.items():
        for address in addresses:
            qm.call(api.allow(kind="network", value=address, origin=name))


def _private(url: str) -> list[str]:
    import anyio
    import httpx2

    from quartermaster.upstream.egress import private_addresses

    try:
        host = httpx2.URL(url).host
        return anyio.run(private_addresses, host) if host else []
    except (OSError, httpx2.InvalidURL):
        # The connection will fail, and its error will say so.
        return []
