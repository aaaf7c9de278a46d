"""What OpenRefine sends, as its source says, and what it needs of the answers."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from kinds.lookup.tests.reconciliation import Served

PAGE = "http://127.0.0.1:3333"


@pytest.fixture
def manifest(served: Served) -> dict[str, Any]:
    """Fetched by the browser, within five seconds, and kept for good."""
    with stranger(served) as browser:
        answer = browser.get(f"{served.keyed}/plant", headers={"origin": PAGE}, timeout=5)
    assert answer.headers["access-control-allow-origin"] == "*"
    return answer.json()


def stranger(served: Served) -> httpx2.Client:
    """Returns a client that can send no header of its own: what it may do is in the URL."""
    return served.http(None)


def test_the_manifest_repeats_the_key_in_every_address(served: Served, manifest: dict[str, Any]):
    assert {"0.1", "0.2"} <= {*manifest["versions"]}
    assert manifest["batchSize"] >= 50
    assert manifest["defaultTypes"] == [{"id": "plant", "name": "plant"}]
    addresses = [
        manifest["view"]["url"],
        manifest["preview"]["url"],
        manifest["extend"]["propose_properties"]["service_url"],
        *(suggest["service_url"] for suggest in manifest["suggest"].values()),
    ]
    assert all(address.startswith(f"{served.keyed}/plant") for address in addresses)
    # What is stored with each cell is not a secret.
    assert "~" not in manifest["identifierSpace"] + manifest["schemaSpace"]


@pytest.mark.parametrize("path", ["/plant", ""])
def test_types_are_guessed_from_probes_without_one(served: Served, path: str):
    cells = ["Betula pendula", "Betula nana", "vårtbjörk", "Umeå", "nothing of the kind"]
    probes = {f"q{i}": {"query": cell, "limit": 3} for i, cell in enumerate(cells)}
    with stranger(served) as java:
        answer = java.post(f"{served.keyed}{path}", data={"queries": json.dumps(probes)}).json()
    assert list(answer) == list(probes)
    results = [answer[key]["result"] for key in probes]
    assert all(len(result) <= 3 for result in results)
    for candidate in (candidate for result in results for candidate in result):
        assert {"id", "name"} <= candidate["type"][0].keys()
    types = [result[0]["type"][0]["id"] for result in results[:3]]
    assert types == ["plant"] * 3
    assert results[4] == []


def test_a_batch_matches_cells_with_properties_of_every_shape(served: Served):
    def query(text: str, *properties: Any) -> dict[str, Any]:
        shaped = [{"pid": "family", "v": value} for value in properties]
        return {
            "query": text,
            "type": "plant",
            "type_strict": "should",
            **({"properties": shaped} if shaped else {}),
        }

    queries = {
        "q0": query("Betula pendula"),
        "q1": query("B. pendula", "Poaceae"),
        "q2": query("Betula nana", 12),
        "q3": query("Betula nana", 12.0),
        "q4": query("B. pendula", {"id": "7", "name": "Betulaceae"}),
        "q5": query("Xyzzy quux"),
    }
    with stranger(served) as java:
        answer = java.post(
            f"{served.keyed}/plant",
            content=str(httpx2.QueryParams({"queries": json.dumps(queries)})),
            headers={"content-type": "application/x-www-form-urlencoded; charset=UTF-8"},
        ).json()
    first = [answer[key]["result"][0]["id"] for key in list(queries)[:5]]
    assert first == ["1", "3", "2", "2", "1"]
    assert answer["q5"] == {"result": []}
    for key in queries:
        result = answer[key]["result"]
        # It matches the first if that says so, sorts by score, and shows it as it is.
        assert [c["match"] for c in result].count(True) <= 1
        assert not any(candidate["match"] for candidate in result[1:])
        assert all(0 <= candidate["score"] <= 100 for candidate in result)
    assert answer["q0"]["result"][0]["match"]
    assert answer["q0"]["result"][0]["score"] > 90


def test_suggestions_come_with_a_prefix_alone(served: Served, manifest: dict[str, Any]):
    found: dict[str, list[dict[str, Any]]] = {}
    with stranger(served) as browser:
        for kind, prefix in (("entity", "Bet"), ("type", "pl"), ("property", "fam")):
            place = manifest["suggest"][kind]
            address = place["service_url"] + place["service_path"]
            answer = browser.get(address, params={"prefix": prefix}, headers={"origin": PAGE})
            found[kind] = answer.json()["result"]
    assert [row["id"] for row in found["entity"]] == ["2", "1"]
    assert found["entity"][1]["description"] == "author: Roth · family: Betulaceae"
    # It joins the types of a row to one text.
    assert found["entity"][0]["notable"] == ["plant"]
    assert found["type"][0]["id"] == "plant"
    assert found["type"][0]["description"]
    assert found["property"][0]["id"] == "family"


def test_cells_are_extended_at_the_root(served: Served, manifest: dict[str, Any]):
    place = manifest["extend"]["propose_properties"]
    address = place["service_url"] + place["service_path"]
    with stranger(served) as client:
        proposed = client.get(f"{address}?type=plant", timeout=7).json()["properties"]
        wanted = [{"id": p["id"], "settings": {"limit": "1"}} for p in proposed]
        asked = {"ids": ["1", "2", "1"], "properties": wanted}
        answer = client.post(f"{served.keyed}/plant", data={"extend": json.dumps(asked)}).json()
    assert [p["id"] for p in proposed[:2]] == ["author", "family"]
    assert [column["id"] for column in answer["meta"]] == [p["id"] for p in proposed]
    assert answer["rows"]["1"]["author"] == [{"str": "Roth"}]
    assert answer["rows"]["1"]["aliases"] == [{"str": "vårtbjörk"}]
    assert answer["rows"]["2"]["author"] == []


def test_without_cors_it_falls_back_to_a_script(served: Served):
    with stranger(served) as browser:
        for path in ("/plant", "/plant/suggest/type?prefix=p", "/plant/extend/propose?type=plant"):
            joined = "&" if "?" in path else "?"
            answer = browser.get(f"{served.keyed}{path}{joined}callback=jQuery3_17&_=1")
            assert answer.headers["content-type"].startswith("text/javascript")
            body = answer.text
            assert body.startswith("/**/jQuery3_17(")
            assert body.endswith(");")
            assert json.loads(body[len("/**/jQuery3_17(") : -2])
        asked = {"queries": '{"q0": {"query": "Betula nana"}}', "callback": "cb"}
        matched = browser.get(f"{served.keyed}/plant", params=asked)
        assert '"id": "2"' in matched.text or '"id":"2"' in matched.text
        refused = browser.get(f"{served.keyed}/plant?callback=alert(1)//")
    assert refused.status_code == 422
    assert "text/javascript" not in refused.headers["content-type"]


def test_ids_are_opened_and_previewed_as_the_templates_say(
    served: Served, manifest: dict[str, Any]
):
    with stranger(served) as browser:
        for template in (manifest["view"]["url"], manifest["preview"]["url"]):
            page = browser.get(template.replace("{{id}}", "1"), headers={"accept": "text/html"})
            assert page.headers["content-type"] == "text/html; charset=utf-8"
            assert "<h1" in page.text
            assert "Betula pendula" in page.text
            gone = browser.get(
                template.replace("{{id}}", "%3Cb%3E"), headers={"accept": "text/html"}
            )
            assert gone.status_code == 404
            assert "&lt;b&gt;" in gone.text
