"""``qm policy``: manages the versions of the rules that say who may use which tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import yaml
from typer import Argument, Option

from quartermaster.cli.command import Command, Decision, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import AsOf, Limit
from quartermaster.cli.output import Columns, err, out
from quartermaster.cli.policy.report import show_changes, show_evaluation
from quartermaster.cli.policy.rules_file import read_rules
from quartermaster.cli.policy.trial import try_rules
from quartermaster.cli.session import Row
from quartermaster.core.errors import QmError

File = Annotated[Path, Argument(help="File with rules (YAML or JSON).")]
Note = Annotated[str, Option(help="Purpose of the version.")]
Pin = Annotated[bool, Option("--pin", help="Keep this version active until it is unpinned.")]

noun = Noun("Manage the rules that say who may use which tools.")


@noun.verb()
def list_command(qm: Qm) -> list[Row]:
    """List the versions of the rules, newest first."""
    rows = qm.call("list_rules")
    qm.table(rows, ("version", "is_active", "is_pinned", "default", "rules", "created_by", "note"))
    return rows


@noun.verb()
def show_command(
    qm: Qm,
    version: Annotated[
        int | None, Argument(help="Number of a version; default: the active one.")
    ] = None,
    as_of: AsOf = None,
) -> Row:
    """Show a version in the file format of qm policy apply."""
    document: Row = qm.call_value("show_rules", version=version, as_of=as_of)
    if not qm.json:
        kept = {key: document[key] for key in ("note", "default", "rules")}
        text = yaml.safe_dump(kept, allow_unicode=True, sort_keys=False, width=100)
        out.out(f"# version {document['version']}\n{text}", end="", highlight=False)
    return document


@noun.verb()
def diff_command(
    qm: Qm,
    version: Annotated[int, Argument(help="Number of a version.")],
    other: Annotated[
        int | None, Argument(help="Number of another version; default: the active one.")
    ] = None,
) -> list[Row]:
    """Show which rules the other version adds (+) and removes (-)."""
    rows = qm.call("diff_rules", version_a=version, version_b=other)
    qm.table(rows, ("change", "rule"))
    return rows


@noun.verb()
def apply_command(qm: Decision, file: File, note: Note = "", pin: Pin = False) -> Row:
    """Activate the rules in a file as a new version.

    Shows who gains and loses tools, and asks for confirmation.
    """
    rules = read_rules(file)
    try:
        return _changed(qm, "apply_rules", definition=rules.definition, note=note, pin=pin)
    except QmError as error:
        raise rules.located(error) from error


@noun.verb()
def rollback_command(
    qm: Decision,
    version: Annotated[
        int | None, Argument(help="Number of a version; default: the previously active one.")
    ] = None,
    pin: Pin = False,
) -> Row:
    """Activate an older version again.

    Shows who gains and loses tools, and asks for confirmation.
    """
    return _changed(qm, "activate_rules", version=version, pin=pin)


@noun.verb()
def try_command(
    qm: Qm,
    file: File,
    tasks: Annotated[
        Path | None,
        Option(help="YAML file with tasks {goal, gold_tools}; default: tasks from receipts."),
    ] = None,
    principals: Annotated[
        list[str] | None,
        Option("--as", help="Search as this principal, repeatable; default: yourself."),
    ] = None,
    mode: Annotated[str, Option(help="Mode for the searches.")] = "balanced",
) -> Row:
    """Show what the rules in a file would change, without changing anything."""
    rules = read_rules(file)
    with err.status("trying the rules"):
        found = try_rules(qm, rules, tasks, principals or [None], mode)
    show_changes(qm, found["changes"])
    show_evaluation(qm, found["evaluation"])
    qm.say(f"Nothing was changed. To apply the rules: qm policy apply {file}.")
    return found


@noun.verb()
def pin_command(qm: Qm) -> Row:
    """Pin the active version. No other version can replace it until it is unpinned."""
    version = qm.call_value("pin_rules", pinned=True)
    qm.say(f"Version {version} is pinned. To undo: qm policy unpin.")
    return {"version": version, "is_pinned": True}


@noun.verb()
def unpin_command(qm: Qm) -> Row:
    """Allow other versions to replace the active one again."""
    version = qm.call_value("pin_rules", pinned=False)
    qm.say(f"Version {version} is no longer pinned. To undo: qm policy pin.")
    return {"version": version, "is_pinned": False}


@noun.verb()
def why_command(
    qm: Qm,
    principal: Annotated[str, Argument(help="Name of a principal.")],
    tool: Annotated[str, Argument(help="Name of a tool.")],
    toolset: Annotated[
        str | None, Option(help="Show the decision at the endpoint of this toolset.")
    ] = None,
) -> Row:
    """Show whether a principal may use a tool, and which rule decides."""
    [verdict] = qm.call("explain_rights", principal=principal, name=tool, toolset=toolset)
    word = "may" if verdict["is_allowed"] else "may not"
    qm.say(f"{principal} {word} use {tool}: {verdict['reason']} (version {verdict['version']}).")
    return verdict


@noun.verb()
def decisions_command(
    qm: Qm,
    limit: Limit = 100,
    everything: Annotated[bool, Option("--all", help="Include allowed requests.")] = False,
) -> list[Row]:
    """List recent denials: who was denied what, and by which rule."""
    rows = qm.call("list_decisions", entries=limit, denied=not everything)
    columns: Columns = (
        "decided_at",
        "principal",
        ("door", lambda row: " ".join(filter(None, (row["door"], row["toolset"])))),
        "name",
        "is_allowed",
        "reason",
    )
    qm.table(rows, columns, empty="Nothing was denied.")
    return rows


def _changed(qm: Command, operation: str, **given: object) -> Row:
    if qm.dry_run or not qm.yes:
        with err.status("comparing the rights"), qm.session.rolled_back():
            preview: Row = qm.call_value(operation, **given)
        show_changes(qm, preview["changes"])
        if not qm.confirmed("Activate these rules?"):
            return preview
    done: Row = qm.call_value(operation, **given)
    qm.say(f"Version {done['version']} is active. To undo: qm policy rollback.")
    return done
