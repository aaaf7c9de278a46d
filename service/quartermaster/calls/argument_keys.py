"""The key by which an upstream knows a repeated call: here, too, it finds the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from quartermaster.calls.call_record import CallRecord, is_key
from quartermaster.calls.caller import Caller
from quartermaster.calls.redaction import marked_in
from quartermaster.core.errors import QmError
from quartermaster.db import Database

# The database; the upstream knows the key, whether it is kept here or not.
_AWAY: Final = 503


async def claim_answer(
    database: Database,
    caller: Caller,
    record: CallRecord,
    arguments: Mapping[str, Any],
    *,
    continues: bool,
) -> None:
    """Gives a call the answer that is kept under the key among its arguments, or claims that key.

    A call without one, with a key of the client's own in ``_meta``, or that is to show that its
    origin is well again, is left as it is; so is each while the database is away.

    Args:
        database: where answers are kept.
        caller: who calls.
        record: of the call; its answer and its key are set.
        arguments: of the tool, which satisfy its schema.
        continues: whether it goes on with a question of the tool's.

    Raises:
        QmError: QM409 call_in_progress, QM422 idempotency_key_reused; no call then.
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
    """The key among the arguments; None if the argument is marked as secret, because secrets are
    never stored.
    """
    name = record.terms.key_argument
    value: object = arguments.get(name) if name is not None else None
    if name is None or isinstance(value, bool) or not isinstance(value, str | int):
        return None
    if not is_key(str(value)):
        return None
    return None if marked_in(record, {name: value}).pointers else str(value)
