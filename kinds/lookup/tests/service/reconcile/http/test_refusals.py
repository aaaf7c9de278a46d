"""Who may come in, what a page of another origin may read, and requests that cannot be read."""

from __future__ import annotations

import json
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from kinds.lookup.tests.reconciliation import KEYS, Served, serving
from quartermaster.core.errors import QmError
from quartermaster.identity.limits import RateLimit
from quartermaster.settings.sections import LimitSettings
from quartermaster_lookup.reconcile.http.visitors import Visitors
from quartermaster_lookup.settings import Reconcile
from tests.support.connected import connected
from tests.support.database import Server

ONE = {"queries": '{"q0": {"query": "Betula nana"}}'}


@pytest.fixture(scope="module")
def open_to_all(
    embedded_server: Server, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Served]:
    """Where those without a key are a principal who may not see places, and few may be asked."""
    settings = {
        "reconcile": Reconcile(open_as="narrow"),
        "limits": LimitSettings(lookups_per_s=1, lookups_burst=1),
    }
    folder = tmp_path_factory.mktemp("open")
    with embedded_server.clone() as database, serving(database, folder, **settings) as served:
        yield served


def test_strangers_have_the_rights_that_the_settings_give_them(open_to_all: Served):
    with open_to_all.http(None) as http:
        manifest = http.get("/reconcile").json()
        assert [kind["id"] for kind in manifest["defaultTypes"]] == ["odd", "plant"]
        assert "authentication" not in manifest
        assert http.post("/reconcile", data=ONE).json()["q0"]["result"][0]["id"] == "plant:2"
        assert http.get("/reconcile/place").status_code == 404
        # Nothing else is open.
        assert http.get("/status").status_code == 401
    with open_to_all.http("curator") as http:
        assert http.get("/reconcile/place").status_code == 200


def test_who_asks_too_often_is_told_when_to_come_back(open_to_all: Served):
    with open_to_all.http("curator") as http, ThreadPoolExecutor(6) as pool:
        answers = [*pool.map(lambda _: http.post("/reconcile/plant", data=ONE), range(6))]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert 0 < len(refused) < 6
    # As OpenRefine waits for it, and a page may read it.
    assert refused[0].headers["retry-after"] == "1"
    assert "retry-after" in refused[0].headers["access-control-expose-headers"]
    assert refused[0].json()["error"]["slug"] == "rate_limited"


@pytest.mark.anyio
@pytest.mark.parametrize("open_as", ["local", "nobody-of-this-name"])
async def test_strangers_are_never_somebody_who_may_do_more(service_dsn: str, open_as: str):
    async def answers(scope: Scope, receive: Receive, send: Send) -> None:
        pytest.fail("it was let in")

    scope: Scope = {"type": "http", "headers": []}
    async with connected(service_dsn) as database:
        limit = RateLimit("requests", 0, 1)
        visitors = Visitors(answers, answers, database, open_as, limit)
        with pytest.raises(QmError) as refused:
            await visitors(scope, no_body, no_answer)
    assert refused.value.status == 403


async def no_body() -> Message:
    raise AssertionError


async def no_answer(message: Message) -> None:
    raise AssertionError


def test_a_key_that_may_do_more_than_read_has_no_place_in_an_address(served: Served):
    with served.http(None) as http:
        refused = http.get(f"/reconcile/~{KEYS['local']}/plant")
        assert refused.status_code == 403
        assert refused.json()["error"]["slug"] == "principal_too_powerful"
        assert KEYS["local"] not in refused.text
    with served.http("local") as http:
        assert http.get("/reconcile/plant").status_code == 200


def test_a_key_in_an_address_is_not_logged(served: Served, capfd: pytest.CaptureFixture[str]):
    with served.http(None) as http:
        http.get(f"{served.keyed}/plant")
        http.get(f"{served.keyed}/plant/suggest/entity?limit=x")
        http.get("/reconcile/~some-key/nowhere/at/all")
    said = capfd.readouterr()
    for key in (KEYS["curator"], "some-key"):
        assert key not in said.out + said.err


