"""``qm lookup``: manages lookup tables and their rows, and searches them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal
from urllib.parse import quote

from typer import Argument, Option

from quartermaster import api as core_api
from quartermaster.cli.command import Command, Decision, DryRunCommand, Qm
from quartermaster.cli.noun import WORDS, Noun
from quartermaster.cli.options import Limit, Reason, pair
from quartermaster.cli.output import Columns, counted, err, note
from quartermaster.cli.session import Row, open_session
from quartermaster.cli.waiting import Progress
from quartermaster.core.api_call import ApiCall, without_none
from quartermaster.core.errors import QmError, argument_invalid
from quartermaster_lookup import api
from quartermaster_lookup.cli import trial
from quartermaster_lookup.cli.table_name import TableName

if TYPE_CHECKING:
    from quartermaster.eval.gold import Task
    from quartermaster.models.embedding_model import EmbeddingModel
    from quartermaster_lookup.eval.vectors import VectorTrial as Weighing


noun = Noun("Match messy strings to the rows of lookup tables.")
RowId = Annotated[str, "Id of the row.", Argument(metavar="ID")]
Alias = Annotated[str, "The alias."]
Curator = Annotated[
    str | None,
    "Curator who makes the change; default: the principal of your database login.",
    Option("--as", metavar="PRINCIPAL"),
]
_MOST_STRINGS: Final = 1_000
_COMPARED_COLUMNS: Final = ("queries", "matched", "empty")
_CHANGE: Final = 0.05
_ERRORS: Final = 3
_DRIFT: Final[Columns] = (
    ("table", lambda row: row["name"] or "(all)"),
    ("queries", "{queries:,}"),
    ("matched", "{matched:.1%}"),
    ("empty", "{empty:.1%}"),
    ("before", "{queries_before:,}"),
    ("matched before", lambda row: _share(row["matched_before"])),
    ("empty before", lambda row: _share(row["empty_before"])),
    ("drift", lambda row: "yes" if row["drifts"] else ""),
)
_THRESHOLD_COLUMNS: Final = (
    "when",
    ("threshold", "{threshold:.2f}"),
    ("gap", "{gap:.2f}"),
    ("matches", "{matches:,}"),
    ("precision", "{precision:.3f}"),
    ("95% interval", "{low:.3f} to {high:.3f}"),
    ("recall", "{recall:.3f}"),
)


@noun.verb()
def load_command(
    qm: Decision,
    table: Annotated[
        str,
        "Name of the lookup table. Omit it to load all tables that the column `table` of the file"
        " names.",
        Argument(metavar="[TABLE]"),
    ],
    file: Annotated[
        Path | None, "CSV (with header) or JSON Lines file: id, value, aliases, ...", Argument()
    ] = None,
    query: Annotated[
        str | None, "SQL query to use instead of a file; it must return the same columns."
    ] = None,
    source: Annotated[
        str | None, "Database in which to run the query.", Option("--from", metavar="DSN")
    ] = None,
    keep: Annotated[bool, "Keep rows that are not in the file."] = False,
) -> Sequence[Row] | Row:
    """Load rows into a table, or into all tables that a file names.

    Either all rows are loaded or none. Rows of the table that are not in the file are removed,
    unless --keep is given. If more than a tenth of a table's rows would be removed, the command
    asks for confirmation first.
    """
    every = file is None and query is None
    own = None if every else {table: _rows(qm, table, file, query, source)}
    found = own or _all_tables(Path(table))
    try:
        counts = _load(qm, found, qm.together(), keep=keep, may_remove=qm.yes or qm.dry_run)
    except QmError as error:
        if error.slug != "lookup_removes_many" or not sys.stdin.isatty():
            raise
        # The error names the first table only, and the question is about all of them. No lock is
        # held while it waits for an answer.
        trial = _load(qm, found, qm.session.rolled_back(), keep=keep, may_remove=True)
        for name, count in trial.items():
            if _removes_many(count):
                qm.note(
                    f"{name}: {count['removed']:,} of {_rows_before(count):,} rows would be "
                    "removed."
                )
        qm.confirmed("Remove these rows? (--keep keeps them)")
        counts = _load(qm, found, qm.together(), keep=keep, may_remove=True)
    for name, count in counts.items():
        say_counts(qm, name, count)
    if qm.dry_run and any(map(_removes_many, counts.values())):
        qm.note(
            "More than a tenth of a table's rows would be removed. Without --yes, loading asks "
            "for confirmation."
        )
    reports = [{"table": name, **count, "dry_run": qm.dry_run} for name, count in counts.items()]
    return reports if every else reports[0]


def _load(
    qm: Command,
    tables: Mapping[str, Sequence[Row]],
    transaction: AbstractContextManager[object],
    *,
    keep: bool,
    may_remove: bool,
) -> dict[str, Row]:
    """Creates and loads all tables in one transaction."""
    counts: dict[str, Row] = {}
    total, done = sum(map(len, tables.values())), 0
    with Progress() as progress, transaction:
        for name, rows in tables.items():
            qm.call(api.create_lookup(name=name))
            load = api.load_lookup(lookup=name, rows=rows, replaces=not keep, may_remove=may_remove)
            [counts[name]] = qm.call(load)
            done += len(rows)
            progress.update("loading", done, total)
    return counts


def _rows_before(count: Row) -> int:
    return count["changed"] + count["unchanged"] + count["removed"]


def _removes_many(count: Row) -> bool:
    """Returns whether a load would remove more than a tenth of a table's rows. api.load_lookup uses
    the same rule.
    """
    return 10 * count["removed"] > _rows_before(count)


def _all_tables(file: Path) -> dict[str, list[Row]]:
    """Returns the rows of a file, grouped by the table that each row names.

    Raises:
        QmError: QM422 argument_invalid if the file does not exist or a row names no table; the
            errors of `read_rows`.
    """
    from quartermaster_lookup.table_file import bad_line, read_rows

    if not file.suffix and not file.exists():
        raise argument_invalid(
            "Give either a file or --query.", f"For instance: qm lookup load {file} FILE."
        )
    tables: dict[str, list[Row]] = {}
    rows = read_rows(file)
    if not any("table" in row for row in rows):
        raise argument_invalid(
            f"{file} does not say which table its rows belong to.",
            f"Give the table: qm lookup load TABLE {file}. Or add a column `table` to the file.",
        )
    for row in rows:
        if "table" not in row:
            raise bad_line(file, row["line"], "the row names no table, but others do")
        tables.setdefault(row["table"], []).append(row)
    return tables


@noun.verb()
def list_command(qm: Qm) -> Sequence[Row]:
    """List the lookup tables."""
    rows = qm.read(api.lookup_tables())
    columns = ("name", "rows", "names", "threshold", "domain", "loaded_at")
    return qm.table(rows, columns, empty="No tables. Load one with: qm lookup load TABLE FILE.")


@noun.verb()
def show_command(
    qm: Qm,
    table: TableName,
    row: Annotated[
        str | None, "Id of a row; if it is omitted, the rows are listed.", Argument()
    ] = None,
    after: Annotated[str | None, "List the rows after this id."] = None,
    limit: Limit = 20,
) -> Sequence[Row] | Row:
    """Show a row, or list the rows."""
    if row is not None:
        [found] = qm.read(api.get_by_id(lookup=table, row_id=row))
        qm.facts("row", found["id"], found)
        return found
    page = api.lookup_rows(lookup=table, after=after, maximum=limit, active_only=False)
    rows = qm.read(page)
    return qm.table(rows, ("id", "value", "aliases", "language", "active"))


@noun.verb()
def search_command(
    qm: Qm,
    table: TableName,
    text: Annotated[str, "The string to look up.", WORDS],
    properties: Annotated[
        list[str] | None,
        "Prefer rows with this property.",
        Option("--property", metavar="NAME=VALUE"),
    ] = None,
    language: Annotated[str | None, "Prefer names in this language."] = None,
    limit: Annotated[int, "Maximum number of rows.", Option(min=1, max=100)] = 5,
    every: Annotated[
        bool, "Show rows even if none reaches the table's threshold.", Option("--all")
    ] = False,
    explain: Annotated[bool, "Show the score of the first row, term by term."] = False,
) -> Sequence[Row]:
    """Find the rows to which a string may refer."""
    query: dict[str, Any] = without_none(
        query=text, language=language, threshold=0.0 if every else None
    )
    if properties:
        query["properties"] = dict(pair(each, "family=Betulaceae") for each in properties)
    answer = _answer(qm, table, query, k_final=limit, explain=explain)
    rows: list[Row] = answer["rows"] or []
    if not rows:
        for row in answer["retired"] or ():
            qm.say(f"Row {row['id']} ({row['value']}) has this name, but the row is retired.")
        if not answer["retired"]:
            qm.say(
                "No similar row was found."
                if every
                else "No row reaches the threshold. To see the nearest rows, add --all."
            )
        return rows
    columns: Columns = (
        "id",
        "value",
        ("matched name", "name"),
        ("score", "{score:.3f}"),
        ("match", lambda row: "yes" if row["match"] else ""),
    )
    qm.table(rows, columns)
    if explain:
        terms = rows[0]["scores"]["features"].items()
        shares = [{"feature": name, **term} for name, term in terms]
        shares.sort(key=lambda term: -abs(term["share"]))
        qm.table(shares, ("feature", "value", "share"))
    return rows


def _answer(qm: Command, table: str, query: Row, *, k_final: int, explain: bool) -> Row:
    """Returns the answer to one query. The answer comes from the service, or from the database if
    the user gave a DSN.

    Raises:
        QmError: QM422 if the query is not valid; the errors of the service and of the database.
    """
    if qm.dsn is None:
        body = {"queries": [query], "k_final": k_final, "explain": explain}
        [answer] = qm.service.post(f"/v1/lookups/{quote(table, safe='')}", body)["answers"]
    else:
        [answer] = qm.call(
            api.search_lookups(lookup=table, queries=[query], k_final=k_final, explain=explain)
        )
    if error := answer["error"]:
        hint = error["hint"] or "Correct the query and try again."
        raise QmError(422, error["slug"], error["message"], hint)
    return answer


@noun.verb()
def drop_command(qm: Decision, table: TableName) -> Row:
    """Delete a lookup table and its rows. This cannot be undone."""
    [found] = qm.call(api.drop_lookup(lookup=table, dry_run=True))
    qm.say(f"This permanently deletes {table} with {counted(found['rows'], 'row')}.")
    if qm.confirmed(f"Delete {table}?"):
        qm.call(api.drop_lookup(lookup=table))
        qm.say("Deleted.")
    return found | {"dropped": not qm.dry_run}


noun.include(trial.noun)


def _rows(
    qm: Command, table: str, file: Path | None, query: str | None, source: str | None
) -> Sequence[Row]:
    from quartermaster_lookup.table_file import read_rows, row_of

    if (file is None) == (query is None):
        raise argument_invalid(
            "Give either a file or --query.", "For instance: qm lookup load TABLE FILE."
        )
    if file is not None:
        rows = read_rows(file)
        # A file may contain rows for several tables.
        own = [row for row in rows if row.get("table", table) == table]
        if not own:
            others = ", ".join(dict.fromkeys(str(row["table"]) for row in rows))[:300]
            raise argument_invalid(
                f"{file} has no rows for the table {table}; it has rows for: {others}.",
                f"Give one of these tables, or load all of them: qm lookup load {file}.",
            )
        return own
    with open_session(qm.data_dir, source or qm.dsn) as session:
        found = session.select(str(query))
    if not found:
        raise argument_invalid("The query returned no rows.", "Correct the query.")
    return [row_of(Path("query"), line, row) for line, row in enumerate(found, start=1)]


def say_counts(qm: Command, table: str, counts: Row) -> None:
    """Prints a sentence with numbers of rows, such as ``plant: 3 added, 1 removed.``."""
    shown_counts = ", ".join(f"{count:,} {what}" for what, count in counts.items())
    qm.say(f"{table}: {shown_counts}{qm.preview}.")


@dataclass
class OwnTable:
    """Options that name the columns of the user's own table, which is read without copying it."""

    id_column: Annotated[str | None, "Column with ids.", Option("--id")] = None
    value_column: Annotated[str | None, "Column with values.", Option("--value")] = None
    alias_columns: Annotated[
        list[str] | None,
        "Column with aliases: an array, or text separated by |.",
        Option("--alias"),
    ] = None
    property_columns: Annotated[
        list[str] | None,
        "Column whose values become a property of the rows; repeatable.",
        Option("--property"),
    ] = None
    language_column: Annotated[str | None, "Column with languages.", Option("--language")] = None
    active_column: Annotated[
        str | None, "Column that says whether a row is active.", Option("--active")
    ] = None
    follow: Annotated[
        bool,
        "Install triggers on the table given with --over, so that changes to its rows are reported"
        " immediately.",
    ] = False


