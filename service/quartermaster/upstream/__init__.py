"""Upstream MCP servers: started, connected, watched and called."""

from __future__ import annotations

from quartermaster.upstream.failure import FailureKind, UpstreamError
from quartermaster.upstream.operations import CallResult, RejectedTool, ToolListing
from quartermaster.upstream.spec import OriginSpec, TlsSettings, Transport
from quartermaster.upstream.supervisor import Supervisor, UpstreamState

__all__ = [
    "CallResult",
    "FailureKind",
    "OriginSpec",
    "RejectedTool",
    "Supervisor",
    "TlsSettings",
    "ToolListing",
    "Transport",
    "UpstreamError",
    "UpstreamState",
]
