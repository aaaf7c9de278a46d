"""Asks before an origin may connect to addresses that are not public."""

from __future__ import annotations

from collections.abc import Mapping

import anyio
import httpx2

from quartermaster.cli import output
from quartermaster.cli.command import Command
from quartermaster.upstream.egress import private_addresses


def allow_networks(qm: Command, urls: Mapping[str, str]) -> None:
    """Allows origins to connect to the addresses of their URLs that are not public.

    Args:
        qm: the command.
        urls: URL by name of the origin.

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
            qm.call("allow", kind="network", value=address, origin=name)


def _private(url: str) -> list[str]:
    try:
        host = httpx2.URL(url).host
        return anyio.run(private_addresses, host) if host else []
    except (OSError, httpx2.InvalidURL):
        # The connection will fail, and its error will say so.
        return []
