"""The arguments that an upstream gets. They differ from those of the caller if a repair renames or
hides arguments, or gives them defaults (catalog.repair_definition).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quartermaster.calls.arguments import ArgumentProblem, pointer_to

Repair = Mapping[str, Any]


def removed_arguments(repair: Repair | None, arguments: Mapping[str, Any]) -> list[ArgumentProblem]:
    """Finds arguments that the caller must not send: hidden ones, and ones with another name now.

    A schema that allows more than it describes would let them pass.

    Args:
        repair: the member repair of the tool's definition; None if nothing was repaired.
        arguments: arguments of the call.
    """
    if not repair:
        return []
    renamed = {old: new for new, old in repair["names"].items()}
    problems = {old: f"is called {new!r}" for old, new in renamed.items()}
    problems |= dict.fromkeys(repair["hidden"], "is not an argument of this tool")
    return [
        ArgumentProblem(pointer_to([name]), message, "repair")
        for name, message in problems.items()
        if name in arguments
    ]


def upstream_arguments(repair: Repair | None, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the arguments under the names that the upstream gives them, with the defaults of
    those that the caller omitted.

    Args:
        repair: the member repair of the tool's definition; None if nothing was repaired.
        arguments: arguments of the call, without those that `removed_arguments` finds.
    """
    if not repair:
        return arguments
    names = repair["names"]
    return {**repair["values"], **{names.get(name, name): arguments[name] for name in arguments}}
