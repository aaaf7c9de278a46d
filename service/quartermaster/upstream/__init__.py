"""Starts, connects, watches and calls upstream MCP servers."""

from __future__ import annotations

from quartermaster.upstream.failure import FailureKind, UpstreamError
from quartermaster.upstream.listing import Rejected, ToolListing
from quartermaster.upstream.operations import CallResult
from quartermaster.upstream.spec import OriginSpec, Transport
from quartermaster.upstream.supervisor import Supervisor, UpstreamState
from quartermaster.upstream.tls import TlsSettings

__all__ = [
    "CallResult",
    "FailureKind",
    "OriginSpec",
    "Rejected",
    "Supervisor",
    "TlsSettings",
    "ToolListing",
    "Transport",
    "UpstreamError",
    "UpstreamState",
]
