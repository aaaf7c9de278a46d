"""``qm tool``, ``qm asset``, ``qm card``: review catalog items and decide on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from difflib import unified_diff
from typing import Annotated, Final

import typer
from rich.text import Text
from typer import Argument, Option

from quartermaster.cli.command import Command, Decision, Qm, Trial
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import AsOf, Limit, Reason, Status
from quartermaster.cli.output import counted, out, say
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import progress_bar

_MOST: Final = 10_000
_PARTS: Final = ("versions", "findings", "probes", "definition")
_LONG: Final = ("input_schema", "output_schema")
_VERSION: Final = ("version", "valid_from", "valid_to", "approved_at", "approved_by")
_FINDING: Final = ("severity", "rule", "member", "evidence")
_PROBE: Final = (("probed", "probed_at"), "version", "example", "is_honest", "sandbox", "problem")
_PREVIEW: Final = (
    "name",
    ("status", "was"),
    "because",
    ("version", "current_version"),
    "findings",
    ("calls in 30 days", "calls"),
)

Name = Annotated[str, "Public name: origin__name, or a URI."]
Names = Annotated[list[str], "Public names: origin__name, or a URI."]
SomeNames = Annotated[list[str] | None, "Public names: origin__name, or a URI.", Argument()]
Kind = Annotated[str | None, "Kind of the item, if several kinds share the name."]
OnlyKind = Annotated[str | None, "Only items of this kind."]
_STYLES: Final = {"+": "green", "-": "red", "@": "cyan"}


def add_commands(noun: Noun, kinds: list[str] | None) -> None:
    """Adds the commands that review items and decide on them.

    Args:
        noun: noun to which the commands are added.
        kinds: kinds of items to review; None for all kinds.
    """
    review = _Review(kinds)
    for command in (
        review.list_command,
        review.show_command,
        review.diff_command,
        review.approve_command,
        review.quarantine_command,
        review.deprecate_command,
        review.downrank_command,
        review.scan_command,
    ):
        noun.verb()(command)


class _Review:
    def __init__(self, kinds: list[str] | None) -> None:
        self._kinds = kinds

    def list_command(
        self,
        qm: Qm,
        origin: Annotated[str | None, "Only items from this origin."] = None,
        status: Annotated[Status | None, "Only items with this status."] = None,
        kind: OnlyKind = None,
        limit: Limit = 100,
        as_of: AsOf = None,
    ) -> list[Row]:
        """List the items. Items that are waiting for approval come first."""
        asked = self._of(kind) | {"of_origin": origin, "with_status": status}
        rows = qm.read("review_items", **asked, maximum=limit, as_of=as_of)
        now = ("status", "reason", "findings") if as_of is None else ("version", "findings")
        kinds = () if len(asked["kinds"] or []) == 1 else ("kind",)
        is_filtered = any((origin, status, kind, as_of))
        advice = "Use other options." if is_filtered else "Add servers with: qm import FILE."
        empty = f"No items were found. {advice}"
        return qm.table(rows, ("name", *kinds, *now, "brief"), empty=empty)

    def show_command(self, qm: Qm, name: Name, kind: Kind = None) -> Row:
        """Show an item: its definition, versions, changes, findings and probes."""
        which = self._of(kind, name)
        item: Row = qm.read_value("get_item", **which)
        changes = qm.read("diff_item", **which)
        facts = {key: value for key, value in item.items() if key not in _PARTS}
        facts |= {key: value for key, value in item["definition"].items() if key not in _LONG}
        qm.facts(item["kind"], item["public_name"], facts)
        qm.table(item["versions"], _VERSION)
        qm.table(item["findings"], _FINDING)
        qm.table(item["probes"] or [], _PROBE)
        if item["status"] == "pending" and not qm.json:
            print_diff(name, changes)
        return item | {"changes": changes}

    def diff_command(
        self,
        qm: Qm,
        name: Name,
        before: Annotated[
            int | None,
            "First version to compare; default: the last approved version.",
            Option("--from"),
        ] = None,
        after: Annotated[
            int | None, "Second version to compare; default: the newest version.", Option("--to")
        ] = None,
        kind: Kind = None,
    ) -> list[Row]:
        """Show what changed in an item, member by member."""
        versions = {"from_version": before, "to_version": after}
        rows = qm.read("diff_item", **self._of(kind, name), **versions)
        if not qm.json:
            print_diff(name, rows, " since the last approval" if before is None else "")
        return rows

    def approve_command(
        self,
        qm: Decision,
        context: typer.Context,
        names: SomeNames = None,
        origin: Annotated[
            str | None, "Approve all items from this origin that are waiting for approval."
        ] = None,
        kind: Kind = None,
        reason: Reason = "",
    ) -> list[Row]:
        """Approve the current versions of items.

        Shows what changed since the last approval, and asks for confirmation.
        """
        chosen = [self._of(kind, name) for name in names or []]
        if origin is not None:
            waiting = self._of(kind) | {"of_origin": origin, "with_status": "pending"}
            rows = qm.call("review_items", **waiting, maximum=_MOST)
            chosen += [_which(row) for row in rows]
        seen = [_preview(qm, one, "approved") for one in chosen]
        for row in [] if qm.json else seen:
            print_diff(row["name"], qm.call("diff_item", **_which(row)))
            findings = qm.call_value("get_item", **_which(row))["findings"]
            qm.table(findings, _FINDING)
        return _decided(qm, context, seen, "approved", reason)

    def quarantine_command(
        self,
        qm: Decision,
        context: typer.Context,
        names: Names,
        kind: Kind = None,
        retire: Annotated[bool, Option("--retire", hidden=True)] = False,
        reason: Reason = "",
    ) -> list[Row]:
        """Stop offering items until they are approved again."""
        # In release 0.1, the command for deprecating was `qm asset withhold --retire`.
        becomes = "deprecated" if retire else "quarantined"
        seen = [_preview(qm, self._of(kind, name), becomes) for name in names]
        return _decided(qm, context, seen, becomes, reason)

    def deprecate_command(
        self,
        qm: Decision,
        context: typer.Context,
        names: Names,
        kind: Kind = None,
        reason: Reason = "",
    ) -> list[Row]:
        """Take items out of use permanently, even if their origin still lists them."""
        seen = [_preview(qm, self._of(kind, name), "deprecated") for name in names]
        return _decided(qm, context, seen, "deprecated", reason)

    def downrank_command(
        self,
        qm: Trial,
        context: typer.Context,
        name: Name,
        by: Annotated[
            float,
            "Strength of the downrank, from 0 (normal rank) to 1 (ranked last).",
            Argument(min=0, max=1),
        ],
        kind: Kind = None,
        reason: Reason = "",
    ) -> Row:
        """Lower the rank of an item in all searches."""
        # The function takes a decimal, but psycopg would send a float as double precision.
        given = {"downrank": Decimal(str(by)), "reason": reason, "dry_run": qm.dry_run}
        [row] = qm.call("downrank_item", **self._of(kind, name), **given)
        undo = f" To undo: {context.command_path} {name} {row['was']:g}."
        becomes = "would become" if qm.dry_run else "is now"
        qm.say(
            f"The downrank of {name} {becomes} {row['becomes']:g} (was {row['was']:g})."
            + ("" if qm.dry_run else undo)
        )
        return row | {"name": name, "done": not qm.dry_run}

    def scan_command(
        self,
        qm: Qm,
        names: SomeNames = None,
        duplicates: Annotated[
            bool,
            "Also compare vectors, to find items that are almost the same as an item of another"
            " origin.",
        ] = False,
        kind: OnlyKind = None,
    ) -> Row:
        """Scan definitions for hidden instructions and other dangers; quarantine dangerous items.

        Exits with status 1 if an item was quarantined.
        """
        from rich.progress import TextColumn

        found: Row = {"items": 0, "findings": 0, "quarantined": []}
        asked = self._of(kind) | {"names": names or None, "duplicates": duplicates}
        with progress_bar(TextColumn("{task.completed:,.0f} items")) as bar:
            task = bar.add_task("Scanning", total=len(names) if names else None)
            after = 0
            while rows := qm.call("scan_items", **asked, after_id=after):
                [row] = rows
                after = row["last_id"]
                found = {key: found[key] + row[key] for key in found}
                bar.update(task, completed=found["items"])
        findings = counted(found["findings"], "finding")
        qm.say(f"{counted(found['items'], 'item')} scanned: {findings}.")
        for name in found["quarantined"]:
            qm.say(f"  quarantined: {name}")
        qm.failed = bool(found["quarantined"])
        return found

    def _of(self, kind: str | None, name: str | None = None) -> Row:
        """Arguments that select either all items of a kind or the item with a given name."""
        kinds = self._kinds if kind is None else [kind]
        return {"kinds": kinds} if name is None else {"kinds": kinds, "name": name}


def _which(row: Row) -> Row:
    return {"kinds": [row["kind"]], "name": row["name"]}


def _preview(qm: Command, which: Row, becomes: str) -> Row:
    [row] = qm.call("decide_item", **which, becomes=becomes, dry_run=True)
    return row | {"name": which["name"]}


def _decided(
    qm: Decision, context: typer.Context, seen: list[Row], becomes: str, reason: str
) -> list[Row]:
    """Shows what would be decided, asks for confirmation, decides, and reports.

    Args:
        qm: command that asks for confirmation.
        context: context of the command.
        seen: previews, one for each item.
        becomes: approved, quarantined or deprecated.
        reason: reason that is recorded with the decision.
    """
    qm.table(seen, _PREVIEW, empty="No item was named, and none is waiting for approval.")
    it = "it" if len(seen) == 1 else "them"
    if seen and qm.confirmed(f"Mark {it} as {becomes}?"):
        for row in seen:
            # Decide on the version that was shown, not on a version that has arrived since then.
            which = _which(row) | {"version": row["current_version"]}
            qm.call("decide_item", **which, becomes=becomes, reason=reason)
        noun = context.parent.command_path if context.parent else ""
        undo = "quarantine" if becomes == "approved" else "approve"
        qm.say(f"{len(seen)} {becomes}. To undo: {noun} {undo} NAME.")
    return [row | {"becomes": becomes, "done": not qm.dry_run} for row in seen]


def print_diff(name: str, rows: Sequence[Row], since: str = " since the last approval") -> None:
    """Prints what changed in an item as a unified diff of each member.

    Args:
        name: name of the item.
        rows: rows returned by api.diff_item.
        since: what the newest version was compared with, for items that did not change.
    """
    if not rows:
        say(f"{name}: nothing changed{since}.")
    for line in unified(name, rows):
        out.print(Text(line, style=_STYLES.get(line[:1], "")), soft_wrap=True)


def unified(name: str, rows: Sequence[Row]) -> Iterator[str]:
    """Lines of a unified diff, with one section for each changed member.

    Args:
        name: name of the item.
        rows: rows returned by api.diff_item.
    """
    for row in rows:
        yield from unified_diff(
            _lines(row["before"]),
            _lines(row["after"]),
            f"{name}/{row['member']} (version {row['version_before']})",
            f"{name}/{row['member']} (version {row['version_after']})",
            lineterm="",
        )


def _lines(text: str | None) -> list[str]:
    # A diff must not hide invisible characters.
    return [] if text is None else [_visible(line) for line in text.split("\n")]


def _visible(line: str) -> str:
    return "".join(c if c.isprintable() or c == "\t" else f"<U+{ord(c):04X}>" for c in line)
