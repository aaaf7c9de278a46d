"""``qm toolset``: manages MCP endpoints that offer a pinned set of tools."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Annotated, Any

from typer import Option

from quartermaster import api
from quartermaster.cli.command import Decision, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import tallied
from quartermaster.cli.session import Row

Name = Annotated[str, "Name of the toolset."]

noun = Noun("Manage toolsets: addresses /mcp/NAME that offer a few chosen tools.")


@noun.verb()
def list_command(qm: Qm) -> Sequence[Row]:
    """List the toolsets."""
    rows = qm.read(api.list_toolsets())
    empty = "No toolsets. Create one with: qm toolset put NAME --tool PATTERN."
    shown = [row | {"items": tallied(row["items"])} for row in rows]
    qm.table(shown, ("name", "items", "description", "pinned"), empty=empty)
    return rows


@noun.verb()
def put_command(
    qm: Qm,
    name: Name,
    tool: Annotated[
        list[str] | None,
        "Tools whose names match this pattern; * and ? are wildcards.",
        Option(metavar="PATTERN"),
    ] = None,
    origin: Annotated[
        list[str] | None,
        "Tools from origins whose names match this pattern.",
        Option(metavar="PATTERN"),
    ] = None,
    category: Annotated[list[str] | None, "Tools in this category.", Option(metavar="NAME")] = None,
    read_only: Annotated[bool, "Only read-only tools."] = False,
    description: Annotated[str, "Purpose of the toolset."] = "",
) -> Row:
    """Create a toolset, or replace the toolset that has this name.

    The toolset offers the tools that match all the given options.
    """
    pinned: dict[str, Any] = {
        "tools": tool,
        "origins": origin,
        "categories": category,
        "read_only": read_only,
    }
    given = {key: value for key, value in pinned.items() if value}
    qm.call(api.put_toolset(name=name, pinned=given, description=description))
    [row] = [row for row in qm.call(api.list_toolsets()) if row["name"] == name]
    qm.say(
        f"The toolset {name} offers {tallied(row['items']) or 'nothing'}. Its URL ends in"
        f" /mcp/{name}."
    )
    return row


def _again(toolset: Row) -> str:
    """Returns the command that creates a toolset as it was."""
    words = ["qm", "toolset", "put", toolset["name"]]
    for member, option in (
        ("tools", "--tool"),
        ("origins", "--origin"),
        ("categories", "--category"),
    ):
        values = toolset["pinned"].get(member, [])
        for value in [values] if isinstance(values, str) else values:
            words += [option, value]
    if toolset["pinned"].get("read_only"):
        words.append("--read-only")
    if toolset["description"]:
        words += ["--description", toolset["description"]]
    return shlex.join(words)


@noun.verb()
def remove_command(qm: Decision, name: Name) -> Row:
    """Remove a toolset. Its URL stops working; its tools stay in the catalog."""
    [found] = qm.call(api.find_toolset(name=name))
    qm.say(f"This removes the toolset {name}: {found['description'] or 'no description'}")
    if qm.confirmed("Remove it?"):
        [toolset] = [row for row in qm.call(api.list_toolsets()) if row["name"] == name]
        qm.call(api.remove_toolset(name=name))
        qm.say(f"Removed. To undo: {_again(toolset)}")
    return found | {"removed": not qm.dry_run}
