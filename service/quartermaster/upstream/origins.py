"""Determines how to reach each origin: reads its definition from the catalog, and resolves its
credentials.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from anyio import to_thread

from quartermaster import api
from quartermaster.core.errors import QmError
from quartermaster.db import Database, Principal
from quartermaster.secrets.store import SecretStore
from quartermaster.settings.sections import UpstreamSettings
from quartermaster.upstream.announced import Announced
from quartermaster.upstream.auth.login import log_in_by_secret
from quartermaster.upstream.auth.oauth_tokens import keep_grant
from quartermaster.upstream.auth.opening import SERVICE_SUBJECT, Opener
from quartermaster.upstream.auth.settings import OriginAuth
from quartermaster.upstream.confinement import Folder, SandboxProfile, home_of, user_of
from quartermaster.upstream.spec import OriginSpec


class Origins:
    """The specs of origins, which are read from the catalog when they are first needed.

    Args:
        database: connections to the service's database.
        worker: operator on whose behalf definitions are read.
        secrets: store in which locators are resolved.
        limits: time and concurrency limits for every upstream.
        data_dir: data directory of the service, with the homes of the upstreams.
        issuer: name of this service in the tokens that it signs for upstreams.

    Attributes:
        announced: the upstreams that have announced changes.
    """

    def __init__(
        self,
        database: Database,
        worker: Principal,
        secrets: SecretStore,
        limits: UpstreamSettings,
        data_dir: Path,
        issuer: str = SERVICE_SUBJECT,
    ) -> None:
        self._database = database
        self._worker = worker
        self._secrets = secrets
        self._limits = limits
        self._data_dir = data_dir
        self._issuer = issuer
        self._rows: dict[int, Mapping[str, Any]] = {}
        # Specs by origin, then by the owner of the credentials; None means shared credentials.
        self._specs: dict[int, dict[int | None, OriginSpec]] = {}
        self._names: dict[int, str] = {}
        self._notifications = 0
        self.announced = Announced()

    async def spec(self, origin_id: int, principal: Principal | None = None) -> OriginSpec:
        """Returns the spec of an origin, with resolved secrets. The result is cached until `forget`
        is called.

        Args:
            origin_id: id of the row in catalog.origin; its transport must not be ``none``.
            principal: principal on whose behalf the origin is reached, if each principal has
                separate credentials; None for the service itself, which reads the tools.

        Raises:
            QmError: QM404 origin_not_found, QM409 origin_not_callable, QM404 secret_not_found,
                QM403 credential_missing or login_needed, QM423 vault_locked or keyring_unavailable,
                QM502 login_failed, QM422 secret_locator_invalid, origin_invalid or
                origin_tls_invalid.
        """
        notifications = self._notifications
        row = self._rows.get(origin_id)
        if row is None:
            row = await self._database.call_one(
                api.get_connection(origin_id=origin_id), self._worker
            )
            self._names[origin_id] = row["name"]
        # The outage copy may contain a definition from an earlier release.
        auth = OriginAuth.from_mapping(row.get("auth") or {})
        holder = principal if auth.per_principal else None
        held = None if holder is None else holder.id
        known = self._specs.get(origin_id, {}).get(held)
        if known is not None:
            return known
        spec = await self._opened(row, auth, holder)
        if notifications == self._notifications:
            # The result is cached only if the definition did not change while it was being read.
            self._rows[origin_id] = row
            self._specs.setdefault(origin_id, {})[held] = spec
        return spec

    def forget(self, origin_id: int) -> list[str]:
        """Drops an origin's cached definition, so that it is read again next time.

        Returns:
            The names under which the origin was used: its own name, and one name for each owner of
            credentials.
        """
        self._notifications += 1
        self._rows.pop(origin_id, None)
        used = [spec.name for spec in self._specs.pop(origin_id, {}).values()]
        name = self._names.get(origin_id)
        return used if name is None or name in used else [name, *used]

    def forget_all(self) -> None:
        """Drops all cached definitions, so that they are read again. This is necessary if
        announcements of changes may have been missed.
        """
        self._notifications += 1
        self._rows.clear()
        self._specs.clear()

    async def request_refresh(self, spec: OriginSpec) -> None:
        """Requests a refresh of an upstream that has announced a change, as soon as the upstream
        may be listed again.
        """
        if await self.announced.wait(spec.id):
            name = self._names.get(spec.id, spec.name)
            await self._database.call(api.request_refresh(name=name), self._worker)

    async def _opened(
        self, row: Mapping[str, Any], auth: OriginAuth, holder: Principal | None
    ) -> OriginSpec:
        if row["transport"] in {"none", "built-in"}:
            raise QmError(
                409,
                "origin_not_callable",
                f"The origin {row['name']!r} is in the catalog, but not connected.",
                "Connect the origin with `qm origin add NAME --replace` and its command or URL.",
            )
        opener = Opener(row, auth, self._secrets, holder, self._issuer)
        if auth.grant == "client_credentials" and await to_thread.run_sync(opener.grant) is None:
            secret = await to_thread.run_sync(opener.client_secret)
            tls = await to_thread.run_sync(opener.tls)
            grant = await log_in_by_secret(
                row["url"], auth, secret or "", tls, row.get("networks") or []
            )
            await keep_grant(self._secrets, opener.login_name, grant)
        # Reading a vault needs CPU time, and reading a keyring needs another process.
        return await to_thread.run_sync(_resolved, opener, self._limits, self._data_dir)


def _resolved(opener: Opener, limits: UpstreamSettings, data_dir: Path) -> OriginSpec:
    row, holder = opener.row, opener.holder
    headers = opener.resolve_mapping(cast("dict[str, str]", row["headers"]))
    if row["auth_reference"]:
        headers["Authorization"] = f"Bearer {opener.resolve(row['auth_reference'])}"
    tls = opener.tls()
    # Each owner has a separate connection, so that no call uses another owner's credentials.
    name = row["name"] if holder is None else f"{row['name']} for {holder.name}"
    return OriginSpec(
        id=row["id"],
        name=name,
        # The outage copy may contain a definition from an earlier release.
        revision=row.get("revision", 1),
        start_limit_s=row.get("start_limit_s"),
        transport=row["transport"],
        command=tuple(map(opener.filled, row["command"])),
        url=None if row["url"] is None else opener.filled(row["url"]),
        env=opener.resolve_mapping(cast("dict[str, str]", row["environment"])),
        headers=headers,
        authoriser=opener.authoriser(tls),
        cwd=row["cwd"],
        profile=_sandbox_profile(name, row, data_dir) if row["transport"] == "stdio" else None,
        tls=tls,
        # The outage copy may contain a definition from an earlier release.
        networks=tuple(cast("list[str]", row.get("networks") or [])),
        # The limits have the same names in the settings and in OriginSpec.
        **{name: limit for name, limit in limits if name in OriginSpec.__slots__},
    )


def _sandbox_profile(name: str, row: Mapping[str, Any], data_dir: Path) -> SandboxProfile:
    # The outage copy may contain a definition from an earlier release.
    sandbox = cast("dict[str, Any]", row.get("sandbox") or {})
    return SandboxProfile(
        data_dir=data_dir,
        home=home_of(data_dir, name),
        user=user_of(row["id"]),
        folders=tuple(Folder(**folder) for folder in sandbox.get("folders", ())),
        network=sandbox.get("network", "internet"),
    )
