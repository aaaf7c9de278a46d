"""Credentials of upstreams, kept out of the database: configuration holds locators only."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, cast

from quartermaster.errors import QmError
from quartermaster.logs import register_secret
from quartermaster.paths import write_private

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,127}")
_SCHEMES: Final = ("secret:", "env:")


def is_locator(text: str) -> bool:
    """Whether the text stands for a credential kept elsewhere: ``secret:NAME`` or ``env:NAME``."""
    return text.startswith(_SCHEMES)


class SecretStore:
    """The credentials of one data directory, in ``secrets.json`` (mode 0600).

    Args:
        data: the data directory.
    """

    def __init__(self, data: Path) -> None:
        self._path = data / "secrets.json"

    def put(self, name: str, value: str) -> str:
        """Keep a value under a name, replacing an earlier one.

        Returns:
            Its locator, ``secret:NAME``.

        Raises:
            QmError: QM422 ``secret_name_invalid``; QM500 ``secret_store_unreadable``.
        """
        if not _NAME.fullmatch(name):
            raise QmError(
                422,
                "secret_name_invalid",
                f"{name!r} is not a name for a secret.",
                "Use up to 128 letters, digits and . _ / -, starting with a letter or digit.",
            )
        register_secret(value)
        self._write({**self._read(), name: value})
        return f"secret:{name}"

    def resolve(self, locator: str) -> str:
        """The value behind a locator; it is hidden from logs from then on.

        Raises:
            QmError: QM404 ``secret_not_found``; QM422 ``secret_locator_invalid``; QM500
                ``secret_store_unreadable``.
        """
        scheme, _, name = locator.partition(":")
        match scheme:
            case "secret":
                value = self._read().get(name)
                hint = f"Set it with `qm secret set {name}`."
            case "env":
                value = os.environ.get(name)
                hint = f"Set the environment variable {name} where the service starts."
            case _:
                # The text may be a credential given by mistake, so it is not repeated.
                raise QmError(
                    422,
                    "secret_locator_invalid",
                    "The reference to a credential has no known scheme.",
                    "Write secret:NAME or env:NAME.",
                )
        if value is None:
            raise QmError(404, "secret_not_found", f"There is no credential {locator!r}.", hint)
        register_secret(value)
        return value

    def resolve_mapping(self, mapping: Mapping[str, str]) -> dict[str, str]:
        """Environment or headers with every locator replaced by its value; the rest as it is.

        Raises:
            QmError: as `resolve`.
        """
        return {
            key: self.resolve(value) if is_locator(value) else value
            for key, value in mapping.items()
        }

    def names(self) -> list[str]:
        """The names of all kept credentials, sorted; values are never listed."""
        return sorted(self._read())

    def remove(self, name: str) -> None:
        """Forget a credential.

        Raises:
            QmError: QM404 ``secret_not_found``; QM500 ``secret_store_unreadable``.
        """
        kept = self._read()
        if kept.pop(name, None) is None:
            raise QmError(
                404,
                "secret_not_found",
                f"There is no credential {name!r}.",
                "List them with `qm secret list`.",
            )
        self._write(kept)

    def _read(self) -> dict[str, str]:
        try:
            found: object = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise self._unreadable(type(error).__name__) from error
        if not isinstance(found, dict):
            raise self._unreadable("not a JSON object")
        entries = cast("dict[str, object]", found)
        return {name: str(value) for name, value in entries.items()}

    def _write(self, entries: Mapping[str, str]) -> None:
        write_private(self._path, json.dumps(entries, indent=2, sort_keys=True) + "\n")

    def _unreadable(self, why: str) -> QmError:
        return QmError(
            500,
            "secret_store_unreadable",
            f"The credentials in {self._path} cannot be read: {why}.",
            "Restore the file, or remove it and set the credentials again.",
        )
