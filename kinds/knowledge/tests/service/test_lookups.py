"""Look-ups as clients make them: over MCP at the door of a running Quartermaster, and with qm."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from kinds.knowledge.tests.libraries import PARCELS, install
from quartermaster_knowledge.docs_tools import id_elsewhere, named_by
from quartermaster_knowledge.unsure_names import ANY_KEYWORD, DYNAMIC_NAMES_REASON
from tests.support.callers import at_the_door
from tests.support.canary import canary
from tests.support.instance import Instance, new_instance
from tests.support.reading import text_of
from tests.support.with_kind import with_kind

pytestmark = pytest.mark.anyio

STONES = {
    "stones/__init__.py": '"""Stones."""\n\ndef throw(stone: str) -> None:\n    """Throw."""\n',
    "stones/_fast.cpython-312-x86_64-linux-gnu.so": "no stubs",
}


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with two packages that exist nowhere else."""
    root = tmp_path_factory.mktemp("environment")
    folder = root / "lib" / "python3.12" / "site-packages"
    install(folder, "acme-parcels", "1.2", PARCELS)
    install(folder, "stones", "0.3", STONES)
    (root / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.12\n")
    return root


@pytest.fixture(scope="module")
def instance(stopped_data_dir: Path, environment: Path) -> Generator[Instance]:
    """A running Quartermaster that has read the environment, with one project."""
    with new_instance(copy_of=stopped_data_dir) as running:
        running.start()
        done = running.qm_json("docs", "index", "--python", environment)
        assert (done["distributions"], done["read"]) == (2, 2)
        running.qm_json("project", "add", environment, "--name", "shop")
        yield running


def names(answer: Any) -> list[str]:
    assert not answer.is_error, text_of(answer)
    return [each["name"] for each in answer.structured_content["symbols"]]


async def test_a_client_looks_up_an_installed_library(instance: Instance):
    async with at_the_door(instance) as client:
        asked = {"library": "acme_parcels", "topic": "where is my box now"}
        answer = await client.call_tool("tapps_lookup_docs", asked)
        assert "acme_parcels.track" in names(answer)[:3]
        text = text_of(answer)
        assert text.startswith("acme-parcels 1.2 (installed)")
        assert "track(number: str) -> str" in text
        assert "acme_parcels/_core.py:17" in text
        overview = await client.call_tool("tapps_lookup_docs", {"library": "acme-parcels"})
        assert {"acme_parcels.Parcel", "acme_parcels.send"} <= {*names(overview)}


@pytest.mark.parametrize(
    ("tool", "asked"),
    [
        ("tapps_lookup_docs", {"library": "acme_parcels", "topic": "send"}),
        ("tapps_consult_expert", {"question": "What does vacuum do?"}),
        ("tapps_list_experts", {}),
        ("start_task", {"goal": "send a parcel"}),
    ],
)
async def test_an_answer_tells_how_long_it_took(
    instance: Instance, tool: str, asked: dict[str, str]
):
    async with at_the_door(instance) as client:
        answer = await client.call_tool(tool, asked)
    assert 0 < answer.structured_content["elapsed_ms"] < 60_000


@pytest.mark.parametrize("question", ["", " \n "])
async def test_a_question_without_words_is_refused_by_its_name(instance: Instance, question: str):
    async with at_the_door(instance) as client:
        asked = {"question": question, "context": "We vacuum a table."}
        answer = await client.call_tool("tapps_consult_expert", asked)
    assert answer.is_error
    assert "the question is empty" in text_of(answer)
    assert "Write in a few words" in text_of(answer)


async def test_a_name_that_this_version_does_not_have_is_told(instance: Instance):
    async with at_the_door(instance) as client:
        asked = {"library": "acme-parcels", "topic": "send_it"}
        answer = await client.call_tool("tapps_lookup_docs", asked)
        assert "send_it does not exist in version 1.2." in text_of(answer)
        assert names(answer)[0] == "acme_parcels.send"


async def test_a_misspelled_library_is_told(instance: Instance):
    said = "acme-parcel is not indexed. The nearest is acme-parcels."
    asked = {"library": "acme-parcel", "topic": "send"}
    async with at_the_door(instance) as client:
        answer = await client.call_tool("tapps_lookup_docs", asked)
    assert said in text_of(answer)
    assert answer.structured_content["notes"] == [said]
    lines = instance.qm("docs", "lookup", *asked.values()).stdout.splitlines()
    assert lines[:2] == ["acme-parcels 1.2", said]
    assert instance.qm_json("docs", "lookup", *asked.values())["notes"] == [said]
    assert instance.qm_json("docs", "lookup", "acme_parcels", "send")["notes"] == []


async def test_an_answer_stays_within_its_tokens(instance: Instance):
    async with at_the_door(instance) as client:
        asked = {"library": "acme-parcels", "budget_tokens": 200}
        assert len(text_of(await client.call_tool("tapps_lookup_docs", asked))) < 4 * 200 + 400
        too_few = await client.call_tool("tapps_lookup_docs", asked | {"budget_tokens": 1})
        assert too_few.is_error


async def test_the_names_of_context7_work(instance: Instance):
    async with at_the_door(instance) as client:
        found = await client.call_tool("resolve-library-id", {"libraryName": "acme parcels"})
        [library] = found.structured_content["libraries"]
        assert library["id"] == "/installed/acme-parcels/1.2"
        old = {"context7CompatibleLibraryID": library["id"], "topic": "weight", "tokens": 500}
        assert "acme_parcels.Parcel.weigh" in names(await client.call_tool("get-library-docs", old))
        new = {"libraryId": library["id"], "query": "weight"}
        assert "acme_parcels.Parcel.weigh" in names(await client.call_tool("query-docs", new))


@pytest.mark.parametrize(
    ("identifier", "meant"),
    [
        ("/installed/acme-parcels/1.2", ("acme-parcels", "1.2")),
        ("/acme-parcels/1.2.3", ("acme-parcels", "1.2.3")),
        ("/acme-parcels/2.0rc1", ("acme-parcels", "2.0rc1")),
        ("acme-parcels", ("acme-parcels", None)),
        ("/fetched/acme-parcels", ("acme-parcels", None)),
        ("/acme/parcels", ("parcels", None)),
        ("/acme/3d-parcels", ("3d-parcels", None)),
        ("/acme/parcels/v14.3.0-canary.87", ("parcels", "14.3.0-canary.87")),
        ("/acme/parcels@v2", ("parcels", "2")),
        ("parcels@v2", ("parcels", "2")),
        ("@types/node", ("node", None)),
        ("@types/node@20.1", ("node", "20.1")),
        ("/npm/@types/node", ("node", None)),
        ("/npm/@types/node/20.1", ("node", "20.1")),
        ("@node", ("@node", None)),
        ("/", ("", None)),
        ("////", ("", None)),
    ],
)
def test_an_id_names_a_library_and_perhaps_a_version(
    identifier: str, meant: tuple[str, str | None]
):
    assert named_by(identifier) == meant


@pytest.mark.parametrize(
    ("tool", "asked"),
    [
        ("get-library-docs", {"context7CompatibleLibraryID": "/"}),
        ("get-library-docs", {"context7CompatibleLibraryID": "////"}),
        ("query-docs", {"libraryId": "/installed//", "query": "weight"}),
        ("tapps_lookup_docs", {"library": " "}),
    ],
)
async def test_a_library_without_a_name_is_not_found(
    instance: Instance, tool: str, asked: dict[str, str]
):
    async with at_the_door(instance) as client:
        answer = await client.call_tool(tool, asked)
    assert answer.is_error
    assert "library_not_found" in text_of(answer)


def test_a_library_with_a_version_is_no_id_elsewhere():
    assert id_elsewhere("/pytest/8") is None
    assert id_elsewhere("/installed/pytest") is None
    assert id_elsewhere("/acme/parcels") == "/acme/parcels"
    assert id_elsewhere("/acme/parcels/v2") == "/acme/parcels/v2"


async def test_the_version_in_an_id_is_answered_or_said_to_be_missing(
    instance: Instance, tmp_path: Path
):
    for version, name in (("1.0", "skip"), ("2.0", "skim")):
        folder = tmp_path / version / "lib" / "python3.12" / "site-packages"
        code = f'def {name}(pebble: str) -> None:\n    """Throw it over the water."""\n'
        install(folder, "pebbles", version, {"pebbles/__init__.py": code})
        instance.qm_json("docs", "index", "--python", tmp_path / version)
    async with at_the_door(instance) as client:

        async def report(tool: str, **asked: str) -> tuple[str, list[str], str]:
            answer = await client.call_tool(tool, asked)
            assert not answer.is_error, text_of(answer)
            body = answer.structured_content
            # On a busy machine, the answer may come before the vectors.
            notes = [each for each in body["notes"] if "Vectors are still" not in each]
            return body["version"], notes, body["symbols"][0]["name"]

        old, new = "/pebbles/1.0", "/installed/pebbles/2.0"
        context7 = {"context7CompatibleLibraryID": old, "topic": "skip"}
        assert await report("get-library-docs", **context7) == ("1.0", [], "pebbles.skip")
        asked = {"libraryId": new, "query": "skim"}
        assert await report("query-docs", **asked) == ("2.0", [], "pebbles.skim")
        missing = "Version 3.1 is not installed. This answer is from version 2.0, which is."
        context7 = {"context7CompatibleLibraryID": "/pebbles/v3.1", "topic": "skim"}
        assert await report("get-library-docs", **context7) == ("2.0", [missing], "pebbles.skim")
        answer = await client.call_tool("get-library-docs", context7)
        assert text_of(answer).startswith(f"pebbles 2.0 (installed)\n\n{missing}\n")
        asked = {"libraryId": old, "query": "skim"}
        version, [note], _ = await report("query-docs", **asked)
        assert version == "1.0"
        assert note.startswith("skim does not exist in version 1.0. It exists in 2.0.")
    for version in ("1.0", "2.0"):
        folder = tmp_path / version / "lib" / "python3.12" / "site-packages"
        instance.qm_json("docs", "remove", folder, "--yes")


async def test_an_unknown_library_is_refused_with_near_misses_and_kept(instance: Instance):
    async with at_the_door(instance) as client:
        answer = await client.call_tool("tapps_lookup_docs", {"library": "stonewall"})
        assert answer.is_error
        assert "no indexed library is called 'stonewall'" in text_of(answer).lower()
        assert "stones" in text_of(answer)
        nothing = await client.call_tool("resolve-library-id", {"libraryName": "qqqqq"})
        assert nothing.structured_content == {"libraries": []}
        secret = canary()
        typed = f'lib password = "{secret}"'
        for asked in (
            ("tapps_lookup_docs", {"library": typed, "topic": typed}),
            ("resolve-library-id", {"libraryName": typed}),
        ):
            await client.call_tool(*asked)
    missed = instance.rows("select library, topic from knowledge.missed_lookup")
    assert {("qqqqq", ""), ("stonewall", "")} <= set(missed)
    assert len([library for library, _ in missed if library.startswith("lib password")]) == 2
    assert secret not in str(missed)


@with_kind("quality")
async def test_a_look_up_is_a_step_of_the_checklist(instance: Instance):
    async with at_the_door(instance) as client:
        await client.call_tool("tapps_lookup_docs", {"library": "Acme-Parcels", "topic": "send"})
    steps = instance.rows(
        "select distinct tool, subject from quality.step where subject like 'acme%%'"
    )
    assert ("tapps_lookup_docs", "acme_parcels") in steps


async def test_a_goal_that_points_back_is_understood_with_its_context(instance: Instance):
    before = "I looked up the documentation of an installed library."
    goal = {"goal": "do the same for the other one"}
    place = "knowledge__tapps_lookup_docs"
    run = instance.run_file
    headers = {"Authorization": f"Bearer {run.token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http,
        Client(streamable_http_client(f"{run.url}/mcp", http_client=http)) as client,
    ):
        alone = await client.call_tool("search_tools", goal)
        assert f'"{place}"' not in json.dumps(alone.structured_content)
        found = await client.call_tool("search_tools", goal | {"recent_context": before})
        assert place in json.dumps(found.structured_content), text_of(found)
    # What was said before is kept nowhere.
    assert not instance.rows(
        "select from selection.receipt where goal like '%%documentation of an%%'"
    )


def test_objects_behind_star_imports_and_instances_are_found(instance: Instance):
    found = instance.qm_json("docs", "lookup", "acme_parcels", "acme_parcels.send")["symbols"]
    assert found[0].keys() == {"name", "signature", "file", "line", "passage", "score"}
    assert (found[0]["name"], found[0]["file"]) == ("acme_parcels.send", "acme_parcels/_core.py")
    found = instance.qm_json("docs", "lookup", "acme_parcels", "acme_parcels.logger.warn_once")
    assert found["symbols"][0]["signature"] == "warn_once(text: str) -> None"


def test_the_first_objects_are_compared_once_more(instance: Instance):
    asked = ("docs", "lookup", "acme_parcels", "how heavy is a box, in grams")
    before = instance.qm_json(*asked, "--no-rerank")["symbols"]
    after = instance.qm_json(*asked)["symbols"]
    assert {each["name"] for each in after} == {each["name"] for each in before}
    assert [each["score"] for each in after] != [each["score"] for each in before]
    assert len(instance.qm_json(*asked, "--top", "1")["symbols"]) == 1


def test_the_status_names_what_was_not_read(instance: Instance):
    parcels, stones = instance.qm_json("docs", "status")
    assert (parcels["name"], parcels["unread"]) == ("acme-parcels", [])
    assert stones["unread"] == ["stones._fast: compiled, without stubs"]


def test_invented_names_are_found(instance: Instance, environment: Path, tmp_path: Path):
    code = "import acme_parcels\n\nacme_parcels.send(acme_parcels.Parcel(), by_plane=True)\n"
    code += "acme_parcels.Parcel().weight()\n"
    (tmp_path / "app.py").write_text(code)
    done = instance.qm("docs", "check", tmp_path, "--python", environment, "--json")
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)
    by_name = {each["name"]: each["nearest"][0]["name"] for each in found["mistakes"]}
    assert by_name == {"by_plane": "by_air", "weight": "weigh"}
    (tmp_path / "app.py").write_text(code.replace("by_plane", "by_air").replace("weight", "weigh"))
    right = instance.qm("docs", "check", tmp_path, "--python", environment)
    assert (right.returncode, right.stdout.split(":")[0]) == (0, "1 file")


