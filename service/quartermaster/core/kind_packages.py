"""Kinds of card that Python packages bring: found by their entry points, read when needed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import mcp_types as types
    import typer

GROUP: Final = "quartermaster.kinds"


@dataclass(frozen=True)
class KindTool:
    """An MCP tool that every client sees in addition to the bridge tools.

    Attributes:
        definition: name, description and schema; its bytes never vary.
        answer: given the service, the caller and arguments that satisfy the schema.
    """

    definition: types.Tool
    answer: Callable[..., Awaitable[types.CallToolResult]]


@dataclass(frozen=True)
class KindPackage:
    """The parts that a package adds for its kinds. Its entry point names an object of this class.

    Attributes:
        folder: holds migrations/, functions/ and sql/kinds/; None: they are in the settings.
        register: adds its commands to ``qm``; None: it has none.
        tools: of its own over MCP.
    """

    folder: Path | None = None
    register: Callable[[typer.Typer], None] | None = None
    tools: tuple[KindTool, ...] = ()


@cache
def kind_packages() -> tuple[KindPackage, ...]:
    """Those of all installed packages, in the order of their names."""
    found = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    return tuple(_loaded(entry.load()) for entry in found)


def _loaded(value: Any) -> KindPackage:
    if not isinstance(value, KindPackage):
        raise TypeError(f"an entry point of {GROUP} names {value!r} instead of a KindPackage")
    return value
