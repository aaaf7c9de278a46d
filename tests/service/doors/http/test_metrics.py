"""What is measured, who may read it, and that the documentation lists it all."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from quartermaster import api
from quartermaster.doors.http.app import create_app
from quartermaster.doors.http.metrics import MetricsRoute
from quartermaster.service import Service
from quartermaster.settings.sections import LimitSettings, MetricSettings
from quartermaster.settings.settings import Settings
from tests.service.doors.http.test_http import OTHERS_TOKEN, TOKEN, Door, add_key, serving

pytestmark = pytest.mark.anyio

DOCUMENT = Path(__file__).parents[4] / "docs" / "metrics.md"
_ROW = re.compile(r"^\| `(quartermaster_\w+)` \| (\w+) \| ([\w, ]*?) ?\| (.+) \|$", re.MULTILINE)


@pytest.fixture
async def door(service: Service) -> AsyncGenerator[Door]:
    await add_key(service, "local", TOKEN)
    user = await service.database.call(
        api.create_principal(name="alice", kind="person", role="user"),
        await service.database.find_principal("local"),
    )
    assert user
    await add_key(service, "alice", OTHERS_TOKEN)
    async with serving(service) as door:
        yield door


async def test_users_and_strangers_read_no_metrics(door: Door):
    async with door.http(token=None) as http:
        assert (await http.get("/metrics")).status_code == 401
    async with door.http(OTHERS_TOKEN) as http:
        assert (await http.get("/metrics")).status_code == 403


async def test_what_happened_is_counted_and_holds_nothing_a_client_chose(door: Door):
    async with door.http() as http:
        await http.get("/no/such/path")
        await http.get("/no/such/other")
        await http.get("/healthz")
    async with door.client("2026-07-28") as client:
        await client.call_tool("search_tools", {"query": "what time is it"})
        await client.call_tool("search_tools", {"query": "x", "mode": "a mode of mine"})
        await client.call_tool("call_tool", {"name": "leaf__echo", "arguments": {"text": "x"}})
    async with door.http() as http:
        reply = await http.get("/metrics")
    assert reply.headers["content-type"].startswith("text/plain")
    samples = {
        (sample.name.removeprefix("quartermaster_"), *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(reply.text)
        for sample in family.samples
    }
    assert samples["requests_total", "404", "none"] == 2
    assert samples["requests_total", "200", "healthz"] == 1
    assert samples["request_seconds_count", "mcp"] >= 3
    assert samples["selections_total", "default", "found"] == 1
    assert samples["selection_seconds_count", "default", "embed"] == 1
    [calls] = [value for key, value in samples.items() if key[0] == "calls_total"]
    assert calls == 1
    assert samples["upstreams", "connected"] == 1
    assert samples["database_away",] == 0
    assert samples["queue", "jobs"] >= 0
    assert samples["model_calls_total", "embedding"] >= 1
    assert samples["process_resident_memory_bytes",] > 0
    assert "such" not in reply.text
    assert "a mode of mine" not in reply.text
    assert TOKEN not in reply.text


async def test_metrics_are_open_where_the_settings_say_so(service: Service):
    settings = Settings(metrics=MetricSettings(open=True))
    async with serving(replace(service, settings=settings)) as door, door.http(token=None) as http:
        reply = await http.get("/metrics", headers={"accept": "application/openmetrics-text"})
    assert reply.status_code == 200
    assert reply.text.endswith("# EOF\n")


async def test_a_principal_that_sends_too_much_is_told_when_to_come_back(service: Service):
    admin = await service.database.find_principal("local")
    await service.database.call(api.create_principal(name="busy"), admin)
    await add_key(service, "busy", OTHERS_TOKEN)
    await add_key(service, "local", TOKEN)
    settings = Settings(limits=LimitSettings(requests_per_s=1, requests_burst=2))
    async with serving(replace(service, settings=settings)) as door:
        async with door.http(OTHERS_TOKEN) as http:
            replies = [await http.get("/status") for _ in range(3)]
        async with door.http() as http:
            assert [(await http.get("/status")).status_code for _ in range(3)] == [200] * 3
    assert [reply.status_code for reply in replies] == [200, 200, 429]
    assert replies[2].headers["retry-after"] == "1"
    assert replies[2].json()["error"]["slug"] == "rate_limited"


async def test_every_metric_is_documented_and_nothing_else_is(service: Service):
    create_app(service)  # a second one over the same service is no conflict
    registry = MetricsRoute(service, lambda: 0).registry
    families = {
        family.name: (family.type, family.documentation)
        for family in registry.collect()
        if family.name.startswith("quartermaster_")
    }
    rows = _ROW.findall(DOCUMENT.read_text(encoding="utf-8"))
    documented = {name: (kind, says) for name, kind, _labels, says in rows}
    assert documented == families
