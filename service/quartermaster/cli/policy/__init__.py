"""``qm policy``: the rules of who may use which tools, in versions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from quartermaster.cli.options import AsOf, DataDir, DryRun, Dsn, Json, Yes
from quartermaster.cli.output import confirm, err, out, print_json, print_rows, say
from quartermaster.cli.policy.explain import decisions_command, why_command
from quartermaster.cli.policy.report import print_changes, print_evaluation
from quartermaster.cli.policy.rules_file import read_rules
from quartermaster.cli.policy.trial import try_rules
from quartermaster.cli.session import Session, open_session
from quartermaster.core.errors import QmError

File = Annotated[Path, typer.Argument(help="File of rules (YAML or JSON).")]
Note = Annotated[str, typer.Option(help="Purpose of the version.")]
Pin = Annotated[bool, typer.Option("--pin", help="Keep this version active until it is unpinned.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    policy = typer.Typer(no_args_is_help=True, help="Manage the rules of who may use which tools.")
    policy.command("list")(list_command)
    policy.command("show")(show_command)
    policy.command("diff")(diff_command)
    policy.command("apply")(apply_command)
    policy.command("rollback")(rollback_command)
    policy.command("try")(try_command)
    policy.command("pin")(pin_command)
    policy.command("unpin")(unpin_command)
    policy.command("why")(why_command)
    policy.command("decisions")(decisions_command)
    app.add_typer(policy, name="policy")


def list_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """List the versions of the rules, the newest first."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_rules")
    columns = ("version", "is_active", "is_pinned", "default", "rules", "created_by", "note")
    print_rows(rows, columns, json)


def show_command(
    version: Annotated[
        int | None, typer.Argument(help="Number of a version; default: the active one.")
    ] = None,
    as_of: AsOf = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show a version as a file for qm policy apply."""
    with open_session(data_dir, dsn) as session:
        document: dict[str, Any] = session.call_value("show_rules", version=version, as_of=as_of)
    if json:
        print_json(document)
        return
    kept = {key: document[key] for key in ("note", "default", "rules")}
    text = yaml.safe_dump(kept, allow_unicode=True, sort_keys=False, width=100)
    out.out(f"# version {document['version']}\n{text}", end="", highlight=False)


def diff_command(
    version: Annotated[int, typer.Argument(help="Number of a version.")],
    other: Annotated[
        int | None, typer.Argument(help="Number of another version; default: the active one.")
    ] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show which rules the other version adds (+) and lacks (-)."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("diff_rules", version_a=version, version_b=other)
    print_rows(rows, ("change", "rule"), json)


def apply_command(
    file: File,
    note: Note = "",
    pin: Pin = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Activate the rules of a file as a new version.

    Shows who gains and loses tools, and asks.
    """
    rules = read_rules(file)
    given = {"definition": rules.definition, "note": note, "pin": pin}
    with open_session(data_dir, dsn) as session:
        try:
            _change(session, "apply_rules", given, dry_run=dry_run, yes=yes, as_json=json)
        except QmError as error:
            raise rules.located(error) from error


def rollback_command(
    version: Annotated[
        int | None, typer.Argument(help="Number of a version; default: the one active before.")
    ] = None,
    pin: Pin = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Activate an older version again.

    Shows who gains and loses tools, and asks.
    """
    given = {"version": version, "pin": pin}
    with open_session(data_dir, dsn) as session:
        _change(session, "activate_rules", given, dry_run=dry_run, yes=yes, as_json=json)


def try_command(
    file: File,
    tasks: Annotated[
        Path | None,
        typer.Option(help="Tasks {goal, gold_tools} (YAML); default: tasks learned from receipts."),
    ] = None,
    principals: Annotated[
        list[str] | None,
        typer.Option("--as", help="Search as this principal, repeatable; default: yourself."),
    ] = None,
    mode: Annotated[str, typer.Option(help="Mode of the searches.")] = "balanced",
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show what the rules of a file would change, without changing anything."""
    rules = read_rules(file)
    with open_session(data_dir, dsn) as session, err.status("trying the rules"):
        found = try_rules(session, rules, tasks, principals or [None], mode, data_dir)
    if json:
        print_json(found)
        return
    print_changes(found["changes"])
    print_evaluation(found["evaluation"])
    say(f"Nothing was changed. To apply the rules: qm policy apply {file}.")


def pin_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Keep the active version active: no other can replace it until it is unpinned."""
    _pin(True, json, data_dir, dsn)


def unpin_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Allow other versions to replace the active one again."""
    _pin(False, json, data_dir, dsn)


def _change(
    session: Session,
    operation: str,
    given: dict[str, Any],
    *,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    if dry_run or not yes:
        with err.status("comparing the rights"), session.rolled_back():
            preview: dict[str, Any] = session.call_value(operation, **given)
        if dry_run and as_json:
            print_json(preview)
            return
        print_changes(preview["changes"])
        if dry_run:
            return
        confirm("Activate these rules?", yes=yes)
    done: dict[str, Any] = session.call_value(operation, **given)
    if as_json:
        print_json(done)
    else:
        say(f"Version {done['version']} is active. To undo: qm policy rollback.")


def _pin(pinned: bool, as_json: bool, data_dir: Path | None, dsn: str | None) -> None:
    with open_session(data_dir, dsn) as session:
        version = session.call_value("pin_rules", pinned=pinned)
    if as_json:
        print_json({"version": version, "is_pinned": pinned})
    elif pinned:
        say(f"Version {version} is pinned. To undo: qm policy unpin.")
    else:
        say(f"Version {version} is no longer pinned. To undo: qm policy pin.")
