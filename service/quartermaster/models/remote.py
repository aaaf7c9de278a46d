"""A client for models on HTTP servers that are compatible with OpenAI or Cohere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast
from weakref import finalize

import httpx2
import stamina

from quartermaster.core.errors import QmError
from quartermaster.core.logs import mask

_ATTEMPTS: Final = 3
_LONGEST_PAUSE_S: Final = 5.0
_SHOWN_CHARACTERS: Final = 300


class _StatusError(Exception):
    def __init__(self, response: httpx2.Response) -> None:
        super().__init__(f"status {response.status_code}")
        self.status = response.status_code
        self.text = response.text
        self.retry_after = response.headers.get("retry-after", "")


class ModelServerClient:
    """A server that runs models. The class is thread-safe. If a server is busy or fails, the
    request is sent up to three times within the timeout.

    Args:
        url: URL of the server, up to and including `/v1`.
        key: key sent as bearer token; it never appears in a message.
        timeout_s: timeout in seconds for each answer and for all attempts together.
    """

    def __init__(self, url: str, key: str | None, timeout_s: float) -> None:
        self._url = url.rstrip("/")
        self._timeout_s = timeout_s
        self._client = httpx2.Client(
            headers={"authorization": f"Bearer {key}"} if key else {}, timeout=timeout_s
        )
        # The client is never closed explicitly; it is closed when the last model that uses it is
        # dropped.
        finalize(self, self._client.close)

    def post(self, path: str, body: Mapping[str, object]) -> Any:
        """Sends a request, and returns the server's JSON answer.

        Args:
            path: path of the endpoint, such as `/embeddings`.
            body: object to send as JSON.

        Raises:
            QmError: 503 model_unavailable (no answer, status 429 or 5xx), 502 model_refused (any
                other status), 502 model_answer_invalid (no JSON).
        """
        try:
            for attempt in stamina.retry_context(
                on=_pause, attempts=_ATTEMPTS, timeout=self._timeout_s, wait_max=_LONGEST_PAUSE_S
            ):
                with attempt:
                    return self._post_once(path, body)
        except httpx2.HTTPError as error:
            raise self._unavailable(f"{type(error).__name__}: {error}") from error
        except _StatusError as error:
            if _is_passing(error):
                raise self._unavailable(f"status {error.status}", error.text) from error
            raise QmError(
                502,
                "model_refused",
                f"The model server {self._url}{path} rejected the request: status {error.status}.",
                "Check the model's name, the URL up to /v1, and the key to which api_key refers.",
                mask(error.text[:_SHOWN_CHARACTERS]),
            ) from error
        except ValueError as error:
            raise self.invalid("the body is not JSON") from error
        raise AssertionError("this point is never reached")

    def invalid(self, reason: str) -> QmError:
        """Returns the error for an answer that cannot be used."""
        return QmError(
            502,
            "model_answer_invalid",
            f"The answer from the model server {self._url} cannot be used: {reason}.",
            "Check the model's name, and that the URL belongs to an OpenAI-compatible server.",
        )

    def _post_once(self, path: str, body: Mapping[str, object]) -> Any:
        response = self._client.post(f"{self._url}{path}", json=dict(body))
        if not response.is_success:
            raise _StatusError(response)
        return response.json()

    def _unavailable(self, reason: str, detail: str = "") -> QmError:
        return QmError(
            503,
            "model_unavailable",
            f"The model server {self._url} does not answer: {mask(reason)}.",
            "Check that the server is running and that the URL is correct, then try again.",
            mask(detail[:_SHOWN_CHARACTERS]) or None,
        )


def objects(value: object) -> list[dict[str, Any]]:
    """Returns the objects in a JSON array; an empty list if the value is not an array of
    objects.
    """
    items = cast("list[object]", value) if isinstance(value, list) else []
    found = [cast("dict[str, Any]", item) for item in items if isinstance(item, dict)]
    return found if len(found) == len(items) else []


def _is_passing(error: _StatusError) -> bool:
    return error.status in {408, 425, 429} or error.status >= 500


def _pause(error: Exception) -> bool | float:
    """Returns whether to send a request again. If the server states how many seconds to wait
    before, returns this number.
    """
    if isinstance(error, httpx2.TransportError):
        return True
    if not isinstance(error, _StatusError) or not _is_passing(error):
        return False
    return (
        min(float(error.retry_after), _LONGEST_PAUSE_S) if error.retry_after.isdecimal() else True
    )