def test_a_check_leaves_out_code_of_others(instance: Instance, environment: Path, tmp_path: Path):
    wrong = "import acme_parcels\nacme_parcels.sned\n"
    for name in ("mine", "env/lib", ".tox", "node_modules/gyp", "__pycache__"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "app.py").write_text(wrong)
    (tmp_path / "env" / "pyvenv.cfg").touch()
    python = ("--python", environment, "--json")
    done = json.loads(instance.qm("docs", "check", tmp_path, *python).stdout)
    assert done["files"] == 1
    assert [each["path"] for each in done["mistakes"]] == [str(tmp_path / "mine" / "app.py")]
    named = instance.qm("docs", "check", tmp_path / ".tox" / "app.py", *python)
    assert named.returncode == 1  # whoever names a file wants it checked


def test_a_check_tells_what_it_has_not_checked(
    instance: Instance, environment: Path, tmp_path: Path
):
    (tmp_path / "app.py").write_text("import moon_dust, acme_parcels.moon\n")
    done = instance.qm("docs", "check", tmp_path / "app.py", "--python", environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "1 file: no mistake in what was checked.",
        "not checked: moon_dust (not installed)",
        "not checked: acme_parcels.moon (not found)",
    ]
    (tmp_path / "syn.py").write_text("def (:\n")
    done = instance.qm("docs", "check", tmp_path, "--python", environment, "--json")
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert (report["files"], report["mistakes"]) == (2, [])
    assert [(each["name"], each["because"]) for each in report["unchecked"]] == [
        (str(tmp_path / "syn.py"), "cannot be parsed at line 1: invalid syntax"),
        ("moon_dust", "not installed"),
        ("acme_parcels.moon", "not found"),
    ]
    assert (
        "cannot be parsed" in instance.qm("docs", "check", tmp_path, "--python", environment).stdout
    )


