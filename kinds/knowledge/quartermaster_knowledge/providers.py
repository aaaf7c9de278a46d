"""Fetches documentation over HTTP, either from a server with Context7's protocol or from an
llms.txt file.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final, cast

import anyio
import httpx2

from quartermaster.core.logs import mask
from quartermaster.upstream.egress import CheckedTransport, refused_address
from quartermaster.upstream.tls import TlsSettings, tls_context
from quartermaster_knowledge.environment import normalised
from quartermaster_knowledge.settings import Documents

CONTEXT7: Final = "Context7"
LLMS_TXT: Final = "llms.txt"
_MAX_ANSWER_BYTES: Final = 1_000_000
_ID: Final = re.compile(r"/[\w-][\w.-]*(?:/[\w-][\w.-]*){1,2}")
_LONGEST_PAUSE_S: Final = 3600
_MOST_DIGITS: Final = 10
_NOT_READY: Final = 202
_NOT_MODIFIED_STATUS: Final = 304
_EMPTY_STATUSES: Final = frozenset({_NOT_READY, 204, 404})
# No key, no right, no time, or too many requests; other refusals are about what was asked.
_ABOUT_PROVIDER: Final = frozenset({401, 402, 403, 407, 408, 425, 429})


class ProviderError(Exception):
    """A provider gave no usable answer.

    Args:
        message: the reason.
        retry_after_s: the number of seconds after which the provider may be asked again. None if
            the provider did not say.
        is_about_question: whether only this request failed, so that the provider may still answer
            other requests.
    """

    def __init__(
        self, message: str, retry_after_s: int | None = None, *, is_about_question: bool = False
    ) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.is_about_question = is_about_question


@dataclass(frozen=True)
class Fetched:
    """The answer of a provider.

    Attributes:
        title: the provider's name of the library.
        url: address of the text.
        text: the text. Empty if the provider has none. None if the text has not changed.
        etag: the provider's ETag of the text.
    """

    title: str
    url: str
    text: str | None
    etag: str | None = None


@dataclass(frozen=True)
class _Answer:
    status: int
    body: bytes
    etag: str | None


class Providers:
    """The documentation providers in the settings.

    Args:
        settings: the settings.
        key: the key for the Context7 server. It is sent to no other server, and no message contains
            it.
    """

    def __init__(self, settings: Documents, key: str | None = None) -> None:
        self._settings = settings
        self._key = key
        self._llms_txt = {normalised(name): url for name, url in settings.llms_txt.items()}

    @property
    def timeout_s(self) -> float:
        """The time limit in seconds for all requests of one lookup."""
        return self._settings.timeout_s

    def name_for(self, library: str) -> str | None:
        """Returns the name of the provider for a library. Returns None if there is no provider.

        Each llms.txt file counts as a separate provider. So if one of them fails, the others are
        still used.
        """
        if (name := normalised(library)) in self._llms_txt:
            return f"{LLMS_TXT} of {name}"
        return CONTEXT7 if self._settings.context7_url else None

    async def fetch(self, library: str, topic: str, etag: str | None = None) -> Fetched:
        """Fetches the documentation of a library.

        Args:
            library: name of the library, or its id at the Context7 server.
            topic: the topic of the documentation. An llms.txt file is always fetched completely.
            etag: the provider's ETag of the text that is already stored.

        Raises:
            ProviderError: the provider gave no usable answer.
        """
        try:
            with anyio.fail_after(self._settings.timeout_s):
                if url := self._llms_txt.get(normalised(library)):
                    async with self._client() as client:
                        return _text(library, url, await _get(client, url, {}, etag))
                async with self._client(self._key) as client:
                    return await self._from_context7(client, library, topic, etag)
        except TimeoutError as error:
            raise ProviderError(f"no answer within {self._settings.timeout_s:g} s") from error
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            if (refused := refused_address(error)) is not None:
                raise ProviderError(f"{refused}, which is not public") from error
            reason = type(error).__name__
            if isinstance(error, httpx2.ConnectError | httpx2.TimeoutException):
                reason = mask(f"{reason}: {error}"[:200])
            # Other errors can quote the answer, and what is said here is read by agents.
            raise ProviderError(reason) from error

    async def _from_context7(
        self, client: httpx2.AsyncClient, library: str, topic: str, etag: str | None
    ) -> Fetched:
        base = (self._settings.context7_url or "").rstrip("/")
        title, identifier = library, identifier_of(library)
        if identifier is None:
            asked = {"libraryName": library, "query": topic or library}
            answer = await _get(client, f"{base}/v2/libs/search", asked, None)
            found = _best_of(library, answer.body) if answer.status not in _EMPTY_STATUSES else None
            if found is None:
                return Fetched(library, base, "")
            identifier, title = found
        asked = {"libraryId": identifier, "query": topic or "overview", "type": "txt"}
        answer = await _get(client, f"{base}/v2/context", asked, etag)
        return _text(title, f"{base}{identifier}", answer)

    def _client(self, key: str | None = None) -> httpx2.AsyncClient:
        # A compressed answer could be a thousand times as large as the limit on its bytes.
        headers = {"accept-encoding": "identity"}
        if key:
            headers["authorization"] = f"Bearer {key}"
        return httpx2.AsyncClient(
            transport=CheckedTransport(tls_context(TlsSettings()), self._settings.networks),
            headers=headers,
            timeout=self._settings.timeout_s,
        )


async def _get(
    client: httpx2.AsyncClient, url: str, asked: dict[str, str], etag: str | None
) -> _Answer:
    """Sends one request and returns the answer. Redirects are not followed."""
    headers = {"if-none-match": etag} if etag else {}
    async with client.stream("GET", url, params=asked or None, headers=headers) as answer:
        status = answer.status_code
        if status not in {200, _NOT_MODIFIED_STATUS, *_EMPTY_STATUSES}:
            pause = answer.headers.get("retry-after", "")
            # More digits than this are no pause, and Python converts only so many.
            is_pause = pause.isascii() and pause.isdigit() and len(pause) < _MOST_DIGITS
            known = min(int(pause), _LONGEST_PAUSE_S) if is_pause else None
            is_about_question = 300 <= status < 500 and status not in _ABOUT_PROVIDER
            raise ProviderError(f"status {status}", known, is_about_question=is_about_question)
        if answer.headers.get("content-encoding", "identity").lower() != "identity":
            raise ProviderError("a compressed answer, although none was asked for")
        body = bytearray()
        async for part in answer.aiter_bytes():
            body += part
            if len(body) > _MAX_ANSWER_BYTES:
                reason = f"an answer of more than {_MAX_ANSWER_BYTES:,} bytes"
                raise ProviderError(reason, is_about_question=True)
        return _Answer(status, bytes(body), _sendable(answer.headers.get("etag")))


def _sendable(etag: str | None) -> str | None:
    """Returns an ETag. Returns None if the ETag cannot be sent back in a header."""
    return etag if etag and len(etag) <= 500 and etag.isascii() and etag.isprintable() else None


def _text(title: str, url: str, answer: _Answer) -> Fetched:
    if answer.status == _NOT_MODIFIED_STATUS:
        return Fetched(title, url, None, answer.etag)
    if answer.status in _EMPTY_STATUSES:
        return Fetched(title, url, "")
    return Fetched(title, url, answer.body.decode("utf-8", "replace"), answer.etag)


def _best_of(library: str, body: bytes) -> tuple[str, str] | None:
    """Returns the id and the title of the library with the given name. Returns None if the answer
    does not contain this library. The server also returns libraries with similar names, whose
    documentation would be misleading. So the title or a part of the id must be equal to the name.
    """
    try:
        found: Any = json.loads(body)
        results = cast("list[Any]", found["results"])
        pairs = [(str(each["id"]), str(each.get("title") or "")) for each in results[:20]]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ProviderError("an answer that is not Context7's") from error
    meant = _squeezed(library)
    for identifier, title in pairs:
        names = {_squeezed(part) for part in (title, *identifier.split("/"))}
        if meant in names and (safe := identifier_of(identifier)) is not None:
            return safe, _one_line(title)[:200] or library
    return None


def _one_line(title: str) -> str:
    """Returns a title as one line, without characters that cannot be stored or printed."""
    return " ".join("".join(s if s.isprintable() else " " for s in title).split())


def _squeezed(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def identifier_of(text: str) -> str | None:
    """Returns a text that is a Context7 id (``/organisation/project`` or
    ``/organisation/project/version``). Returns None for any other text.
    """
    return text if len(text) <= 200 and _ID.fullmatch(text) else None
