"""Replaces values in configurations by locators, so that they do not reach the database."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final, cast

from quartermaster.secrets.store import is_locator

# ${VAR}, ${VAR:-default}, ${env:VAR}, ${input:ID}, and the folders that editors define.
_REFERENCE: Final = re.compile(r"\$\{(?:(env|input):)?([A-Za-z_][\w.-]*|/)(?::-([^}]*))?\}")
_BEARER: Final = re.compile(r"Bearer\s+(\$\{.*\})", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,47}")


class UnknownVariableError(ValueError):
    """A text refers to a variable that is not set; the message names this variable."""


class Credentials:
    """The locators in one origin, and the values to store under them.

    Args:
        origin: name of the origin.
        file: path of the configuration, for folders that editors define; None if there is no file.

    Attributes:
        values: values to put in the secret store, by name.
        missing: locators whose values have to be set by hand, with the reasons.
    """

    def __init__(self, origin: str, file: Path | None = None) -> None:
        self._origin = origin
        self._file = file
        self.values: dict[str, str] = {}
        self.missing: dict[str, str] = {}

    def locator(self, name: str, value: str) -> str:
        """Return the locator that replaces a value in the configuration.

        Args:
            name: name of the variable or header.
            value: a literal, which is put in the secret store; a single ``${VAR}`` or
                ``${env:VAR}``, read from the service's environment; ``${input:ID}``, to be set by
                hand; or a locator.

        Raises:
            UnknownVariableError: the text contains references to variables, one of which is not set
                here.
        """
        if is_locator(value):
            return value
        alone = _REFERENCE.fullmatch(value)
        if alone is None:
            return self._keep(name, self.expanded(value))
        kind, variable, default = cast("tuple[str | None, str, str | None]", alone.groups())
        if kind == "input":
            locator = f"secret:{self._secret(variable)}"
            self.missing[locator] = "the client asks its user for this value"
            return locator
        if variable not in os.environ and (
            default is not None or (kind is None and self._folder(variable) is not None)
        ):
            return self._keep(name, self.expanded(value))
        if variable not in os.environ:
            self.missing[f"env:{variable}"] = "this variable is not set in the environment"
        return f"env:{variable}"

    def bearer_locator(self, value: str) -> str | None:
        """Return the locator in ``Bearer ${...}``; None for any other value."""
        match = _BEARER.fullmatch(value.strip())
        return self.locator("Authorization", match[1]) if match else None

    def expanded(self, text: str) -> str:
        """Replace the references in a text by their current values.

        Raises:
            UnknownVariableError: a variable is not set.
        """

        def value(match: re.Match[str]) -> str:
            kind, name, default = cast("tuple[str | None, str, str | None]", match.groups())
            if kind != "input":
                found = os.environ.get(name, default)
                if kind is None and found is None:
                    found = self._folder(name)
                if found is not None:
                    return found
            raise UnknownVariableError(match.group())

        return _REFERENCE.sub(value, text)

    def _keep(self, name: str, value: str) -> str:
        secret = self._secret(name)
        self.values[secret] = value
        return f"secret:{secret}"

    def _secret(self, name: str) -> str:
        return f"{plain_name(self._origin)}/{plain_name(name)}"

    def _folder(self, name: str) -> str | None:
        folders: Mapping[str, str] = {"userHome": str(Path.home()), "/": os.sep}
        if self._file is not None:
            beside = self._file.absolute().parent
            root = beside.parent if beside.name in {".vscode", ".cursor"} else beside
            folders = {**folders, "workspaceFolder": str(root), "workspaceRoot": str(root)}
        return folders.get(name)


def plain_name(name: str) -> str:
    """Return the name itself if it is short plain ASCII, otherwise a shortened form with a hash."""
    if _PLAIN.fullmatch(name):
        return name
    kept = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-._")[:36]
    return f"{kept}-{sha256(name.encode(errors='surrogatepass')).hexdigest()[:8]}".strip("-")


def held_name(principal_id: int, principal: str, name: str) -> str:
    """Return the name of a principal's own secret; ``name`` is the name in the origin's definition.

    The result depends on both id and name, because a new database reuses ids, and a new principal
    may have the name of a former one.
    """
    return f"principals/{principal_id}-{plain_name(principal)}/{name}"
