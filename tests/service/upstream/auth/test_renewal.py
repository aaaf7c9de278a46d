"""Tokens that end: renewed by one, kept through failures, over only when the issuer says so."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from quartermaster.core.errors import QmError
from quartermaster.secrets.store import SecretStore
from quartermaster.upstream.auth import oauth_tokens
from quartermaster.upstream.auth.grant import Grant
from quartermaster.upstream.auth.oauth_tokens import keep_grant, read_grant
from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.supervisor import Supervisor
from tests.service.upstream.auth.logins import NAME, another_worker, grant_of, spec_of, tokens_of
from tests.support.guarded_upstream import GuardedUpstream
from tests.support.waiting import until

pytestmark = pytest.mark.anyio


@pytest.fixture
async def grant(upstream: GuardedUpstream) -> Grant:
    return await grant_of(upstream)


@pytest.fixture(autouse=True)
def without_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oauth_tokens, "_PAUSE_S", 0.0)


def ended(grant: Grant) -> Grant:
    """Returns the same, some time later."""
    return grant.model_copy(update={"expires_at": time.time() - 1})


async def test_a_call_goes_through_and_a_token_that_ended_meanwhile_is_renewed(
    upstream: GuardedUpstream, store: SecretStore, supervisor: Supervisor, grant: Grant
) -> None:
    spec = spec_of(upstream, await tokens_of(store, grant))
    await supervisor.call(spec, "ask")
    assert set(upstream.tokens_seen) == {grant.access_token}

    upstream.end_access()
    result = await supervisor.call(spec, "ask")

    retained = await read_grant(store, NAME)
    assert not result.model_dump()["is_error"]
    assert retained is not None
    assert retained.access_token == upstream.tokens_seen[-1] != grant.access_token
    assert retained.refresh_token != grant.refresh_token, "the issuer's new one is kept"
    assert (retained.id, upstream.renewals) == (grant.id, 1)


async def test_of_many_calls_and_workers_one_renews(
    upstream: GuardedUpstream, store: SecretStore, grant: Grant
) -> None:
    old = ended(grant)
    workers = [await tokens_of(store, old), another_worker(store, old)]
    got: list[str] = []

    async def ask(number: int) -> None:
        got.append(await workers[number % 2].token())

    async with anyio.create_task_group() as tasks:
        for number in range(20):
            tasks.start_soon(ask, number)
    assert (upstream.renewals, len(set(got)), len(got)) == (1, 1, 20)


async def test_of_many_processes_one_renews(
    upstream: GuardedUpstream, store: SecretStore, grant: Grant
) -> None:
    await keep_grant(store, NAME, ended(grant))
    tokens = await anyio.to_thread.run_sync(tokens_of_processes, 2, store.folder)
    assert (upstream.renewals, len(tokens), len(set(tokens))) == (1, 2, 1)


def tokens_of_processes(count: int, folder: Path) -> list[str]:
    """Returns what as many processes take at the same time."""
    script = Path(__file__).with_name("take_token.py")
    with ExitStack() as stack:
        processes = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, script, folder],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for _ in range(count)
        ]
        pipes = [(process.stdin, process.stdout) for process in processes]
        for _, stdout in pipes:
            assert stdout is not None
            assert stdout.readline() == "ready\n"
        # All are ready, and are let go together.
        for stdin, _ in pipes:
            assert stdin is not None
            stdin.close()
        return [stdout.read() for _, stdout in pipes if stdout is not None]


@pytest.mark.parametrize("status", [500, 503, 429, 400, 401])
async def test_a_failing_issuer_ends_nothing(
    status: int,
    upstream: GuardedUpstream,
    store: SecretStore,
    grant: Grant,
) -> None:
    tokens = await tokens_of(store, ended(grant))
    upstream.token_answers = [(status, "invalid_client" if status < 500 else "")]
    with pytest.raises(UpstreamError) as caught:
        await tokens.token()
    assert (caught.value.kind, "kept" in caught.value.hint) == ("network", True)
    retained = await read_grant(store, NAME)
    assert retained is not None
    assert (retained.refresh_token, retained.is_revoked) == (grant.refresh_token, False)

    assert await tokens.token() != grant.access_token
    assert upstream.renewals == 2


async def test_an_issuer_that_is_not_there_ends_nothing(store: SecretStore, grant: Grant) -> None:
    gone = ended(grant).model_copy(update={"token_endpoint": "http://127.0.0.1:9/token"})
    tokens = await tokens_of(store, gone)
    with pytest.raises(UpstreamError, match="cannot be reached"):
        await tokens.token()
    assert await read_grant(store, NAME) == gone


async def test_while_a_token_lasts_a_failing_issuer_is_not_noticed(
    upstream: GuardedUpstream, store: SecretStore, grant: Grant
) -> None:
    soon = grant.model_copy(update={"expires_at": time.time() + 20})
    tokens = await tokens_of(store, soon)
    upstream.token_answers = [(503, "")]
    assert await tokens.token() == grant.access_token
    assert upstream.renewals == 1


async def test_a_caller_that_goes_away_while_tokens_are_renewed_costs_no_login(
    upstream: GuardedUpstream, store: SecretStore, grant: Grant
) -> None:
    tokens = await tokens_of(store, ended(grant))
    upstream.answering.clear()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(tokens.token)
        await until(lambda: upstream.renewals)
        tasks.cancel_scope.cancel()
        upstream.answering.set()
    retained = await read_grant(store, NAME)
    assert retained is not None
    assert retained.refresh_token != grant.refresh_token
    assert await tokens.token() == retained.access_token
    assert upstream.renewals == 1


async def test_a_revoked_login_says_what_to_do_and_asks_no_more(
    upstream: GuardedUpstream, store: SecretStore, supervisor: Supervisor, grant: Grant
) -> None:
    spec = spec_of(upstream, await tokens_of(store, grant))
    await supervisor.call(spec, "ask")
    upstream.revoke()
    for _ in range(2):
        with pytest.raises(UpstreamError) as caught:
            await supervisor.call(spec, "ask")
        assert caught.value.kind == "auth"
        assert "qm origin login hub" in caught.value.hint
    retained = await read_grant(store, NAME)
    assert retained is not None
    assert retained.is_revoked
    assert upstream.renewals == 1


async def test_a_login_that_was_ended_is_used_no_more(
    upstream: GuardedUpstream, store: SecretStore, grant: Grant
) -> None:
    tokens = await tokens_of(store, ended(grant))
    store.remove(NAME)
    with pytest.raises(UpstreamError, match="was ended"):
        await tokens.token()
    assert upstream.renewals == 0


async def test_a_login_is_of_one_address(
    upstream: GuardedUpstream, store: SecretStore, grant: Grant
) -> None:
    tokens = await tokens_of(store, ended(grant))
    await keep_grant(store, NAME, grant.model_copy(update={"url": "https://other.example/mcp"}))
    with pytest.raises(QmError):
        await tokens.token()
    assert upstream.renewals == 0