def test_any_page_may_read_every_answer(served: Served):
    page = {"origin": "https://refine.example"}
    with served.http(None, **page) as http:
        preflight = http.options("/reconcile/plant")
        assert preflight.status_code == 204
        assert "authorization" in preflight.headers["access-control-allow-headers"]
        answers = [
            preflight,
            http.get("/reconcile/plant"),
            http.post("/reconcile/plant", data=ONE),
            http.get("/reconcile/nothing/here/at/all"),
            http.delete("/reconcile/plant"),
            http.get(f"{served.keyed}/nowhere"),
            http.post(f"{served.keyed}/plant", data={"queries": "{"}),
            http.get(f"{served.keyed}/plant/"),
        ]
        assert {a.headers["access-control-allow-origin"] for a in answers} == {"*"}
        statuses = [answer.status_code for answer in answers]
        assert statuses == [204, 200, 401, 404, 405, 404, 400, 200]
        # The other doors stay closed to pages.
        assert "access-control-allow-origin" not in http.get("/healthz").headers
        assert http.get("/status").status_code == 403


def queries(count: int) -> dict[str, str]:
    return {"queries": json.dumps({f"q{i}": {"query": "x"} for i in range(count)})}


@pytest.mark.parametrize(
    ("request_of", "status", "slug", "report"),
    [
        ({"data": {"queries": "{broken"}}, 400, "json_invalid", "line 1 column 2"),
        ({"data": {"queries": '{"q0": {"query": NaN}}'}}, 400, "json_invalid", ""),
        ({"data": {"queries": "[" * 100_000}}, 400, "json_invalid", ""),
        ({"data": {"queries": "7"}}, 422, "argument_invalid", "an object or a list"),
        ({"data": {"query": "x"}}, 422, "argument_invalid", "neither the parameter queries"),
        ({"data": queries(5000)}, 413, "batch_too_large", "got 5000"),
        ({"json": ["x"]}, 422, "argument_invalid", "a JSON object"),
        ({"files": {"queries": "{}"}}, 415, "form_expected", "multipart"),
        (
            {
                "content": b"queries=%ff",
                "headers": {"content-type": "application/x-www-form-urlencoded"},
            },
            422,
            "argument_invalid",
            "utf-8",
        ),
        ({"data": {"queries": "x" * 5_000_000}}, 413, "body_too_large", "larger than"),
        ({"data": {"extend": '{"ids": "1"}'}}, 422, "argument_invalid", "list of ids"),
        (
            {"data": {"extend": '{"ids": [], "properties": [{"id": "colour"}]}'}},
            422,
            "property_unknown",
            "colour",
        ),
        (
            {
                "data": {
                    "extend": '{"ids": [], "properties":'
                    ' [{"id": "family", "settings": {"limit": "many"}}]}'
                }
            },
            422,
            "argument_invalid",
            "many",
        ),
    ],
)
def test_a_request_that_cannot_be_read_says_why(
    served: Served, request_of: dict[str, Any], status: int, slug: str, report: str
):
    with served.http() as http:
        refused = http.post("/reconcile/plant", **request_of)
    assert refused.status_code == status, refused.text[:300]
    error = refused.json()["error"]
    assert error["slug"] == slug
    assert report in error["message"]
    assert error["hint"]


def test_a_query_string_of_a_megabyte_is_refused(served: Served):
    # The HTTP server itself refuses what is longer than 64 KiB; the client makes no such address.
    host, _, port = served.base.removeprefix("http://").partition(":")
    connection = HTTPConnection(host, int(port), timeout=30)
    connection.request("GET", f"/reconcile/plant?queries={'x' * 1_000_000}")
    refused = connection.getresponse()
    assert refused.status == 400
    with served.http() as http:
        long = http.get("/reconcile/plant", params={"queries": "x" * 50_000})
        assert long.status_code == 414
        assert long.json()["error"]["slug"] == "query_string_too_long"
        assert http.get("/reconcile/plant", params=ONE).json()["q0"]["result"][0]["match"]


def test_a_page_says_what_is_wrong_in_words_that_cannot_be_markup(served: Served):
    with served.http(accept="text/html") as http:
        refused = http.get("/reconcile/plant/preview?id=<script>alert(1)</script>")
        assert refused.status_code == 404
        assert "<script>" not in refused.text
        assert http.get("/reconcile/plant/preview").status_code == 422
        page = http.get("/reconcile/plant/preview?id=1")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert page.headers["referrer-policy"] == "no-referrer"
