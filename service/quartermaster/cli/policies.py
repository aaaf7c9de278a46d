"""``qm policy``: who may use what, in versions that can be compared, tried and taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from quartermaster.cli.options import AsOf, DryRun, Yes
from quartermaster.cli.output import out, print_json, print_rows
from quartermaster.cli.policy_changes import print_changes, print_evaluation
from quartermaster.cli.policy_decisions import decisions_command, why_command
from quartermaster.cli.policy_trial import try_rules
from quartermaster.cli.rules_file import read_rules
from quartermaster.cli.session import DataDir, Dsn, Json, Session, open_session
from quartermaster.core.errors import QmError

File = Annotated[Path, typer.Argument(help="YAML or JSON file of rules.")]
Note = Annotated[str, typer.Option(help="What the version is for.")]
Pin = Annotated[bool, typer.Option("--pin", help="No other version replaces it until unpinned.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    policy = typer.Typer(no_args_is_help=True, help="Rules: who may use what.")
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
    version: Annotated[int | None, typer.Argument(help="Number; left out: the active one.")] = None,
    as_of: AsOf = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show a version in the form that `qm policy apply` takes."""
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
    other: Annotated[int | None, typer.Argument(help="Left out: the active one.")] = None,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show what the other version has (+) and has not (-)."""
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
    """Make the rules of a file hold, as a new version; says first who gains and loses what."""
    rules = read_rules(file)
    given = {"definition": rules.definition, "note": note, "pin": pin}
    with open_session(data_dir, dsn) as session:
        try:
            _change(session, "apply_rules", given, dry_run=dry_run, yes=yes, as_json=json)
        except QmError as error:
            raise rules.located(error) from error


def rollback_command(
    version: Annotated[int | None, typer.Argument(help="Left out: what held before.")] = None,
    pin: Pin = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Make an older version hold again; says first who gains and loses what."""
    given = {"version": version, "pin": pin}
    with open_session(data_dir, dsn) as session:
        _change(session, "activate_rules", given, dry_run=dry_run, yes=yes, as_json=json)


def try_command(
    file: File,
    tasks: Annotated[
        Path | None,
        typer.Option(help="YAML tasks {goal, gold_tools}; left out: what receipts have taught."),
    ] = None,
    principals: Annotated[
        list[str] | None,
        typer.Option("--as", help="Principal that asks, once or more; left out: yourself."),
    ] = None,
    mode: Annotated[str, typer.Option(help="Of the searches.")] = "balanced",
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Apply a file of rules, say what that changes, and take it back."""
    rules = read_rules(file)
    with open_session(data_dir, dsn) as session:
        found = try_rules(session, rules, tasks, principals or [None], mode, data_dir)
    if json:
        print_json(found)
        return
    print_changes(found["changes"])
    print_evaluation(found["evaluation"])
    out.print("Nothing was changed. Apply it with: qm policy apply.")


def pin_command(data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Keep the active version until it is unpinned."""
    _pin(True, data_dir, dsn)


def unpin_command(data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Let other versions replace the active one again."""
    _pin(False, data_dir, dsn)


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
        with session.rolled_back():
            preview: dict[str, Any] = session.call_value(operation, **given)
        if dry_run and as_json:
            print_json(preview)
            return
        print_changes(preview["changes"])
        if dry_run:
            return
        typer.confirm("Make it hold?", abort=True, err=True)
    done: dict[str, Any] = session.call_value(operation, **given)
    if as_json:
        print_json(done)
    else:
        out.print(f"Version {done['version']} holds. Back with: qm policy rollback.")


def _pin(pinned: bool, data_dir: Path | None, dsn: str | None) -> None:
    with open_session(data_dir, dsn) as session:
        version = session.call_value("pin_rules", pinned=pinned)
    out.print(f"Version {version} is {'pinned' if pinned else 'not pinned any more'}.")
