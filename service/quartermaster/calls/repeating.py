"""Retries a call, but only if it cannot take effect twice."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

import stamina

from quartermaster.calls.call_record import CallRecord
from quartermaster.core.errors import QmError
from quartermaster.upstream.failure import UpstreamError

Answer = TypeVar("Answer")

# Failures that may soon pass. After a timeout no time is left, and a full queue should be reported.
_PASSING: Final = frozenset({"network", "died"})
_LONGEST_WAIT_S: Final = 2.0


async def send_repeatedly(
    send: Callable[[float | None], Awaitable[Answer]],
    record: CallRecord,
    arguments: Mapping[str, Any],
    *,
    continues: bool,
) -> Answer:
    """Send a call, and retry it after a growing pause with jitter if that is safe.

    A retry is safe in three cases: the upstream cannot have received the call; the terms allow a
    repetition; or the upstream recognises repeated calls by a key in the arguments. A key that only
    the client uses says nothing about the upstream. All attempts share one timeout.

    Args:
        send: makes one attempt; its argument is the timeout in seconds, or None for the default.
        record: record of the call, which counts the attempts that may have arrived.
        arguments: arguments for the tool.
        continues: whether the call continues after a question from the tool, which is asked once.

    Raises:
        QmError, MCPError: the error of the last attempt.
    """
    terms = record.terms
    may_repeat = terms.may_repeat or arguments.get(terms.key_argument or "") is not None
    ends_at = time.monotonic() + terms.timeout_s if terms.timeout_s is not None else None
    record.attempts = 0

    def left_s() -> float | None:
        return max(ends_at - time.monotonic(), 0.001) if ends_at is not None else None

    try:
        return await _counted(send(left_s()), record)
    except UpstreamError as error:
        failed = error
    tries = stamina.retry_context(
        on=partial(_is_harmless, may_repeat),
        attempts=1 if continues else terms.attempts,
        timeout=left_s(),
        wait_max=_LONGEST_WAIT_S,
        wait_jitter=0.2,
    )
    async for attempt in tries:
        with attempt:
            # The first attempt was made by the caller, so that calls without repeats do not pay for
            # this loop.
            if attempt.num == 1:
                raise failed
            return await _counted(send(left_s()), record)
    raise AssertionError("the last attempt returns or raises")


async def _counted(sending: Awaitable[Answer], record: CallRecord) -> Answer:
    # The attempt is counted first: if the caller cancels, nobody knows whether the request arrived.
    record.attempts += 1
    try:
        return await sending
    except UpstreamError as error:
        record.attempts -= not error.sent
        raise
    except QmError:
        # These are errors of Quartermaster, not of the upstream: the origin is gone, or its secrets
        # cannot be read.
        record.attempts -= 1
        raise


def _is_harmless(may_repeat: bool, error: Exception) -> bool:
    return (
        isinstance(error, UpstreamError)
        and error.kind in _PASSING
        and (may_repeat or not error.sent)
    )
