"""Defines the only error that a call to an upstream raises, and converts exceptions to it."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from secrets import token_hex
from typing import Any, Final, Literal, cast

import httpx2
import mcp_types as types
from mcp import MCPError
from pydantic import ValidationError

from quartermaster.core.errors import QmError
from quartermaster.core.json_rpc import MOST_DEPTH
from quartermaster.core.logs import mask
from quartermaster.upstream.egress import ALLOW_ADDRESS, refused_address

FailureKind = Literal[
    "auth",
    "network",
    "timeout",
    "schema",
    "protocol",
    "died",
    "busy",
    "command_not_found",
    "unconfined",
    "tool_error",
    "too_large",
    "unavailable",
]

MOST_VALUES: Final = 50_000
"""Largest number of values in one answer: lists, objects and their members. The number is limited
because an answer is read and written several times.
"""
MOST_PARTS: Final = 5_000
"""Largest number of parts of an answer, such as content blocks. The number is limited because the
parts are checked one by one.
"""

# Errors from our own HTTP transport pass through the SDK as JSON-RPC errors. The random part keeps
# an upstream from forging such an error to control what is sent again.
MARK: Final = f"quartermaster/transport-{token_hex(8)}"

_STATUS: Final[dict[FailureKind, int]] = {
    "timeout": 504,
    "busy": 429,
    "unavailable": 503,
    "unconfined": 403,
}

_HINTS: Final[dict[FailureKind, str]] = {
    "auth": "Check the origin with `qm origin show NAME`, or set its secret with `qm secret set`.",
    "network": "Check that the server is running at the address in `qm origin show NAME`.",
    "timeout": "Try again, request less data, or raise the origin's time limits.",
    "schema": "Report this to the server's author: its answer violates the protocol's schema.",
    "protocol": "Check that the address or command leads to an MCP server: `qm origin show NAME`.",
    "died": "The next call restarts it. `qm origin show NAME` shows its last output.",
    "busy": "Wait for running calls to end, or raise the origin's max_concurrency.",
    "command_not_found": "Install the program, or correct the origin's command and cwd.",
    "unconfined": "`qm doctor` says what each sandbox needs. To accept the risk, set "
    "upstream.unconfined: true, and do not run the service as root.",
    "tool_error": "Correct the call as the message says. `qm call NAME JSON` shows the schema.",
    "too_large": f"Request less data: an answer may have {MOST_VALUES:,} values,"
    f" {MOST_PARTS:,} parts and {MOST_DEPTH} levels.",
    "unavailable": "Use another tool, or call again later. `qm origin reset NAME` ends the pause.",
}
_COPIED_ATTRIBUTES: Final = (
    *("kind", "origin", "what", "hint", "detail", "sent", "lost", "reply"),
    "refusal",
)


@dataclass(frozen=True, slots=True)
class HttpRefusal:
    """An HTTP response that refused a request.

    Attributes:
        status: its status.
        retry_after_s: seconds to wait before a retry; 0 if the upstream names no time. None if the
            status does not mean that a retry may succeed.
    """

    status: int
    retry_after_s: float | None = None


class UpstreamError(QmError):
    """An upstream could not carry out a request.

    The status is 504 for ``timeout``, 429 for ``busy``, 503 for ``unavailable``, 403 for
    ``unconfined`` and otherwise 502.
    The slug is ``upstream_KIND``.

    Attributes:
        kind: kind of failure.
        origin: name of the upstream.
        sent: whether the request may have reached the upstream and so may have had effects.
        lost: whether the connection can no longer be used.
        reply: the JSON-RPC error that the upstream sent; None if it sent none.
        refusal: the HTTP response that refused the request; None if there was none.
    """

    def __init__(
        self,
        kind: FailureKind,
        origin: str,
        what: str,
        *,
        hint: str | None = None,
        detail: str | None = None,
        sent: bool = False,
        lost: bool = False,
        reply: types.ErrorData | None = None,
        refusal: HttpRefusal | None = None,
    ) -> None:
        super().__init__(
            _STATUS.get(kind, 502),
            f"upstream_{kind}",
            mask(f"Upstream {origin!r} {what}"),
            hint or _HINTS[kind],
            mask(detail) if detail else None,
        )
        self.kind: FailureKind = kind
        self.origin = origin
        self.what = what
        self.sent = sent
        self.lost = lost
        self.reply = reply
        self.refusal = refusal

    @property
    def advice(self) -> str | None:
        """A specific remedy for this failure; None if only the general remedy for its kind is
        known.
        """
        is_known = self.kind == "command_not_found" or self.hint != _HINTS[self.kind]
        return self.hint if is_known else None

    def copy(self, **changes: Any) -> UpstreamError:
        """Copies the failure, so that it can be raised again for another caller. A separate object
        is needed because each raise adds stack frames to an exception.
        """
        retained = {name: getattr(self, name) for name in _COPIED_ATTRIBUTES}
        return UpstreamError(**retained | changes)


def marked_error(kind: FailureKind, what: str, *, sent: bool, **facts: Any) -> dict[str, Any]:
    """Returns a JSON-RPC error object that `classify` turns back into exactly this failure.

    Args:
        kind, sent: see `UpstreamError`.
        what: the action of the upstream, in words that fit before "while".
        facts: further attributes of the failure.
    """
    data = {MARK: {"kind": kind, "sent": sent, **_wire(facts)}}
    return {"code": types.CONNECTION_CLOSED, "message": what, "data": data}


def marked_reply(reply: types.ErrorData, refusal: HttpRefusal | None = None) -> types.ErrorData:
    """Adds a mark to an upstream's JSON-RPC error that tells `classify` that the upstream sent the
    error. The SDK ignores the mark.
    """
    said: dict[str, Any] = reply.model_dump(by_alias=True, mode="json", exclude_unset=True)
    own: object = said.get("data")
    data = cast("dict[str, Any]", own) if isinstance(own, dict) else {}
    mark = {MARK: {"reply": said, **_wire({"refusal": refusal})}}
    return reply.model_copy(update={"data": data | mark})


def _wire(facts: dict[str, Any]) -> dict[str, Any]:
    return facts | {"refusal": asdict(facts["refusal"])} if facts.get("refusal") else facts


def classify(
    error: BaseException, origin: str, doing: str, *, sent: bool, call: bool = False
) -> UpstreamError:
    """Converts an exception from the SDK, the HTTP client or the operating system to an
    `UpstreamError`.

    Args:
        error: the exception; if it is a group, its members are used.
        origin: name of the upstream.
        doing: the action of the service, in words that fit after "while", such as ``calling echo``.
        sent: whether the request may have reached the upstream, used if the exception does not show
            it.
        call: whether the request is a tool call, so that a JSON-RPC error comes from the tool
            itself.
    """
    leaf = next(_leaves(error))
    if isinstance(leaf, UpstreamError):
        return leaf
    if isinstance(leaf, MCPError):
        return _of_reply(leaf.error, origin, doing, sent=sent, call=call)
    if refused := refused_address(leaf):
        what = f"is not reached, because {refused}, which is not public, while {doing}."
        return UpstreamError("network", origin, what, hint=ALLOW_ADDRESS)
    kind, what, lost = _of_exception(leaf)
    return UpstreamError(kind, origin, f"{what} while {doing}.", sent=sent, lost=lost)


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            yield from _leaves(inner)
    else:
        yield error


def _of_reply(
    reply: types.ErrorData, origin: str, doing: str, *, sent: bool, call: bool
) -> UpstreamError:
    data: object = reply.data
    if isinstance(data, dict) and MARK in data:
        mark = dict(cast("dict[str, dict[str, Any]]", data)[MARK])
        if mark.get("refusal") is not None:
            mark["refusal"] = HttpRefusal(**mark["refusal"])
        if (said := mark.pop("reply", None)) is not None:
            own = _of_own_reply(types.ErrorData(**said), origin, doing, sent=sent, call=call)
            return own.copy(**mark)
        what = f"{reply.message} while {doing}."
        is_sent = mark.pop("sent")
        return UpstreamError(mark.pop("kind"), origin, what, sent=sent and is_sent, **mark)
    if reply.code == types.CONNECTION_CLOSED:
        return UpstreamError(
            "died", origin, f"closed the connection while {doing}.", sent=sent, lost=True
        )
    if reply.code == types.REQUEST_TIMEOUT:
        return UpstreamError("timeout", origin, f"took too long {doing}.", sent=sent)
    return _of_own_reply(reply, origin, doing, sent=sent, call=call)


def _of_own_reply(
    reply: types.ErrorData, origin: str, doing: str, *, sent: bool, call: bool
) -> UpstreamError:
    """Converts a JSON-RPC error that the upstream itself sent, regardless of the error's code."""
    return UpstreamError(
        "tool_error" if call else "protocol",
        origin,
        f"answered with an error while {doing}: {reply.message}",
        detail=f"JSON-RPC error {reply.code}",
        sent=sent,
        reply=reply,
    )


def _of_exception(error: BaseException) -> tuple[FailureKind, str, bool]:
    match error:
        case ValidationError():
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"]))
            return "schema", f"sent an answer that is not valid ({where}: {first['msg']})", False
        case httpx2.HTTPStatusError():
            status = error.response.status_code
            return ("auth" if status in {401, 403} else "protocol"), f"answered HTTP {status}", True
        case TimeoutError() | httpx2.TimeoutException():
            return "timeout", "took too long", False
        case httpx2.SSEError() | httpx2.StreamError():
            return "protocol", f"sent an invalid event stream ({error})", True
        case httpx2.HTTPError() | ssl.SSLError() | ConnectionError():
            return "network", f"is not reachable ({describe(error)})", True
        case FileNotFoundError() | PermissionError() | NotADirectoryError():
            return "command_not_found", f"cannot be started ({error.strerror})", True
        case OSError():
            return "network", f"is not reachable ({describe(error)})", True
        case _:
            return "protocol", f"violated the protocol ({describe(error)})", True


def describe(error: BaseException) -> str:
    """Returns the class and text of an exception, without passwords in URLs."""
    text = str(error)
    return mask(f"{type(error).__name__}: {text}" if text else type(error).__name__)
