"""Who may see what, as the database said last (api.read_outage_copy): answered without it."""

from __future__ import annotations

import json
from collections.abc import Callable
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


@dataclass(frozen=True)
class Asset:
    """A resource, resource template or prompt that somebody sees.

    Attributes:
        kind: resource, resource_template or prompt.
        public_name: as clients of the whole catalog know it.
        name: as its origin does.
        rights_class: decides who sees it.
        origin_id: of that origin.
        definition: as listed.
    """

    kind: str
    public_name: str
    name: str
    rights_class: int
    origin_id: int
    definition: dict[str, Any]


class Rights:
    """Principals, keys, rights and origins of one moment.

    Nothing is decided here: which classes of tools each group of principals sees through which
    door is what the database has worked out.

    Args:
        text: JSON of api.read_outage_copy.

    Attributes:
        read_at: when the database said it.
        origins: id to connection, as api.get_connection gives it.
        tools: id of each tool to its version, rights class and origin.
    """

    def __init__(self, text: str) -> None:
        found: dict[str, Any] = json.loads(text)
        self.read_at = datetime.fromisoformat(found["read_at"])
        self.origins: dict[int, dict[str, Any]] = {row["id"]: row for row in found["origins"]}
        self.tools: dict[int, tuple[int, int, int]] = {
            tool_id: (version, rights_class, origin_id)
            for tool_id, version, rights_class, origin_id in found["tools"]
        }
        # What was kept by an older version has none.
        self._assets = [Asset(*row) for row in found.get("assets", ())]
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

    def find_key(self, digest: str) -> Principal | None:
        """Whose key has this SHA-256 (hexadecimal); None: nobody's, or it has expired since."""
        principal, expires = self._keys.get(digest, (0, None))
        if expires is not None and datetime.fromisoformat(expires) <= datetime.now(UTC):
            return None
        return self._find(principal)

    def find_subject(self, subject: Subject) -> Principal | None:
        """Whom a token speaks of; None: nobody, or its claims are not what is recorded.

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

    def has_toolset(self, name: str) -> bool:
        """Whether there is a toolset of this name."""
        return any(toolset == name for _, toolset in self._rights)

    def origin_of(self, tool_id: int) -> dict[str, Any]:
        """The connection of the origin of a tool that somebody sees."""
        return self.origins[self.tools[tool_id][2]]

    def sight(self, principal: Principal) -> Callable[[int, int], bool]:
        """Says of a tool by id and version whether a principal sees it through its door.

        Raises:
            QmError: QM403 principal_unknown.
        """
        visible = self._visible_classes(principal)

        def is_visible(tool_id: int, version: int) -> bool:
            offered, rights_class, origin_id = self.tools.get(tool_id, (None, 0, 0))
            return (
                offered == version
                and origin_id in self.origins
                and visible[rights_class : rights_class + 1] == "1"
            )

        return is_visible

    def assets(self, principal: Principal, kind: str, origin: str | None) -> dict[str, Asset]:
        """The assets of a kind that a principal sees through its door, by name.

        Args:
            principal: who asks.
            kind: resource, resource_template or prompt.
            origin: whose assets, by its own names; None: of all, by public names.

        Raises:
            QmError: QM403 principal_unknown.
        """
        visible = self._visible_classes(principal)
        return {
            asset.public_name if origin is None else asset.name: asset
            for asset in self._assets
            if asset.kind == kind
            and asset.origin_id in self.origins
            and origin in {None, self.origins[asset.origin_id]["name"]}
            and visible[asset.rights_class : asset.rights_class + 1] == "1"
        }

    def _visible_classes(self, principal: Principal) -> str:
        known = self._principals.get(principal.id)
        if known is None:
            raise QmError(
                403,
                "principal_unknown",
                f"{principal.name!r} is not an enabled principal in what was kept for the outage.",
                "Wait until the database is back, or ask an administrator.",
            )
        return self._rights.get((known.group, principal.toolset), "")

    def _find(self, number: int) -> Principal | None:
        known = self._principals.get(number)
        return known.principal if known else None
