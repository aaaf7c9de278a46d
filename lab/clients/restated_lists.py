"""What the restated searches of clients find in our list of a desk, and directly; in a minute.

Lacks what a running service adds: rules, the limit of the list, and words that principals used.
"""

from __future__ import annotations

import json
import sys

import numpy as np

from lab.clients.conversations import worded
from lab.clients.desks import DESKS, Desk, Json, listed_name, read_desk
from lab.clients.restated import CLIENTS, ListedTool
from lab.comparisons.learning import interval
from quartermaster.clients.own_entry import SERVER
from quartermaster.doors.mcp.whole_list import short_definition
from quartermaster.eval.metrics import measures

_PROTOCOL: str = "2025-11-25"
Listed = list[tuple[str, ListedTool]]


def direct(desk: Desk) -> Listed:
    """Returns the ids and definitions of a desk's tools, as the servers list them."""
    return [
        (
            str(tool["id"]),
            ListedTool(
                server,
                {
                    "name": tool["name"],
                    "description": tool.get("description") or "",
                    "inputSchema": tool.get("input_schema") or {},
                },
            ),
        )
        for server, tools in desk.servers.items()
        for tool in tools
    ]


def ours(desk: Desk) -> Listed:
    """Returns the ids and definitions of a desk's tools, as `/mcp?list=all` lists them."""
    return [
        (str(tool["id"]), ListedTool(SERVER, _short(server, tool), is_alone=True))
        for server, tools in desk.servers.items()
        for tool in tools
    ]


def _short(server: str, tool: Json) -> Json:
    row = {"name": listed_name(server, tool["name"]), "definition": json.dumps(tool), "hint": ""}
    short = short_definition(row, _PROTOCOL, is_pinned=False)
    if short is None:
        raise AssertionError(row["name"])
    return short


def recalls(desk: Desk, listed: Listed, client: str) -> list[float]:
    """Returns the recall in the best five for each goal that a tool serves.

    Args:
        desk: whose goals are asked for.
        listed: ids and definitions.
        client: whose search is used.
    """
    search = CLIENTS[client]([tool for _, tool in listed])
    ids = [one for one, _ in listed]
    found = [
        (task, [ids[at] for at in search(worded(task.goal, "keywords"))[:5]])
        for task in desk.tasks
        if task.needs
    ]
    return [measures(best, task.needs, desk.gold.items.groups)["Recall@5"] for task, best in found]


def main() -> None:
    """Prints R@5 of each client directly, with our list, and the difference with its interval."""
    desks = [read_desk(name) for name in DESKS]
    for client in CLIENTS:
        before = [np.array(recalls(desk, direct(desk), client)) for desk in desks]
        after = [np.array(recalls(desk, ours(desk), client)) for desk in desks]
        differences = np.concatenate(after) - np.concatenate(before)
        low, high = interval(differences)
        by_desk = " ".join(
            f"{b.mean() - a.mean():+.3f}" for a, b in zip(before, after, strict=True)
        )
        sys.stdout.write(
            f"{client}: {np.concatenate(before).mean():.3f} {np.concatenate(after).mean():.3f}"
            f" {differences.mean():+.3f} ({low:+.3f} to {high:+.3f}); by desk {by_desk}\n"
        )


if __name__ == "__main__":
    main()
