"""Rights in the outage copy (service.read_outage_copy): who may see which cards."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from quartermaster.core.errors import QmError
from quartermaster.db import Principal, Subject, key_digest

NEWER_HINT: Final = "What is newer than the outage copy is unknown until the database is back."
Mark = str | tuple[str, str]
"""Identifies a caller: the SHA-256 of a key (in hexadecimal), or an issuer and a subject."""


class _Known(NamedTuple):
    principal: Principal
    organisation: str | None
    group: int
    guard_group: int


class Rights:
    """The principals, keys, rights, limits and errors at one point in time.

    This class makes no decisions about rights. The database has already decided which classes of
    cards each group of principals sees through which door, and which limits apply.

    Args:
        text: JSON returned by service.read_outage_copy.

    Attributes:
        read_at: time at which the rights were read from the database.
        facts: all members of the JSON.
        origins: connection data of each origin by id, as service.get_connection returns it.
    """

    def __init__(self, text: str) -> None:
        found: dict[str, Any] = json.loads(text)
        self.facts = found
        self.read_at = datetime.fromisoformat(found["read_at"])
        self.origins: dict[int, dict[str, Any]] = {row["id"]: row for row in found["origins"]}
        self._cards = {card: (state, rights_class) for card, state, rights_class in found["cards"]}
        self._principals = {
            row[0]: _Known(Principal(*row[:3]), *row[3:]) for row in found["principals"]
        }
        self._rights: dict[tuple[int, str | None], str] = {
            (group, toolset): visible or "" for group, toolset, visible in found["rights"]
        }
        self._guardrails: dict[tuple[int, str | None, str], dict[str, Any]] = {
            (group, toolset, origin): actions
            for group, toolset, origin, actions in found["guardrails"]
        }
        self._marks: dict[Mark, tuple[int, str | None]] = {
            key: (principal, expires) for key, principal, expires in found["keys"]
        }
        for issuer, subject, principal in found["identities"]:
            self._marks[issuer, subject] = (principal, None)

    def error(self, slug: str, message: str | None = None, hint: str | None = None) -> QmError:
        """Builds an error from the database's registry.

        Args:
            slug: slug of the error.
            message: what happened; None uses the meaning in the registry.
            hint: the next step; None uses the hint in the registry.
        """
        # A copy from an earlier release contains only status and hint.
        status, *texts = self.facts["errors"][slug]
        return QmError(status, slug, message or texts[0], hint or texts[-1])

    def row(self, operation: str, known: Mapping[str, Any]) -> dict[str, Any]:
        """Builds a row of an operation's result. Columns without a known value are null."""
        return {name: known.get(name) for name in self.facts["columns"][operation]}

    def find(self, who: str | Subject) -> Principal | None:
        """Finds the principal of a key or token; None if it is unknown or has expired. Also None if
        a token's claims differ from the recorded claims.

        If the token's role or organisation differs from the record, other rights may apply, and
        only the database can determine them.
        """
        number, expires = self._marks.get(mark_of(who), (0, None))
        known = self._principals.get(number)
        if known is None or (expires and datetime.fromisoformat(expires) <= datetime.now(UTC)):
            return None
        if isinstance(who, Subject):
            recorded = (known.principal.role, known.organisation)
            if (who.role or recorded[0], who.organisation or recorded[1]) != recorded:
                return None
        return known.principal

    def find_name(self, name: str) -> Principal | None:
        """Finds a principal by name."""
        everybody = (known.principal for known in self._principals.values())
        return next((principal for principal in everybody if principal.name == name), None)

    def sight(self, principal: Principal) -> Callable[[int, int], bool]:
        """Returns a function that tells by id and state whether the principal sees a card.

        Raises:
            QmError: QM403 principal_unknown.
        """
        known = self._principals.get(principal.id)
        if known is None:
            raise self.error("principal_unknown", hint=NEWER_HINT)
        visible = self._rights.get((known.group, principal.toolset), "")

        def is_visible(card: int, state: int) -> bool:
            offered, rights_class = self._cards.get(card, (None, 0))
            return offered == state and visible[rights_class : rights_class + 1] == "1"

        return is_visible

    def finds(self, principal: Principal, toolset: str) -> bool:
        """Returns whether the principal sees any card of the toolset, or is an operator."""
        known = self._principals[principal.id]
        return known.principal.role != "user" or "1" in self._rights.get((known.group, toolset), "")

    def guardrails(self, principal: Principal, origin: str) -> dict[str, Any]:
        """Returns the guardrails' actions for results of an origin that a principal gets."""
        group = self._principals[principal.id].guard_group
        of_all = self._guardrails.get((group, None, origin), {})
        return self._guardrails.get((group, principal.toolset, origin), of_all)


def mark_of(who: str | Subject) -> Mark:
    """Returns the value that identifies somebody in the copy: the digest of a key, or the issuer
    and subject of a token.

    Args:
        who: a key, or the subject of a token.
    """
    return key_digest(who).hex() if isinstance(who, str) else (who.issuer, who.subject)