@noun.verb()
def create_command(
    qm: Qm,
    own: OwnTable,
    table: TableName,
    description: Annotated[str | None, "Description of the rows."] = None,
    domain: Annotated[str | None, "Domain (subject area) to which the table belongs."] = None,
    over: Annotated[
        str | None,
        "Read the rows of this table or view, without copying them.",
        Option(metavar="SCHEMA.TABLE"),
    ] = None,
    every: Annotated[str, "Interval between refreshes, if there are no triggers."] = "1 hour",
) -> Row:
    """Create a lookup table, or change its description.

    With --over, the lookup table reads the rows of one of your own tables, without copying or
    changing them. The owner of that table must run: grant select on SCHEMA.TABLE to qm_owner.
    """
    given: dict[str, Any] = {name: value for name, value in vars(own).items() if value}
    if over is None:
        if given:
            raise argument_invalid(
                "Options that name columns require --over.", "Add --over SCHEMA.TABLE."
            )
        qm.call(api.create_lookup(name=table, description=description, domain=domain))
        qm.say(f"{table} is ready. Load its rows with: qm lookup load {table} FILE.")
        return {"name": table, "description": description, "domain": domain}
    if own.id_column is None or own.value_column is None:
        raise argument_invalid("--over requires --id and --value.", "Give both --id and --value.")
    with err.status(f"reading {over}"):
        [found] = qm.call(
            api.create_lookup_over(
                name=table,
                description=description,
                domain=domain,
                relation=over,
                every=every,
                **given,
            )
        )
    say_counts(qm, table, found)
    return found


