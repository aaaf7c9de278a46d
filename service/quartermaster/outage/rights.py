"""Rights from the outage copy (api.read_outage_copy): who may see which cards."""

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


class Rights:
    """Principals, keys, rights, limits and error texts at one time.

    Nothing is decided here: which classes of cards each group of principals sees through which
    door, and what is too much, is what the database has said.

    Args:
        text: JSON of api.read_outage_copy.

    Attributes:
        read_at: when the database said it.
        facts: all that it said.
        origins: id to connection, as api.get_connection gives it.
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
            number: _Known(Principal(number, name, role), organisation, group)
            for number, name, role, organisation, group in found["principals"]
        }
        self._names = {known.principal.name: number for number, known in self._principals.items()}
        self._rights: dict[tuple[int, str | None], str] = {
            (group, toolset): visible or "" for group, toolset, visible in found["rights"]
        }
        self._keys: dict[str, tuple[int, str | None]] = {
            key: (principal, expires) for key, principal, expires in found["keys"]
        }
        self._subjects: dict[tuple[str, str], int] = {
            (issuer, subject): principal for issuer, subject, principal in found["identities"]
        }

    def error(self, slug: str, message: str, hint: str | None = None) -> QmError:
        """An error of the database's registry, as core.fail raises it.

        Args:
            slug: of the error.
            message: what happened.
            hint: the next step; None: that of the registry.
        """
        status, next_step = self.facts["errors"][slug]
        return QmError(status, slug, message, hint or next_step)

    def row(self, operation: str, known: Mapping[str, Any]) -> dict[str, Any]:
        """A row of an operation: the known columns, null for the others."""
        columns: list[str] = self.facts["columns"].get(operation, [operation])
        return {name: known.get(name) for name in columns}

    def find_key(self, digest: str) -> Principal | None:
        """The principal of a key by its SHA-256 (hexadecimal); None if it is unknown or has
        expired.
        """
        principal, expires = self._keys.get(digest, (0, None))
        if expires is not None and datetime.fromisoformat(expires) <= datetime.now(UTC):
            return None
        return self._find(principal)

    def find_subject(self, subject: Subject) -> Principal | None:
        """The principal of a token; None if it is unknown, or its claims differ from the recorded
        ones.

        Another role or organisation than that of the record may come with other rights, which
        only the database can work out.
        """
        known = self._principals.get(self._subjects.get((subject.issuer, subject.subject), 0))
        if known is None:
            return None
        recorded = (known.principal.role, known.organisation)
        claimed = (subject.role or recorded[0], subject.organisation or recorded[1])
        return known.principal if claimed == recorded else None

    def find_name(self, name: str) -> Principal | None:
        """The principal of this name."""
        return self._find(self._names.get(name, 0))

    def sight(self, principal: Principal) -> Callable[[int, int], bool]:
        """Tells by id and state of a card whether a principal sees it through its door.

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

    def _find(self, number: int) -> Principal | None:
        known = self._principals.get(number)
        return known.principal if known else None
