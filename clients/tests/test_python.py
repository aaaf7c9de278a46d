"""The Python client, with the real SDKs and a real Quartermaster."""

from __future__ import annotations

import itertools
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import openai
import pytest

import quartermaster_client.anthropic as for_anthropic
import quartermaster_client.openai as for_openai
from clients.tests.asked import ASKED, function_call, of_sdk, search_call, tool_use
from clients.tests.programs import ROOT, environment_of, programs
from clients.tests.shop_server import LONG
from clients.tests.vendors import GOAL, MOVED, SAID, Vendors
from quartermaster import __version__
from quartermaster_client import AsyncQuartermaster, Quartermaster, QuartermasterError
from quartermaster_client.wire import call_answer
from tests.support.instance import Instance

pytestmark = pytest.mark.slow

CLIENTS = ROOT / "clients"


@pytest.fixture
def quartermaster(shop: Instance) -> Any:
    with Quartermaster(shop.run_file.url, shop.run_file.token) as quartermaster:
        yield quartermaster


@pytest.mark.parametrize("vendor", ["anthropic", "openai"])
def test_the_programs_of_the_page_search_call_and_end(
    shop: Instance, vendors: Vendors, vendor: str
):
    vendors.begin()
    [program] = [each for each in programs("python") if f"import {vendor}" in each]
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment_of(shop, vendors),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.stdout.strip(), vendors.problems) == (SAID, []), done.stderr
    assert len(vendors.requests) == 3


def test_the_commands_of_the_page_search_and_call(shop: Instance):
    values = {"$QM_URL": shop.run_file.url, "$QM_KEY": shop.run_file.token}
    values |= {
        "time__get_current_time": "shop__echo",
        '{"timezone": "Asia/Tokyo"}': '{"text": "x"}',
    }
    texts: list[str] = []
    for command in programs(""):
        if not command.startswith("curl "):
            continue
        for name, value in values.items():
            command = command.replace(name, value)
        words = shlex.split(command)
        [url] = [word for word in words if word.startswith(shop.run_file.url)]
        given = list(itertools.pairwise(words))
        headers = [value.split(": ", 1) for option, value in given if option == "-H"]
        [body] = [value for option, value in given if option == "-d"]
        answer = httpx2.post(url, headers=dict(headers), content=body, timeout=60)
        assert answer.status_code == 200, answer.text
        texts.append(answer.text)
    [found, called] = map(json.loads, texts)
    assert found["receipt"]
    assert all({"name", "inputSchema"} <= tool.keys() for tool in found["tools"])
    assert called["result"]["content"] == [{"type": "text", "text": "x"}]


