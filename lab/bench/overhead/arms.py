"""The arms: no gateway, the bare forwarder, ours, and others from the package index."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from lab.bench.overhead import contextforge
from lab.bench.overhead.doors import ArmEndpoint, Transport
from lab.bench.overhead.rivals import MCP_PROXY, environment_of, listening
from lab.bench.overhead.upstreams import UpstreamAddress
from tests.support.instance import QM, Instance, new_instance
from tests.support.ports import free_port
from tests.support.shared_data import SHARED

FLOOR: Final = SHARED.parent / "bench" / "floor_gateway.py"
_FASTMCP = Path(__file__).with_name("fastmcp_proxy.py")
_BOTH_TRANSPORTS: Final[tuple[Transport, ...]] = ("stdio", "http")


@dataclass(frozen=True)
class Arm:
    """One way from a client to the upstream.

    Attributes:
        name: as the report shows it.
        opened: makes its door, from the upstream and the transport behind the gateway.
        upstream, client: transports it can be measured with.
        missing: why it cannot run here; empty where it can.
    """

    name: str
    opened: Callable[[UpstreamAddress, Transport, Transport], AbstractContextManager[ArmEndpoint]]
    client: tuple[Transport, ...] = _BOTH_TRANSPORTS
    upstream: tuple[Transport, ...] = _BOTH_TRANSPORTS
    missing: str = ""


@contextmanager
def direct(
    upstream: UpstreamAddress, client: Transport, _behind: Transport
) -> Generator[ArmEndpoint]:
    """No gateway: the client's transport is the upstream's."""
    yield (
        ArmEndpoint(url=upstream.url) if client == "http" else ArmEndpoint(command=upstream.command)
    )


@contextmanager
def floor(
    upstream: UpstreamAddress, client: Transport, behind: Transport
) -> Generator[ArmEndpoint]:
    """Provides the bare forwarder on the same SDK."""
    up = ["--flat", "--up", f"up={behind}:{upstream.address(behind)}"]
    if client == "stdio":
        yield ArmEndpoint(tool="up__echo", command=[sys.executable, str(FLOOR), "stdio", *up])
        return
    port = free_port()
    with listening([sys.executable, str(FLOOR), "http", str(port), *up], port) as pid:
        yield ArmEndpoint(
            tool="up__echo", url=f"http://127.0.0.1:{port}/mcp", roots=frozenset({pid})
        )


def ours(instance: Instance, origin: str = "leaf"):
    """Quartermaster as agents use it: `call_tool` of a running `qm up`, or of `qm stdio` beside it;
    rights, call log and breaker are on.

    Args:
        instance: of `running_instance`.
        origin: of its two, which of the tool's effects are known: ``leaf``, none; ``shelf``, that
            it only reads.
    """

    @contextmanager
    def opened(
        _upstream: UpstreamAddress, client: Transport, behind: Transport
    ) -> Generator[ArmEndpoint]:
        run, roots = instance.run_file, frozenset(instance.server_pids())
        door = ArmEndpoint(tool=f"{origin}_{behind}__echo", through="call_tool", roots=roots)
        if client == "stdio":
            environment = instance.environment
            yield replace(door, command=[str(QM), "stdio"], environment=environment)
        else:
            headers = {"authorization": f"Bearer {run.token}"}
            url = f"{run.url}/mcp"
            yield replace(door, url=url, headers=headers, roots=roots | {run.pid})

    return opened


def transparent(instance: Instance):
    """Quartermaster's door of a single origin; the same rights, call log and breaker."""

    @contextmanager
    def opened(
        _upstream: UpstreamAddress, _client: Transport, behind: Transport
    ) -> Generator[ArmEndpoint]:
        run = instance.run_file
        yield ArmEndpoint(
            url=f"{run.url}/mcp/transparent/leaf_{behind}",
            headers={"authorization": f"Bearer {run.token}"},
            roots=frozenset({run.pid, *instance.server_pids()}),
        )

    return opened


