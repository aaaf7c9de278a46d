"""What the service must know to reach one upstream MCP server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from quartermaster.errors import QmError

Transport = Literal["stdio", "http", "sse"]


@dataclass(frozen=True, slots=True)
class TlsSettings:
    """How the certificate of an HTTPS upstream is checked.

    Attributes:
        verify: False accepts any certificate.
        ca_file: PEM file of the authorities to trust instead of the system's.
    """

    verify: bool = True
    ca_file: str | None = None

    @classmethod
    def from_mapping(cls, settings: Mapping[str, object]) -> TlsSettings:
        """Read ``{"verify": bool, "ca_file": path}``; both keys are optional.

        Raises:
            QmError: QM422 ``origin_tls_invalid`` for an unknown key or a value of another type.
        """
        unknown = sorted(settings.keys() - {"verify", "ca_file"})
        verify = settings.get("verify", True)
        ca_file = settings.get("ca_file")
        if unknown or not isinstance(verify, bool) or not isinstance(ca_file, str | None):
            raise QmError(
                422,
                "origin_tls_invalid",
                f"The TLS settings {dict(settings)!r} are not understood.",
                "Give verify (true or false) and ca_file (path of a PEM file), nothing else.",
            )
        return cls(verify=verify, ca_file=ca_file)


@dataclass(frozen=True, slots=True)
class OriginSpec:
    """One upstream server: how to start or address it, and its limits.

    Two specs that compare equal are served by the same connection; a changed one reconnects.

    Attributes:
        id: number of the origin in the catalog.
        name: its name there, unique.
        command: program and arguments (stdio).
        url: endpoint (http, sse).
        env: variables for the program, secrets already resolved; only a few harmless ones are
            inherited beside them.
        headers: HTTP headers of every request, secrets already resolved.
        cwd: working directory of the program; None means the service's own.
        connect_timeout_s: start, connect and handshake. Below 10 s an old server that ignores
            the discovery request of newer protocol revisions cannot be reached.
        list_timeout_s: all pages of one listing.
        call_timeout_s: one tool call, and the longest wait for a free place.
        max_concurrency: calls in flight at once.
        max_queue: calls that may wait for a place; more are refused as busy.
    """

    id: int
    name: str
    transport: Transport
    command: tuple[str, ...] = ()
    url: str | None = None
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    cwd: str | None = None
    tls: TlsSettings = TlsSettings()
    connect_timeout_s: float = 30.0
    list_timeout_s: float = 30.0
    call_timeout_s: float = 60.0
    max_concurrency: int = 16
    max_queue: int = 64

    def __post_init__(self) -> None:
        if self.transport == "stdio" and not self.command:
            raise self._invalid("has no command", "Give the program to start and its arguments.")
        if self.transport != "stdio" and not self.url:
            raise self._invalid("has no URL", "Give the http or https address of its endpoint.")

    def _invalid(self, problem: str, hint: str) -> QmError:
        message = f"The {self.transport} origin {self.name!r} {problem}."
        return QmError(422, "origin_invalid", message, hint)
