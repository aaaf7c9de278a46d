"""The endpoint that explains a selection: for operators, with every stage."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import httpx2
import pytest

from quartermaster import api
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.doors.http.app import create_app
from quartermaster.service import Service

pytestmark = pytest.mark.anyio

TOKEN = "a token of an operator"
USERS_TOKEN = "a token of a user"
PATH = "/v1/debug/select"


@pytest.fixture
async def asked(service: Service, execute: Callable[[str], Any]):
    """Asks the endpoint, with a token and parameters."""
    execute("select policy.put_principal('somebody', 'agent', 'user')")
    admin = await service.database.find_principal(LOCAL_PRINCIPAL)
    for principal, token in ((LOCAL_PRINCIPAL, TOKEN), ("somebody", USERS_TOKEN)):
        await service.database.call(
            api.put_key(
                principal=principal,
                label="tests",
                prefix="a",
                key_hash=sha256(token.encode()).digest(),
            ),
            admin,
        )
    transport = httpx2.ASGITransport(app=create_app(service))
    async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:

        async def ask(token: str | None, **parameters: str | int) -> httpx2.Response:
            headers = {} if token is None else {"authorization": f"Bearer {token}"}
            return await http.get(PATH, params=parameters, headers=headers)

        yield ask


async def test_who_is_unknown_or_a_mere_user_is_refused(asked: Any, execute: Any):
    assert (await asked(None, goal="time")).status_code == 401
    refused = await asked(USERS_TOKEN, goal="time")
    assert refused.status_code == 403
    assert refused.json()["error"]["slug"] == "not_permitted"
    assert execute("select count(*) from selection.receipt") == [(0,)]


async def test_every_candidate_is_told_with_its_scores_and_its_fate(asked: Any, execute: Any):
    report = (await asked(TOKEN, goal="what time is it in Tokyo", top=1, mode="fast")).json()
    [offered] = report["offered"]
    assert offered["rank"] == 1
    assert offered["scores"].keys() >= {"lexical", "dense", "fuzzy", "fused", "blended", "value"}
    assert {card["scores"]["withheld"] for card in report["withheld"]} <= {"below_cut", "redundant"}
    assert report["counts"]["offered"] == 1
    assert sum(report["counts"].values()) == 1 + len(report["withheld"])
    assert report["models_ms"]["embed"] > 0
    assert report["warnings"] == []
    assert report["stages"].keys() >= {"pool_ms", "value_ms", "choose_ms", "report_ms", "cached"}
    assert execute(
        f"select goal, mode, mode_label from selection.receipt where id = {report['receipt']}"
    ) == [("what time is it in Tokyo", "fast", report["mode_label"])]


async def test_a_budget_that_nothing_fits_in_offers_nothing(asked: Any):
    report = (await asked(TOKEN, goal="what time is it", budget_tokens=1)).json()
    assert report["offered"] == []
    assert report["counts"]["over_budget"] == len(report["withheld"])
    assert isinstance(report["receipt"], int)


@pytest.mark.parametrize(
    ("parameters", "hint"),
    [
        ({}, "in a few words"),
        ({"goal": " "}, "in a few words"),
        ({"goal": "time", "budget": 5}, "budget_tokens"),
        ({"goal": "time", "top": "many"}, "whole number"),
        ({"goal": "time", "top": 0}, "1 to 100"),
        ({"goal": "time", "budget_tokens": -1}, "hundred tokens"),
        ({"goal": "time", "mode": "warp"}, "balanced"),
    ],
)
async def test_a_wrong_parameter_is_explained(asked: Any, parameters: Any, hint: str):
    answer = await asked(TOKEN, **parameters)
    assert answer.status_code == 422
    assert hint in answer.json()["error"]["hint"]
