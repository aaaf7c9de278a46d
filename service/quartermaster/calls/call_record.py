"""One call in progress, and its terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Self
from uuid import UUID

from quartermaster.core.errors import argument_invalid
from quartermaster.guardrails.masking import Action
from quartermaster.guardrails.spans import Kind

PROVENANCE_KEY: Final = "quartermaster/call"
IDEMPOTENCY_KEY: Final = "quartermaster/idempotencyKey"
_LONGEST_KEY: Final = 200


@dataclass(frozen=True, slots=True)
class CallTerms:
    """The terms for a tool's calls, which the database decides (catalog.call_terms).

    While the database is unavailable, no call may be repeated, and no answer is stored.

    Attributes:
        timeout_s: timeout in seconds for all attempts together; None uses the origin's timeout.
        arguments_bytes, arguments_depth: largest size and nesting depth of arguments.
        result_bytes: largest size of a result.
        page_characters: length above which the text of a result is read in pages.
        attempts: largest number of attempts.
        may_repeat: whether the upstream may receive the same call twice.
        key_argument: name of the argument by which the upstream itself recognises a repeated call.
        cache_s: number of seconds for which an answer may be reused; None disables the cache.
        masked: names of arguments whose values must not be logged.
        guardrails: for each kind of finding, whether results are to be marked or masked.
    """

    timeout_s: float | None = None
    arguments_bytes: int = 1_000_000
    arguments_depth: int = 64
    result_bytes: int = 16_000_000
    page_characters: int = 100_000
    attempts: int = 1
    may_repeat: bool = False
    key_argument: str | None = None
    cache_s: float | None = None
    masked: frozenset[str] = frozenset()
    guardrails: Mapping[Kind, Action] = field(default_factory=dict[Kind, Action])

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Creates the terms from the JSON that the database returned."""
        known: dict[str, Any] = {k: v for k, v in given.items() if k in cls.__slots__}
        known["masked"] = frozenset(known.get("masked", ()))
        actions = dict(known.get("guardrails") or {})
        most: int | None = actions.pop("result_bytes", None)
        known["guardrails"] = actions
        terms = cls(**known)
        if most is None:
            return terms
        return replace(terms, result_bytes=min(terms.result_bytes, most))


@dataclass
class CallRecord:
    """One call in progress.

    Attributes:
        id: id of the call's row; in an outage, the key by which the row will be found.
        started_at: start time in the call's row.
        origin_id, origin: id and name of the tool's origin.
        tool: the origin's own name for the tool.
        request_id: id of the request that made the call.
        version, content_hash: version and hash of the tool's definition.
        input_schema: the schema that the arguments must satisfy.
        repair: how a repair changes the arguments; None if nothing was repaired.
        ref: id of the tool in the catalog.
        catalog_version: version of the catalog in which the tool was found.
        terms: the terms that apply to the call.
        arguments_bytes, arguments_hash: size and SHA-256 of the arguments as JSON.
        idempotency_key: the key that the client sent.
        answer: stored answer from an earlier call, as JSON; if it is set, the row is complete.
        answered_by, answered_at: source (cache or key) and time of that answer.
        unavailable_until, unavailable_because: set if the origin must not be called now.
        is_trial: whether the call tests an origin that has failed.
        outcome: how the call ended; it keeps its initial value only if Quartermaster has a defect.
        failure: the error, if the call failed.
        result_bytes: size of the result as JSON.
        attempts: number of times that the upstream may have received the request.
        findings: numbers of findings of the guardrails in the result, by action and kind.
        stored_answer: the answer to store for its key or for the cache, as JSON.
        begun: data for writing the row again; set if the row may not have reached the disk.
    """

    id: int | UUID
    started_at: datetime
    origin_id: int
    origin: str
    tool: str
    request_id: str
    version: int = 0
    content_hash: str = ""
    input_schema: object = None
    repair: Mapping[str, Any] | None = None
    ref: int | None = None
    catalog_version: int | None = None
    terms: CallTerms = field(default_factory=CallTerms)
    arguments_bytes: int = 0
    arguments_hash: bytes = b""
    idempotency_key: str | None = None
    answer: str | None = None
    answered_by: str | None = None
    answered_at: datetime | None = None
    unavailable_until: datetime | None = None
    unavailable_because: str | None = None
    is_trial: bool = False
    outcome: str = "internal"
    failure: str | None = None
    result_bytes: int | None = None
    attempts: int = 1
    findings: dict[str, dict[str, int]] | None = None
    stored_answer: str | None = None
    begun: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def keeps(self) -> bool:
        """Whether the answer is stored, because it may be needed again."""
        return self.idempotency_key is not None or self.terms.cache_s is not None

    @property
    def to_keep(self) -> dict[str, Any]:
        """The arguments of service.call_end that store the answer, or release the key; empty if the
        answer is not stored.
        """
        if not self.keeps or (self.stored_answer is None and self.attempts > 0):
            return {}
        # A request that definitely never arrived may be sent again with the same key.
        releases_key = self.stored_answer is None
        hashed = {"arguments_hash": self.arguments_hash}
        return {"answer": self.stored_answer, "releases_key": releases_key, **hashed}

    @property
    def provenance(self) -> dict[str, Any]:
        """The provenance of the call's result (origin, tool, version and so on), for ``_meta`` in
        the reply.
        """
        where: dict[str, Any] = {
            "id": self.id if isinstance(self.id, int) else str(self.id),
            "origin": self.origin,
            "tool": self.tool,
            "version": self.version,
            "contentHash": self.content_hash,
            "catalogVersion": self.catalog_version,
            "requestId": self.request_id,
        }
        if self.answered_by is not None and self.answered_at is not None:
            stored_answer = {
                "answeredBy": self.answered_by,
                "answeredAt": self.answered_at.isoformat(),
            }
            where |= stored_answer
        elif self.attempts > 1:
            where["attempts"] = self.attempts
        return where


def is_key(text: str) -> bool:
    """Tells whether a text can be an idempotency key: printable, 1 to 200 characters."""
    return 0 < len(text) <= _LONGEST_KEY and text.isprintable()


def idempotency_key(params: Mapping[str, Any]) -> str | None:
    """Returns the key that a client sent in ``_meta``; None if it sent no key.

    Args:
        params: parameters of the request.

    Raises:
        QmError: QM422 argument_invalid.
    """
    meta: Mapping[str, Any] = params.get("_meta") or {}
    key: object = meta.get(IDEMPOTENCY_KEY)
    if key is None or (isinstance(key, str) and is_key(key)):
        return key
    raise argument_invalid(
        f"{IDEMPOTENCY_KEY} in _meta must be printable text of 1 to {_LONGEST_KEY} characters.",
        "Use a text that no other call uses, such as a UUID.",
    )
