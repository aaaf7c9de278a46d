"""Fetches and caches the documentation of libraries that are not installed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from anyio import to_thread

from quartermaster.calls.caller import Caller
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.guardrails.instruction_model import Encode
from quartermaster.guardrails.masking import sanitized
from quartermaster.secrets.store import SecretStore
from quartermaster.service import Service
from quartermaster_knowledge import api
from quartermaster_knowledge.providers import CONTEXT7, ProviderError, Providers
from quartermaster_knowledge.settings import Knowledge

_MAX_CHARACTERS: Final = 200_000
_SECTION: Final = re.compile(r"\n(?=#{1,3} )|\n-{5,}\n")
_WORD: Final = re.compile(r"[a-z0-9]{3,}")
_MOST_AT_ONCE: Final = 8
# Principals for whom a provider is being asked. Whoever asks for a hundred libraries at once must
# not take the others' places.
_asking: set[str] = set()
log = get_logger(part="documents")


@dataclass(frozen=True)
class Document:
    """Documentation that may be shown to the caller.

    Attributes:
        source: the provider, the title and the address, as text.
        fetched: day on which it was fetched.
        is_stale: whether the documentation is old. If so, a newer text is being fetched.
        sections: the sections of the text. Sections about the topic come first.
    """

    source: str
    fetched: str
    is_stale: bool
    sections: list[str]


async def find_document(
    service: Service, caller: Caller, library: str, topic: str | None
) -> tuple[Document | None, str | None]:
    """Finds documentation in the cache, or fetches it.

    Old documentation is returned immediately, and is fetched again afterwards.

    Args:
        service: the service.
        caller: the caller. Each caller can have only one running request to providers at a time.
        library: name of the library, or its id at the Context7 server.
        topic: the topic, without secrets. It is sent to the provider.

    Returns:
        The documentation, and the reason why it could not be fetched. The reason is None if there
        is no provider for the library, or if the provider answered.
    """
    provider = provider_of(service, library)
    if provider is None or not re.search(r"\w", library):
        return None, None
    about = topic or "" if provider == CONTEXT7 else ""
    key = {"library": library, "topic": about}
    row = await service.database.call_one(api.find_document(**key, provider=provider), None)
    if row["text"] is None:
        if row["paused_until"] and not row["may_ask"]:
            until = row["paused_until"].strftime("%H:%M:%S UTC")
            return None, f"{provider} is not asked before {until}: {row['because']}."
        if caller.principal.name in _asking or len(_asking) >= _MOST_AT_ONCE:
            return None, f"Another request to {provider} is running. Try again shortly."
        _asking.add(caller.principal.name)
        try:
            await _fetch(service, provider, key, asked_by=caller.principal.name)
        except ProviderError as error:
            return None, f"{provider} does not answer: {error}."
        finally:
            _asking.discard(caller.principal.name)
        row = await service.database.call_one(api.find_document(**key, provider=provider), None)
    return await to_thread.run_sync(_shown, row, topic or ""), None


async def _fetch(
    service: Service,
    provider: str,
    key: dict[str, str],
    etag: str | None = None,
    asked_by: str | None = None,
) -> None:
    """Fetches documentation and stores it. The stored text counts towards the share of the
    principal who requested it.

    Raises:
        ProviderError: the provider gave no answer. The failure is recorded, and pauses the provider
            for everybody. If the provider refused only this request, the failure is not recorded.
    """
    try:
        fetched = await _providers(service).fetch(**key, etag=etag)
    except ProviderError as error:
        log.warning("documentation_not_fetched", provider=provider, error=str(error))
        if provider != CONTEXT7 or not error.is_about_question:
            await service.database.call(
                api.record_provider_failure(
                    provider=provider, because=str(error), retry_after_s=error.retry_after_s
                ),
                None,
            )
        raise
    text = fetched.text
    if text is not None:
        # What is stored was checked by the guardrails, and is checked again before it is shown.
        text = await to_thread.run_sync(sanitized, text.replace("\0", "")[:_MAX_CHARACTERS])
    await service.database.call(
        api.store_document(
            **key,
            provider=provider,
            title=sanitized(fetched.title),
            url=fetched.url,
            text=text,
            etag=fetched.etag,
            asked_by=asked_by,
        ),
        None,
    )


def provider_of(service: Service, library: str) -> str | None:
    """Returns the name of the provider for a library that is not installed. Returns None if there
    is no provider.
    """
    return Providers(service.settings.of(Knowledge).documents).name_for(library)


async def renew_documents(service: Service) -> None:
    """Fetches cached documentation again if it is old and somebody has requested it."""
    silent: set[str] = set()
    for row in await service.database.call(api.claim_documents(), None):
        key = {"library": row["library"], "topic": row["topic"]}
        if row["provider"] in silent or provider_of(service, key["library"]) != row["provider"]:
            continue  # the next lookup wants it again; or the settings have changed
        try:
            await _fetch(service, row["provider"], key, row["etag"])
        except ProviderError:
            silent.add(row["provider"])


def _providers(service: Service) -> Providers:
    """Returns the providers, with the key for Context7.

    Raises:
        ProviderError: the key cannot be read.
    """
    options = service.settings.of(Knowledge).documents
    try:
        store = SecretStore(service.data_dir)
        key = store.resolve(options.context7_key) if options.context7_key else None
    except QmError as error:
        raise ProviderError(f"its key cannot be read: {error.message.rstrip('.')}") from error
    return Providers(options, key)


def _shown(row: api.FindDocumentRow, topic: str) -> Document | None:
    if not row["text"] or row["fetched_at"] is None:
        return None
    sections = [each for each in _SECTION.split(row["text"]) if each.strip()]
    wanted = frozenset(_WORD.findall(topic.lower()))
    if row["source"] != CONTEXT7 and wanted:
        sections.sort(key=lambda text: -len(wanted & set(_WORD.findall(text.lower()))))
    return Document(
        source=f"{row['source']}: {row['title']}, {row['url']}",
        fetched=row["fetched_at"].date().isoformat(),
        is_stale=bool(row["is_stale"]),
        sections=sections,
    )


def within(document: Document, letters: int, encode: Encode | None) -> Iterator[str]:
    """Yields the first sections that fit into the limit. Masks and checks the sections again, this
    time also with the encoder, if there is one.
    """
    for section in document.sections:
        text = sanitized(section[:letters].strip(), encode)
        yield text
        letters -= len(text)
        if letters <= 0:
            return
