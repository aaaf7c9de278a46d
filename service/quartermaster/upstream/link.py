"""A connection of the SDK's client. The same task opens and closes the connection, because the
client's cancel scopes require this.
"""

from __future__ import annotations

import math
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final, Literal

import anyio
import mcp_types as types
from mcp import Client, MCPError
from mcp.client._transport import TransportStreams
from mcp.client.session import ClientSession
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from quartermaster import __version__
from quartermaster.upstream.changes import UpstreamNotifications, listen_for_changes, watch_again
from quartermaster.upstream.exchange import Exchanges
from quartermaster.upstream.failure import UpstreamError, classify
from quartermaster.upstream.http_streams import http_streams
from quartermaster.upstream.http_transport import names_lost_session
from quartermaster.upstream.request import send_raw
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.sse_transport import SseTransport
from quartermaster.upstream.start_remedies import remedy_in
from quartermaster.upstream.starting import UpstreamStart, how_to_install
from quartermaster.upstream.stderr_tail import StderrTail
from quartermaster.upstream.stdio_transport import StdioTransport

LinkState = Literal["connecting", "connected", "down"]
# A dead HTTP server must not delay disconnecting.
_CLOSE_TIMEOUT_S: Final = 5.0
# Maximum time that a failed call waits for the exit status, which may explain the failure.
_EXPLAIN_TIMEOUT_S: Final = 1.0
_PING_TIMEOUT_S: Final = 5.0
_LOOK_S: Final = 0.5
# The statuses with which servers that speak only HTTP+SSE, or nothing at all, refuse a POST.
_NOT_STREAMABLE: Final = frozenset({400, 404, 405, 406, 410, 415, 422})
_OTHER_ADDRESS: Final = (
    "Check the URL of the server's MCP endpoint. A server that speaks the older transport often has"
    " another one for it, which ends in /sse: qm origin add NAME --replace --sse --url URL."
)
_SLOW_START: Final = (
    "If it needs longer, for instance to download: qm origin start-limit NAME SECONDS. If it hangs,"
    " run its command in a terminal: it must read JSON-RPC from standard input, and may ask"
    " nothing. `qm origin log NAME` shows its output."
)
_TERMINAL_HINT: Final = (
    "Run its command once in a terminal, and answer what it asks, or give it what it needs in"
    " environment variables: qm origin add NAME --replace --command COMMAND --env NAME=VALUE."
)
_AT_END: Final = (
    "It reads its whole input before it answers, so it cannot be used: an MCP server over stdio"
    " answers each line. Report this to its author."
)
_ENDED_AT_START: Final = (
    "Correct what its output says. To set a variable: qm origin add NAME --replace --command"
    " COMMAND --env NAME=VALUE. `qm origin log NAME` shows all that it wrote to stderr."
)
_ENDED_SILENTLY: Final = (
    "It wrote nothing. Check that the command starts an MCP server, in its mode for stdio: run it"
    " in a terminal, where it must wait for input."
)
_NO_HANDSHAKE: Final = (
    "Check that the command starts an MCP server, in its mode for stdio. If it does, report this to"
    " its author: every MCP server must answer initialize."
)


class Questions:
    """The callbacks with which a connection handles messages from its upstream.

    There is no callback for roots, because the connection is shared and no client may see another
    client's folders.

    Args:
        exchanges: requests in progress.
    """

    def __init__(self, exchanges: Exchanges) -> None:
        self._exchanges = exchanges

    async def elicit(self, context: object, params: types.ElicitRequestParams) -> Any:
        """Forwards an elicitation (a form, or a page to visit) to the client, and returns the
        user's answer.
        """
        del context
        return await self._ask(types.ElicitRequest(params=params))

    async def sample(self, context: object, params: types.CreateMessageRequestParams) -> Any:
        """Forwards a sampling request to the client, and returns the answer of the client's
        model.
        """
        del context
        return await self._ask(types.CreateMessageRequest(params=params))

    async def log(self, params: types.LoggingMessageNotificationParams) -> None:
        """Forwards a log message to the client of the request that it belongs to, if that client is
        known.
        """
        if (exchange := self._exchanges.find()) is not None:
            await exchange.requester.tell(params)

    async def _ask(self, question: types.InputRequest) -> types.InputResponse | types.ErrorData:
        exchange = self._exchanges.find()
        if exchange is None:
            what = (
                f"Several clients are waiting, and the request {question.method} does not "
                "say which client it is for."
            )
            return types.ErrorData(code=types.INVALID_REQUEST, message=what)
        return await exchange.ask(question)


