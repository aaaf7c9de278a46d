"""Runs the tools that packages add to this process through their doors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio
import mcp_types as types

from quartermaster.calls.call_record import CallRecord
from quartermaster.calls.caller import Caller
from quartermaster.calls.replies import failure_reply
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.projects.work import ProjectWork

InProcess = Callable[[Caller, Mapping[str, Any]], Awaitable[types.CallToolResult]]


class BuiltIn:
    """Runs tools of this process. If one tool fails, the others may still work. So a failure
    becomes an error result, and opens no breaker.

    Args:
        work: object that limits how many calls run at the same time, and shares them among
            principals.

    Attributes:
        work: see the argument.
    """

    def __init__(self, work: ProjectWork) -> None:
        self.work = work
        self._tools: dict[int, Mapping[str, InProcess]] = {}

    def __contains__(self, origin_id: int) -> bool:
        return origin_id in self._tools

    def place(self, origin_id: int, tools: Mapping[str, InProcess]) -> None:
        """Adds an origin. ``tools`` maps the origin's own names for its tools to their
        functions.
        """
        self._tools[origin_id] = tools

    async def answer(
        self,
        caller: Caller,
        record: CallRecord,
        arguments: Mapping[str, Any],
        timeout_s: float | None,
    ) -> types.CallToolResult:
        """Runs a tool; every failure becomes an error result.

        Args:
            caller: sender of the call.
            record: record of the call, whose origin was added with `place`.
            arguments: arguments for the tool.
            timeout_s: timeout in seconds; None uses the tool's own timeout.
        """
        tool = self._tools[record.origin_id].get(record.tool)
        if tool is None:
            # Another process, of another release, has stored this tool.
            error = QmError(
                404,
                "tool_not_found",
                f"This release has no tool {record.tool!r}.",
                "Restart the service that still runs the older release.",
            )
            return failure_reply(error, caller.request_id)
        try:
            with anyio.fail_after(timeout_s):
                async with self.work.call(caller.principal.name):
                    return await tool(caller, arguments)
        except QmError as error:
            return failure_reply(error, caller.request_id)
        except TimeoutError:
            error = QmError(
                504,
                "upstream_timeout",
                f"{record.tool} did not answer within {timeout_s:g} s.",
                "Request less data, or ask an operator to raise the timeout with: qm tool terms "
                "NAME.",
            )
            return failure_reply(error, caller.request_id)
        except Exception:  # noqa: BLE001 - its text could tell the client too much
            get_logger().exception("tool_failed", tool=record.tool)
            return failure_reply(QmError.internal(), caller.request_id)
