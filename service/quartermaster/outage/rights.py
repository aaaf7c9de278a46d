"""Rights in the outage copy (api.read_outage_copy): who may see which cards."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from quartermaster.core.errors import QmError
from quartermaster.db import Principal, Subject


@dataclass(frozen=True)
class _Known:
    principal: Principal
    organisation: str | None
    group: int
    guard_group: int


class Rights:
    """The principals, keys, rights, limits and error texts at one point in time.

    Nothing is decided here. The database has decided which classes of cards each group of
    principals sees through which door, and which limits apply.

    Args:
        text: JSON returned by api.read_outage_copy.

    Attributes:
        read_at: time at which it was read from the database.
        facts: everything that was read.
        origins: connection of each origin by id, as api.get_connection returns it.
    """

    def __init__(self, text: str) -> None:
        found: dict[str, Any] = json.loads(text)
        self.facts = found
        self.read_at = datetime.fromisoformat(found["read_at"])
        self.origins: dict[int, dict[str, Any]] = {row["id"]: row for row in found["origins"]}
        self._cards: dict[int, tuple[int, int]] = {
            card: (state, rights_class) for card, state, rights_class in found["cards"]
        }
        self._principals: dict[int, _Known] = {
            number: _Known(Principal(number, name, role), organisation, group, guard_group)
            for number, name, role, organisation, group, guard_group in found["principals"]
        }
        self._names = {known.principal.name: number for number, known in self._principals.items()}
        self._rights: dict[tuple[int, str | None], str] = {
            (group, toolset): visible or "" for group, toolset, visible in found["rights"]
        }
        self._guardrails: dict[tuple[int, str | None, str], dict[str, Any]] = {
            (group, toolset, origin): actions
            for group, toolset, origin, actions in found["guardrails"]
        }
        self._keys: dict[str, tuple[int, str | None]] = {
            key: (principal, expires) for key, principal, expires in found["keys"]
        }
        self._subjects: dict[tuple[str, str], int] = {
            (issuer, subject): principal for issuer, subject, principal in found["identities"]
        }

    def error(self, slug: str, message: str, hint: str | None = None) -> QmError:
        """Build an error from the database's registry, as core.fail would raise it.

        Args:
            slug: slug of the error.
            message: what happened.
            hint: the next step; None uses the hint in the registry.
        """
        status, next_step = self.facts["errors"][slug]
        return QmError(status, slug, message, hint or next_step)

    def row(self, operation: str, known: Mapping[str, Any]) -> dict[str, Any]:
        """Build a row of an operation: columns without a known value are null."""
        columns: list[str] = self.facts["columns"].get(operation, [operation])
        return {name: known.get(name) for name in columns}

    def find_key(self, digest: str) -> Principal | None:
        """Find the principal of a key by its SHA-256 (hexadecimal); None if unknown or expired."""
        principal, expires = self._keys.get(digest, (0, None))
        if expires is not None and datetime.fromisoformat(expires) <= datetime.now(UTC):
            return None
        return self._find(principal)

    def find_subject(self, subject: Subject) -> Principal | None:
        """Find the principal of a token; None if the token is unknown or its claims differ from the
        recorded claims.

        If the token's role or organisation differs from the record, other rights may apply, and
        only the database can determine them.
        """
        known = self._principals.get(self._subjects.get((subject.issuer, subject.subject), 0))
        if known is None:
            return None
        recorded = (known.principal.role, known.organisation)
        claimed = (subject.role or recorded[0], subject.organisation or recorded[1])
        return known.principal if claimed == recorded else None

    def find_name(self, name: str) -> Principal | None:
        """Find a principal by name."""
        return self._find(self._names.get(name, 0))

    def sight(self, principal: Principal) -> Callable[[int, int], bool]:
        """Return a function that tells by id and state whether the principal sees a card.

        Raises:
            QmError: QM403 principal_unknown.
        """
        known = self._principals.get(principal.id)
        if known is None:
            raise self.error(
                "principal_unknown",
                f"{principal.name!r} is not an enabled principal in the outage copy.",
                "Wait until the database is back, or ask an administrator.",
            )
        visible = self._rights.get((known.group, principal.toolset), "")

        def is_visible(card: int, state: int) -> bool:
            offered, rights_class = self._cards.get(card, (None, 0))
            return offered == state and visible[rights_class : rights_class + 1] == "1"

        return is_visible

    def finds(self, principal: Principal, toolset: str) -> bool:
        """Whether the principal sees any card of the toolset, or is an operator."""
        known = self._principals.get(principal.id)
        if known is None:
            return False
        return known.principal.role != "user" or "1" in self._rights.get((known.group, toolset), "")

    def guardrails(self, principal: Principal, origin: str) -> dict[str, Any]:
        """Return what happens to an origin's results before a principal gets them."""
        known = self._principals[principal.id]
        of_toolset = self._guardrails.get((known.guard_group, principal.toolset, origin))
        if of_toolset is not None:
            return of_toolset
        return self._guardrails.get((known.guard_group, None, origin), {})

    def _find(self, number: int) -> Principal | None:
        known = self._principals.get(number)
        return known.principal if known else None
