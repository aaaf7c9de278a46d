"""Uses the key by which an upstream recognises a repeated call to find a stored answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from quartermaster.calls.call_record import CallRecord, is_key
from quartermaster.calls.caller import Caller
from quartermaster.calls.redaction import marked_in
from quartermaster.core.errors import QmError
from quartermaster.db import Database

# The status that means that the database is unavailable. The upstream recognises the key even if it
# is not stored here.
_AWAY: Final = 503


async def claim_answer(
    database: Database,
    caller: Caller,
    record: CallRecord,
    arguments: Mapping[str, Any],
    *,
    continues: bool,
) -> None:
    """Give a call the answer stored under the key in its arguments, or claim that key.

    Some calls are left unchanged: calls without such a key, calls with a key of the client's own in
    ``_meta``, and trial calls that show whether the origin works again. In an outage, every call is
    left unchanged.

    Args:
        database: the database with the stored answers.
        caller: sender of the call.
        record: record of the call; its answer and key are set.
        arguments: arguments for the tool, which satisfy its schema.
        continues: whether the call continues after a question from the tool.

    Raises:
        QmError: QM409 call_in_progress, QM422 idempotency_key_reused; no call is made.
    """
    key = _key_in(record, arguments)
    is_asked = record.idempotency_key is None and not record.is_trial and isinstance(record.id, int)
    if key is None or not is_asked:
        return
    try:
        found = await database.call_one(
            "claim_answer",
            caller.principal,
            call_id=record.id,
            started_at=record.started_at,
            arguments_hash=record.arguments_hash,
            idempotency_key=key,
            continues=continues,
        )
    except QmError as error:
        if error.status == _AWAY:
            return
        record.outcome, record.failure, record.attempts = "invalid_arguments", error.slug, 0
        raise
    record.idempotency_key = key
    record.answer, record.answered_by = found["answer"], found["answered_by"]
    record.answered_at = found["answered_at"]


def _key_in(record: CallRecord, arguments: Mapping[str, Any]) -> str | None:
    """Return the key in the arguments; None if it is marked as secret, because secrets are not
    stored.
    """
    name = record.terms.key_argument
    value: object = arguments.get(name) if name is not None else None
    if name is None or isinstance(value, bool) or not isinstance(value, str | int):
        return None
    if not is_key(str(value)):
        return None
    return None if marked_in(record, {name: value}).pointers else str(value)
