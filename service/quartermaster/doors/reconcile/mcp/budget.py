"""Time limits for the steps of a tool."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import anyio

from quartermaster.core.errors import QmError


@contextmanager
def budget(step: str, most_ms: int) -> Generator[None]:
    """Cancels the block when its time is over.

    Args:
        step: search or rerank.
        most_ms: milliseconds.

    Raises:
        QmError: QM504 timeout.
    """
    try:
        with anyio.fail_after(most_ms / 1000):
            yield
    except TimeoutError:
        raise QmError(
            504,
            "timeout",
            f"The step {step} took longer than its budget of {most_ms} ms.",
            f"Ask for fewer candidates, or raise reconcile.{step}_timeout_ms.",
        ) from None