@with_kind("quality")
async def test_an_invented_name_is_a_finding_of_the_quality_score(
    instance: Instance, environment: Path
):
    done = instance.qm_json("docs", "index", "--python", environment, "--project", "shop")
    assert done["read"] == 0  # what everybody may see is not read again
    code = "import acme_parcels\n\nacme_parcels.sned(acme_parcels.Parcel())\n"
    code += "acme_parcels.Parcel().weight()\nacme_parcels.Parcel().wiegh()\n"
    (environment / "shop.py").write_text(code)
    async with at_the_door(instance, "quality") as client:
        answer = await client.call_tool(
            "tapps_score_file", {"file_path": "shop.py", "project": "shop"}
        )
    assert not answer.is_error, text_of(answer)
    found = [each for each in answer.structured_content["losses"] if each["line"] is not None]
    about = [each for each in found if "attribute" in each["why"]]
    assert [(each["tool"], each["rule"], each["line"]) for each in about] == [
        ("call_sites", "missing-attribute", line) for line in (3, 4, 5)
    ]
    assert "Nearest: send, as in send(parcel: Parcel" in json.dumps(answer.structured_content)
    # mypy has found the same, which is kept and not listed again.
    assert answer.structured_content["mypy_errors"] == []
    query = "select f.name from quality.finding f join quality.scan s on s.id = f.scan_id"
    query += " where s.tool = 'mypy' order by f.line"
    report = instance.qm("psql", "--admin", "-At", "-c", query)
    assert report.stdout.split() == ["sned", "weight", "wiegh"]


