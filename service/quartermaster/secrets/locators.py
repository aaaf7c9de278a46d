"""Replaces secret values in configurations with locators, so that the values do not reach the
database.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final, cast

from quartermaster.secrets.references import reference
from quartermaster.secrets.store import is_locator

# ${VAR}, ${VAR:-default}, ${env:VAR}, ${input:ID}, and the folders that editors define.
_REFERENCE: Final = re.compile(r"\$\{(?:(env|input):)?([A-Za-z_][\w.-]*|/)(?::-([^}]*))?\}")
_BEARER: Final = re.compile(r"Bearer\s+(\$\{.*\})", re.IGNORECASE)
_FILE: Final = re.compile(r"\$?\{file:([^}]+)\}")
# How other clients and shells write a reference: {env:VAR}, $VAR and %VAR% at the begin of a path
# or as a word, $env:VAR, ${{ secrets.VAR }}.
_FOREIGN_REFERENCES: Final = (
    (re.compile(r"(?<!\$)\{env:([A-Za-z_]\w*)\}"), r"${env:\1}"),
    (re.compile(r"\$\{\{\s*(?:secrets|inputs)\.([\w.-]+)\s*\}\}"), r"${input:\1}"),
    (re.compile(r"(?<![^\s=:/,;])\$([A-Z_][A-Z0-9_]+)(?=$|[/\\\s,;:])"), r"${env:\1}"),
    (re.compile(r"(?<![^\s=:/,;])\$env:([A-Za-z_]\w*)"), r"${env:\1}"),
    (re.compile(r"(?<![^\s=:/,;])%([A-Za-z_]\w*)%"), r"${env:\1}"),
)
_PLAIN_PATTERN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,47}")


class UnknownVariableError(ValueError):
    """A text refers to a variable that is not set. The message of the error is the reference."""


class OriginLocators:
    """The locators of one origin, and the values to store under them.

    Args:
        origin: name of the origin.
        file: path of the configuration, for variables such as ``${workspaceFolder}``; None if there
            is no file.

    Attributes:
        values: values to store in the secret store, by name.
        missing: maps each locator whose value must be set by hand to the reason.
    """

    def __init__(self, origin: str, file: Path | None = None) -> None:
        self._origin = origin
        self._file = file
        self.values: dict[str, str] = {}
        self.missing: dict[str, str] = {}

    def locator(self, name: str, value: str) -> str:
        """Returns the locator that replaces a value in the configuration.

        Args:
            name: name of the variable or header.
            value: the value. A locator is returned unchanged. A single ``${VAR}`` or ``${env:VAR}``
                is read from the service's environment. ``${input:ID}`` and ``{file:PATH}`` must be
                set by hand, and so must a literal that refers to variables that are not set here.
                Any other literal is put in the secret store.
        """
        if is_locator(value):
            return value
        if (named := _FILE.fullmatch(value)) is not None:
            return self._in_file(name, named[1])
        value = with_one_notation(value)
        alone = _REFERENCE.fullmatch(value)
        if alone is None:
            try:
                return f"secret:{self.keep(name, self.expanded(value))}"
            except UnknownVariableError as unknown:
                locator = f"secret:{self._secret(name)}"
                self.missing[locator] = f"its value contains {unknown}, which is not set here"
                return locator
        kind, variable, default = cast("tuple[str | None, str, str | None]", alone.groups())
        if kind == "input":
            return self._asked(variable)
        if variable not in os.environ and (
            default is not None or (kind is None and self._folder(variable) is not None)
        ):
            return f"secret:{self.keep(name, self.expanded(value))}"
        return self._variable(variable)

    def text(self, text: str, is_secret: Callable[[str], bool], own: Collection[str] = ()) -> str:
        """Returns a part of a command or a URL in which values replace the references to variables.

        A variable that is secret, or that is not set here, becomes a reference to the environment
        of the service.

        Args:
            text: the text.
            is_secret: whether the value of a variable must not be in the catalog.
            own: variables in the environment of the server. The server itself replaces references
                to them.
        """

        def value(match: re.Match[str]) -> str:
            kind, name, default = cast("tuple[str | None, str, str | None]", match.groups())
            if kind == "input":
                return reference(self._asked(name))
            if name in os.environ:
                return reference(f"env:{name}") if is_secret(name) else os.environ[name]
            if kind is None and (folder := self._folder(name)) is not None:
                return folder
            if default is not None:
                return default
            return match.group() if name in own else reference(self._variable(name))

        return _REFERENCE.sub(value, with_one_notation(text))

    def bearer_locator(self, value: str) -> str | None:
        """Returns the locator for the reference in ``Bearer ${...}``; None for any other value."""
        match = _BEARER.fullmatch(with_one_notation(value.strip()))
        return self.locator("Authorization", match[1]) if match else None

    def expanded(self, text: str) -> str:
        """Replaces the references to variables in a text with the variables' current values.

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

    def keep(self, name: str, value: str) -> str:
        """Registers a value for the secret store, and returns its name there.

        Args:
            name: name of the variable, header or option. If the name already has another value, a
                number is appended.
            value: the value.
        """
        secret = self._secret(name)
        number = 1
        while self.values.get(secret, value) != value:
            number += 1
            secret = self._secret(f"{name}-{number}")
        self.values[secret] = value
        return secret

    def _asked(self, name: str) -> str:
        locator = f"secret:{self._secret(name)}"
        self.missing[locator] = "the client asks its user for this value"
        return locator

    def _variable(self, name: str) -> str:
        if name not in os.environ:
            self.missing[f"env:{name}"] = "this variable is not set in the environment"
        return f"env:{name}"

    def _in_file(self, name: str, path: str) -> str:
        # Whoever wrote the configuration must not choose a file whose content a server gets.
        locator = f"secret:{self._secret(name)}"
        self.missing[locator] = f"it is the content of {path}"
        return locator

    def _secret(self, name: str) -> str:
        return f"{plain_name(self._origin)}/{plain_name(name)}"

    def _folder(self, name: str) -> str | None:
        folders: Mapping[str, str] = {
            "userHome": str(Path.home()),
            "/": os.sep,
            "pathSeparator": os.sep,
        }
        if self._file is not None:
            root = workspace_of(self._file)
            folders = {
                **folders,
                "workspaceFolder": str(root),
                "workspaceRoot": str(root),
                "workspaceFolderBasename": root.name,
            }
        return folders.get(name)


def workspace_of(file: Path) -> Path:
    """Returns the folder of the project to which a configuration file belongs."""
    beside = file.absolute().parent
    return beside.parent if beside.name in {".vscode", ".cursor"} else beside


def with_one_notation(text: str) -> str:
    """Converts different clients' references to variables to the form ``${env:VAR}``."""
    for written, ours in _FOREIGN_REFERENCES:
        text = written.sub(ours, text)
    return text


def plain_name(name: str) -> str:
    """Returns the name unchanged if it is short and plain ASCII; otherwise, a shortened form with a
    hash.
    """
    if _PLAIN_PATTERN.fullmatch(name):
        return name
    retained = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-._")[:36]
    return f"{retained}-{sha256(name.encode(errors='surrogatepass')).hexdigest()[:8]}".strip("-")


def held_name(principal_id: int, principal: str, name: str) -> str:
    """Returns the name under which a principal's own secret is stored; ``name`` is its name in the
    origin's definition. The result depends on both the id and the name of the principal. A new
    database reuses ids, and a new principal may have the name of a former principal.
    """
    return f"principals/{principal_id}-{plain_name(principal)}/{name}"