@noun.verb()
def refresh_command(
    qm: Qm,
    table: TableName,
    changed: Annotated[
        bool, "Refresh only the rows whose changes were reported by triggers."
    ] = False,
) -> Row:
    """Refresh a lookup table whose rows are read from another table, not copied."""
    with err.status(f"refreshing {table}"):
        [found] = qm.call(api.refresh_lookup(lookup=table, changed_only=changed))
    say_counts(qm, table, found)
    return found


@noun.verb()
def sources_command(qm: Qm) -> Sequence[Row]:
    """List the lookup tables whose rows are read from another table, with the time of their last
    refresh.
    """
    rows = qm.read(api.list_lookup_sources())
    columns: Columns = (
        "name",
        ("over", "relation"),
        ("by", lambda row: "triggers" if row["follows"] else f"every {row['every']}"),
        "waiting",
        ("refreshed", "refreshed_at"),
        "failure",
    )
    return qm.table(rows, columns, empty="No lookup table reads its rows from another table.")


_alias = Noun("Add or remove aliases of rows.")
noun.add_typer(_alias, name="alias")


@_alias.verb()
def add_command(
    qm: DryRunCommand,
    table: TableName,
    row: RowId,
    alias: Alias,
    reason: Reason = "",
    curator: Curator = None,
) -> Row:
    """Add an alias to a row. The alias is kept when the table is loaded again."""
    done = _curated(
        qm, curator, api.add_alias(lookup=table, row_id=row, alias=alias, reason=reason)
    )
    if done["shared_with"]:
        others = ", ".join(done["shared_with"])
        qm.say(
            f"Other rows with this name: {others}. A name that several rows share matches none of"
            " them."
        )
    return done