def test_the_programs_of_the_page_have_types(tmp_path: Path):
    for number, program in enumerate(programs("python")):
        (tmp_path / f"program_{number}.py").write_text(program)
    venv = ROOT / ".venv"
    paths = [str(ROOT / "clients" / "python")]
    settings = {"extraPaths": paths, "typeCheckingMode": "strict", "pythonVersion": "3.11"}
    settings |= {"venvPath": str(venv.parent), "venv": venv.name}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    done = subprocess.run(
        [Path(sys.executable).with_name("pyright"), "-p", tmp_path],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout


def test_both_packages_have_the_version_of_quartermaster():
    python = tomllib.loads((CLIENTS / "python" / "pyproject.toml").read_text())["project"]
    typescript = json.loads((CLIENTS / "typescript" / "package.json").read_text())
    assert python["version"] == typescript["version"] == __version__
    for path in ("python/quartermaster_client/wire.py", "typescript/src/client.ts"):
        assert f'"{__version__}"' in (CLIENTS / path).read_text()


def test_the_wheel_needs_no_sdk(tmp_path: Path):
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    build += ["--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path)]
    subprocess.run([*build, CLIENTS / "python"], check=True, timeout=300)
    [wheel] = tmp_path.glob("quartermaster_client-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        [path] = [name for name in names if name.endswith("METADATA")]
        metadata = archive.read(path).decode()
    assert "quartermaster_client/py.typed" in names
    needed = re.findall("^Requires-Dist: (.*)$", metadata, re.M)
    assert [one for one in needed if "extra ==" not in one] == ["httpx2<3,>=2.16"]


def test_neither_sdk_is_imported_at_run_time():
    modules = "quartermaster_client.anthropic, quartermaster_client.openai"
    program = f"import {modules}, sys; print({{*sys.modules}} & {{*sys.argv}})"
    done = subprocess.run(
        [sys.executable, "-c", program, "anthropic", "openai"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "clients" / "python")},
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "set()", done.stderr


def with_anthropic(vendors: Vendors, search: for_anthropic.AnthropicToolSearch) -> list[Any]:
    """A loop as on the page; returns what was answered."""
    model = anthropic.Anthropic(api_key="none", base_url=vendors.url, max_retries=0)
    messages: list[Any] = [{"role": "user", "content": "Hello"}]
    answers: list[Any] = []
    while True:
        reply = model.messages.create(
            model="none", max_tokens=9, tools=search.tools(), messages=messages
        )
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            return answers
        answers += [search.answer(call) for call in calls]
        messages.append({"role": "assistant", "content": reply.content})
        messages.append({"role": "user", "content": answers[-len(calls) :]})


def with_openai(vendors: Vendors, search: for_openai.OpenAIToolSearch) -> list[Any]:
    """A loop as on the page; returns what was answered."""
    url = f"{vendors.url}/v1"
    model = openai.OpenAI(api_key="none", base_url=url, max_retries=0)
    reply = model.responses.create(model="none", tools=search.tools(), input="Hello")
    answers: list[Any] = []
    while True:
        calls = [
            item for item in reply.output if item.type in {"function_call", "tool_search_call"}
        ]
        if not calls:
            return answers
        answers += [search.answer(call) for call in calls]  # pyright: ignore
        reply = model.responses.create(
            model="none",
            tools=search.tools(),
            input=answers[-len(calls) :],
            previous_response_id=reply.id,
        )


LOOPS: dict[str, tuple[Any, Callable[..., list[Any]]]] = {
    "anthropic": (for_anthropic.AnthropicToolSearch, with_anthropic),
    "openai": (for_openai.OpenAIToolSearch, with_openai),
}


@pytest.mark.parametrize("vendor", LOOPS)
def test_each_kind_of_result_is_accepted(
    vendors: Vendors, quartermaster: Quartermaster, vendor: str
):
    tool_search, loop = LOOPS[vendor]
    for goal, parts in {
        "draw a picture of a cat": ["A cat", "iVBORw0=", "audio/wav"],
        "break a vase": ["The vase is broken"],
        "weigh a parcel": ['{\\"kilos\\":3}'],
    }.items():
        vendors.begin(goal, {})
        answers = loop(vendors, tool_search(quartermaster, limit=1))
        assert vendors.problems == []
        written = json.dumps(answers[1])
        assert all(part in written for part in parts), written
        assert "UklGRg" not in written


@pytest.mark.parametrize("vendor", LOOPS)
def test_found_tools_are_appended_and_keep_their_places(
    vendors: Vendors, quartermaster: Quartermaster, vendor: str
):
    tool_search, loop = LOOPS[vendor]
    search = tool_search(quartermaster, limit=1)
    vendors.begin(GOAL, {"text": "a"}, "tell a story", GOAL, {"text": "b"})
    loop(vendors, search)
    assert vendors.problems == []
    assert list(search.found) == ["shop__echo", "shop__tell"]
    again = tool_search(quartermaster, json.loads(json.dumps(search.found)))
    assert again.found == search.found
    assert all(map(again.owns, ["read_result", *search.found]))
    assert not again.owns("mine")


def test_what_does_not_fit_the_goal_is_not_offered(quartermaster: Quartermaster):
    assert all(tool["weak"] for tool in quartermaster.search("xyzzy quux").get("tools", []))
    search = for_anthropic.AnthropicToolSearch(quartermaster)
    nothing = search.answer(of_sdk(tool_use("search_tools", goal="xyzzy quux")))
    assert "No tool fits" in str(nothing.get("content"))
    assert search.found == {}


def test_a_call_names_the_receipt_of_the_search_that_found_the_tool(
    shop: Instance, quartermaster: Quartermaster
):
    search = for_anthropic.AnthropicToolSearch(quartermaster, limit=1)
    search.answer(of_sdk(tool_use("search_tools", goal=GOAL)))
    search.answer(of_sdk(tool_use("shop__echo", text="x")))
    receipt = search.found["shop__echo"]["receipt"]
    made = shop.rows("select receipt_id from calls.call order by started_at desc limit 1")
    assert made == [(receipt,)]


def test_a_long_result_is_read_page_by_page(quartermaster: Quartermaster):
    search = for_openai.OpenAIToolSearch(quartermaster)
    page = search.answer(of_sdk(function_call("shop__tell")))
    text = str(page.get("output"))
    assert len(text) < len(LONG)
    asked = json.loads(text[text.rindex('{"name"') : -1])
    assert search.owns(asked["name"])
    rest = search.answer(of_sdk(function_call(asked["name"], json.dumps(asked["arguments"]))))
    assert str(rest.get("output"))[:50] in LONG


def test_wrong_arguments_are_told_to_the_model(quartermaster: Quartermaster):
    search = for_anthropic.AnthropicToolSearch(quartermaster)
    refused = search.answer(of_sdk(tool_use("search_tools", goal="")))
    assert refused.get("is_error")
    assert "the goal is empty" in str(refused.get("content"))
    assert search.answer(of_sdk(tool_use("search_tools", other=1))).get("is_error")
    missing = search.answer(of_sdk(tool_use("shop__nothing")))
    assert missing.get("is_error")
    assert "tool_not_found" in str(missing.get("content"))
    other = for_openai.OpenAIToolSearch(quartermaster)
    assert other.answer(of_sdk(search_call({"goal": ""}))).get("tools") == []
    assert other.answer(of_sdk(search_call("no object"))).get("tools") == []
    for arguments in ("{", "[]", '{"text": NaN}', '{"text": 1e999}'):
        answer = other.answer(of_sdk(function_call("shop__echo", arguments)))
        assert "not a JSON object" in str(answer.get("output"))
    missing = other.answer(of_sdk(function_call("shop__nothing")))
    assert str(missing.get("output")).startswith("The call failed.")


def test_who_may_see_no_tool_finds_and_calls_none(shop: Instance):
    shop.qm("principal", "create", "eve")
    key = shop.qm("key", "create", "eve").stdout.split()[0]
    shop.rows("select api.apply_rules(%s)", json.dumps({"rules": [DENIED]}))
    with Quartermaster(shop.run_file.url, key) as quartermaster:
        search = for_anthropic.AnthropicToolSearch(quartermaster)
        nothing = search.answer(of_sdk(tool_use("search_tools", goal=GOAL)))
        assert "No tool fits" in str(nothing.get("content"))
        assert not nothing.get("is_error")
        assert "tool_not_found" in str(search.answer(of_sdk(tool_use("shop__echo", text="x"))))
        assert (
            for_openai.OpenAIToolSearch(quartermaster).answer(of_sdk(search_call({"goal": GOAL})))[
                "tools"
            ]
            == []
        )


DENIED = {"effect": "deny", "subject": "principal:eve"}


def test_another_refusal_is_raised_with_what_the_service_says(shop: Instance, vendors: Vendors):
    stranger = Quartermaster(f"{shop.run_file.url}/", "qm_nobody")
    for name in ("search_tools", "shop__echo"):
        with pytest.raises(QuartermasterError) as raised:
            for_anthropic.AnthropicToolSearch(stranger).answer(of_sdk(tool_use(name, goal=GOAL)))
        error = raised.value
        assert (error.status, error.code, error.slug) == (401, "QM401", "key_invalid")
        assert error.hint is not None
        assert error.request_id is not None
    with pytest.raises(QuartermasterError):
        for_openai.OpenAIToolSearch(stranger).answer(of_sdk(search_call({"goal": GOAL})))
    stranger.close()
    # What answers there is no Quartermaster.
    with Quartermaster(vendors.url, "none") as elsewhere:
        for ask in (lambda: elsewhere.search(GOAL), lambda: elsewhere.call("a", {})):
            with pytest.raises(QuartermasterError) as raised:
                ask()
            assert (raised.value.code, raised.value.slug) == ("HTTP400", "unknown")


@pytest.mark.parametrize("vendor", LOOPS)
def test_a_wrong_option_is_told_to_the_program(quartermaster: Quartermaster, vendor: str):
    tool_search, _ = LOOPS[vendor]
    with pytest.raises(QuartermasterError, match="/limit"):
        tool_search(quartermaster, limit=0).answer(of_sdk(ASKED[vendor][0]))


def test_a_request_that_is_sent_elsewhere_is_not_sent_again(vendors: Vendors):
    vendors.begin()
    with Quartermaster(f"{vendors.url}{MOVED}", "none") as moved:
        for ask in (lambda: moved.search(GOAL), lambda: moved.call("a", {})):
            with pytest.raises(QuartermasterError, match="HTTP307"):
                ask()
    assert vendors.requests == vendors.problems == []


def test_an_answer_in_events_is_read_with_every_character():
    said = [{"type": "text", "text": "a\u2028b\x85c"}]
    answer = json.dumps({"id": 1, "result": {"content": said}}, ensure_ascii=False)
    for end in ("\n", "\r\n", "\r"):
        assert call_answer(200, f"event: message{end}data: {answer}{end}{end}") == {"content": said}


def test_an_answer_without_a_result_is_no_result():
    with pytest.raises(QuartermasterError):
        call_answer(200, '{"ok": true}')


@pytest.mark.parametrize("key", ["", " ", "qm_a\nb", "qm_é"])
def test_what_is_no_key_is_refused_without_being_shown(key: str):
    for made in (Quartermaster, AsyncQuartermaster):
        with pytest.raises(ValueError, match="no key has") as raised:
            made("http://localhost", key)
        assert not key.strip() or key not in repr(raised.value)


def test_a_key_may_end_with_a_line_end_and_an_address_with_mcp(shop: Instance):
    # The address is that of the MCP endpoint, which `qm up` prints.
    with Quartermaster(f"{shop.run_file.url}/mcp/", f"{shop.run_file.token}\n") as quartermaster:
        assert quartermaster.search(GOAL).get("tools")


SEARCHES: dict[str, tuple[Any, Any]] = {
    "anthropic": (for_anthropic.AnthropicToolSearch, for_anthropic.AsyncAnthropicToolSearch),
    "openai": (for_openai.OpenAIToolSearch, for_openai.AsyncOpenAIToolSearch),
}


@pytest.mark.anyio
async def test_asyncio_gets_the_same_answers(shop: Instance, quartermaster: Quartermaster):
    url, key = shop.run_file.url, shop.run_file.token
    async with (
        httpx2.AsyncClient(timeout=60, trust_env=False) as http,
        AsyncQuartermaster(url, key) as own,
    ):
        stranger = AsyncQuartermaster(url, "qm_nobody", http)
        for vendor, (plain_search, async_search) in SEARCHES.items():
            same: Any = async_search(own)
            plain: Any = plain_search(quartermaster)
            for item in map(of_sdk, ASKED[vendor]):
                assert await same.answer(item) == plain.answer(item)
            refused: Any = async_search(stranger)
            with pytest.raises(QuartermasterError):
                await refused.answer(of_sdk(ASKED[vendor][0]))
