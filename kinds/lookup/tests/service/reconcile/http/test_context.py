"""Lists of queries with a context, for which a language model chooses where there is one."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from kinds.lookup.tests.reconciliation import Served, serving
from quartermaster.secrets.store import SecretStore
from quartermaster_lookup.settings import Llm, Reconcile
from tests.support.database import Server
from tests.support.language_server import LanguageServer
from tests.support.model_server import KEY, running

STRINGS = ["Betula pendula", "Betula nana", "vårtbjörk", "Betula pendula Roth"]


@pytest.fixture(scope="module")
def language() -> Generator[LanguageServer]:
    with running(LanguageServer()) as it:
        assert isinstance(it, LanguageServer)
        yield it


@pytest.fixture(scope="module")
def with_model(
    embedded_server: Server, tmp_path_factory: pytest.TempPathFactory, language: LanguageServer
) -> Generator[Served]:
    folder = tmp_path_factory.mktemp("context")
    SecretStore(folder).put("llm", KEY)
    llm = Llm(provider="openai", url=language.url, model="small", api_key="secret:llm")
    with (
        embedded_server.clone() as database,
        serving(database, folder, reconcile=Reconcile(llm=llm)) as served,
    ):
        yield served


def ask(served: Served, body: dict[str, Any], path: str = "/reconcile/plant") -> Any:
    with served.http() as http:
        answer = http.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_list_is_answered_in_its_order(served: Served):
    queries = [*STRINGS, {"query": "B. pendula", "limit": 1}, {"query": ""}, 7]
    results = ask(served, {"context": "Plants of Sweden.", "queries": queries})["results"]
    firsts = [each["result"][0]["id"] for each in results[:4]]
    assert firsts == ["1", "2", "1", "1"]
    assert len(results[4]["result"]) == 1
    assert [each["error"]["slug"] for each in results[5:]] == ["query_empty", "query_invalid"]
    # There is no language model, and nothing is said of it unless the client asked for it.
    assert not any("notes" in each or "final" in each for each in results)


def test_a_client_that_wants_a_model_is_told_that_there_is_none(served: Served):
    [only] = ask(served, {"queries": ["Betula nana"], "finalize": True})["results"]
    assert only["result"][0]["id"] == "2"
    assert only["notes"] == ["Not finalised: no language model is configured (reconcile.llm)."]


def test_a_context_lets_the_model_choose_three_strings_a_request(
    with_model: Served, language: LanguageServer
):
    language.requests.clear()
    asked = {"context": "Plants of Sweden.", "queries": [*STRINGS, "Xyzzy quux"]}
    results = ask(with_model, asked)["results"]
    prompts = sorted(language.prompts, key=len)
    assert [prompt.count("String: ") for prompt in prompts] == [1, 3]
    assert all(prompt.startswith('Context: "Plants of Sweden."\n') for prompt in prompts)
    # The server chooses the first candidate of each request.
    assert [len(each["final"]["choices"]) for each in results[:4]] == [1, 0, 0, 1]
    final, first = results[0]["final"], results[0]["result"][0]
    assert final["choices"][0] == {
        "id": first["id"],
        "name": first["name"],
        "score": first["score"],
        "reason": 'It reads "Betula pendula".',
    }
    assert (final["model"], final["tokens"], final["strings"]) == ("small", 100, 3)
    assert results[4] == {"result": [], "notes": ["Not finalised: there are no candidates."]}


@pytest.mark.parametrize("path", ["/reconcile/plant", "/reconcile"])
def test_a_model_chooses_for_a_batch_by_keys_too(
    with_model: Served, language: LanguageServer, path: str
):
    language.requests.clear()
    asked = {"queries": {"q0": {"query": "Betula nana"}}, "finalize": True}
    only = ask(with_model, asked, path)["q0"]
    assert only["final"]["choices"][0]["id"] == only["result"][0]["id"]
    assert len(language.requests) == 1


def test_no_model_is_asked_without_a_context(with_model: Served, language: LanguageServer):
    language.requests.clear()
    for body in (
        {"queries": STRINGS},
        {"queries": STRINGS, "context": "Plants.", "finalize": False},
    ):
        assert not any("final" in each for each in ask(with_model, body)["results"])
    assert language.requests == []


@pytest.mark.parametrize(
    ("body", "report"),
    [
        ({"queries": STRINGS, "context": 5}, "context"),
        ({"queries": STRINGS, "finalize": "maybe"}, "finalize"),
        ({"queries": ["x"] * 51, "finalize": True}, "at most 50"),
        ({"queries": "Betula"}, "an object or a list"),
    ],
)
def test_what_cannot_be_done_is_refused(with_model: Served, body: dict[str, Any], report: str):
    with with_model.http() as http:
        answer = http.post("/reconcile/plant", json=body)
    assert answer.status_code == 422
    assert report in answer.json()["error"]["message"], answer.text