@contextmanager
def running_instance(
    upstream: UpstreamAddress, transports: Collection[Transport], copy_of: Path | None = None
) -> Generator[Instance]:
    """Provides a Quartermaster with the upstream as two origins over each transport, ``leaf`` and
    ``shelf``, whose `echo` only reads; commits wait for a disk.

    Args:
        upstream: a running one.
        transports: behind it.
        copy_of: data directory to begin with; None: a new one.
    """
    with new_instance(copy_of=copy_of, on_disk=True, forked=False) as instance:
        instance.start()
        for name in ("leaf", "shelf"):
            for transport in transports:
                option = "--url" if transport == "http" else "--command"
                address = upstream.address(transport)
                report = instance.qm(
                    "origin", "add", f"{name}_{transport}", option, address, "--yes"
                )
                assert report.returncode == 0, report.stdout + report.stderr
                # All but the first origin repeat its tools.
                report = instance.qm("tool", "approve", "--origin", f"{name}_{transport}", "--yes")
                assert report.returncode == 0, report.stdout + report.stderr
        for transport in transports:
            report = instance.qm("tool", "terms", f"shelf_{transport}__echo", "--read-only")
            assert report.returncode == 0, report.stdout + report.stderr
        yield instance


def fastmcp(*options: str):
    """FastMCP's proxy as its documentation starts it, or with one connected client."""

    @contextmanager
    def opened(
        upstream: UpstreamAddress, client: Transport, behind: Transport
    ) -> Generator[ArmEndpoint]:
        address = upstream.url if behind == "http" else "stdio"
        command = [sys.executable, str(_FASTMCP), client, "{port}", address, *options]
        if client == "stdio":
            yield ArmEndpoint(command=[part.format(port=0) for part in command])
            return
        port = free_port()
        command = [part.format(port=port) for part in command]
        with listening(command, port) as pid:
            yield ArmEndpoint(url=f"http://127.0.0.1:{port}/mcp", roots=frozenset({pid}))

    return opened


@contextmanager
def mcp_proxy(
    upstream: UpstreamAddress, client: Transport, _behind: Transport
) -> Generator[ArmEndpoint]:
    """mcp-proxy: a bridge, HTTP in front of stdio or the other way round."""
    program = str(environment_of(MCP_PROXY) / "bin" / "mcp-proxy")
    if client == "stdio":
        options = ["--log-level", "ERROR", "--transport", "streamablehttp"]
        yield ArmEndpoint(command=[program, *options, upstream.url])
        return
    port = free_port()
    command = [program, "--log-level", "ERROR", "--port", str(port), "--", *upstream.command]
    with listening(command, port) as pid:
        yield ArmEndpoint(url=f"http://127.0.0.1:{port}/mcp", roots=frozenset({pid}))


def arms(instance: Instance) -> list[Arm]:
    """Returns all of them; `direct` is the first."""
    return [
        Arm("direct", direct),
        Arm("floor", floor, missing="" if FLOOR.exists() else f"no {FLOOR.name} in ../shared"),
        Arm("ours", ours(instance)),
        Arm("ours, reading", ours(instance, "shelf")),
        Arm("ours, transparent", transparent(instance), ("http",)),
        Arm("FastMCP, connected", fastmcp("--connected")),
        Arm("FastMCP", fastmcp()),
        Arm("mcp-proxy, to HTTP", mcp_proxy, ("http",), ("stdio",)),
        Arm("mcp-proxy, to stdio", mcp_proxy, ("stdio",), ("http",)),
        Arm("ContextForge", contextforge.opened, ("http",), ("http",)),
    ]


def is_here(arm: Arm, client: Transport, behind: Transport) -> bool:
    """Returns whether the arm has such a way; with no gateway both transports are one."""
    if arm.opened is direct:
        return client == behind
    return not arm.missing and client in arm.client and behind in arm.upstream
