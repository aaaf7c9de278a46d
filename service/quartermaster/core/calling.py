"""What calls api functions one after the other: a command's session, or a thread of the service."""

from __future__ import annotations

from typing import Any, Protocol


class Calling(Protocol):
    """What calls api functions."""

    def call(self, operation: str, /, **arguments: object) -> list[dict[str, Any]]: ...

    def call_value(self, operation: str, /, **arguments: object) -> Any: ...