@_alias.verb()
def remove_command(
    qm: DryRunCommand, table: TableName, row: RowId, alias: Alias, curator: Curator = None
) -> Row:
    """Remove an alias that a curator added."""
    return _curated(qm, curator, api.remove_alias(lookup=table, row_id=row, alias=alias))


@noun.verb()
def retire_command(
    qm: DryRunCommand, table: TableName, row: RowId, reason: Reason = "", curator: Curator = None
) -> Row:
    """Retire a row. It stays retired when the table is loaded again.

    To undo: qm lookup restore.
    """
    return _curated(qm, curator, api.retire_row(lookup=table, row_id=row, reason=reason))


@noun.verb()
def restore_command(
    qm: DryRunCommand, table: TableName, row: RowId, curator: Curator = None
) -> Row:
    """Restore a row that a curator retired."""
    return _curated(qm, curator, api.restore_row(lookup=table, row_id=row))


@noun.verb()
def provenance_command(
    qm: DryRunCommand,
    table: TableName,
    row: RowId,
    members: Annotated[
        list[str],
        "Members of the provenance to set, such as source=SEAD. An empty value removes the member.",
        Argument(metavar="NAME=VALUE..."),
    ],
    reason: Reason = "",
    curator: Curator = None,
) -> Row:
    """Record where a row comes from (its provenance).

    What you record takes precedence over the provenance in the source of the row.
    """
    pairs = (pair(member, "source=SEAD") for member in members)
    given = {name: value or None for name, value in pairs}
    return _curated(
        qm,
        curator,
        api.attach_provenance(lookup=table, row_id=row, members=given, reason=reason),
    )