_CLIENT: Final = types.Implementation(name="quartermaster", version=__version__)


@dataclass(slots=True)
class LinkMemory:
    """Values that a link to an upstream passes on to the next link.

    Attributes:
        is_legacy: whether the upstream speaks a revision with handshake. The discovery request is
            then left out, because old servers may ignore it, which would cause a delay of 10 s.
        is_sse: whether the upstream refuses streamable HTTP, and speaks HTTP+SSE at its address.
        has_connected: whether a connection has succeeded before.
        stderr: the last output of a stdio upstream to its stderr.
    """

    is_legacy: bool = False
    is_sse: bool = False
    has_connected: bool = False
    stderr: StderrTail = field(default_factory=StderrTail)


class UpstreamLink:
    """A connection attempt and, if the attempt succeeds, the connection until it is lost.

    Attributes:
        ready: set once the attempt has succeeded or failed.
        lost: set once the link can no longer be used; setting it ends the link.
        done: set once everything that belongs to the link has ended, including its process.
        failure: why the attempt failed.
        start: the progress of the attempt.
        exchanges: requests in progress.
        log_level: lowest log level that was set on a handshake upstream; None if none was set.
    """

    def __init__(
        self, spec: OriginSpec, memory: LinkMemory, notifications: UpstreamNotifications
    ) -> None:
        self.ready = anyio.Event()
        self.lost = anyio.Event()
        self.done = anyio.Event()
        self.failure: UpstreamError | None = None
        self.start = UpstreamStart(spec, memory.stderr, is_first=not memory.has_connected)
        self.state: LinkState = "connecting"
        self.since = datetime.now(UTC)
        self.protocol_version: str | None = None
        self._spec = spec
        self._memory = memory
        self.exchanges = Exchanges(by_context=spec.transport == "http")
        self._has_ended = False
        self.log_level: types.LoggingLevel | None = None
        self.notifications = notifications
        self._session: ClientSession | None = None
        self._scope = anyio.CancelScope()
        self._stdio: StdioTransport | None = None

    @property
    def session(self) -> ClientSession:
        """The session of a link that became ready without a failure."""
        assert self._session is not None
        return self._session

    @property
    def capabilities(self) -> types.ServerCapabilities:
        """The capabilities that the upstream has declared; the link must be connected."""
        return self.session.server_capabilities or types.ServerCapabilities()

    @property
    def is_stateless(self) -> bool:
        """Whether the connection uses a revision without handshake."""
        return self.protocol_version in MODERN_PROTOCOL_VERSIONS

    @property
    def pid(self) -> int | None:
        """Process id of a running stdio upstream."""
        return self._stdio.pid if self._stdio else None

    async def run(self) -> None:
        """Connects, stays connected until `lost`, and then cleans up. Raises only when
        cancelled.
        """
        try:
            with self._scope:
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(self._limit_start)
                    await self._connect()
                    tasks.cancel_scope.cancel()
            if self.lost.is_set():
                self._failed(UpstreamError("died", self._spec.name, "was disconnected."))
            else:
                self._failed(self._too_slow())
        except Exception as error:  # noqa: BLE001 - whatever it is, it is this upstream's own
            self._failed(classify(error, self._spec.name, "connecting", sent=False))
        finally:
            self._turn("down")
            self.lost.set()
            self.ready.set()
            self.done.set()

    async def _limit_start(self) -> None:
        while not self.ready.is_set():
            self.start.look(self.pid)
            self._scope.deadline = self.start.deadline()
            with anyio.move_on_after(_LOOK_S):
                await self.ready.wait()

    async def _connect(self) -> None:
        """Connects with the first variant of the protocol that works, and stays connected."""
        try:
            await self._attempt()
            return
        except Exception as error:
            failure = classify(error, self._spec.name, "connecting", sent=False)
            other = None if self.ready.is_set() else self._other_way(failure)
            if other is None:
                raise
        usual = replace(self._memory)
        self._memory.is_legacy, self._memory.is_sse = other
        try:
            await self._attempt()
        except Exception as error:
            if self.ready.is_set():
                raise
            self._memory.is_legacy, self._memory.is_sse = usual.is_legacy, False
            if other != (usual.is_legacy, True):
                raise
            second = classify(error, self._spec.name, "connecting", sent=False)
            what = f"{failure.what} The older transport HTTP+SSE fails, too: it {second.what}"
            raise failure.copy(what=what, hint=_OTHER_ADDRESS, refusal=None) from error

    def _other_way(self, failure: UpstreamError) -> tuple[bool, bool] | None:
        """Returns the variant of the protocol to try after a failure: whether to use a revision
        with handshake, and whether to use HTTP+SSE. Returns None if there is no other variant to
        try.
        """
        spec, memory = self._spec, self._memory
        if spec.transport == "stdio" and failure.kind == "died" and not memory.is_legacy:
            # Some servers end when the first request is not the handshake.
            return True, False
        if spec.transport != "http":
            return None
        if memory.is_sse:
            return memory.is_legacy, False
        refused = failure.refusal is not None and failure.refusal.status in _NOT_STREAMABLE
        return (memory.is_legacy, True) if refused else None

    async def _attempt(self) -> None:
        self._has_ended = False
        async with self._client() as client:
            self._connected(client)
            await self._stay(client)
            self._scope.deadline = anyio.current_time() + _CLOSE_TIMEOUT_S

    def _end(self) -> None:
        """Reacts to the end of the transport. An established connection is lost. If no connection
        was established yet, another attempt may follow.
        """
        self._has_ended = True
        if self.ready.is_set():
            self.lost.set()

    def close(self) -> None:
        """Ends the link, even while it is connecting; `done` is set when it has ended."""
        if not self.ready.is_set():
            self._scope.cancel()
        self.lost.set()

    def starting(self) -> UpstreamError:
        """Returns the failure for a call that stops waiting for the upstream's start."""
        what = f"is still {self.start.doing}, after {self.start.seconds():.0f} s."
        hint = "Call again in a while. `qm origin show NAME` shows how far it is."
        return UpstreamError(
            "timeout", self._spec.name, what, hint=hint, detail=self._memory.stderr.last_lines()
        )

    def _too_slow(self) -> UpstreamError:
        """Returns the failure for a connection attempt that exceeded its time limit."""
        what = f"did not answer within {self.start.limit_s:.3g} s of its start."
        hint = None
        if self._spec.transport == "stdio":
            hint = _SLOW_START
        if self.start.doing == "waiting for input":
            what = f"{what.removesuffix('.')}, and waits for input that nobody can give."
            hint = _TERMINAL_HINT
        elif self._stdio is not None and self._stdio.answers_at_end:
            what = f"{what.removesuffix('.')}, but only after the end of its input."
            hint = _AT_END
        return UpstreamError(
            "timeout", self._spec.name, what, hint=hint, detail=self._memory.stderr.last_lines()
        )

    async def has_lost_session(self, reply: types.ErrorData) -> bool:
        """Returns whether an error means that the upstream no longer knows the session.

        The error may also mean a session of the tool itself, so a ping is sent to find out.
        """
        is_http = self._spec.transport != "stdio"
        if not is_http or self.is_stateless or not names_lost_session(reply.message):
            return False
        try:
            with anyio.fail_after(_PING_TIMEOUT_S):
                await send_raw(self.session, "ping", {})
        except MCPError as error:
            failure = classify(error, self._spec.name, "answering ping", sent=True)
            said = failure.reply.message if failure.reply is not None else ""
            # A connection that failed says nothing about the session.
            return (failure.lost and failure.refusal is not None) or names_lost_session(said)
        except TimeoutError:
            pass
        return False

    async def explain(self, error: UpstreamError) -> UpstreamError:
        """Adds details to an error if a stdio upstream has ended or does not answer."""
        if self._stdio is None:
            return error
        if error.kind == "timeout":
            return error.copy(detail=error.detail or self._memory.stderr.last_lines())
        if error.lost:
            with anyio.move_on_after(_EXPLAIN_TIMEOUT_S):
                await self.done.wait()
            return self._explained(error)
        return error

    def _explained(self, error: UpstreamError) -> UpstreamError:
        stdio = self._stdio
        if stdio is None or error.kind not in {"died", "protocol"}:
            return error
        kind, what, hint = error.kind, error.what, None if error.kind == "died" else error.hint
        lines = self._memory.stderr.last_lines() or stdio.stdout_lines
        if stdio.problem:
            kind, what, hint = "protocol", f"{stdio.problem} and was stopped.", stdio.remedy
        elif error.kind == "died" and stdio.returncode is not None:
            if stdio.returncode in {126, 127} and not self.ready.is_set():
                kind = "command_not_found"
            if not self.ready.is_set():
                remedy = remedy_in(lines) or _ENDED_AT_START if lines else _ENDED_SILENTLY
                what, hint = "ended at its start.", remedy if kind == "died" else None
            what = f"{what.removesuffix('.')} (exit status {stdio.returncode})."
        elif error.reply is not None and not self.ready.is_set():
            what = f"refuses the handshake of MCP: {error.reply.message}"
            hint = _NO_HANDSHAKE
        detail = lines or error.detail
        if kind == "command_not_found" and lines:
            hint = how_to_install(lines.rpartition("\n")[2])
        return error.copy(kind=kind, what=what, hint=hint, detail=detail, reply=None)

    def _failed(self, error: UpstreamError) -> None:
        if not self.ready.is_set():
            self.failure = self._explained(error)
            # There was no connection yet, so no connection was lost.
            self.failure.lost = False

    def _connected(self, client: Client) -> None:
        self._scope.deadline = math.inf
        self._session = client.session
        self._memory.has_connected = True
        self.protocol_version = client.protocol_version
        self._memory.is_legacy = client.protocol_version not in MODERN_PROTOCOL_VERSIONS
        self._turn("connected")
        self.ready.set()
        if self._has_ended:
            self.lost.set()

    def _turn(self, state: LinkState) -> None:
        self.state = state
        self.since = datetime.now(UTC)

    def _client(self) -> Client:
        streams = self._streams()
        questions = Questions(self.exchanges)
        return Client(
            streams,
            mode="legacy" if self._memory.is_legacy else "auto",
            message_handler=self.notifications.hear,
            elicitation_callback=questions.elicit,
            sampling_callback=questions.sample,
            logging_callback=questions.log,
            client_info=_CLIENT,
            cache=None,
        )

    def _streams(self) -> AbstractAsyncContextManager[TransportStreams]:
        spec = self._spec
        if spec.transport == "stdio":
            self._stdio = StdioTransport(spec, self._memory.stderr, self._end)
            return self._stdio.open()
        is_sse = spec.transport == "sse" or self._memory.is_sse
        self.exchanges = Exchanges(by_context=not is_sse)
        return SseTransport(spec, self._end).open() if is_sse else http_streams(spec)

    async def _stay(self, client: Client) -> None:
        async with anyio.create_task_group() as tasks:
            if self._memory.is_legacy:
                tasks.start_soon(watch_again, client, self._spec.name, self.notifications)
            else:
                tasks.start_soon(listen_for_changes, client, self._spec.name, self.notifications)
            await self.lost.wait()
            tasks.cancel_scope.cancel()
