"""One call in progress, and its terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Self
from uuid import UUID

from quartermaster.core.errors import argument_invalid

PROVENANCE_KEY: Final = "quartermaster/call"
IDEMPOTENCY_KEY: Final = "quartermaster/idempotencyKey"
_LONGEST_KEY: Final = 200


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a tool's calls; decided by the database (catalog.call_terms).

    Without it nothing may be repeated, and nothing is kept.

    Attributes:
        timeout_s: seconds for all attempts together; None: as its origin has it.
        arguments_bytes, arguments_depth: how large arguments may be, and how deep.
        result_bytes: how large a result may be.
        page_characters: longer texts of results are read in pages.
        attempts: how often it may be tried at most.
        may_repeat: whether the upstream may get the same call twice.
        key_argument: name of the argument by which the upstream itself knows a repeated call.
        cache_s: how many seconds an answer may be given again; None: not at all.
        redacted: names of arguments whose values are in no log.
    """

    timeout_s: float | None = None
    arguments_bytes: int = 1_000_000
    arguments_depth: int = 64
    result_bytes: int = 64_000_000
    page_characters: int = 100_000
    attempts: int = 1
    may_repeat: bool = False
    key_argument: str | None = None
    cache_s: float | None = None
    redacted: frozenset[str] = frozenset()

    @classmethod
    def read(cls, given: Mapping[str, Any] | None) -> Self:
        """Reads the database's JSON; None if the database was away."""
        known: dict[str, Any] = {k: v for k, v in (given or {}).items() if k in cls.__slots__}
        known["redacted"] = frozenset(known.get("redacted", ()))
        return cls(**known)


@dataclass
class CallRecord:
    """One call under way.

    Attributes:
        id: of its row; while the database is away, the key by which its row will be found.
        started_at: when it began, as its row has it.
        origin_id, origin: where the tool is.
        tool: its own name there.
        request_id: of the request that made it.
        version, content_hash: of its definition.
        input_schema: what its arguments must satisfy.
        ref: number of the tool in the catalog.
        catalog_version: of the catalog it was found in.
        terms: what holds of it.
        arguments_bytes, arguments_hash: size and SHA-256 of its arguments as JSON.
        idempotency_key: that the client gave.
        answer: kept from an earlier call, as JSON; then its row is complete.
        answered_by, answered_at: where that is from (cache, key), and of when.
        unavailable_until, unavailable_because: set where the origin is not to be called now.
        is_trial: whether it is to show that the origin is well again.
        outcome: how it ended; what nobody changed is a defect of ours.
        failure: what went wrong.
        result_bytes: size of the result as JSON.
        attempts: how often the upstream may have got the request.
        kept: the answer to keep for its key or for the cache, as JSON.
        begun: what its row was made of, where the row need not have waited for the disk.
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
    ref: int | None = None
    catalog_version: int | None = None
    terms: Terms = field(default_factory=Terms)
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
    kept: str | None = None
    begun: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def keeps(self) -> bool:
        """Tells whether its answer may be needed again."""
        return self.idempotency_key is not None or self.terms.cache_s is not None

    @property
    def to_keep(self) -> dict[str, Any]:
        """The answer, for api.call_end, if it may be needed again."""
        if not self.keeps or (self.kept is None and self.attempts > 0):
            return {}
        # A request that certainly never arrived may be sent again with the same key.
        releases_key = self.kept is None
        hashed = {"arguments_hash": self.arguments_hash}
        return {"answer": self.kept, "releases_key": releases_key, **hashed}

    @property
    def provenance(self) -> dict[str, Any]:
        """The provenance of a result, for its ``_meta``."""
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
            kept = {"answeredBy": self.answered_by, "answeredAt": self.answered_at.isoformat()}
            where |= kept
        elif self.attempts > 1:
            where["attempts"] = self.attempts
        return where


def is_key(text: str) -> bool:
    """Whether a text can be an idempotency key: printable, 1 to 200 characters."""
    return 0 < len(text) <= _LONGEST_KEY and text.isprintable()


def idempotency_key(params: Mapping[str, Any]) -> str | None:
    """The key that a client gave its call in ``_meta``; None: it gave none.

    Args:
        params: of the request.

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
