"""``qm decisions ingest``, ``propose``, ``check`` and ``refresh``: the commands that find and check
decisions.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from psycopg.types.json import Jsonb
from typer import Argument, Option

from quartermaster import api as core_api
from quartermaster.cli.command import DryRunCommand, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Project
from quartermaster.cli.output import counted
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import Progress
from quartermaster.core.errors import argument_invalid
from quartermaster.projects.guard import printable
from quartermaster.secrets.store import SecretStore
from quartermaster_decisions import api
from quartermaster_decisions.candidates import DecisionCandidate
from quartermaster_decisions.consensus import FEW_CASES, LEAST_CASES
from quartermaster_decisions.scopes import write_scope

MAX_COMMITS: Final = 500
_AT_ONCE: Final = 200
_MOST_NAMED: Final = 5

NO_DECISIONS: Final = "No decisions. Find some with: qm decisions ingest."

noun = Noun("Find and check decisions.")


@noun.verb()
def ingest_command(
    qm: DryRunCommand,
    repository: Annotated[
        Path | None, "Folder of the repository; default: the folder of the project.", Argument()
    ] = None,
    max_commits: Annotated[
        int, "Number of commits to read, newest first.", Option(min=1)
    ] = MAX_COMMITS,
    since: Annotated[str | None, "Only commits since this date."] = None,
    scope: Annotated[str, "Only files below this folder."] = "",
    project: Project = None,
) -> Row:
    """Find decisions in the code and the history of a repository. The decisions become candidates.

    With --dry-run, no database is needed and nothing is stored. A second run reads only new
    commits and changed files, because the command keeps what it has read.
    """
    from quartermaster_decisions.ingest import Options

    project = project or (str(repository.resolve()) if repository else None)
    root = repository.resolve() if repository else Path(_root(qm, project))
    if not qm.dry_run:
        # Whoever may not store candidates learns it before the repository is read.
        qm.call(api.put_candidates(candidates=Jsonb([]), project=project))
    scope = scope.removeprefix("./").strip("/")
    options = Options(max_commits=max_commits, since=since, scope=scope)
    found, packets, read, missing, submodules = _mined(qm, root, options)
    if missing:
        qm.note(missing)
    if submodules:
        shown = ", ".join(submodules[:_MOST_NAMED])
        more = f" and {len(submodules) - _MOST_NAMED} more" if submodules[_MOST_NAMED:] else ""
        qm.note(
            f"Not read: {counted(len(submodules), 'submodule')} ({shown}{more}). Each is a"
            " repository of its own; to add one as a project: qm project add PATH."
        )
    rows = [one.as_json() for one in found]
    nothing = (
        f"No decisions were found in {read}. A decision is recorded if the code follows it in"
        f" at least {LEAST_CASES} places, or {FEW_CASES} if other projects rarely follow it."
    )
    if qm.dry_run:
        columns = (("scope", scope_of), "pattern", "confidence")
        qm.table(rows, columns, empty=nothing)
        return {"candidates": rows, "missing_commits": missing, "submodules": submodules}
    stored: list[api.PutCandidatesRow] = []
    for start in range(0, len(rows), _AT_ONCE):
        part = rows[start : start + _AT_ONCE]
        stored += qm.call(api.put_candidates(candidates=part, project=project))
    waiting = qm.call_value(api.put_packets(packets=Jsonb(packets), project=project))
    counts, said = outcomes_of(stored)
    if rows:
        qm.say(said)
        qm.say("To read the candidates: qm decisions list --status candidate.")
    else:
        qm.say(nothing)
    if waiting:
        qm.say(
            f"An agent can find more decisions in {counted(waiting, 'packet')} of evidence. Tell"
            ' your agent: "Find decisions of this project".'
        )
    return counts | {
        "decisions": stored,
        "packets": waiting,
        "missing_commits": missing,
        "submodules": submodules,
    }


def _mined(
    qm: DryRunCommand, root: Path, options: Any
) -> tuple[Sequence[DecisionCandidate], list[dict[str, Any]], str, str, list[str]]:
    """Mines a repository.

    Returns:
        The candidates, the packets of evidence, the amount of data that was read, advice about
        missing commits, and the submodules, which were not read.
    """
    from quartermaster.projects.git import open_repository
    from quartermaster_decisions.checking import guard_of
    from quartermaster_decisions.ingest import read_signals
    from quartermaster_decisions.mining import cache_of, complete, mine
    from quartermaster_decisions.packets import make_packets

    folder = guard_of(root).root
    cache = cache_of(qm.folder, folder)
    with Progress() as progress, open_repository(folder) as opened:
        signals = read_signals(opened, options, cache, progress.update)
        found = mine(signals)
        complete(opened, signals, found)
        packets = [] if qm.dry_run else make_packets(opened, signals)
        missing = opened.missing_commits
        submodules = [printable(path) for path in opened.submodules(signals.commit)]
    read = (
        f"{counted(len(signals.code.files), 'source file')},"
        f" {counted(len(signals.documents), 'document')} and"
        f" {counted(len(signals.history.commits), 'commit')}"
    )
    return found, packets, read, missing, submodules


@noun.verb()
def propose_command(
    qm: Qm,
    packets: Annotated[
        int,
        "Maximum number of packets to send. A packet contains evidence about one area of the code.",
        Option(min=1),
    ] = 10,
    project: Project = None,
) -> Row:
    """Let a language model read evidence from the code base and propose decisions.

    The setting decisions.llm names the model. The model's proposals become candidates. The setting
    decisions.may_leave says which evidence the model may read.
    """
    import anyio

    rows = anyio.run(_proposed, qm, packets, project)
    qm.table(rows, ("packet", "outcome", "decision", "reason"), empty="Nothing was proposed.")
    return {"items": rows}


async def _proposed(qm: Qm, packets: int, project: str | None) -> Sequence[Row]:
    from quartermaster_decisions.proposing import open_proposer
    from quartermaster_decisions.settings import Decisions

    options = qm.settings().of(Decisions)
    if options.propose != "model":
        raise argument_invalid(
            "The settings name no language model that proposes decisions.",
            'Set decisions.propose to "model", and name the model in decisions.llm.'
            " kinds/decisions/docs/decisions.md has an example.",
        )
    rows: list[Row] = []
    async with open_proposer(options, SecretStore(qm.folder)) as proposer:
        for _ in range(packets):
            if not (found := qm.call(api.next_packet(project=project))):
                break
            number = found[0]["packet"]
            items = await proposer.propose(found[0])
            judged = qm.call(
                api.submit_proposals(packet=number, items=Jsonb(items), project=project)
            )
            rows += [row | {"packet": number} for row in judged]
    return rows


@noun.verb()
def check_command(
    qm: Qm,
    paths: Annotated[
        list[str] | None, "Files or folders below the root; default: all files.", Argument()
    ] = None,
    diff: Annotated[
        str | None, "Only files that differ from this commit.", Option(metavar="BASE")
    ] = None,
    project: Project = None,
) -> Row:
    """Check files against the canonical decisions.

    Exits with status 1 if a file violates a decision.
    """
    from quartermaster.projects.git import open_repository
    from quartermaster_decisions.checking import (
        below,
        changed_since,
        check_files,
        guard_of,
        within,
    )

    for path in paths or ():
        if Path(path).is_absolute():
            qm.session.stand_in(Path(path))
    canonical = found_decisions(qm, project=project, status="canonical")
    decisions = [row for row in canonical if row["check"]]
    guard = guard_of(Path(_root(qm, project)))
    with open_repository(guard.root) as opened:
        wanted = list(paths or [])
        if diff is not None:
            given = below(opened.working_files(), [within(guard.root, one) for one in wanted])
            wanted = [path for path in changed_since(opened, guard, diff) if path in set(given)]
        is_nothing = diff is not None and not wanted
        found = [] if is_nothing else check_files(opened, guard, decisions, wanted)
    rows = [one.as_json() for one in found]
    columns = (("place", _place), "what", ("decision", _decision), "rationale")
    qm.table(rows, columns, empty=f"No violation of {counted(len(decisions), 'decision')}.")
    if unchecked := len(canonical) - len(decisions):
        has = "has" if unchecked == 1 else "have"
        qm.say(f"{counted(unchecked, 'canonical decision')} {has} no check that can be run.")
    qm.failed = bool(rows)
    return {"violations": rows, "decisions": len(decisions), "without_check": unchecked}


@noun.verb()
def refresh_command(qm: Qm, project: Project = None) -> Row:
    """Compare decisions with the current commit, and mark those that the code no longer follows.
    For decisions that agents got, also report whether later commits complied with them.
    """
    from quartermaster_decisions.refreshing import refresh

    found = refresh(qm, Path(_root(qm, project)), project, qm.folder)
    columns = ("decision", "health", "reason")
    fresh = f"The code still follows all {counted(len(found.reports), 'decision')}."
    qm.table(found.flagged, columns, empty=fresh if found.reports else NO_DECISIONS)
    if found.outcomes:
        texts = [f"{number} {one.replace('_', ' ')}" for one, number in found.counts.items()]
        qm.say(f"Decisions that agents got, compared with later commits: {', '.join(texts)}.")
    return {
        "commit": found.commit,
        "decisions": len(found.reports),
        "flagged": found.flagged,
        "outcomes": found.counts,
    }


def outcomes_of(rows: Sequence[Row]) -> tuple[dict[str, int], str]:
    """Returns how many decisions were added, were already known, and were refused: as numbers, and
    as text.
    """
    outcomes = [row["outcome"] for row in rows]
    counts = {outcome: outcomes.count(outcome) for outcome in ("added", "known", "refused")}
    return counts, ", ".join(f"{number} {outcome}" for outcome, number in counts.items()) + "."


def scope_of(row: Row) -> str:
    """Returns the scope of a decision as text for people."""
    return write_scope(row["scope"])


def _place(row: Row) -> str:
    return f"{row['path']}:{row['line']}"


def _decision(row: Row) -> str:
    return f"{row['decision']}: {row['pattern']}"


def found_decisions(qm: Qm, **arguments: Any) -> Sequence[Row]:
    """Returns decisions. The arguments are those of api.find_decisions."""
    return [row["find_decisions"] for row in qm.call(api.find_decisions(**arguments))]


def _root(qm: Qm | DryRunCommand, project: str | None) -> str:
    root: str | None = qm.call_value(core_api.show_project(project=project))["root"]
    if root is None:
        raise argument_invalid("The project has no folder.", "Give the folder of the repository.")
    return root
