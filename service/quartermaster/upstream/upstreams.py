"""All that the service has of its upstreams."""

from __future__ import annotations

from dataclasses import dataclass

from quartermaster.upstream.breakers import Breakers
from quartermaster.upstream.origins import Origins
from quartermaster.upstream.supervisor import Supervisor


@dataclass(frozen=True)
class Upstreams:
    """The upstreams of one process.

    Attributes:
        origins: how to reach each.
        supervisor: of the live connections to them.
        breakers: which of them are not called for a while.
    """

    origins: Origins
    supervisor: Supervisor
    breakers: Breakers
