"""Everything that the service keeps about its upstreams."""

from __future__ import annotations

from dataclasses import dataclass

from quartermaster.upstream.breakers import Breakers
from quartermaster.upstream.origins import Origins
from quartermaster.upstream.supervisor import Supervisor


@dataclass(frozen=True)
class Upstreams:
    """The upstreams of one process.

    Attributes:
        origins: how to reach each upstream.
        supervisor: supervisor of the live connections to the upstreams.
        breakers: breakers that stop calls to failing upstreams.
    """

    origins: Origins
    supervisor: Supervisor
    breakers: Breakers