@noun.verb()
def curations_command(
    qm: Qm,
    table: TableName,
    row: Annotated[str | None, "Id of a row; default: all rows.", Argument()] = None,
    limit: Limit = 50,
) -> Sequence[Row]:
    """List the changes that curators made, newest first."""
    rows = qm.read(api.list_curations(lookup=table, row_id=row, maximum=limit))
    columns: Columns = (
        "id",
        "value",
        ("change", _change),
        "reason",
        "curator",
        "curated_at",
    )
    return qm.table(rows, columns, empty="Curators have not changed anything.")


def _change(row: Row) -> str:
    if row["alias"]:
        return f"also {row['alias']}"
    return f"from {_as_given(row['provenance'])}" if row["provenance"] else "retired"


@noun.verb()
def suggest_aliases_command(
    qm: Qm,
    table: TableName,
    file: Annotated[
        Path | None, "File with one string per line; default: recent queries.", Argument()
    ] = None,
    limit: Limit = 20,
) -> Sequence[Row]:
    """Suggest aliases for rows, based on strings that currently do not match any row."""
    from quartermaster_lookup.table_file import read_text

    given: dict[str, Any] = {}
    if file is not None:
        lines = (line.strip() for line in read_text(file).splitlines())
        counts = Counter(line for line in lines if line)
        given["asked"] = dict(counts.most_common(_MOST_STRINGS))
        if len(counts) > _MOST_STRINGS:
            note(f"Of {len(counts):,} strings, only the {_MOST_STRINGS:,} most frequent are used.")
    with err.status("comparing names"):
        rows = qm.call(api.suggest_aliases(lookup=table, maximum=limit, **given))
    qm.table(rows, ("id", "value", "alias", "form", "times", ("score", "{score:.2f}")))
    if not rows:
        qm.say("No suggestions: every string already matches a row, or does not resemble any row.")
    return rows


def _curated(qm: DryRunCommand, curator: str | None, change: ApiCall[Any]) -> Row:
    with qm.together(), qm.session.acting_as(curator):
        [row] = qm.call(change)
    facts = [f"also {', '.join(row['aliases'])}"] if row["aliases"] else []
    facts += [] if row["active"] else ["retired"]
    facts += [f"from {_as_given(row['provenance'])}"] if row["provenance"] else []
    qm.say(f"{row['id']} {row['value']}: {'; '.join(facts) or 'as in its source'}.{qm.preview}")
    return {**row, "dry_run": qm.dry_run}


def _as_given(members: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in members.items())


@noun.verb()
def tune_command(
    qm: DryRunCommand,
    table: TableName,
    gold: Annotated[
        Path, "CSV file with the columns table, query, expected_ids (separated by |), props."
    ],
    precision: Annotated[
        float,
        "Required precision: the share of the matches that must be correct.",
        Option(min=0.5, max=0.999),
    ] = 0.98,
) -> Row:
    """Learn when an answer of a table counts as a match, from gold pairs (strings whose right rows
    are known).

    The command chooses the lowest probability of a match (threshold) and its smallest lead over the
    second row (gap): those with which most strings find a row at the required precision.
    """
    from quartermaster.eval.threshold import MIN_MATCHES, GoldAnswers, choose, judge
    from quartermaster_lookup.eval.gold_pairs import read_pairs
    from quartermaster_lookup.eval.lookups import ask

    pairs = read_pairs(gold, table)
    # A call without new values changes nothing and returns the current values.
    [before] = qm.call(api.configure_lookup(lookup=table))
    with Progress() as progress:
        answers, _ = ask(qm.session, pairs, progress.update)
    firsts = GoldAnswers.of(answers)
    was, becomes = judge(firsts, before["threshold"], before["gap"]), choose(firsts, precision)
    rows = [{"when": "before", **asdict(was)}]
    if becomes is not None:
        rows.append({"when": "would be" if qm.dry_run else "now", **asdict(becomes)})
        with qm.unless_dry():
            qm.call(
                api.configure_lookup(
                    lookup=table,
                    new_threshold=becomes.threshold,
                    new_gap=becomes.gap,
                    new_precision=precision,
                )
            )
    qm.table(rows, _THRESHOLD_COLUMNS)
    if becomes is not None:
        qm.say(f"Threshold and gap were learned from {counted(len(pairs), 'pair')}.")
    else:
        qm.say(
            f"Nothing was changed: at every threshold, fewer than {MIN_MATCHES} strings match, or"
            f" the precision is below {precision:.0%}."
        )
    after = None if becomes is None else asdict(becomes)
    return {"pairs": len(pairs), "before": asdict(was), "after": after, "dry_run": qm.dry_run}