def test_a_name_that_does_not_exist_is_told_by_the_command(instance: Instance):
    report = instance.qm("docs", "lookup", "acme-parcels", "send_it").stdout
    assert report.splitlines()[:2] == [
        "acme-parcels 1.2",
        "send_it does not exist in version 1.2. The nearest follow.",
    ]
    found = instance.qm_json("docs", "lookup", "acme-parcels", "send_it")
    assert (found["library"], found["version"]) == ("acme-parcels", "1.2")
    assert found["notes"] == ["send_it does not exist in version 1.2. The nearest follow."]
    for word in ("send", "sends"):
        assert instance.qm_json("docs", "lookup", "acme-parcels", word)["notes"] == []


def test_who_begins_a_task_finds_its_tool(instance: Instance):
    for goal in ("begin a coding task", "start a coding task"):
        found = instance.qm_json("search", goal)["tools"]
        assert "knowledge__start_task" in [each["name"] for each in found][:3], found


def test_a_look_up_tells_what_each_object_does(instance: Instance):
    report = instance.qm("docs", "lookup", "acme-parcels", "acme_parcels.track").stdout
    assert report.splitlines()[:4] == [
        "acme-parcels 1.2",
        "acme_parcels.track (1.000) acme_parcels/_core.py:17",
        "    track(number: str) -> str",
        "    Tell where a parcel is now.",
    ]


