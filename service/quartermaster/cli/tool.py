"""``qm tool``: reviews tools, probes them, and sets the terms for calls to them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

import typer
from typer import Option

from quartermaster import api
from quartermaster.cli import teachings
from quartermaster.cli.command import DryRunCommand, Qm
from quartermaster.cli.items import add_commands
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import AsOf, Mode, Reason, ToolName
from quartermaster.cli.output import Columns, cell_text, counted, err, note
from quartermaster.cli.repair import (
    ArgumentOptions,
    TextOptions,
    Undo,
    print_as_rules,
    repair,
    show_repairs,
)
from quartermaster.cli.session import Row
from quartermaster.core.api_call import without_none
from quartermaster.core.errors import QmError
from quartermaster.core.kinds import TOOL

_KINDS: Final = [TOOL]
_POLL_S: Final = 0.2
_WAIT_S: Final = 120.0
_MEANINGS: Final = {
    "timeout_s": "maximum seconds for a call, including retries",
    "attempts": "maximum number of attempts",
    "is_read_only": "the tool only reads",
    "may_repeat": "the same call may be sent twice",
    "key_argument": "argument that contains the idempotency key",
    "cache_s": "seconds for which a result is cached",
    "is_public": "principals share cached results",
    "arguments_bytes": "maximum size of the arguments in bytes",
    "arguments_depth": "maximum nesting depth of the arguments",
    "result_bytes": "maximum size of a result in bytes",
    "page_characters": "page size of longer results in characters",
    "masked": "arguments whose values are never logged",
}

noun = Noun("Review tools: approve, quarantine, scan, probe.")
add_commands(noun, _KINDS)
teachings.add_commands(noun)


@noun.verb()
def probe_command(
    qm: Qm, name: Annotated[str, "Name of a read-only tool."]
) -> Sequence[Row] | None:
    """Call a tool with the examples in its definition, and check that it behaves as declared.

    Exits with status 1 if it does not.
    """
    known = {probe["call_id"] for probe in _probes(qm, name)}
    asked: int = qm.call_value(api.request_probe(name=name))
    if not qm.is_served:
        note("No service is running. The tool is probed when you next run: qm up.")
        raise typer.Exit
    with err.status(f"probing {name}"):
        probes = _wait(qm, name, known, asked)
    qm.table(probes, ("example", "is_honest", "sandbox", "problem"))
    qm.failed = any(probe["is_honest"] is False for probe in probes)
    return probes


@noun.verb()
def why_command(
    qm: Qm,
    goal: Annotated[str, "The goal of the search, in quotes."],
    tool: ToolName,
    acting_as: Annotated[
        str | None,
        "Name of the principal who would search; only operators and administrators may name one.",
        Option("--as"),
    ] = None,
    mode: Mode = "balanced",
    limit: Annotated[int | None, "Maximum number of tools.", Option(min=1, max=100)] = None,
    budget_tokens: Annotated[
        int | None, "Maximum length of all tool definitions together, in tokens.", Option(min=1)
    ] = None,
    as_of: AsOf = None,
) -> Row:
    """Show why a search for a goal does not offer a tool, and what to do about it."""
    asked = without_none(goal=goal, tool=tool, mode=mode, budget_tokens=budget_tokens)
    answer: Row
    if qm.dsn is not None:
        [answer] = qm.call(
            api.explain_absence(**asked, top=limit, principal=acting_as, as_of=as_of)
        )
    else:
        more = without_none(limit=limit, acting_as=acting_as, as_of=as_of and as_of.isoformat())
        answer = qm.service.post("/v1/why", asked | more)
    qm.say(f"{tool}: {answer['reason'].replace('_', ' ')}")
    facts = [
        {"detail": name, "value": value}
        for name, value in answer["detail"].items()
        if value is not None
    ]
    if facts:
        qm.table(facts, ("detail", ("value", lambda each: _shown(each["value"]))))
    if answer["remedy"]:
        qm.say(answer["remedy"])
    return answer


@dataclass
class TermOptions:
    """Options that change terms. Terms whose option is not given do not change."""

    timeout_s: Annotated[
        float | None, "Maximum seconds for a call, including retries.", Option("--timeout")
    ] = None
    attempts: Annotated[
        int | None, "Maximum number of attempts, if a repeated call is harmless."
    ] = None
    is_read_only: Annotated[
        bool | None, "The tool is read-only.", Option("--read-only/--not-read-only")
    ] = None
    is_idempotent: Annotated[
        bool | None,
        "Calling the tool twice has the same effect as calling it once.",
        Option("--idempotent/--not-idempotent"),
    ] = None
    key_argument: Annotated[str | None, "Argument that contains the idempotency key."] = None
    cache_s: Annotated[float | None, "Seconds for which a result is cached.", Option("--cache")] = (
        None
    )
    is_public: Annotated[
        bool | None, "Principals share cached results.", Option("--public/--private")
    ] = None
    arguments_bytes: Annotated[
        int | None, "Maximum size of the arguments in bytes.", Option("--arguments")
    ] = None
    arguments_depth: Annotated[
        int | None, "Maximum nesting depth of the arguments.", Option("--depth")
    ] = None
    result_bytes: Annotated[
        int | None, "Maximum size of a result in bytes.", Option("--result")
    ] = None
    page_characters: Annotated[
        int | None, "Page size for long results, in characters.", Option("--page")
    ] = None
    masked: Annotated[
        list[str] | None,
        "Argument whose values are never logged. Repeat it for several arguments; they replace"
        " those that were set before.",
        Option("--mask"),
    ] = None


@noun.verb()
def terms_command(
    qm: DryRunCommand,
    terms: TermOptions,
    name: ToolName,
    reset: Annotated[
        list[str] | None, "Name of a limit or rule to reset to its default, such as timeout_s."
    ] = None,
) -> Row:
    """Show or change how a tool is called: limits, retries, caching, arguments to hide in logs."""
    changed: dict[str, Any] = {
        term: value for term, value in vars(terms).items() if value not in (None, [])
    }
    changed |= dict.fromkeys(reset or ())
    if changed:
        own = qm.call_value(api.set_terms(name=name, terms=changed, dry_run=qm.dry_run))
        if qm.dry_run:
            rows = [{"term": term, "value": _shown(value)} for term, value in own.items()]
            qm.table(rows, ("term", "value"), title=f"New limits and rules for calls to {name}")
            return {"name": name, "own": own}
    [row] = qm.call(api.get_terms(name=name))
    columns: Columns = (
        "term",
        ("value", lambda each: _shown(row["effective"].get(each["term"]))),
        ("own", lambda each: "yes" if each["term"] in row["own"] else ""),
        "meaning",
    )
    qm.table([{"term": t, "meaning": meaning} for t, meaning in _MEANINGS.items()], columns)
    if row["own"] and row["is_of_this_version"] is False:
        qm.note(
            "Settings for safety and caching apply to one version of a tool, and this tool "
            "has changed. To keep these settings, set them again."
        )
    return {"name": name, **row}


@noun.verb()
def repair_command(
    qm: DryRunCommand,
    texts: TextOptions,
    arguments: ArgumentOptions,
    name: ToolName,
    undo: Undo = False,
    reason: Reason = "",
) -> Sequence[Row]:
    """Change what callers see of a tool, above what its origin lists; without options, show it.

    Refreshes keep the changes. A change that does not fit a new definition is set aside.
    """
    changes = texts.changes() | arguments.changes()
    if not changes and not undo:
        return show_repairs(qm, name=name, history=True)
    return repair(qm, api.repair_tool, name, changes, undo=undo, reason=reason)


@noun.verb()
def repairs_command(
    qm: Qm,
    origin: Annotated[str | None, "Only repairs for tools of this origin."] = None,
    as_rules: Annotated[
        bool, "Print them as the part repairs of a rules file.", Option("--as-rules")
    ] = False,
) -> Sequence[Row]:
    """List the repairs: of tools, and of all tools of an origin."""
    if as_rules:
        return print_as_rules(qm, of_origin=origin)
    return show_repairs(qm, of_origin=origin)


@noun.verb()
def proposals_command(
    qm: DryRunCommand,
    approve: Annotated[
        list[int] | None, "Number of a proposal to approve, repeatable.", Option("--approve")
    ] = None,
    decline: Annotated[
        list[int] | None, "Number of a proposal to decline, repeatable.", Option("--decline")
    ] = None,
    reason: Reason = "",
    everything: Annotated[
        bool, "Include proposals that somebody has decided on.", Option("--all")
    ] = False,
) -> Sequence[Row]:
    """List phrases that agents propose for tools, or approve and decline them.

    Approved phrases become part of the repair of the tool: searches find the tool by them. To undo:
    qm tool repair NAME --undo.
    """
    if not approve and not decline:
        rows = qm.read(api.list_proposals(everything=everything))
        columns: Columns = (
            "proposal",
            "tool",
            ("phrases", lambda row: "; ".join(row["phrases"])),
            ("by", "proposed_by"),
            ("state", _state),
        )
        return qm.table(rows, columns, empty="No proposals are open.")
    decided: list[Row] = []
    with qm.together():
        for numbers, state in ((approve, "approved"), (decline, "declined")):
            asked = api.decide_phrases(
                proposals=numbers or [], approve=state == "approved", reason=reason
            )
            decided += [{**row, "state": state} for row in qm.call(asked)]
    qm.table(decided, ("proposal", "tool", "state", ("new phrases", "added")))
    qm.say(f"Decided on {counted(len(decided), 'proposal')}{qm.preview}.")
    return decided


def _state(row: Row) -> str:
    return {None: "open", True: "approved", False: "declined"}[row["is_approved"]]


def _wait(qm: Qm, name: str, known: set[int], asked: int) -> Sequence[Row]:
    deadline = time.monotonic() + _WAIT_S
    while time.monotonic() < deadline:
        fresh = [probe for probe in _probes(qm, name) if probe["call_id"] not in known]
        if len(fresh) >= asked:
            return sorted(fresh, key=lambda probe: probe["example"])
        time.sleep(_POLL_S)
    raise QmError(
        504,
        "probe_unfinished",
        f"{name} was not probed within {_WAIT_S:.0f} s.",
        f"The tool's origin may be down or busy. To see the result later: qm tool show {name}.",
    )


def _probes(qm: Qm, name: str) -> Sequence[Row]:
    return qm.call_value(api.get_item(kinds=_KINDS, name=name))["probes"]


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return f"{value:g}" if isinstance(value, float) else cell_text(value)
