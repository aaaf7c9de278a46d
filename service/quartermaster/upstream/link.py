"""One connection of the SDK's client. The connection is opened and closed in the same task, because
its cancel scopes require this.
"""

from __future__ import annotations

import math
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Literal

import anyio
import mcp_types as types
from mcp import Client
from mcp.client._transport import TransportStreams
from mcp.client.session import ClientSession
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from quartermaster import __version__
from quartermaster.upstream.changes import News, listen_for_news, watch_again
from quartermaster.upstream.exchange import Exchanges
from quartermaster.upstream.failure import UpstreamError, classify
from quartermaster.upstream.http_streams import http_streams
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.sse_transport import SseTransport
from quartermaster.upstream.stdio_transport import StderrTail, StdioTransport

LinkState = Literal["connecting", "connected", "down"]
# A dead HTTP server must not delay disconnecting.
_CLOSE_TIMEOUT_S: Final = 5.0
# Maximum time that a failed call waits for the exit status, which may explain the failure.
_EXPLAIN_TIMEOUT_S: Final = 1.0


class Questions:
    """The callbacks for one connection.

    There is no callback for roots, because the connection is shared and no client may see another
    client's folders.

    Args:
        exchanges: requests in progress.
    """

    def __init__(self, exchanges: Exchanges) -> None:
        self._exchanges = exchanges

    async def elicit(self, context: object, params: types.ElicitRequestParams) -> Any:
        """Returns the user's answer to a form or to a page to visit."""
        del context
        return await self._ask(types.ElicitRequest(params=params))

    async def sample(self, context: object, params: types.CreateMessageRequestParams) -> Any:
        """Forwards a question to the client's model."""
        del context
        return await self._ask(types.CreateMessageRequest(params=params))

    async def log(self, params: types.LoggingMessageNotificationParams) -> None:
        """Forwards a log message, unless its client is unknown."""
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
    """Values that one link passes on to the next link.

    Attributes:
        is_legacy: whether the upstream speaks a revision with handshake. The discovery request is
            then left out, because old servers may ignore it, which would cause a delay of 10 s.
        stderr: the last output of a stdio upstream to its stderr.
    """

    is_legacy: bool = False
    stderr: StderrTail = field(default_factory=StderrTail)


class Link:
    """A connection attempt and, if the attempt succeeds, the connection until it is lost.

    Attributes:
        ready: set once the outcome of the attempt is known.
        lost: set once the link can no longer be used; setting it ends the link.
        done: set once nothing is left of the link, including its process.
        failure: why the attempt failed.
        exchanges: requests in progress.
        log_level: lowest log level that was set on a handshake upstream; None if none was set.
    """

    def __init__(self, spec: OriginSpec, memory: LinkMemory, news: News) -> None:
        self.ready = anyio.Event()
        self.lost = anyio.Event()
        self.done = anyio.Event()
        self.failure: UpstreamError | None = None
        self.state: LinkState = "connecting"
        self.since = datetime.now(UTC)
        self.protocol_version: str | None = None
        self._spec = spec
        self._memory = memory
        self.exchanges = Exchanges(by_context=spec.transport == "http")
        self.log_level: types.LoggingLevel | None = None
        self.news = news
        self._session: ClientSession | None = None
        self._scope = anyio.CancelScope()
        is_stdio = spec.transport == "stdio"
        self._stdio = StdioTransport(spec, memory.stderr, self.lost.set) if is_stdio else None

    @property
    def session(self) -> ClientSession:
        """The session of a link that became ready without a failure."""
        assert self._session is not None
        return self._session

    @property
    def capabilities(self) -> types.ServerCapabilities:
        """The capabilities of the upstream after it has connected."""
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
                self._scope.deadline = anyio.current_time() + self._spec.connect_timeout_s
                async with self._client() as client:
                    self._connected(client)
                    await self._stay(client)
                    self._scope.deadline = anyio.current_time() + _CLOSE_TIMEOUT_S
            if self.lost.is_set():
                self._failed(UpstreamError("died", self._spec.name, "was disconnected."))
            else:
                self._failed(self.too_slow())
        except Exception as error:  # noqa: BLE001 - whatever it is, it is this upstream's own
            self._failed(classify(error, self._spec.name, "connecting", sent=False))
        finally:
            self._turn("down")
            self.lost.set()
            self.ready.set()
            self.done.set()

    def close(self) -> None:
        """Ends the link, even while it is connecting; `done` is set when it has ended."""
        if not self.ready.is_set():
            self._scope.cancel()
        self.lost.set()

    def too_slow(self) -> UpstreamError:
        """Returns the failure for an attempt that exceeded its time limit."""
        what = f"did not connect within {self._spec.connect_timeout_s:g} s."
        return UpstreamError("timeout", self._spec.name, what)

    async def explain(self, error: UpstreamError) -> UpstreamError:
        """Adds the known facts about the end of a stdio upstream to an error."""
        if self._stdio is None or not error.lost:
            return error
        with anyio.move_on_after(_EXPLAIN_TIMEOUT_S):
            await self.done.wait()
        return self._explained(error)

    def _explained(self, error: UpstreamError) -> UpstreamError:
        stdio = self._stdio
        if stdio is None or error.kind != "died":
            return error
        kind, what = error.kind, error.what
        if stdio.problem:
            kind, what = "protocol", f"{stdio.problem} and was stopped."
        elif stdio.returncode is not None:
            if stdio.returncode in {126, 127} and not self.ready.is_set():
                kind = "command_not_found"
            what = f"{what.removesuffix('.')} (exit status {stdio.returncode})."
        return error.copy(
            kind=kind, what=what, hint=None, detail=self._memory.stderr.last_line(), reply=None
        )

    def _failed(self, error: UpstreamError) -> None:
        if not self.ready.is_set():
            self.failure = self._explained(error)
            # There was no connection yet, so no connection was lost.
            self.failure.lost = False

    def _connected(self, client: Client) -> None:
        self._scope.deadline = math.inf
        self._session = client.session
        self.protocol_version = client.protocol_version
        self._memory.is_legacy = client.protocol_version not in MODERN_PROTOCOL_VERSIONS
        self._turn("connected")
        self.ready.set()

    def _turn(self, state: LinkState) -> None:
        self.state = state
        self.since = datetime.now(UTC)

    def _client(self) -> Client:
        questions = Questions(self.exchanges)
        return Client(
            self._streams(),
            mode="legacy" if self._memory.is_legacy else "auto",
            message_handler=self.news.hear,
            elicitation_callback=questions.elicit,
            sampling_callback=questions.sample,
            logging_callback=questions.log,
            client_info=_CLIENT,
            cache=None,
        )

    def _streams(self) -> AbstractAsyncContextManager[TransportStreams]:
        if self._stdio is not None:
            return self._stdio.open()
        if self._spec.transport == "sse":
            return SseTransport(self._spec, self.lost.set).open()
        return http_streams(self._spec)

    async def _stay(self, client: Client) -> None:
        async with anyio.create_task_group() as tasks:
            if self._memory.is_legacy:
                tasks.start_soon(watch_again, client, self._spec.name, self.news)
            else:
                tasks.start_soon(listen_for_news, client, self._spec.name, self.news)
            await self.lost.wait()
            tasks.cancel_scope.cancel()
