"""Passes messages between a client and the service in both directions, each request in its own
thread.
"""

from __future__ import annotations

import http.client
import json
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, cast

from quartermaster.bridge.headers import Json, RepeatedHeaders, version_in
from quartermaster.bridge.link import EVENTS, HttpExchange, ServiceLink, StreamedResponse
from quartermaster.core.errors import QmError

_SERVICE_GONE_CODE: Final = -32000
_PARSE_ERROR_CODE: Final = -32700
_INVALID_REQUEST_CODE: Final = -32600
_INTERNAL_ERROR_CODE: Final = -32603
_LAST_WORDS_S: Final = 5.0
_GOODBYE_S: Final = 2.0
_AGAIN_S: Final = 1.0
_INITIALIZED_METHOD: Final = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
_NOT_ALLOWED: Final = frozenset({401, 403})
_LOST_REASON: Final = (OSError, http.client.HTTPException)
Key = tuple[type, object]


class Bridge:
    """The bridge of one client.

    Args:
        find: function that returns the service as run.json describes it now; None if none is
            running.
        sink: descriptor to which messages to the client are written.
        on_broken: function that is called when the client no longer reads.
    """

    def __init__(
        self, find: Callable[[], ServiceLink | None], sink: int, on_broken: Callable[[], None]
    ) -> None:
        self._find = find
        self._link = find()
        self._sink = sink
        self._on_broken = on_broken
        self._writing = threading.Lock()
        self._renewing = threading.Lock()
        self._repeated = RepeatedHeaders()
        self._running: dict[Key, HttpExchange | None] = {}
        # Streams that end only when the client wants it, and requests that nobody waits for.
        self._open_ended: set[Key] = set()
        self._cancelled: set[Key] = set()
        self._has_ended = False
        # The session of a handshake client: the request that began it, its id and its revision.
        self._handshake: bytes | None = None
        self._session: str | None = None
        self._version: str | None = None

    def receive(self, line: bytes) -> None:
        """Handles one line from the client. A message that needs no answer is sent before this
        method returns, so that no later message overtakes it.
        """
        text = line.strip()
        if not text:
            return
        try:
            found: object = json.loads(text)
        except ValueError:
            self._fail(None, _PARSE_ERROR_CODE, "The line is not JSON.")
            return
        if not isinstance(found, dict):
            self._fail(None, _INVALID_REQUEST_CODE, "The line is not a JSON object.")
            return
        message = cast("Json", found)
        if "method" in message and "id" in message:
            key = _key(message["id"])
            self._running[key] = None
            if message["method"] == "subscriptions/listen":
                self._open_ended.add(key)
            if message["method"] == "initialize":
                # What follows belongs to the session that this request begins.
                self._request(text, message)
                return
            threading.Thread(target=self._request, args=(text, message), daemon=True).start()
        elif not self._is_cancelled(message):
            self._tell(text, message)

    def finish(self) -> None:
        """Waits a moment for answers that have not arrived yet, then ends the session."""
        deadline = time.monotonic() + _LAST_WORDS_S
        while self._running.keys() - self._open_ended and time.monotonic() < deadline:
            time.sleep(0.01)

    def end(self) -> None:
        """Ends the session."""
        self._has_ended = True
        if self._session is None or self._link is None:
            return
        # The service ends an idle session by itself, so nobody has to wait long.
        ending = threading.Thread(target=self._delete, daemon=True)
        ending.start()
        ending.join(_GOODBYE_S)

    def _delete(self) -> None:
        with suppress(*_LOST_REASON, QmError):
            self._ask("DELETE", None, self._session_headers())

    def _request(self, text: bytes, message: Json) -> None:
        key, is_handshake = _key(message["id"]), message["method"] == "initialize"
        try:
            if is_handshake:
                self._handshake, self._session, self._version = text, None, None
            session = self._session
            if not self._post(text, message) and not is_handshake and session is not None:
                self._renew(session)
                self._post(text, message, is_last=True)
        except QmError as error:
            self._fail(message["id"], _SERVICE_GONE_CODE, f"{error.message} {error.hint}", error)
        except (*_LOST_REASON, ValueError) as error:
            # A cancelled request has no answer. Reading what was closed meanwhile is a ValueError.
            if key not in self._cancelled:
                what = f"The connection to Quartermaster was lost: {error or type(error).__name__}."
                hint = "Check that it is running (qm up), and retry."
                self._fail(message["id"], _SERVICE_GONE_CODE, f"{what} {hint}")
        finally:
            for retained in (self._open_ended, self._cancelled):
                retained.discard(key)
            self._running.pop(key, None)

    def _post(self, text: bytes, message: Json, *, is_last: bool = False) -> bool:
        """Sends a request, and passes the answer to the client. Returns False if the service has
        lost the session.
        """
        version = version_in(message)
        headers = self._session_headers()
        if version is not None:
            headers = self._repeated.of(message, version)
        exchange, answer = self._ask("POST", text, headers, _key(message["id"]))
        is_whole = False
        try:
            if answer.status == 404 and version is None and self._session and not is_last:
                answer.body()
                is_whole = True
                return False
            self._pass_on(answer, message)
            is_whole = True
        finally:
            exchange.close(is_whole=is_whole)
        return True

    def _pass_on(self, answer: StreamedResponse, message: Json) -> None:
        """Passes all messages in a response to the client; one of them must answer the request."""
        if answer.kind == EVENTS:
            is_answered = False
            for data in answer.events():
                is_answered = self._to_client(data, message, answer) or is_answered
            if not is_answered:
                raise http.client.HTTPException("it ended before it answered")
            return
        body = answer.body()
        if answer.status < 300 and body:
            self._to_client(body, message, answer)
        else:
            self._refuse(answer.status, body, message["id"])

    def _to_client(self, data: bytes, message: Json, answer: StreamedResponse) -> bool:
        """Passes a message to the client; returns whether the message answers the request."""
        found: Json = json.loads(data)
        is_answer = "method" not in found and found.get("id") == message["id"]
        if is_answer and isinstance(result := found.get("result"), dict):
            if message["method"] == "initialize":
                self._session = answer.session
                self._version = cast("Json", result).get("protocolVersion")
            elif message["method"] == "tools/list":
                self._repeated.learn(cast("Json", result))
        self._write(data)
        return is_answer

    def _refuse(self, status: int, body: bytes, number: object) -> None:
        """Sends an HTTP error to the client as a JSON-RPC error."""
        error = _error_in(body)
        if isinstance(error.get("code"), int):
            self._write(json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode())
            return
        what = f"{error.get('message', f'HTTP status {status}.')} {error.get('hint', '')}".strip()
        self._fail(number, _INTERNAL_ERROR_CODE, what, error or None)

    def _tell(self, text: bytes, message: Json) -> None:
        """Sends a notification, or the client's answer to a request from the service."""
        if self._session is None:
            # The revision 2026-07-28 has no message over HTTP that would be sent here.
            return
        with suppress(*_LOST_REASON, QmError):
            exchange, answer = self._ask("POST", text, self._session_headers())
            answer.body()
            exchange.close(is_whole=True)
        if message.get("method") == "notifications/initialized":
            self._listen()

    def _is_cancelled(self, message: Json) -> bool:
        """Handles a message with which the client cancels a request. A request without a session is
        cancelled by ending its HTTP request. Returns False if the message must be sent to the
        service.
        """
        if message.get("method") != "notifications/cancelled":
            return False
        params: Any = message.get("params") or {}
        key = _key(params.get("requestId"))
        if key in self._running:
            self._cancelled.add(key)
        if self._session is not None:
            return False
        if (running := self._running.get(key)) is not None:
            running.end()
        return True

    def _listen(self) -> None:
        threading.Thread(target=self._hear, args=(self._session,), daemon=True).start()

    def _hear(self, session: str | None) -> None:
        """Receives messages that belong to no request from the service, and passes them to the
        client. Ends when the session ends.
        """
        while not self._has_ended and self._session == session:
            with suppress(*_LOST_REASON, ValueError, QmError):
                exchange, answer = self._ask("GET", None, self._session_headers())
                if answer.status == 404:
                    exchange.close(is_whole=False)
                    self._renew(session)
                    return
                if answer.status != 200:
                    exchange.close(is_whole=False)
                    return
                for data in answer.events():
                    self._write(data)
                exchange.close(is_whole=False)
            time.sleep(_AGAIN_S)

    def _renew(self, session: str | None) -> None:
        """Begins a new session after the service has lost the old one, for example in a restart.

        Raises:
            QmError, OSError, http.client.HTTPException: the service does not answer, or refuses the
                request.
        """
        with self._renewing:
            if self._session != session or self._handshake is None:
                return
            exchange, answer = self._ask("POST", self._handshake, {})
            if answer.status in _NOT_ALLOWED:
                error = _error_in(answer.body())
                exchange.close(is_whole=True)
                raise QmError(
                    answer.status,
                    str(error.get("slug", "key_invalid")),
                    str(error.get("message", f"The key was refused (HTTP {answer.status}).")),
                    str(error.get("hint", "Set QM_KEY to a valid key.")),
                )
            replies = list(answer.events()) if answer.kind == EVENTS else [answer.body()]
            exchange.close(is_whole=True)
            if answer.session is None:
                raise http.client.HTTPException(f"no session: {replies[-1][:200].decode()}")
            self._session = answer.session
            result: Json = json.loads(replies[-1])["result"]
            self._version = result["protocolVersion"]
            self._tell(_INITIALIZED_METHOD, json.loads(_INITIALIZED_METHOD))
        # The other session has forgotten what the client has found.
        for kind, can in result["capabilities"].items():
            if isinstance(can, dict) and cast("Json", can).get("listChanged"):
                changed = {"jsonrpc": "2.0", "method": f"notifications/{kind}/list_changed"}
                self._write(json.dumps(changed).encode())

    def _ask(
        self,
        method: str,
        body: bytes | None,
        headers: dict[str, str],
        key: Key | None = None,
    ) -> tuple[HttpExchange, StreamedResponse]:
        """Sends a request. If the service has been restarted, sends it to the new process."""
        link = self._link
        for attempt in range(2):
            if link is None or attempt:
                link = self._link = self._find()
            if link is None:
                raise QmError(
                    503, "not_running", "Quartermaster is not running.", "Start it with: qm up."
                )
            exchange = HttpExchange(link)
            if key is not None:
                self._running[key] = exchange
            try:
                return exchange, exchange.ask(method, body, headers)
            except ConnectionRefusedError:
                # Nothing was sent, so it can be sent again.
                if attempt:
                    raise
        raise AssertionError

    def _session_headers(self) -> dict[str, str]:
        found = {"Mcp-Session-Id": self._session, "MCP-Protocol-Version": self._version}
        return {name: value for name, value in found.items() if value is not None}

    def _fail(
        self, number: object, code: int, text: str, data: QmError | Json | None = None
    ) -> None:
        error: Json = {"code": code, "message": text}
        if data is not None:
            error["data"] = data.as_dict()["error"] if isinstance(data, QmError) else data
        self._write(json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode())

    def _write(self, data: bytes) -> None:
        rest = memoryview(data + b"\n")
        with self._writing:
            try:
                while rest:
                    rest = rest[os.write(self._sink, rest) :]
            except OSError:
                self._on_broken()


def _error_in(body: bytes) -> Json:
    """Returns the error in the service's answer; empty if there is none."""
    with suppress(ValueError, AttributeError):
        error: object = json.loads(body).get("error")
        if isinstance(error, dict):
            return cast("Json", error)
    return {}


def _key(number: object) -> Key:
    """Returns a dictionary key for a request id. The keys of 1, "1" and true differ, as these ids
    differ in JSON. In Python, 1 and true are equal.
    """
    return (type(number), number if isinstance(number, str | int | float) else None)
