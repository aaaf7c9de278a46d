"""Both versions of the API: every answer fits its schema, and one bad query fails no other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx2
import pytest

from kinds.lookup.tests.reconciliation import KEYS, Served
from kinds.lookup.tests.service.reconcile.http import schemas
from tests.support.shared_data import needs_shared

TABLES = ("/reconcile/plant", "/reconcile")


def ask(served: Served, queries: Any, path: str = "/reconcile/plant", who: str = "curator") -> Any:
    """Returns the answer to a batch of version 0.2, as a form."""
    with served.http(who) as http:
        answer = http.post(path, data={"queries": json.dumps(queries)})
    assert answer.status_code == 200, answer.text
    return answer.json()


def ask_anew(served: Served, *queries: Any, path: str = "/reconcile/1.0/plant") -> list[Any]:
    """Returns the results of a batch of version 1.0."""
    with served.http() as http:
        answer = http.post(f"{path}/match", json={"queries": queries})
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]


def named(name: object, **more: Any) -> dict[str, Any]:
    return {"conditions": [{"matchType": "name", "propertyValue": name}], **more}


def about(name: str, value: object, **more: Any) -> dict[str, Any]:
    return {"matchType": "property", "propertyId": name, "propertyValue": value, **more}


# What the seed asks of every door (section 9).


def test_candidates_are_there_within_the_limit_and_sorted(served: Served):
    result = ask(served, {"q0": {"query": "Betula pendula Roth", "limit": 2}})["q0"]["result"]
    assert 0 < len(result) <= 2
    assert result[0]["id"] == "1"
    scores = [candidate["score"] for candidate in result]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 100 for score in scores)


def test_an_inactive_row_is_never_answered(served: Served):
    asked = {"q0": {"query": "Betula alba"}, "q1": {"query": "4"}}
    answers = ask(served, asked)
    assert answers.keys() == asked.keys()
    for answer in answers.values():
        assert "4" not in [candidate["id"] for candidate in answer["result"]]


def test_a_preferred_language_is_no_worse(served: Served):
    spoken, silent = ask_anew(
        served, named("Magnetic susceptibility", lang="en"), named("Magnetic susceptibility")
    )
    first = spoken["candidates"][0]
    assert first["lang"] == "en"
    assert first["score"] >= silent["candidates"][0]["score"]
    report = {feature["id"]: feature["value"] for feature in first["features"]}
    assert report["language"] is True
    assert "language" not in {feature["id"] for feature in silent["candidates"][0]["features"]}


@pytest.mark.parametrize(
    ("query", "slug"),
    [
        ({"query": ""}, "query_empty"),
        ({"query": " \u0000 "}, "query_empty"),
        ({}, "query_empty"),
        ("Betula", "query_invalid"),
        ({"query": ["Betula"]}, "query_invalid"),
        ({"query": "x", "limit": "many"}, "query_invalid"),
        ({"query": "x", "limit": 0}, "argument_invalid"),
        ({"query": "x", "limit": 1e300}, "argument_invalid"),
        ({"query": "x" * 1_000_000}, "query_too_long"),
        ({"query": "x", "type": "animal"}, "unsupported_table"),
        ({"query": "x", "type_strict": "perhaps"}, "query_invalid"),
        ({"query": "x", "properties": {"family": "Poaceae"}}, "query_invalid"),
        ({"query": "x", "properties": [{"v": "red"}]}, "query_invalid"),
        ({"query": "x", "properties": [{"pid": "colour", "v": "red"}]}, "property_unknown"),
    ],
)
def test_a_bad_query_has_an_error_of_its_own_and_the_batch_goes_on(
    served: Served, query: Any, slug: str
):
    answer = ask(served, {"good": {"query": "Betula nana"}, "bad": query, "last": {"query": "6"}})
    assert list(answer) == ["good", "bad", "last"]
    assert answer["good"]["result"][0]["id"] == "2"
    assert answer["last"]["result"][0]["id"] == "6"
    assert answer["bad"]["result"] == []
    assert answer["bad"]["error"]["slug"] == slug
    assert answer["bad"]["error"]["message"]


@pytest.mark.parametrize(
    "query",
    [
        7,
        {"conditions": []},
        {"conditions": [{"matchType": "name"}]},
        {"conditions": [{"matchType": "colour", "propertyValue": "red"}]},
        {"conditions": [{"matchType": "property", "propertyValue": "red"}]},
        named([]),
        named("x", type=5),
        named("x", limit="many"),
        {"conditions": [about("family", "x", matchQuantifier="some")]},
        {"conditions": [about("family", "Bet*", matchQualifier="WildcardMatch")]},
        {"conditions": [{**named("x")["conditions"][0], "matchQualifier": "ExactMatch"}]},
    ],
)
def test_a_bad_query_of_the_draft_has_an_error_too(served: Served, query: Any):
    bad, good = ask_anew(served, query, named("Betula nana"))
    assert bad["candidates"] == []
    assert bad["error"]["slug"] == "query_invalid"
    assert good["candidates"][0]["id"] == "2"


def test_the_order_of_a_batch_is_kept(served: Served):
    names = {f"q{i}": {"query": name} for i, name in enumerate(["Salix repens", "2", "vårtbjörk"])}
    found = [answer["result"][0]["id"] for answer in ask(served, names).values()]
    assert found == ["6", "2", "1"]


# What a query can say.


def test_a_property_decides_between_equal_short_forms(served: Served):
    def first(*properties: dict[str, Any]) -> str:
        query = {"query": "B. pendula", "properties": [*properties]}
        return ask(served, {"q0": query})["q0"]["result"][0]["id"]

    assert first({"pid": "family", "v": "Poaceae"}) == "3"
    assert first({"pid": "family", "v": {"id": "x", "name": "Betulaceae"}}) == "1"
    # One of the lines of a value, as the client `reconciler` joins them.
    assert first({"pid": "family", "v": "Rosaceae\nPoaceae"}) == "3"
    assert first({"pid": "family", "v": ["Rosaceae", "Betulaceae"]}) == "1"


def test_properties_alone_find_the_rows_that_have_them(served: Served):
    wanted = {"properties": [{"pid": "family", "v": "Betulaceae"}]}
    found = ask(served, {"q0": wanted})["q0"]["result"]
    assert [(c["id"], c["score"], c["match"]) for c in found] == [
        ("1", 50, False),
        ("2", 50, False),
    ]


def test_conditions_of_the_draft_filter(served: Served):
    def ids(*conditions: dict[str, Any]) -> list[str]:
        query = {"conditions": [*named("B. pendula")["conditions"], *conditions]}
        return [c["id"] for c in ask_anew(served, query)[0]["candidates"]]

    assert ids(about("family", "Poaceae", required=True)) == ["3"]
    exactly = about("family", "poaceae", required=True, matchQualifier="ExactMatch")
    assert ids(exactly) == ["3"]
    with served.http() as http:
        suggested = http.get("/reconcile/1.0/plant/suggest/property?prefix=fam").json()["result"]
    assert [q["id"] for q in suggested[0]["matchQualifiers"]] == ["ExactMatch"]
    assert "3" not in ids(about("family", "Poaceae", matchQuantifier="none"))
    both = ["Poaceae", "Betulaceae"]
    assert ids(about("family", both, required=True, matchQuantifier="all")) == []
    by_id, no_id = ask_anew(
        served,
        {"conditions": [{"matchType": "id", "propertyValue": "2"}]},
        {"conditions": [{"matchType": "id", "propertyValue": "Betula nana"}]},
    )
    assert by_id["candidates"][0]["name"] == "Betula nana"
    assert no_id["candidates"] == []


def test_all_tables_are_one_service_with_types(served: Served):
    asked = {
        "any": {"query": "Umea"},
        "of a type": {"query": "1", "type": "place"},
        "by id": {"query": "plant:2"},
    }
    found = {key: a["result"][0] for key, a in ask(served, asked, "/reconcile").items()}
    assert {key: c["id"] for key, c in found.items()} == {
        "any": "place:1",
        "of a type": "place:1",
        "by id": "plant:2",
    }
    assert found["any"]["type"] == [{"id": "place", "name": "place"}]
    # A row whose address is the query.
    address = f"{served.base}/reconcile/view?id=plant%3A2"
    assert ask(served, {"q0": {"query": address}}, "/reconcile")["q0"]["result"][0]["match"]


def test_a_table_that_may_not_be_seen_is_not_there(served: Served):
    found = ask(served, {"q0": {"query": "Umeå"}}, "/reconcile", "narrow")["q0"]["result"]
    assert not any(each["match"] or each["id"].startswith("place:") for each in found)
    with served.http("narrow") as http:
        for path in ("/reconcile/place", "/reconcile/nowhere"):
            refused = http.get(path)
            assert refused.status_code == 404
            assert refused.json()["error"]["slug"] == "unsupported_table"
        nearly = http.get("/reconcile/plnt").json()["error"]
        assert "plant" in nearly["hint"]
        assert "place" not in nearly["hint"]


# The schemas of the API's authors.


@needs_shared
@pytest.mark.parametrize("version", ["0.1", "0.2", "1.0-draft"])
def test_the_schemas_tell_the_authors_own_examples_apart(version: str):
    listed = schemas.examples(version)
    assert listed
    for schema, kind, path in listed:
        is_valid = not schemas.faults(version, schema, json.loads(path.read_text()))
        assert is_valid == (kind == "valid"), path


@needs_shared
@pytest.mark.parametrize("path", TABLES)
def test_every_answer_of_0_2_fits_its_schema(served: Served, path: str):
    prefix = "plant:" if path == "/reconcile" else ""
    queries = {
        "q0": {"query": "Betula pendula", "limit": 3},
        "q1": {"query": "B. pendula", "properties": [{"pid": "family", "v": "Poaceae"}]},
        "q2": {"query": ""},
    }
    extension = {
        "ids": [f"{prefix}1", f"{prefix}99"],
        "properties": [{"id": "family"}, {"id": "aliases", "settings": {"limit": "1"}}],
    }
    with served.http() as http:
        answers: dict[str, httpx2.Response] = {
            "manifest": http.get(path),
            "reconciliation-result-batch": http.post(path, data={"queries": json.dumps(queries)}),
            "data-extension-response": http.post(path, data={"extend": json.dumps(extension)}),
            "data-extension-property-proposal": http.get(f"{path}/extend/propose?type=plant"),
            "suggest-entities-response": http.get(f"{path}/suggest/entity?prefix=bet"),
            "suggest-types-response": http.get(f"{path}/suggest/type?prefix=pl"),
            "suggest-properties-response": http.get(f"{path}/suggest/property?prefix=f"),
        }
    for schema, answer in answers.items():
        assert answer.status_code == 200, answer.text
        assert schemas.faults("0.2", schema, answer.json()) == [], schema
    assert schemas.faults("0.2", "reconciliation-query-batch", queries) == []
    assert schemas.faults("0.2", "data-extension-query", extension) == []
    assert schemas.faults("0.1", "manifest", answers["manifest"].json()) == []
    assert answers["data-extension-response"].json()["rows"] == {
        f"{prefix}1": {"family": [{"str": "Betulaceae"}], "aliases": [{"str": "vårtbjörk"}]},
        f"{prefix}99": {"family": [], "aliases": []},
    }
    # The same check has to see what is wrong.
    broken = answers["reconciliation-result-batch"].json()
    del broken["q0"]["result"][0]["score"]
    assert schemas.faults("0.2", "reconciliation-result-batch", broken)


@needs_shared
@pytest.mark.parametrize("path", ["/reconcile/1.0/plant", "/reconcile/1.0"])
def test_every_answer_of_the_draft_fits_its_schema(served: Served, path: str):
    prefix = "" if path.endswith("plant") else "plant:"
    queries = {"queries": [named("Betula pendula", limit=3), named("")]}
    extension = {"ids": [f"{prefix}1"], "properties": [{"id": "family"}]}
    with served.http() as http:
        answers: dict[str, httpx2.Response] = {
            "manifest": http.get(path),
            "reconciliation-result-batch": http.post(f"{path}/match", json=queries),
            "data-extension-response": http.post(f"{path}/extend", json=extension),
            "data-extension-property-proposal": http.get(f"{path}/extend/propose?limit=5"),
            "suggest-entities-response": http.get(f"{path}/suggest/entity?prefix=bet"),
            "suggest-types-response": http.get(f"{path}/suggest/type?prefix="),
            "suggest-properties-response": http.get(f"{path}/suggest/property?prefix=f"),
        }
    for schema, answer in answers.items():
        assert answer.status_code == 200, answer.text
        assert schemas.faults("1.0-draft", schema, answer.json()) == [], schema
    assert schemas.faults("1.0-draft", "reconciliation-query-batch", queries) == []
    assert answers["reconciliation-result-batch"].json()["results"][0]["candidates"][0]["match"]
    assert answers["data-extension-response"].json()["rows"] == [
        {
            "id": f"{prefix}1",
            "properties": [{"id": "family", "values": [{"str": "Betulaceae"}]}],
        }
    ]


@needs_shared
@pytest.mark.parametrize("version", ["0.2", "1.0-draft"])
def test_what_the_schema_refuses_fails_no_batch(served: Served, version: str):
    folder: Path = schemas.SCHEMAS / version / "examples" / "reconciliation-query-batch"
    paths = sorted(folder.glob("*/*.json"))
    assert paths
    for path in paths:
        given = json.loads(path.read_text())
        with served.http() as http:
            if version == "0.2":
                answer = http.post("/reconcile", data={"queries": json.dumps(given)})
            else:
                answer = http.post("/reconcile/1.0/match", json=given)
        if isinstance(given, dict) and (version == "0.2" or "queries" in given):
            assert answer.status_code == 200, (path, answer.text)
            assert schemas.faults(version, "reconciliation-result-batch", answer.json()) == []
        else:
            assert 400 <= answer.status_code < 500, (path, answer.text)


# Suggestions and flyouts.


def test_suggestions_go_on_where_the_last_page_ended(served: Served):
    with served.http() as http:
        first = http.get("/reconcile/plant/suggest/entity?prefix=bet&limit=1").json()
        rest = http.get(
            f"/reconcile/plant/suggest/entity?prefix=bet&cursor={first['cursor']}"
        ).json()
        assert [s["name"] for s in first["result"] + rest["result"]] == [
            "Betula nana",
            "Betula pendula",
        ]
        assert "cursor" not in rest
        assert http.get("/reconcile/suggest/colour?prefix=x").status_code == 404
        assert http.get("/reconcile/suggest/entity?limit=101").status_code == 422


@pytest.mark.parametrize(
    ("kind", "row", "report"),
    [
        ("entity", "plant:1", "vårtbjörk"),
        ("type", "plant", "family"),
        ("property", "family", "Poaceae"),
    ],
)
def test_a_flyout_tells_of_what_is_suggested(served: Served, kind: str, row: str, report: str):
    with served.http() as http:
        flyout = http.get(f"/reconcile/flyout/{kind}", params={"id": row}).json()
    assert flyout["id"] == row
    assert report in flyout["html"]


def test_strangers_are_told_how_to_come_in_and_nothing_else(served: Served):
    with served.http(None) as http:
        manifest = http.get("/reconcile/plant")
        assert manifest.json()["authentication"]["name"] == "Authorization"
        assert manifest.json()["defaultTypes"] == []
        assert "plant" not in http.get("/reconcile").text
        refused = [
            http.post("/reconcile/plant", data={"queries": '{"q0": {"query": "x"}}'}),
            http.get("/reconcile/plant", params={"queries": '{"q0": {"query": "x"}}'}),
            http.get("/reconcile/suggest/entity?prefix=b"),
            http.get("/reconcile/flyout/type?id=plant"),
            http.get("/reconcile/preview?id=plant:1"),
            http.post("/reconcile/1.0/extend", json={"ids": [], "properties": []}),
            http.get("/reconcile/~not-a-key/plant"),
        ]
    assert {answer.status_code for answer in refused} == {401}
    assert KEYS["curator"] not in manifest.text


def test_a_bare_number_is_no_id_but_id_and_number_are(served: Served):
    asked = {"bare": {"query": "2"}, "named": {"query": "id:2"}}
    found = ask(served, asked, "/reconcile/plant")
    assert not any(each["match"] for each in found["bare"]["result"])
    assert [(each["id"], each["match"]) for each in found["named"]["result"]] == [("2", True)]


@pytest.mark.parametrize(("path", "row"), [(TABLES[0], "4"), (TABLES[1], "plant:4")])
def test_a_retired_row_is_told_beside_an_empty_list(served: Served, path: str, row: str):
    retired = [{"id": row, "value": "Betula alba"}]
    assert ask(served, {"q0": {"query": "Betula alba"}}, path)["q0"] == {
        "result": [],
        "retired": retired,
    }
    draft = path.replace("/reconcile", "/reconcile/1.0")
    [anew] = ask_anew(served, named("Betula alba"), path=draft)
    assert anew == {"candidates": [], "retired": retired}


def test_near_rows_are_offered_unless_the_client_wants_none(served: Served):
    asked = {"q0": {"query": "Betuls"}}
    near = ask(served, asked, "/reconcile/plant")["q0"]["result"]
    assert not any(each["match"] for each in near)
    assert len(near) <= 5
    assert ask(served, asked, "/reconcile/plant?near=false")["q0"]["result"] == []


def test_the_preview_of_an_unknown_row_is_a_page(served: Served):
    with served.http() as http:
        answer = http.get("/reconcile/plant/preview?id=nowhere")
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
