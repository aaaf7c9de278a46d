"""Sends requests over HTTP to a server that runs language models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import httpx2

from quartermaster.core.errors import QmError
from quartermaster.core.logs import mask

_ATTEMPTS: Final = 2
_BUSY_STATUS: Final = 429
_SERVER_ERROR_STATUS: Final = 500
_SHOWN_CHARACTERS: Final = 300


class LlmServer:
    """Posts JSON to a server, and retries once if the server is busy or fails.

    Args:
        url: URL of the server, up to and including `/v1`.
        client: HTTP client whose headers contain the key. The headers never appear in a message.
    """

    def __init__(self, url: str, client: httpx2.AsyncClient) -> None:
        self._url = url.rstrip("/")
        self._client = client

    async def post(self, path: str, body: Mapping[str, object]) -> dict[str, Any]:
        """Sends a request, and returns the server's JSON object.

        Args:
            path: path of the endpoint, such as `/chat/completions`.
            body: object to send as JSON.

        Raises:
            QmError: 503 llm_unavailable (no answer, status 429 or 5xx), 502 llm_refused (any other
                status), 502 llm_answer_invalid (no JSON object).
        """
        problem = ""
        for _ in range(_ATTEMPTS):
            try:
                response = await self._client.post(f"{self._url}{path}", json=dict(body))
            except httpx2.HTTPError as error:
                problem = f"{type(error).__name__}: {error}"
                continue
            if response.is_success:
                return self._object(response)
            if response.status_code != _BUSY_STATUS and response.status_code < _SERVER_ERROR_STATUS:
                raise QmError(
                    502,
                    "llm_refused",
                    f"The language model's server {self._url}{path} rejected the request: status "
                    f"{response.status_code}.",
                    "Check the settings: the model's name, the URL up to /v1, and the key "
                    "to which api_key refers.",
                    self._shown(response.text) or None,
                )
            problem = f"status {response.status_code}"
        raise QmError(
            503,
            "llm_unavailable",
            f"The language model's server {self._url} does not answer: {self._shown(problem)}.",
            "Check that the server is running and that the url in the settings is correct, then "
            "try again.",
        )

    def invalid(self, reason: str) -> QmError:
        """Returns the error for an answer that cannot be used."""
        return QmError(
            502,
            "llm_answer_invalid",
            f"The answer from the language model's server {self._url} cannot be used: {reason}.",
            "Check the model's name, and that the provider in the settings matches the server's "
            "protocol.",
        )

    def _shown(self, text: str) -> str:
        """Returns the beginning of a text without the key, which some servers repeat in their
        messages.
        """
        for name in ("authorization", "x-api-key"):
            if key := self._client.headers.get(name, "").removeprefix("Bearer "):
                text = text.replace(key, "...")
        return mask(text[:_SHOWN_CHARACTERS])

    def _object(self, response: httpx2.Response) -> dict[str, Any]:
        try:
            found: object = response.json()
        except ValueError as error:
            raise self.invalid("the body is not JSON") from error
        if not isinstance(found, dict):
            raise self.invalid("the body is not a JSON object")
        return cast("dict[str, Any]", found)
