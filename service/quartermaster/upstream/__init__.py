"""Upstream MCP servers: started, connected, watched and called."""

from __future__ import annotations

from quartermaster.upstream.failure import FailureKind, UpstreamError
from quartermaster.upstream.listing import RejectedTool, ToolListing
from quartermaster.upstream.operations import CallResult
from quartermaster.upstream.spec import OriginSpec, TlsSettings, Transport
from quartermaster.upstream.state import UpstreamState
from quartermaster.upstream.supervisor import Supervisor

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
