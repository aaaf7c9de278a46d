"""Kinds of cards from Python packages, which are found by their entry points."""

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
        definition: name, description and schema; its bytes must never change.
        answer: function that takes the service, the caller and arguments that match the schema.
    """

    definition: types.Tool
    answer: Callable[..., Awaitable[types.CallToolResult]]


@dataclass(frozen=True)
class KindPackage:
    """The parts that a package adds for its kinds. Its entry point names an instance of this class.

    Attributes:
        folder: folder with migrations/, functions/ and sql/kinds/; None if the settings name it.
        register: function that adds commands to ``qm``; None if there are none.
        tools: MCP tools of the package.
    """

    folder: Path | None = None
    register: Callable[[typer.Typer], None] | None = None
    tools: tuple[KindTool, ...] = ()


@cache
def kind_packages() -> tuple[KindPackage, ...]:
    """The kind packages of all installed Python packages, in the order of their names."""
    found = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    return tuple(_loaded(entry.load()) for entry in found)


def _loaded(value: Any) -> KindPackage:
    if not isinstance(value, KindPackage):
        raise TypeError(f"an entry point of {GROUP} names {value!r} instead of a KindPackage")
    return value
