"""The endpoints under /v1 for programs: searches, and what somebody may read."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from quartermaster.service import Service
from tests.service.doors.http.test_http import OTHERS_TOKEN, TOKEN, Door, add_key, error_in
from tests.service.doors.http.test_http import door as door  # noqa: PLC0414 - a fixture
from tests.service.doors.test_rights_of_doors import OPERATIONS

pytestmark = pytest.mark.anyio

GOAL = {"goal": "convert time between timezones"}
OPERATORS_TOKEN = "a token of an operator"
TOKENS = {"user": OTHERS_TOKEN, "operator": OPERATORS_TOKEN, "admin": TOKEN}


@pytest.fixture
async def doors(door: Door, service: Service, execute: Callable[[str], Any]) -> Door:
    execute("select policy.put_principal('oscar', 'agent', 'operator')")
    await add_key(service, "oscar", OPERATORS_TOKEN)
    return door


@asynccontextmanager
async def as_role(door: Door, role: str | None) -> AsyncGenerator[httpx2.AsyncClient]:
    async with door.http(None if role is None else TOKENS[role]) as http:
        yield http


async def slug_of(door: Door, role: str | None, path: str, /, **body: Any) -> str | None:
    """Returns the slug of the error; None if there is none."""
    async with as_role(door, role) as http:
        answer = await http.post(path, json=body)
    return None if answer.status_code == 200 else error_in(answer)["slug"]


async def test_nobody_reads_more_than_his_role_lets_him(doors: Door, execute: Any):
    """Every operation of the database: whoever may not run it is refused, or does not find it."""
    lowest = {name: row["lowest"] for name, row in OPERATIONS.items()}
    needed = dict(
        execute(
            "select p.proname, p.proargnames[:p.pronargs - p.pronargdefaults] from pg_proc as p"
            " where p.pronamespace in ('api'::regnamespace, 'service'::regnamespace)"
        )
    )
    below = {"operator": ["user"], "admin": ["user", "operator"], "service": ["user", "operator"]}
    for name, role in lowest.items():
        nulls = dict.fromkeys(needed[name] or ())
        assert await slug_of(doors, None, f"/v1/read/{name}") == "token_missing"
        for other in below.get(role, []):
            report = await slug_of(doors, other, f"/v1/read/{name}", **nulls)
            assert report in {"not_permitted", "path_not_found"}, (name, other, report)
        if role == "service":
            report = await slug_of(doors, "admin", f"/v1/read/{name}", **nulls)
            assert report == "path_not_found", (name, report)


async def test_what_changes_something_or_does_not_exist_is_not_found(doors: Door, execute: Any):
    volatile = execute(
        "select p.proname from pg_proc as p"
        " where p.pronamespace = 'api'::regnamespace and p.provolatile = 'v'"
        " or p.pronamespace = 'service'::regnamespace"
    )
    for (name,) in [*volatile, ("nothing",), ("pg_sleep",), ("list_keys;",)]:
        report = await slug_of(doors, "admin", f"/v1/read/{name}")
        assert report == "path_not_found", (name, report)


async def test_a_read_is_what_the_database_tells_the_role(doors: Door):
    async with as_role(doors, "admin") as http:
        answer = (await http.post("/v1/read/list_keys")).json()
        assert answer["types"]["created_at"] == "timestamptz"
        assert {row["principal"] for row in answer["rows"]} == {"local", "oscar", "somebody"}
        status = (await http.post("/v1/read/status", json={})).json()
        assert status["types"] == {"status": "jsonb"}
        assert status["rows"][0]["status"]["origins"] >= 1
        past = {"as_of": "2020-01-01T00:00Z"}
        assert (await http.post("/v1/read/list_origins", json=past)).json()["rows"] == []
    async with as_role(doors, "user") as http:
        assert (await http.post("/v1/read/list_origins")).json()["rows"]


@pytest.mark.parametrize(
    ("content", "status", "slug"),
    [
        ("{", 400, "json_invalid"),
        ("[]", 422, "argument_invalid"),
        ('{"nothing": 1}', 422, "argument_invalid"),
        ('{"as_of": "no time"}', 422, "invalid_value"),
        ('{"as_of": {"a": NaN}}', 400, "json_invalid"),
    ],
)
async def test_a_read_with_wrong_arguments_is_explained(
    doors: Door, content: str, status: int, slug: str
):
    async with as_role(doors, "admin") as http:
        answer = await http.post("/v1/read/list_origins", content=content)
        assert (answer.status_code, error_in(answer)["slug"]) == (status, slug)
        answer = await http.get("/v1/read/list_origins")
        assert answer.status_code == 405
        assert error_in(answer)["hint"] == "Use POST."


async def test_a_search_answers_as_search_tools_does(doors: Door):
    async with doors.client("2026-07-28") as client:
        report = (await client.call_tool("search_tools", GOAL)).structured_content
    async with as_role(doors, "admin") as http:
        found = (await http.post("/v1/search", json=GOAL)).json()
        assert report is not None
        assert found["tools"] == report["tools"]
        assert found["receipt"] != report["receipt"]
        cards = (await http.post("/v1/search", json={**GOAL, "kinds": ["tool", "prompt"]})).json()
        assert cards["cards"]
        wrong = await http.post("/v1/search", json={"goal": 5, "more": True})
        assert error_in(wrong)["slug"] == "argument_invalid"


async def test_a_search_finds_no_more_than_the_caller_may_see(doors: Door, execute: Any):
    rule = '{"effect": "deny", "subject": "principal:somebody"}'
    execute(f"select api.apply_rules('{{\"rules\": [{rule}]}}')")
    assert await slug_of(doors, None, "/v1/search", **GOAL) == "token_missing"
    for role, is_empty in (("user", True), ("admin", False)):
        async with as_role(doors, role) as http:
            found = (await http.post("/v1/search", json=GOAL)).json()
        assert (not found["tools"]) == is_empty
