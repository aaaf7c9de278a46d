"""Limits the addresses to which the service connects on behalf of an origin.

For an origin, the service connects only to public addresses and to networks that an administrator
allowed. A name is resolved once per connection, and the connection is made to the address that was
checked. Neither a redirect nor a changed DNS answer can therefore bypass the check.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterable, Sequence
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Final

import anyio
import httpcore2
import httpx2
from httpcore2._backends.anyio import AnyIOBackend

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
_NAT64: Final = IPv6Network("64:ff9b::/96")
# All other IPv6 addresses are inside, reserved, or lead to an IPv4 address that is not seen here.
_GLOBAL_NETWORK: Final = IPv6Network("2000::/3")
# Azure's platform answers every virtual machine there; no network routes it.
_PLATFORM: Final = IPv4Address("168.63.129.16")

# What to do about a refused address.
ALLOW_ADDRESS: Final = (
    "An administrator can allow the address with `qm origin allow network ADDRESS --origin NAME`."
)


class RefusedAddressError(httpcore2.ConnectError):
    """The host has no address that is public or allowed; the message names its addresses."""


def is_public(address: Address) -> bool:
    """Returns whether an address is public, so that everybody can reach it over the internet."""
    if isinstance(address, IPv6Address):
        inside = address.ipv4_mapped or address.sixtofour
        if inside is None and address in _NAT64:
            inside = IPv4Address(int(address) & 0xFFFFFFFF)
        if inside is not None:
            return is_public(inside)
        return address.is_global and address in _GLOBAL_NETWORK
    return address.is_global and not address.is_multicast and address != _PLATFORM


class CheckedNetwork(httpcore2.AsyncNetworkBackend):
    """Opens connections to public addresses and to the given networks.

    Args:
        networks: networks that are also allowed, in CIDR notation.
    """

    def __init__(self, networks: Sequence[str]) -> None:
        self._networks: list[Network] = [ip_network(network) for network in networks]
        self._inner = AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - of the base class
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connects to the first allowed address of the host that answers.

        Raises:
            RefusedAddressError: the host has no allowed address.
            httpcore2.ConnectError, httpcore2.ConnectTimeout: no address answers.
        """
        allowed = await self._allowed(host, port, timeout)
        failure: Exception | None = None
        for address in allowed:
            try:
                return await self._inner.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except httpcore2.ConnectError as error:
                failure = error
        assert failure is not None
        raise failure

    async def sleep(self, seconds: float) -> None:
        """Waits for a number of seconds."""
        await self._inner.sleep(seconds)

    async def _allowed(self, host: str, port: int, timeout_s: float | None) -> list[str]:
        try:
            with anyio.fail_after(timeout_s):
                found = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(f"{host} was not resolved in time") from error
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
        allowed = [each for each in addresses if self._permits(each)]
        if not allowed:
            raise RefusedAddressError(f"{host} has the address {', '.join(addresses)}")
        return allowed

    def _permits(self, text: str) -> bool:
        # An address of a link has the name of the interface behind it.
        address = ip_address(text.partition("%")[0])
        return is_public(address) or any(
            address in network for network in self._networks if network.version == address.version
        )


class CheckedTransport(httpx2.AsyncHTTPTransport):
    """The HTTP transport over a `CheckedNetwork`. It ignores proxy settings in the environment.

    Args:
        verify: TLS context for the connections.
        networks: see `CheckedNetwork`.
        limits: maximum numbers of connections.
    """

    def __init__(
        self,
        verify: ssl.SSLContext,
        networks: Sequence[str],
        limits: httpx2.Limits | None = None,
    ) -> None:
        limits = limits or httpx2.Limits(max_connections=10)
        super().__init__(verify=verify, limits=limits, trust_env=False)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=verify,
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            network_backend=CheckedNetwork(networks),
        )


def refused_address(error: BaseException) -> str | None:
    """Returns the message of the `RefusedAddressError` that caused an exception; None if there is
    another cause.
    """
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, RefusedAddressError):
        cause = cause.__cause__ or cause.__context__
    return None if cause is None else str(cause)


async def private_addresses(host: str) -> list[str]:
    """Returns the addresses of a host that are not public.

    Raises:
        OSError: the host has no address.
    """
    found = await anyio.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    addresses = dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found)
    return [each for each in addresses if not is_public(ip_address(each))]
