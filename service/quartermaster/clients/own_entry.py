"""The entry for Quartermaster in the file of a client."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from quartermaster.clients.client import Client
from quartermaster.clients.editing import require_same, value_in, with_entry, without_entry
from quartermaster.clients.reading import read_exactly
from quartermaster.core import paths
from quartermaster.core.errors import QmError

JsonObject = dict[str, Any]

SERVER: Final = "qm"


@dataclass(frozen=True, slots=True)
class File:
    """The file of a client to which the entry for Quartermaster is written.

    Attributes:
        client: the client.
        path: path of the file.
    """

    client: Client
    path: Path

    @classmethod
    def of(cls, client: Client) -> File:
        """Returns the user's file or, if only projects have files, the file of the project in the
        working directory.

        Raises:
            QmError: QM404 file_not_found if only projects have files, and the working directory has
                none.
        """
        path = client.file(Path.cwd())
        if not client.user and not path.exists():
            raise QmError(
                404,
                "file_not_found",
                f"There is no {path.name} in this folder.",
                f"Run this in the folder of {client.title}.",
            )
        return cls(client, path.resolve())  # keeps a symbolic link

    def entry(self, text: str | None) -> JsonObject | None:
        """Returns the entry for Quartermaster; None if there is none.

        Raises:
            QmError: QM422 config_invalid.
        """
        return _at(self._value(text), self._place(text))

    def with_entry(self, text: str | None, entry: JsonObject) -> str:
        """Returns the text with an entry for Quartermaster."""
        if text is not None and self.entry(text) == entry:
            return text
        return with_entry(text or "", self.client.format, self._place(text), entry, self.path)

    def without_entry(self, text: str | None) -> str | None:
        """Returns the text without our entry, or the original text if nothing else has changed.
        None means that the file must be deleted.
        """
        entry = self.entry(text)
        if text is None or entry is None:
            return text
        original = read_exactly(self._backup)
        if original is not None and self.with_entry(original, entry) == text:
            return original
        if original is not None and (replaced := self.entry(original)) is not None:
            return self.with_entry(text, replaced)
        rest = without_entry(text, self.client.format, self._place(text), self.path)
        is_ours = original is None and not _filled(self._value(rest))
        return None if is_ours else rest

    def write(self, before: str | None, after: str | None, *, undo: bool) -> None:
        """Writes the text to the file. A copy of the original file is kept next to it, and is
        deleted when the change is undone.

        Raises:
            QmError: QM409 file_changed if somebody has changed the file in the meantime.
        """
        require_same(self.path, before)
        if not undo and before is not None and not self._backup.exists():
            paths.write_private(self._backup, before)
        if after is None:
            self.path.unlink()
        else:
            paths.write_private(self.path, after)
        if undo:
            self._backup.unlink(missing_ok=True)

    @property
    def _backup(self) -> Path:
        return self.path.with_name(self.path.name + ".before-qm")

    def _value(self, text: str | None) -> JsonObject:
        return value_in(text or "", self.client.format, self.path)

    def _place(self, text: str | None) -> tuple[str | int, ...]:
        """Returns the keys that lead to the entry. In a list, it is the item with our name, or a
        new last item.
        """
        keys = self.client.keys[0]
        if not self.client.is_list:
            return (*keys, SERVER)
        servers: list[Any] = _at(self._value(text), keys) or []
        names = [_at(server, ("name",)) for server in servers]
        return (*keys, names.index(SERVER) if SERVER in names else len(names))


def _at(value: Any, place: Sequence[str | int]) -> Any:
    """Returns the value at a place; None if there is none."""
    for key in place:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _filled(value: object) -> bool:
    """Returns whether a value contains anything except empty mappings and lists."""
    if isinstance(value, dict):
        return any(map(_filled, cast("JsonObject", value).values()))
    return value not in ([], None)
