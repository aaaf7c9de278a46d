"""Does the work that all quality tools share: determines caller and project, measures times, and
converts errors.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import Any, Final

import mcp_types as types

from quartermaster.calls.caller import Caller
from quartermaster.calls.replies import compact_json, text_result
from quartermaster.core.api_call import AnyRow, AnyValue, ApiCall, ApiValue
from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import KindTool
from quartermaster.core.logs import get_logger
from quartermaster.db import Principal, Row
from quartermaster.projects.worker_calls import WorkerError
from quartermaster.service import Service
from quartermaster_quality import api
from quartermaster_quality.bench import Project, ProjectScanner, bench_of

Body = dict[str, Any]

# The codes of the answers' error objects, by the short name of the error or by its status.
_CODES: Final = {
    "file_not_found": "file_not_found",
    "path_denied": "path_denied",
    "file_too_large": "path_denied",
    "tool_unavailable": "tool_unavailable",
    "database_unavailable": "api_unavailable",
}
_BY_STATUS: Final = {503: "api_unavailable", 504: "timeout"}


@dataclass
class QualityToolCall:
    """One call of a quality tool.

    Attributes:
        service, caller, arguments: the arguments of the tool's function.
        path, blob_hash: path and hash of the file that the call was about, for the checklist.
        is_recorded: whether the database has already recorded the call as a step of the session.
    """

    service: Service
    caller: Caller
    arguments: Mapping[str, Any]
    path: str | None = None
    blob_hash: str | None = None
    is_recorded: bool = False
    _project: Project | None = None

    @property
    def principal(self) -> Principal:
        """The principal who calls the tool."""
        return self.caller.principal

    @cached_property
    def bench(self) -> ProjectScanner:
        """The project scanner of the service."""
        return bench_of(self.service)

    async def project(self) -> Project:
        """Returns the project that the call is about.

        Raises:
            QmError: QM404 project_not_found, QM409 project_ambiguous.
        """
        if self._project is None:
            self._project = await self.bench.project(self.principal, self.arguments)
        return self._project

    async def ask(self, asked: ApiCall[AnyRow]) -> list[AnyRow]:
        """Calls an api function about the project.

        Args:
            asked: the function and its arguments, except the project.

        Raises:
            QmError: the errors of the function, and of `project`.
        """
        given = {**asked.arguments, "project": (await self.project()).name}
        return await self.service.database.call(replace(asked, arguments=given), self.principal)

    async def ask_value(self, asked: ApiValue[AnyValue]) -> AnyValue:
        """Calls an api function that returns one value about the project; see `ask`."""
        [row] = await self.ask(asked)
        return next(iter(row.values()))

    async def explained(self, path: str) -> dict[str, list[Row]]:
        """Returns the results of the last scans of a file: score, losses, findings, scans and
        suppressions.
        """
        return await self.ask_value(api.explain_file(path=path))


def tool(definition: types.Tool, work: Callable[[QualityToolCall], Awaitable[Body]]) -> KindTool:
    """Creates a tool of the door.

    Args:
        definition: name and schemas of the tool.
        work: function that computes the answer of a call. A QmError that it raises is returned as
            an error object.
    """

    async def answer(
        service: Service, caller: Caller, arguments: Mapping[str, Any]
    ) -> types.CallToolResult:
        begun = perf_counter()
        call = QualityToolCall(service, caller, arguments)
        try:
            body = await work(call)
            body["elapsed_ms"] = _since(begun)
            if not call.is_recorded:
                body["session_id"] = await _record(call, definition.name, body["elapsed_ms"])
        except (QmError, WorkerError) as error:
            failure = error if isinstance(error, QmError) else _unread(error)
            body = error_body(failure, definition.name) | {"elapsed_ms": _since(begun)}
            return text_result(compact_json(body), body, is_error=True)
        return text_result(compact_json(body), body)

    return KindTool(definition, answer)


def _unread(error: WorkerError) -> QmError:
    return QmError(504, "timeout", str(error), "Try again once.")


async def _record(call: QualityToolCall, name: str, elapsed_ms: float) -> str | None:
    try:
        return await call.ask_value(
            api.record_step(
                tool=name,
                path=call.path,
                blob_hash=call.blob_hash,
                elapsed_ms=elapsed_ms,
                session=call.arguments.get("session"),
            )
        )
    except QmError as error:
        if error.slug in {"project_not_found", "project_ambiguous"}:
            # server_info answers without a project, too.
            get_logger().info("step_not_recorded", tool=name, error=error.slug)
            return None
        raise


def error_body(error: QmError, tool_name: str) -> Body:
    """Converts an error to the error object of an answer.

    Args:
        error: the error.
        tool_name: name of the tool, or of the checker that is missing.
    """
    return {
        "error": True,
        "error_code": _CODES.get(error.slug) or _BY_STATUS.get(error.status, "config_error"),
        "tool": tool_name,
        "message": error.message,
        "install_hint": error.hint or "",
        "partial_results": {},
        "degraded": False,
        "slug": error.slug,
    }


def _since(begun: float) -> float:
    return round(1000 * (perf_counter() - begun), 1)
