"""Finds secrets in plain text in the definitions of origins."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from quartermaster.guardrails.secret_names import hide_in_arguments, hide_in_url
from quartermaster.secrets.locators import OriginLocators, plain_name
from quartermaster.secrets.references import reference
from quartermaster.secrets.store import SecretStore

# Arguments of api.add_origin that stay as they are.
_PLAIN_ARGUMENTS: Final = (
    *("name", "transport", "description", "cwd", "environment", "tls", "meta", "auth"),
    *("auth_reference", "sandbox"),
)


@dataclass(frozen=True, slots=True)
class PlainSecrets:
    """The secrets in the command and the URL of an origin.

    Attributes:
        arguments: arguments for api.add_origin, with references in place of the secrets.
        secrets: values to put in the secret store, by name.
        texts: maps each text with a secret to its replacement.
    """

    arguments: dict[str, Any]
    secrets: Mapping[str, str] = field(repr=False)
    texts: Mapping[str, str] = field(repr=False)


def find_plain_secrets(
    origin: Mapping[str, Any], store: SecretStore | None = None
) -> PlainSecrets | None:
    """Finds the secrets in plain text in the definition of an origin; None if there is none.

    Args:
        origin: the origin, as api.get_origin describes it.
        store: the secret store. Names that it already contains are not used for other values.
    """
    credentials = OriginLocators(origin["name"])
    present: dict[str, str] = {}
    if store is not None:
        begin = f"{plain_name(origin['name'])}/"
        names = [name for name in store.names() if name.startswith(begin)]
        present = {name: store.find(name) or "" for name in names}
        credentials.values.update(present)
    texts: dict[str, str] = {}

    def hide(name: str, value: str) -> str:
        if "${" in value:
            return value
        texts[value] = reference(f"secret:{credentials.keep(name, value)}")
        return texts[value]

    command = [*origin["command"][:1], *hide_in_arguments(origin["command"][1:], hide)]
    url: str | None = origin["url"]
    headers: dict[str, str] = dict(origin["headers"])
    if url is not None:
        user, at, _ = urlsplit(url).netloc.rpartition("@")
        if at:
            texts[f"{user}@"] = ""
            url = url.replace(f"{user}@", "", 1)
            if not origin["auth_reference"] and "authorization" not in map(str.lower, headers):
                plain = unquote(user) if ":" in user else f"{unquote(user)}:"
                basic = f"Basic {base64.b64encode(plain.encode()).decode()}"
                headers["Authorization"] = f"secret:{credentials.keep('Authorization', basic)}"
        url = hide_in_url(url, hide)
    if not texts:
        return None
    arguments = {name: origin[name] for name in _PLAIN_ARGUMENTS}
    arguments |= {"command": command, "url": url, "headers": headers}
    secrets = {name: value for name, value in credentials.values.items() if name not in present}
    return PlainSecrets(arguments, secrets, texts)
