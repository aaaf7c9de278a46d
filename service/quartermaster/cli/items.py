"""``qm tool``, ``qm asset``, ``qm card``: review catalog items and decide on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from difflib import unified_diff
from typing import Annotated, Any, Final, cast

import typer
from rich.text import Text
from typer import Argument, Option

from quartermaster import api
from quartermaster.cli.command import Command, Decision, DryRunCommand, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import AsOf, Limit, Reason, Status
from quartermaster.cli.output import counted, out, say
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import progress_bar

_MAX_ITEMS: Final = 10_000
_PARTS: Final = ("versions", "findings", "probes", "definition")
_LONG_MEMBERS: Final = ("input_schema", "output_schema")
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
    ) -> Sequence[Row]:
        """List the items. Items that are waiting for approval come first."""
        kinds = self._chosen(kind)
        rows = qm.read(
            api.review_items(
                kinds=kinds, of_origin=origin, with_status=status, maximum=limit, as_of=as_of
            )
        )
        now = ("status", "reason", "findings") if as_of is None else ("version", "findings")
        of_kind = () if len(kinds or []) == 1 else ("kind",)
        is_filtered = any((origin, status, kind, as_of))
        advice = "Use other options." if is_filtered else "Add servers with: qm import FILE."
        empty = f"No items were found. {advice}"
        return qm.table(rows, ("name", *of_kind, *now, "brief"), empty=empty)

    def show_command(self, qm: Qm, name: Name, kind: Kind = None) -> Row:
        """Show an item: its definition, versions, changes, findings and probes."""
        which = self._of(kind, name)
        item: dict[str, Any] = qm.read_value(api.get_item(**which))
        changes = qm.read(api.diff_item(**which))
        facts = {key: value for key, value in item.items() if key not in _PARTS}
        facts |= {
            key: value for key, value in item["definition"].items() if key not in _LONG_MEMBERS
        }
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
    ) -> Sequence[Row]:
        """Show what changed in an item, member by member."""
        which = self._of(kind, name)
        rows = qm.read(api.diff_item(**which, from_version=before, to_version=after))
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
    ) -> Sequence[Row]:
        """Approve the current versions of items.

        Shows what changed since the last approval, and asks for confirmation.
        """
        chosen = [self._of(kind, name) for name in names or []]
        if origin is not None:
            waiting = api.review_items(
                kinds=self._chosen(kind),
                of_origin=origin,
                with_status="pending",
                maximum=_MAX_ITEMS,
            )
            chosen += [_which(row) for row in qm.call(waiting)]
        seen = [_preview(qm, one, "approved") for one in chosen]
        for row in [] if qm.json else seen:
            print_diff(row["name"], qm.call(api.diff_item(**_which(row))))
            findings = qm.call_value(api.get_item(**_which(row)))["findings"]
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
    ) -> Sequence[Row]:
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
    ) -> Sequence[Row]:
        """Take items out of use permanently, even if their origin still lists them."""
        seen = [_preview(qm, self._of(kind, name), "deprecated") for name in names]
        return _decided(qm, context, seen, "deprecated", reason)

    def downrank_command(
        self,
        qm: DryRunCommand,
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
        asked = api.downrank_item(
            **self._of(kind, name),
            downrank=Decimal(str(by)),
            reason=reason,
            dry_run=qm.dry_run,
        )
        [row] = qm.call(asked)
        undo = f" To undo: {context.command_path} {name} {row['was']:g}."
        becomes = "would become" if qm.dry_run else "is now"
        qm.say(
            f"The downrank of {name} {becomes} {row['becomes']:g} (was {row['was']:g})."
            + ("" if qm.dry_run else undo)
        )
        return {**row, "name": name, "done": not qm.dry_run}

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

        found: dict[str, Any] = {"items": 0, "findings": 0, "quarantined": []}
        kinds = self._chosen(kind)
        with progress_bar(TextColumn("{task.completed:,.0f} items")) as bar:
            task = bar.add_task("Scanning", total=len(names) if names else None)
            after = 0
            while rows := qm.call(
                api.scan_items(
                    kinds=kinds, names=names or None, duplicates=duplicates, after_id=after
                )
            ):
                [row] = cast("list[Row]", rows)
                after = row["last_id"]
                found = {key: found[key] + row[key] for key in found}
                bar.update(task, completed=found["items"])
        findings = counted(found["findings"], "finding")
        qm.say(f"{counted(found['items'], 'item')} scanned: {findings}.")
        for name in found["quarantined"]:
            qm.say(f"  quarantined: {name}")
        qm.failed = bool(found["quarantined"])
        return found

    def _chosen(self, kind: str | None) -> list[str] | None:
        """Returns the kinds of items to use: the kind that the user names, or else all kinds of the
        noun.
        """
        return self._kinds if kind is None else [kind]

    def _of(self, kind: str | None, name: str) -> dict[str, Any]:
        """Returns the arguments with which api functions select the item with a name."""
        return {"kinds": self._chosen(kind), "name": name}


def _which(row: Row) -> dict[str, Any]:
    return {"kinds": [row["kind"]], "name": row["name"]}


def _preview(qm: Command, which: Row, becomes: str) -> Row:
    [row] = qm.call(api.decide_item(**which, becomes=becomes, dry_run=True))
    return {**row, "name": which["name"]}


def _decided(
    qm: Decision, context: typer.Context, seen: Sequence[Row], becomes: str, reason: str
) -> Sequence[Row]:
    """Shows the effect of a decision, asks for confirmation, decides, and reports the result.

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
            qm.call(api.decide_item(**which, becomes=becomes, reason=reason))
        noun = context.parent.command_path if context.parent else ""
        undo = "quarantine" if becomes == "approved" else "approve"
        qm.say(f"{len(seen)} {becomes}. To undo: {noun} {undo} NAME.")
    return [{**row, "becomes": becomes, "done": not qm.dry_run} for row in seen]


def print_diff(name: str, rows: Sequence[Row], since: str = " since the last approval") -> None:
    """Prints what changed in an item as a unified diff of each member.

    Args:
        name: name of the item.
        rows: rows returned by api.diff_item.
        since: the end of the message ``nothing changed``. It says with which version the newest
            version was compared.
    """
    if not rows:
        say(f"{name}: nothing changed{since}.")
    for line in unified(name, rows):
        out.print(Text(line, style=_STYLES.get(line[:1], "")), soft_wrap=True)


def unified(name: str, rows: Sequence[Row]) -> Iterator[str]:
    """Yields lines of a unified diff, with one section for each changed member.

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
