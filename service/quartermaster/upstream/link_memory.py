"""What outlives a single link to an upstream."""

from __future__ import annotations

from dataclasses import dataclass, field

from quartermaster.upstream.stderr_tail import StderrTail


@dataclass(slots=True)
class LinkMemory:
    """What one link leaves to the next.

    Attributes:
        is_legacy: the upstream speaks a revision with handshake, so that asking first would only
            cost time: old servers may ignore the question, which takes 10 s.
        stderr: what a stdio upstream last wrote to its stderr.
    """

    is_legacy: bool = False
    stderr: StderrTail = field(default_factory=StderrTail)
