"""``qm tool repair`` and ``qm origin repair``: change the definitions of tools above what their
origins list.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, cast

import yaml
from typer import Option

from quartermaster import api
from quartermaster.cli.command import Command, DryRunCommand
from quartermaster.cli.options import pair
from quartermaster.cli.output import Columns, cell_text, out
from quartermaster.cli.session import Row
from quartermaster.core.api_call import ApiCall
from quartermaster.core.errors import argument_invalid

Undo = Annotated[bool, "Bring back the state before the newest change."]
_MEMBERS: Final = (
    *("name", "title", "brief", "description", "categories", "phrases", "examples", "pinned"),
)
CHANGE: Final = ("tool", "member", "before", "after")
"""Columns of what a repair changes in definitions."""


@dataclass
class ArgumentOptions:
    """Options that change arguments, and what searches and rules use. They apply to tools, and to
    all tools of an origin.
    """

    hide_argument: Annotated[
        list[str] | None,
        "Argument that callers neither see nor send. A required one needs a default.",
    ] = None
    default: Annotated[
        list[str] | None,
        "ARGUMENT=VALUE, with JSON or text as the value: sent if a caller omits the argument.",
    ] = None
    rename_argument: Annotated[
        list[str] | None, "OLD=NEW: callers use the new name for the argument."
    ] = None
    describe_argument: Annotated[
        list[str] | None, "ARGUMENT=TEXT: description of the argument."
    ] = None
    also_found_by: Annotated[list[str] | None, "Words of goals by which searches also find it."] = (
        None
    )
    category: Annotated[list[str] | None, "Category, which rules can name."] = None
    pin: Annotated[
        bool, "List it before other tools where a client gets the list of all.", Option("--pin")
    ] = False
    reset: Annotated[
        list[str] | None,
        "What becomes again as the origin lists it: an argument, or a member such as title.",
    ] = None

    def changes(self) -> dict[str, Any]:
        """The changes, as api.repair_tool takes them."""
        arguments: dict[str, Any] = {name: {"hidden": True} for name in self.hide_argument or ()}
        for member, given, read, example in (
            ("default", self.default, _value, "--default limit=10"),
            ("name", self.rename_argument, str, "--rename-argument q=query"),
            ("description", self.describe_argument, str, "--describe-argument q=TEXT"),
        ):
            for text in given or ():
                name, value = pair(text, example)
                arguments.setdefault(name, {})[member] = read(value)
        listed = {"phrases": self.also_found_by, "categories": self.category}
        changes: dict[str, Any] = {member: texts for member, texts in listed.items() if texts}
        if self.pin:
            changes["pinned"] = True
        for name in self.reset or ():
            if name in _MEMBERS:
                changes[name] = None
            else:
                arguments[name] = None
        return changes | ({"arguments": arguments} if arguments else {})


@dataclass
class TextOptions:
    """Options that change the texts of one tool."""

    title: Annotated[str | None, "Title for people."] = None
    brief: Annotated[str | None, "One line for lists."] = None
    description: Annotated[str | None, "Description for models."] = None
    rename: Annotated[
        str | None, "Name after the origin's prefix. Rules keep using the name without it."
    ] = None
    example: Annotated[
        list[str] | None, "Arguments of an example call, as a JSON object. Probes use them."
    ] = None

    def changes(self) -> dict[str, Any]:
        """The changes, as api.repair_tool takes them."""
        members = {
            "title": self.title,
            "brief": self.brief,
            "description": self.description,
            "name": self.rename,
            "examples": [_object(text) for text in self.example or ()] or None,
        }
        return {member: value for member, value in members.items() if value is not None}


def repair(
    qm: DryRunCommand,
    operation: Callable[..., ApiCall[Any]],
    name: str,
    changes: dict[str, Any],
    *,
    undo: bool,
    reason: str,
) -> Sequence[Row]:
    """Makes or previews a change, and shows what differs.

    Args:
        qm: the command.
        operation: api.repair_tool or api.repair_origin.
        name: name of the tool or origin.
        changes: the changes.
        undo: whether to undo the newest change instead.
        reason: reason for the change.

    Raises:
        QmError: QM422 argument_invalid, and the errors of the operation.
    """
    if undo and changes:
        raise argument_invalid("--undo takes no other change.", "Use one of them at a time.")
    rows = qm.call(
        operation(name=name, changes=changes, reason=reason, undo=undo, dry_run=qm.dry_run)
    )
    title = "What would change" if qm.dry_run else "What has changed"
    qm.table(rows, CHANGE, title=title, empty="Nothing changes.")
    return rows


def show_repairs(qm: Command, *, history: bool = False, **which: str | None) -> Sequence[Row]:
    """Shows repairs, and what of them is set aside.

    Args:
        qm: the command.
        history: whether to show earlier versions, too.
        which: arguments of api.list_repairs: name, of_origin.
    """
    rows = qm.call(api.list_repairs(**which, history=history))
    columns: Columns = (
        ("name", lambda row: row["tool"] or f"all of {row['origin']}"),
        "version",
        ("changes", lambda row: cell_text(row["changes"])),
        "reason",
        ("by", "made_by"),
    )
    qm.table(rows, columns, empty="No repairs. To make one: qm tool repair NAME --title TEXT.")
    for row in rows:
        for sentence in row["notices"]:
            qm.note(f"{row['tool']}: set aside, because {sentence}.")
    return rows


def print_as_rules(qm: Command, of_origin: str | None) -> Sequence[Row]:
    """Prints repairs as the part ``repairs`` of a rules file, and returns its entries.

    Args:
        qm: the command.
        of_origin: name of an origin; None: of all origins.
    """
    entries: list[Row] = []
    for row in qm.call(api.list_repairs(of_origin=of_origin)):
        named = {"origin": row["origin"], "tool": row["own_name"], "reason": row["reason"]}
        entries.append({key: value for key, value in named.items() if value} | row["changes"])
    if not qm.json:
        text = yaml.safe_dump({"repairs": entries}, allow_unicode=True, sort_keys=False, width=100)
        out.out(text, end="", highlight=False)
        qm.note("Add this part to your rules file (qm policy show): a file replaces all rules.")
    return entries


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _object(text: str) -> dict[str, Any]:
    value = _value(text)
    if not isinstance(value, dict):
        raise argument_invalid(
            f"{text!r} is not a JSON object.", """For instance: --example '{"limit": 10}'."""
        )
    return cast("dict[str, Any]", value)
