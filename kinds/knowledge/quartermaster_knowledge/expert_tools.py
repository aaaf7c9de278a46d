"""The MCP tools that ask the experts, list them, and start a task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import mcp_types as types
from anyio import to_thread

from quartermaster import api as core_api
from quartermaster.calls.caller import Caller
from quartermaster.calls.replies import text_result
from quartermaster.db import Principal
from quartermaster.doors.wire.tool_schemas import member, takes
from quartermaster.service import Service
from quartermaster_knowledge import api
from quartermaster_knowledge.expert_answers import answer_text, checked_answer
from quartermaster_knowledge.task import checked_parts, parts_text
from quartermaster_knowledge.timing import timed

Arguments = Mapping[str, Any]

_READ_ANNOTATIONS: Final = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)

CONSULT_TOOL: Final = types.Tool(
    name="tapps_consult_expert",
    title="Consult an expert",
    description=(
        "Ask an expert in one of sixteen domains (security, performance, testing, code quality, "
        "architecture, devops, privacy, accessibility, ux, documentation, AI frameworks, agents, "
        "observability, API design, cloud, databases). Returns decisions of your project, cited "
        "passages of notes, and a confidence. If no note answers the question, the answer says so."
    ),
    input_schema=takes(
        {
            "question": member("string", "A specific question."),
            "domain": member(
                "string",
                "Domain, or another name for it; see tapps_list_experts. Default: the domain that "
                "fits the question best.",
            ),
            "context": member(
                "string", "The code or the situation that the question is about, in a few words."
            ),
        },
        ["question"],
    ),
    annotations=_READ_ANNOTATIONS,
)
EXPERTS: Final = types.Tool(
    name="tapps_list_experts",
    title="List the experts",
    description=(
        "List the domains of the experts. Returns for each domain its other names and its number"
        " of notes."
    ),
    input_schema={"type": "object", "properties": {}, "additionalProperties": False},
    annotations=_READ_ANNOTATIONS,
)
START: Final = types.Tool(
    name="start_task",
    title="Start a task",
    description="Start here: call this first when you begin a coding task, once for each task. It "
    "returns what you need to start, within a token budget: the project in three lines; the "
    "decisions that apply to the files; the last result of a quality gate for each file; and the "
    "tools, notes and library symbols that fit the goal.",
    input_schema=takes(
        {
            "goal": member("string", "What you want to do."),
            "paths": member(
                "array",
                "Files below the root of the project.",
                maxItems=20,
                items={"type": "string"},
            ),
            "budget_tokens": {"type": "integer", "minimum": 1},
            "project": member("string", "Name of the project, or OWNER/NAME."),
            "recent_context": {
                "type": "string",
                "description": "What was said before in the conversation, in a few sentences.",
                "x-sensitive": True,
            },
        },
        ["goal"],
    ),
    annotations=_READ_ANNOTATIONS,
)


async def ask(
    service: Service, principal: Principal, question: str, meant: str, domain: str | None = None
) -> dict[str, Any]:
    """Returns the answer of an expert, without passages that must not be shown.

    Args:
        service: the service.
        principal: the principal who asks.
        question: the question. Its words are searched.
        meant: the text whose meaning is compared with the passages.
        domain: domain of the expert. None selects the domain that fits best.
    """
    prepared = await service.retriever.prepare(principal, meant, reranks=False, advises=False)
    [row] = await service.database.call(
        api.ask_expert(question=question, domain=domain, **prepared.arguments),
        replace(principal, goal_model=prepared.goal_model),
    )
    return await to_thread.run_sync(checked_answer, row, service.guard.encode)


async def _consult(service: Service, caller: Caller, arguments: Arguments) -> types.CallToolResult:
    # The context helps the meaning. Its words would count as words that no note answers.
    meant = "\n".join([arguments["question"], arguments.get("context", "")[:500]]).strip()
    answer = await ask(
        service, caller.principal, arguments["question"], meant, arguments.get("domain")
    )
    return text_result(answer_text(answer), answer)


async def _experts(service: Service, caller: Caller, arguments: Arguments) -> types.CallToolResult:
    rows = await service.database.call(api.list_experts(**arguments), caller.principal)
    lines = [
        f"{row['domain']}: {row['description']} {row['notes']} notes.{_late(row)}" for row in rows
    ]
    experts = [{**row, "reviewed": row["reviewed"] and row["reviewed"].isoformat()} for row in rows]
    return text_result("\n".join(lines), {"experts": experts})


def _late(row: api.ListExpertsRow) -> str:
    """Returns a sentence that says how many passages of a domain have no vector yet. Returns an
    empty string if all passages have vectors.
    """
    waiting, passages = row["waiting"], row["passages"]
    return f" {waiting:,} of {passages:,} passages have no vector yet." if waiting else ""


async def _start(service: Service, caller: Caller, arguments: Arguments) -> types.CallToolResult:
    prepared = await service.retriever.prepare(
        caller.principal,
        arguments["goal"],
        recent_context=arguments.get("recent_context"),
        reranks=False,
        advises=False,
    )
    rows = await service.database.call(
        core_api.start_task(**arguments, **prepared.arguments),
        replace(caller.principal, goal_model=prepared.goal_model),
    )
    parts = await to_thread.run_sync(checked_parts, rows, service.guard.encode)
    return text_result(parts_text(parts), {"parts": parts})


TOOLS: Final = (timed(CONSULT_TOOL, _consult), timed(EXPERTS, _experts), timed(START, _start))
