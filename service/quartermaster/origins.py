"""How to reach each origin: the catalog's definition with its credentials resolved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from quartermaster.db import Database, Principal
from quartermaster.errors import QmError
from quartermaster.secret_store import SecretStore
from quartermaster.settings import Upstream
from quartermaster.upstream.spec import OriginSpec, TlsSettings


class Origins:
    """The specs of origins, read from the catalog when first needed.

    Args:
        database: the service's connections.
        worker: an operator, on whose behalf definitions are read.
        secrets: where locators are resolved.
        limits: time and concurrency limits of every upstream.
    """

    def __init__(
        self, database: Database, worker: Principal, secrets: SecretStore, limits: Upstream
    ) -> None:
        self._database = database
        self._worker = worker
        self._secrets = secrets
        self._limits = limits
        self._specs: dict[int, OriginSpec] = {}
        self._names: dict[int, str] = {}
        self._news = 0
        self._changed: set[int] = set()

    async def spec(self, origin_id: int) -> OriginSpec:
        """How to reach an origin, with secrets resolved; kept until `forget`.

        Args:
            origin_id: of catalog.origin; its transport is not ``none``.

        Raises:
            QmError: QM404 origin_not_found, QM409 origin_not_callable, QM404 secret_not_found,
                QM422 secret_locator_invalid, origin_invalid or origin_tls_invalid.
        """
        known = self._specs.get(origin_id)
        if known is not None:
            return known
        news = self._news
        row = await self._database.call_one("get_connection", self._worker, origin_id=origin_id)
        self._names[origin_id] = row["name"]
        spec = _resolved(row, self._secrets, self._limits)
        if news == self._news:
            # Else it may have changed while it was read.
            self._specs[origin_id] = spec
        return spec

    def forget(self, origin_id: int) -> str | None:
        """Reads the definition of this origin anew next time; returns its name if it was used."""
        self._news += 1
        self._specs.pop(origin_id, None)
        return self._names.get(origin_id)

    def forget_all(self) -> None:
        """Reads every definition anew next time: some news of changes may have been missed."""
        self._news += 1
        self._specs.clear()

    def take_change(self, origin_id: int) -> bool:
        """Whether the upstream has said that its tools changed since this was asked last."""
        has_changed = origin_id in self._changed
        self._changed.discard(origin_id)
        return has_changed

    async def request_refresh(self, spec: OriginSpec) -> None:
        """Asks for the tool list of an upstream to be read again, as it says that it changed."""
        self._changed.add(spec.id)
        await self._database.call("request_refresh", self._worker, name=spec.name)


def _resolved(row: Mapping[str, Any], secrets: SecretStore, limits: Upstream) -> OriginSpec:
    if row["transport"] == "none":
        raise QmError(
            409,
            "origin_not_callable",
            f"The origin {row['name']!r} is in the catalog, but not connected.",
            "Connect it with `qm origin add NAME --replace` and its command or URL.",
        )
    headers = secrets.resolve_mapping(cast("dict[str, str]", row["headers"]))
    if row["auth_reference"]:
        headers["Authorization"] = f"Bearer {secrets.resolve(row['auth_reference'])}"
    return OriginSpec(
        id=row["id"],
        name=row["name"],
        transport=row["transport"],
        command=tuple(row["command"]),
        url=row["url"],
        env=secrets.resolve_mapping(cast("dict[str, str]", row["environment"])),
        headers=headers,
        cwd=row["cwd"],
        tls=TlsSettings.from_mapping(cast("dict[str, object]", row["tls"])),
        connect_timeout_s=limits.connect_timeout_s,
        list_timeout_s=limits.list_timeout_s,
        call_timeout_s=limits.call_timeout_s,
        max_concurrency=limits.max_concurrency,
        max_queue=limits.max_queue,
        idle_stop_s=limits.idle_stop_s,
        max_memory_mb=limits.max_memory_mb,
    )