@noun.verb()
def configure_command(
    qm: DryRunCommand,
    table: TableName,
    threshold: Annotated[
        float | None, "Lowest probability of the rows that the table returns.", Option(min=0, max=1)
    ] = None,
    gap: Annotated[
        float | None,
        "Smallest difference in probability between a match and the next row.",
        Option(min=0, max=1),
    ] = None,
    near: Annotated[
        bool | None,
        "Let the reconciliation API also return rows below the threshold.",
        Option("--near/--no-near"),
    ] = None,
) -> Row:
    """Show or change the settings of a table: which rows it returns, and when a row is a match."""
    with qm.unless_dry():
        [found] = qm.call(
            api.configure_lookup(
                lookup=table, new_threshold=threshold, new_gap=gap, new_shows_near=near
            )
        )
    shows = "also returns" if found["shows_near"] else "does not return"
    qm.say(
        f"{table}: threshold {found['threshold']:.2f}, gap {found['gap']:.2f}; the reconciliation"
        f" API {shows} rows below the threshold{qm.preview}."
    )
    return {**found, "dry_run": qm.dry_run}


@noun.verb()
def report_command(
    qm: Qm,
    days: Annotated[int, "Length of the recent period.", Option(min=1, max=365)] = 7,
    before: Annotated[
        int, "Length of the earlier period, for comparison.", Option(min=1, max=1000)
    ] = 28,
) -> Sequence[Row]:
    """Compare the match rates of recent queries with the match rates of earlier queries.

    A table drifts if its match rate changed by at least 5 percentage points, and by more than
    chance would explain.
    """
    recent = datetime.now(UTC) - timedelta(days=days)
    now = qm.call(api.list_lookup_statistics(since=recent))
    earlier = qm.call(
        api.list_lookup_statistics(since=recent - timedelta(days=before), until=recent)
    )
    was = {row["name"]: row for row in earlier}
    rows = [_drift(row, was.get(row["name"])) for row in now]
    return qm.table(rows, _DRIFT, empty=f"No lookups in the last {counted(days, 'day')}.")


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def _drift(now: Row, was: Row | None) -> Row:
    before: Row = was or {"queries": 0, "matched": None, "empty": None}
    report: dict[str, Any] = {name: now[name] for name in ("name", *_COMPARED_COLUMNS)}
    report |= {f"{name}_before": before[name] for name in _COMPARED_COLUMNS} | {"drifts": False}
    if was:
        change = abs(now["matched"] - was["matched"])
        both = now["queries"] + was["queries"]
        mean = (now["matched"] * now["queries"] + was["matched"] * was["queries"]) / both
        error = sqrt(mean * (1 - mean) * (1 / now["queries"] + 1 / was["queries"]))
        report["drifts"] = change >= _CHANGE and change > _ERRORS * error
    return report