def test_a_task_is_told_line_by_line(instance: Instance, environment: Path):
    (environment / "there.py").write_text("")
    asked = ("task", "track a parcel", "--project", "shop", "--path", "there.py")
    done = instance.qm(*asked, "--path", "nofile.py")
    assert done.stderr.splitlines() == ["nofile.py does not exist yet."]
    lines = done.stdout.splitlines()
    assert lines[0] == "Project:"
    headings = [line.partition(":")[0].strip() for line in lines]
    assert headings.index("Environment") + 1 == headings.index("Knowledge")
    scores = [row["score"] for row in instance.qm_json(*asked) if row["score"] is not None]
    assert scores
    assert all(score == round(score, 3) <= 1 for score in scores)


def test_a_check_tells_what_it_cannot_know(instance: Instance, tmp_path: Path):
    folder = tmp_path / ".venv" / "lib" / "python3.12" / "site-packages"
    code = "def split(**how: int) -> None: ...\n\n\ndef __getattr__(name: str) -> object: ...\n"
    install(folder, "mica", "1.0", {"mica/__init__.py": code})
    instance.qm_json("docs", "index", "--python", tmp_path / ".venv")
    (tmp_path / "app.py").write_text("from mica import glitter, split\nsplit(thin=1)\n")
    asked = ("docs", "check", tmp_path / "app.py", "--python", tmp_path / ".venv")
    report = instance.qm_json(*asked)
    assert report["mistakes"] == []
    assert [(each["name"], each["because"]) for each in report["unchecked"]] == [
        ("mica.split(thin=)", ANY_KEYWORD),
        ("mica.glitter", DYNAMIC_NAMES_REASON),
    ]
    assert (
        f"not checked: mica.glitter ({DYNAMIC_NAMES_REASON})"
        in instance.qm(*asked).stdout.splitlines()
    )
    instance.qm_json("docs", "remove", folder, "--yes")
