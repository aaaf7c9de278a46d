"""The MCP tools of decisions: agents get decisions, propose them and rate them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import mcp_types as types

from quartermaster.calls.caller import Caller
from quartermaster.calls.replies import text_result
from quartermaster.core.kind_packages import KindTool
from quartermaster.doors.wire.tool_schemas import Schema, member, takes
from quartermaster.guardrails.masking import masked
from quartermaster.service import Service
from quartermaster_decisions import api
from quartermaster_decisions.scopes import read_scope
from quartermaster_decisions.telling import decisions_text

Arguments = Mapping[str, Any]

PROJECT: Final = member("string", "Name of the project, or OWNER/NAME. Default: your only project.")
_TEXTS: Final = {"type": "array", "items": {"type": "string"}}
DECISION_MEMBERS: Final[Schema] = {
    "pattern": member(
        "string", "An instruction: the area, what to do, and what to avoid.", maxLength=500
    ),
    "scope": member("string", 'A path glob, a module, a language, or "global".'),
    "rationale": {"type": "string", "maxLength": 4000},
    "polarity": {"enum": ["do", "avoid"]},
    "instead": member(
        "string", "What not to do; if the polarity is avoid: what to do instead.", maxLength=500
    ),
    "applies_when": {"type": "string", "maxLength": 1000},
    "rejected_alternatives": _TEXTS,
    "keywords": _TEXTS,
}
"""JSON Schema of the members of a proposed decision, except its sources."""
PROPOSAL_ANNOTATIONS: Final = types.ToolAnnotations(destructive_hint=False, open_world_hint=False)

GET: Final = types.Tool(
    name="get_decisions_for_context",
    title="Decisions that apply here",
    description=(
        "Get the few decisions of this code base that apply to a file or area and a task: what "
        "to do, what to avoid, and where to find examples. Call this before you write or change "
        "code. If no decision applies, follow the surrounding code. When you are done, rate the "
        "decisions with rate_decisions."
    ),
    input_schema=takes(
        {
            "file_path_or_area": member(
                "string", "File or folder below the root of the project: src/api/users.py."
            ),
            "task_description": member("string", "What you are about to do, in a sentence."),
            "project": PROJECT,
            "limit": {"type": "integer", "minimum": 1, "maximum": 8},
            "budget_tokens": {"type": "integer", "minimum": 1},
        },
        ["file_path_or_area", "task_description"],
    ),
    annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
)
SUBMIT_TOOL: Final = types.Tool(
    name="submit_candidate_decision",
    title="Propose a decision",
    description=(
        "Propose a decision (a convention that this code base follows) that is not known yet, "
        "with its sources. The proposal becomes a candidate, which people approve or reject. "
        "Returns the id of the candidate."
    ),
    input_schema=takes(
        {
            **DECISION_MEMBERS,
            "source_refs": {
                "type": "array",
                "minItems": 1,
                "maxItems": 20,
                "items": takes(
                    {
                        "kind": {"enum": ["file", "commit", "document"]},
                        "path": {"type": "string"},
                        "line": {"type": "integer", "minimum": 1},
                        "end_line": {"type": "integer", "minimum": 1},
                        "commit": {"type": "string", "pattern": "^[0-9a-f]{7,64}$"},
                        "detail": {"type": "string", "maxLength": 1000},
                    },
                    ["kind"],
                ),
            },
            "project": PROJECT,
        },
        ["pattern", "scope", "rationale", "source_refs"],
    ),
    annotations=PROPOSAL_ANNOTATIONS,
)
RATE: Final = types.Tool(
    name="rate_decisions",
    title="Rate decisions",
    description=(
        "Rate the decisions that get_decisions_for_context returned: for the number of each "
        "decision, give a rating from 1 (useless) to 10 (very useful)."
    ),
    input_schema=takes(
        {
            "receipt": {"type": "integer"},
            "ratings": member(
                "object",
                'For example {"1": 9, "2": 3}.',
                additionalProperties={"type": "integer", "minimum": 1, "maximum": 10},
            ),
        },
        ["receipt", "ratings"],
    ),
    annotations=PROPOSAL_ANNOTATIONS,
)


async def _get(service: Service, caller: Caller, arguments: Arguments) -> types.CallToolResult:
    task: str = arguments["task_description"]
    prepared = await service.retriever.prepare(caller.principal, task, reranks=False)
    rows = await service.database.call(
        api.decisions_for(
            path=arguments["file_path_or_area"],
            task=task,
            project=arguments.get("project"),
            top=arguments.get("limit"),
            budget_tokens=arguments.get("budget_tokens"),
            **prepared.arguments,
        ),
        replace(caller.principal, goal_model=prepared.goal_model),
    )
    receipt = rows[0]["receipt"] if rows else None
    shown = [{name: value for name, value in row.items() if name != "receipt"} for row in rows]
    return text_result(decisions_text(rows), {"receipt": receipt, "decisions": shown})


async def _submit(service: Service, caller: Caller, arguments: Arguments) -> types.CallToolResult:
    [stored] = await service.database.call(
        api.put_candidates(candidates=[candidate_of(arguments)], project=arguments.get("project")),
        caller.principal,
    )
    texts = {
        "added": "Stored as candidate {decision}. People will approve or reject it.",
        "known": "The project knows this decision already, as {decision}; your sources were added.",
        "refused": "Not stored: {reason}.",
    }
    text = texts[stored["outcome"]].format(**stored)
    return text_result(text, {**stored}, is_error=stored["outcome"] == "refused")


async def _rate(service: Service, caller: Caller, arguments: Arguments) -> types.CallToolResult:
    number: int = await service.database.call_value(
        api.rate_decisions(**dict(arguments)), caller.principal
    )
    return text_result(f"Recorded {number}. Thank you.", {"recorded": number})


def candidate_of(arguments: Arguments) -> dict[str, Any]:
    """Returns the candidate that an agent proposes. Secrets and personal data are masked."""
    evidence = [
        {name: value for name, value in ref.items() if name != "detail"}
        | {"excerpt": masked(ref.get("detail", "")), "role": "supports"}
        for ref in arguments["source_refs"]
    ]
    own = {"confidence": "low", "origin": "agent_submitted", "evidence": evidence}
    return said(arguments) | own


def said(proposal: Arguments) -> dict[str, Any]:
    """Returns the texts, scope and polarity of a proposal, in the form that the database checks.
    Secrets and personal data are masked.
    """
    texts = {
        name: masked(proposal[name])
        for name in ("pattern", "rationale", "instead", "applies_when")
        if proposal.get(name)
    }
    lists = {
        name: [masked(text) for text in proposal[name]]
        for name in ("rejected_alternatives", "keywords")
        if name in proposal
    }
    where = {"scope": read_scope(proposal["scope"]), "polarity": proposal.get("polarity", "do")}
    return texts | lists | where


TOOLS: Final = (KindTool(GET, _get), KindTool(SUBMIT_TOOL, _submit), KindTool(RATE, _rate))