@noun.verb()
def vectors_command(
    qm: DryRunCommand,
    table: TableName,
    switch: Annotated[
        Literal["on", "off"] | None, '"on" or "off"; default: show the current state.', Argument()
    ] = None,
    gold: Annotated[
        Path | None,
        "CSV file with gold pairs (strings and their right rows). Vectors are used if they improve"
        " the results for these strings.",
    ] = None,
) -> Row:
    """Turn search by meaning (with vectors) on or off for a table.

    With --gold, the command turns it on only if the results for the gold pairs become better.
    """
    from quartermaster_lookup.eval.gold_pairs import read_pairs

    if switch is not None and gold is not None:
        raise argument_invalid(
            "--gold cannot be combined with on or off.", "Give either --gold, or on or off."
        )
    pairs = read_pairs(gold, table) if gold is not None else []
    [before] = qm.call(api.configure_lookup_vectors(lookup=table))
    if qm.dry_run:
        return _preview(qm, table, before, is_on=gold is not None or switch == "on")
    weighing = None
    if switch == "off":
        qm.call(api.configure_lookup_vectors(lookup=table, enabled=False))
    elif switch == "on" or gold is not None:
        with Progress() as progress:
            model = _embedded(qm, table, progress)
            if pairs:
                weighing = _decided(qm, table, pairs, model, progress)
    [after] = qm.call(api.configure_lookup_vectors(lookup=table))
    if weighing is not None:
        _show_weighing(qm, weighing)
    _say_state(qm, table, after)
    names = ("pairs", "dense", "without", "combined", "pays", "weights")
    trial = weighing and {name: getattr(weighing, name) for name in names}
    return {**after, "trial": trial}


def _embedded(qm: Command, table: str, progress: Progress) -> EmbeddingModel:
    """Switches on the search with vectors for a table, and computes missing vectors with the active
    model.
    """
    from quartermaster.eval.embedding import embed_names
    from quartermaster.models.registry import open_embedding

    options = qm.settings().embedding
    known = qm.call(core_api.list_models(counted=False))
    active = next((row for row in known if row["active"]), None)
    if active is not None:
        options = options.model_copy(update={"model": active["source"]})
    model = open_embedding(options, *qm.model_places())
    if active is None:
        qm.call(
            core_api.put_model(
                name=model.name, dimension=model.dimension, source=options.model, active=True
            )
        )
    qm.call(api.configure_lookup_vectors(lookup=table, enabled=True))
    embed_names(qm.session, model, progress.update)
    return model


def _decided(
    qm: Command, table: str, pairs: list[Task], model: EmbeddingModel, progress: Progress
) -> Weighing:
    """Decides whether a table uses vectors. If the vectors improve the results, sets their weight;
    otherwise, removes the vectors.
    """
    from quartermaster_lookup.eval.lookups import gather
    from quartermaster_lookup.eval.vectors import weigh_vectors

    without = gather(qm.session, pairs, progress.update)
    weighing = weigh_vectors(without, gather(qm.session, pairs, progress.update, model))
    if weighing.pays:
        qm.call(api.configure_lookup_vectors(lookup=table, weights=weighing.weights))
    else:
        qm.call(api.configure_lookup_vectors(lookup=table, enabled=False))
    return weighing


def _preview(qm: Command, table: str, before: api.ConfigureLookupVectorsRow, *, is_on: bool) -> Row:
    if is_on:
        qm.say(f"{table}: the service would embed {counted(before['missing'], 'name')}.")
    else:
        gone = before["texts"] - before["missing"] if before["has_vectors"] else 0
        qm.say(f"{table}: the command would delete {counted(gone, 'vector')}.")
    return {**before, "wanted": "on" if is_on else "off", "dry_run": True}


def _show_weighing(qm: Command, weighing: Weighing) -> None:
    arms = {
        "vectors only": weighing.dense,
        "without vectors": weighing.without,
        "with vectors": weighing.combined,
    }
    rows = [{"arm": name, "first": first, "five": five} for name, (first, five) in arms.items()]
    folds = f"{weighing.pairs:,} pairs, cross-validated"
    qm.table(rows, ((folds, "arm"), ("R@1", "{first:.3f}"), ("R@5", "{five:.3f}")))
    qm.say(
        "Search by meaning helps to find the right rows of this table, so it is on."
        if weighing.pays
        else "Search by meaning does not help to find the right rows of this table, so it is off."
    )


def _say_state(qm: Command, table: str, row: Row) -> None:
    if not row["has_vectors"]:
        qm.say(f"{table}: search by meaning is off. To switch it on: qm lookup vectors {table} on.")
        return
    weight = row["weighed"].get("score", {}).get("sem")
    weighs = (
        f"the weight of the cosine is {weight:g}" if weight else "the vectors only add candidates"
    )
    waiting = f", {row['missing']:,} are missing" if row["missing"] else ""
    qm.say(
        f"{table}: search by meaning is on, with vectors for {counted(row['texts'], 'name')}"
        f"{waiting}; {weighs}. To switch it off: qm lookup vectors {table} off."
    )
