"""Sends requests to the running service over HTTP, as any other client does.

Only the standard library is used, because the MCP SDK takes longer to import than the service takes
to answer.
"""

from __future__ import annotations

import http.client
import json
import re
import ssl
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from typing import Any, Final, cast
from uuid import UUID

from quartermaster import __version__
from quartermaster.bridge.headers import RepeatedHeaders
from quartermaster.bridge.link import EVENTS, HttpExchange, ServiceLink, StreamedResponse
from quartermaster.core.api_call import AnyRow, ApiCall
from quartermaster.core.errors import QmError
from quartermaster.core.paths import RunFile

Row = dict[str, Any]

_PROTOCOL: Final = "2026-07-28"
_CODE: Final = re.compile(r"QM\d{3}")
_META: Final = "io.modelcontextprotocol/"
# How the answers of /v1/read write what JSON has no type for.
_TYPE_READERS: Final[Mapping[str, Callable[[Any], object]]] = {
    "timestamptz": datetime.fromisoformat,
    "date": date.fromisoformat,
    "interval": lambda seconds: timedelta(seconds=seconds),
    "uuid": UUID,
    "bytea": bytes.fromhex,
}


class ServiceClient:
    """A client of one service.

    Args:
        run: the address of the service, its key, and the authorities to trust.
    """

    def __init__(self, run: RunFile) -> None:
        self._run = run

    def get(self, path: str) -> Any:
        """Gets a path, and returns the JSON in the answer.

        Raises:
            QmError: see `post`.
        """
        return self._ask("GET", path, None, {})

    def post(self, path: str, body: Mapping[str, object]) -> Any:
        """Posts JSON to a path, and returns the JSON in the answer.

        Raises:
            QmError: the service's own error; QM401: the key was refused; QM503 not_reachable; QM422
                tls_invalid; QM502 not_understood: the server that answers is not Quartermaster.
        """
        return self._ask("POST", path, body, {})

    def read(self, asked: ApiCall[AnyRow], /) -> list[AnyRow]:
        """Calls an api function that changes nothing, and returns its rows.

        Raises:
            QmError: see `post`.
        """
        body = self.post(f"/v1/read/{asked.operation}", asked.arguments)
        with self._understood():
            made = {
                name: _TYPE_READERS[kind]
                for name, kind in body["types"].items()
                if kind in _TYPE_READERS
            }
            rows = [
                {name: _made(made.get(name), value) for name, value in row.items()}
                for row in cast("list[Row]", body["rows"])
            ]
        return cast("list[AnyRow]", rows)

    def call_tool(self, name: str, arguments: Mapping[str, object], door: str = "/mcp") -> Row:
        """Calls an MCP tool, and returns its result: content, structuredContent, isError.

        Args:
            name: name of the tool at this door.
            arguments: its arguments.
            door: path of the door.

        Raises:
            QmError: see `post`.
        """
        meta = {
            f"{_META}protocolVersion": _PROTOCOL,
            f"{_META}clientInfo": {"name": "qm", "version": __version__},
            f"{_META}clientCapabilities": {},
        }
        params = {"name": name, "arguments": arguments, "_meta": meta}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = RepeatedHeaders().of(message, _PROTOCOL)
        answer = self._ask("POST", door, message, headers)
        with self._understood():
            if "error" in answer:
                raise _error_of(answer["error"].get("data"), str(answer["error"]["message"]))
            return answer["result"]

    def result_of(self, name: str, arguments: Mapping[str, object], door: str = "/mcp") -> Row:
        """Calls an MCP tool, and returns its result; raises an error if the tool fails.

        Args:
            name, arguments, door: see `call_tool`.

        Raises:
            QmError: the error of the tool, and the errors of `post`.
        """
        result = self.call_tool(name, arguments, door)
        if result.get("isError"):
            texts = (block.get("text", "") for block in result["content"])
            raise _error_of(result.get("structuredContent"), "".join(texts))
        return result

    def _ask(
        self, method: str, path: str, body: Mapping[str, object] | None, headers: Mapping[str, str]
    ) -> Row:
        exchange = HttpExchange(ServiceLink(self._run, path, self._run.token))
        sent = None if body is None else json.dumps(body, default=_plain).encode()
        try:
            answer = exchange.ask(method, sent, headers)
            with self._understood():
                text = _answer_in(answer) if answer.kind == EVENTS else answer.body()
        except (OSError, http.client.HTTPException) as error:
            raise self._not_reachable(error) from error
        finally:
            exchange.close(is_whole=False)
        if answer.status == 401:
            raise self._refused(text)
        if answer.status >= 400:
            raise _error(text, f"{self._run.url} answered with status {answer.status}.")
        with self._understood():
            found: object = json.loads(text)
            if not isinstance(found, dict):
                raise TypeError
            return cast("Row", found)

    @contextmanager
    def _understood(self) -> Generator[None]:
        """Raises QM502 not_understood if an answer does not have the form of Quartermaster's
        answers.
        """
        try:
            yield
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise _not_understood(f"{self._run.url} answers something else.") from error

    def _not_reachable(self, error: Exception) -> QmError:
        hint = "Read its log, or start it again with: qm up."
        if self._run.pid == 0:
            hint = "Check QM_URL, or ask the administrator of the service."
        if isinstance(error, ssl.SSLCertVerificationError):
            hint = "Set QM_CA to a file with the certificate of its authority."
        reason = str(error) or type(error).__name__
        what = f"Quartermaster at {self._run.url} does not answer: {reason}"
        return QmError(503, "not_reachable", what, hint)

    def _refused(self, text: bytes) -> QmError:
        why = _error(text, "The key is not valid.")
        hint = "Set QM_KEY to a valid key; administrators create one with: qm key create NAME."
        if not self._run.token:
            hint = "Set QM_KEY to a key; administrators create one with: qm key create NAME."
        what = f"The key was refused by {self._run.url}: {why.message}"
        return QmError(401, why.slug, what, hint)


def _answer_in(answer: StreamedResponse) -> bytes:
    """Returns the answer from a stream of events, and skips the notifications before it."""
    for event in answer.events():
        if "method" not in json.loads(event):
            return event
    raise http.client.IncompleteRead(b"")


def _error(text: bytes, otherwise: str) -> QmError:
    try:
        body: object = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    return _error_of(body, otherwise)


def _error_of(body: object, otherwise: str) -> QmError:
    """Returns the error in an answer of the service; QM502 not_understood if the answer does not
    have the form of Quartermaster's errors.
    """
    given: object = cast("Row", body).get("error") if isinstance(body, dict) else None
    error = cast("Row", given) if isinstance(given, dict) else {}
    texts = {name: text for name, text in error.items() if isinstance(text, str)}
    if texts.keys() >= {"code", "slug", "message"} and _CODE.fullmatch(texts["code"]):
        hint, detail = texts.get("hint", ""), texts.get("detail")
        return QmError(int(texts["code"][2:]), texts["slug"], texts["message"], hint, detail)
    return _not_understood(otherwise)


def _not_understood(what: str) -> QmError:
    return QmError(502, "not_understood", what, "Check the address of the service.")


def _made(make: Callable[[Any], object] | None, value: object) -> object:
    return value if make is None or value is None else make(value)


def _plain(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is not JSON")
