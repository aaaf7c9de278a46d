"""The commands as clients of the running service: its answers, keys, and little to import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from quartermaster.cli.service_client import ServiceClient
from quartermaster.core.paths import RunFile
from tests.support.instance import Instance
from tests.support.ports import free_port

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]

# What none of the commands that ask the service needs: each takes 20 ms or more to import. (Typer
# itself needs pydantic.)
LARGE = {
    "anyio",
    "asyncio",
    "asyncpg",
    "httpx2",
    "mcp",
    "mcp_types",
    "numpy",
    "onnxruntime",
    "psycopg",
    "rich.progress",
    "structlog",
}
PROGRAM = """
import sys
from quartermaster.cli import main
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""
ASKED = [
    ["search", "echo a text"],
    ["describe", "leaf__echo"],
    ["call", "leaf__echo", '{"text": "hello"}'],
    ["task", "write a test"],
    ["ask", "What does an index cost?"],
    ["lookup", "search", "plant", "Betula"],
    ["card", "search", "echo a text", "--kind", "tool", "--kind", "prompt"],
]
# Lists, and whether every key may see them.
LISTS = {
    "audit": False,
    "key": False,
    "lookup": True,
    "origin": True,
    "principal": False,
    "project": True,
    "receipts": True,
    "tool": False,
}


@pytest.fixture(scope="module")
def served(instance: Instance) -> Generator[Instance]:
    """With a server, and a table of plants."""
    instance.add_upstream("leaf", "leaf_server.py", "stdio")
    instance.rows("select api.create_lookup('plant')")
    instance.rows(
        "select api.load_lookup('plant',"
        """ '[{"id": "1", "value": "Betula pendula"}, {"id": "2", "value": "Bromus"}]')"""
    )
    yield instance
    assert instance.qm("lookup", "drop", "plant", "--yes").returncode == 0
    assert instance.qm("origin", "remove", "leaf", "--yes").returncode == 0


@pytest.fixture(scope="module")
def elsewhere(served: Instance, tmp_path_factory: pytest.TempPathFactory) -> Generator[Run]:
    """Runs commands as somebody who has nothing but the address of the service and a key."""
    home = tmp_path_factory.mktemp("elsewhere")
    assert served.qm("principal", "create", "elsewhere").returncode == 0
    key = served.qm("key", "create", "elsewhere").stdout.strip()

    def run(*words: str, **variables: str) -> Done:
        there = {"QM_URL": served.run_file.url, "QM_KEY": key, "HOME": str(home), **variables}
        return qm(words, {**served.environment, **there})

    yield run
    assert not list(home.rglob("*.json"))
    assert served.qm("principal", "disable", "elsewhere", "--yes").returncode == 0


def qm(words: Any, environment: Mapping[str, str]) -> Done:
    """Runs a command in a process of its own, which prints at its end what it has imported."""
    variables = {name: value for name, value in environment.items() if value}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        env=variables,
        cwd="/",
        capture_output=True,
        text=True,
    )


def slug_of(done: Done) -> str:
    return json.loads(done.stderr.splitlines()[0])["error"]["slug"]


@pytest.mark.parametrize(
    "words", [*ASKED, *([noun, "list"] for noun in ("origin", "snapshot", "tool"))]
)
def test_a_command_imports_only_what_it_needs(served: Instance, words: list[str]):
    done = qm(words, served.environment)

    assert done.returncode == 0, done.stderr
    assert not LARGE & {*done.stderr.split()}


@pytest.mark.parametrize("words", ASKED)
def test_somebody_elsewhere_gets_what_his_key_may_see(elsewhere: Run, words: list[str]):
    done = elsewhere(*words)

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("noun", LISTS)
def test_somebody_elsewhere_lists_what_his_role_may_see(elsewhere: Run, noun: str):
    done = elsewhere(noun, "list", "--json")

    assert not LARGE & {*done.stderr.split()}
    if LISTS[noun]:
        assert done.returncode == 0, done.stderr
    else:
        assert (done.returncode, slug_of(done)) == (1, "not_permitted")


def test_somebody_elsewhere_answers_an_invitation(elsewhere: Run, served: Instance):
    served.qm_json("project", "add", served.data_dir, "--name", "yard")
    served.rows(
        "update policy.principal set created_by = null where name = 'elsewhere' returning 1"
    )
    served.rows("select api.put_project_member('elsewhere', project => 'yard')")

    listed = json.loads(elsewhere("project", "list", "--json").stdout)
    done = elsewhere("project", "accept", "local/yard")

    assert [(each["project"], each["invited_by"]) for each in listed] == [("yard", "local")]
    assert done.stdout == "You are now a member of local/yard.\n"
    left = elsewhere("project", "leave", "local/yard", "--yes")
    assert left.returncode == 0, left.stderr
    assert "You have left local/yard." in left.stdout
    found = served.rows("select api.show_project('yard') -> 'members'")
    assert found == [([{"name": "local", "role": "owner"}],)]
    again = elsewhere("project", "accept", "local/yard", "--json")
    assert (again.returncode, slug_of(again)) == (1, "invitation_not_found")
    assert served.qm("project", "remove", "yard", "--yes").returncode == 0


def test_the_owner_of_a_key_leaves_and_no_one_else(elsewhere: Run, served: Instance):
    here = {"QM_URL": "", "QM_DATA_DIR": str(served.data_dir)}
    served.qm_json("project", "add", served.data_dir, "--name", "windmill")
    served.rows(
        "update policy.principal set created_by = null where name = 'elsewhere' returning 1"
    )
    served.rows("select api.put_project_member('elsewhere', project => 'windmill')")

    assert "You have 1 invitation: qm project list." in elsewhere("status").stdout
    assert "You have 1 invitation: qm project list" in elsewhere("task", "write a test").stdout
    assert elsewhere("project", "accept", "windmill", **here).returncode == 0
    left = elsewhere("project", "leave", "windmill", "--yes", **here)
    assert "You have left local/windmill." in left.stdout
    found = served.rows("select api.show_project('windmill') -> 'members'")
    assert found == [([{"name": "local", "role": "owner"}],)]
    assert served.qm("project", "remove", "windmill", "--yes").returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ("decisions", "list", "--project", "barn"),
        ("candidates", "list", "--project", "barn"),
        ("project", "show", "barn"),
    ],
)
def test_a_command_that_does_not_use_the_key_says_so(
    elsewhere: Run, served: Instance, words: tuple[str, ...]
):
    said = "As the administrator (local): this command does not use QM_KEY."
    here = {"QM_URL": "", "QM_DATA_DIR": str(served.data_dir)}
    served.qm_json("project", "add", served.data_dir, "--name", "barn")

    for more in ((), ("--json",)):
        done = elsewhere(*words, *more, **here)
        assert done.returncode == 0, done.stderr
        assert done.stderr.splitlines()[0] == said
    assert said not in elsewhere(*words, **here, QM_KEY="").stderr
    assert said not in elsewhere("project", "list", **here).stderr
    assert served.qm("project", "remove", "barn", "--yes").returncode == 0


def test_a_receipt_is_read_with_the_key_that_searched(elsewhere: Run, served: Instance):
    def read_command(said: str) -> list[str]:
        return said.partition("Read it: qm ")[2].split()

    of_admin = read_command(served.qm("search", "echo for the administrator").stdout)
    of_key = read_command(elsewhere("search", "echo for the key").stdout)

    refused = elsewhere(*of_admin, "--json")
    assert (refused.returncode, slug_of(refused)) == (1, "receipt_not_found")
    assert "for the administrator" not in elsewhere("receipts", "list").stdout
    assert "echo for the key" in elsewhere(*of_key).stdout
    assert "echo for the key" in elsewhere("receipts", "list", "--limit", "1").stdout
    # The administrator sees all.
    assert "echo for the key" in served.qm(*of_key).stdout
    assert "leaf__echo" in served.qm("receipts", "list", "--by", "elsewhere").stdout


def test_a_command_that_changes_the_database_is_not_about_another_service(
    elsewhere: Run, served: Instance
):
    refused = elsewhere("key", "create", "alice", "--json", QM_DATA_DIR=str(served.data_dir))

    assert (refused.returncode, slug_of(refused)) == (1, "service_elsewhere")
    meant = elsewhere("job", "list", "--data-dir", str(served.data_dir))
    assert meant.returncode == 0, meant.stderr


def test_an_address_wins_over_the_data_directory_of_the_environment(
    elsewhere: Run, served: Instance
):
    folder = str(served.data_dir)

    asked = elsewhere("origin", "list", QM_DATA_DIR=folder)
    report = " ".join(asked.stderr.split())
    assert (
        f"Asking the service at {served.run_file.url} (QM_URL), not that of QM_DATA_DIR." in report
    )
    assert report.count("QM_DATA_DIR") == 1, "once"
    assert elsewhere("key", "list", QM_DATA_DIR=folder).returncode == 1
    assert elsewhere("key", "list", "--data-dir", folder).returncode == 0
    assert elsewhere("key", "list", QM_DATA_DIR=folder, QM_URL="").returncode == 1
    assert elsewhere("key", "list", QM_DATA_DIR=folder, QM_URL="", QM_KEY="").returncode == 0


@pytest.mark.parametrize("words", [ASKED[0], ASKED[2], ["origin", "list"]])
def test_a_key_that_is_not_valid_is_told(elsewhere: Run, words: list[str]):
    for key, slug in (("wrong", "key_invalid"), ("", "token_missing")):
        done = elsewhere(*words, "--json", QM_KEY=key)
        assert (done.returncode, slug_of(done)) == (1, slug)
    report = " ".join(elsewhere(*words, QM_KEY="wrong").stderr.split())
    assert "The key was refused by http://" in report
    assert "Set QM_KEY to a valid key" in report


def test_a_service_that_does_not_answer_is_not_a_wrong_key(elsewhere: Run):
    done = elsewhere("search", "echo", "--json", QM_URL=f"http://127.0.0.1:{free_port()}")

    assert (done.returncode, slug_of(done)) == (1, "not_reachable")


def test_what_is_not_quartermaster_is_told(elsewhere: Run):
    with ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        done = elsewhere(
            "search", "echo", "--json", QM_URL=f"http://127.0.0.1:{server.server_port}"
        )
        server.shutdown()

    assert (done.returncode, slug_of(done)) == (1, "not_understood"), done.stderr


@pytest.mark.parametrize(
    "url", ["localhost:8765", "http://", "http://[::1", "http://h:99999", "file:///etc/passwd"]
)
def test_what_is_not_an_address_is_told(elsewhere: Run, url: str):
    done = elsewhere("search", "echo", "--json", QM_URL=url)

    assert (done.returncode, slug_of(done)) == (1, "argument_invalid"), done.stderr


class _Hostile(BaseHTTPRequestHandler):
    """Answers each request with the same text."""

    status, text = 200, b""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(self.status)
        self.send_header("content-length", str(len(self.text)))
        self.end_headers()
        self.wfile.write(self.text)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
        pass


def _asked_of(status: int, text: bytes, *words: str) -> Done:
    answers = type("Answers", (_Hostile,), {"status": status, "text": text})
    with ThreadingHTTPServer(("127.0.0.1", 0), answers) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        given = {"QM_URL": f"http://127.0.0.1:{server.server_port}", "QM_KEY": "k"}
        command = [sys.executable, "-m", "quartermaster", *words]
        done = subprocess.run(
            command, env={**os.environ, **given}, capture_output=True, text=True, timeout=60
        )
        server.shutdown()
    return done


@pytest.mark.parametrize("words", [["search", "echo"], ["origin", "list"], ["call", "a__b"]])
@pytest.mark.parametrize(
    ("status", "text"),
    [
        (200, b"<html>"),
        (200, b"[]"),
        (200, b"[" * 200_000),
        (307, b""),
        (400, b'{"error": {"code": 7, "slug": null, "message": {}, "hint": []}}'),
        (400, b'{"error": {"message": "x"}}'),
    ],
)
def test_no_answer_of_another_server_is_a_fault_of_the_command(
    words: list[str], status: int, text: bytes
):
    done = _asked_of(status, text, *words, "--json")
    assert (done.returncode, slug_of(done)) == (1, "not_understood"), done.stderr


def test_no_error_of_another_server_moves_the_cursor():
    escape = "\x1b]0;x\x07"
    texts = {"slug": escape, "message": escape, "hint": escape, "detail": escape}
    done = _asked_of(400, json.dumps({"error": {"code": "QM400", **texts}}).encode(), "search", "x")
    assert done.returncode == 1
    assert "\x1b" not in done.stderr
    assert done.stderr.count("\\x1b") == len(texts)


class _Streaming(BaseHTTPRequestHandler):
    """Answers with a stream: a notification that speaks of a result, and then the result."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        note = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"result": 1}}
        answer = {"jsonrpc": "2.0", "id": 1, "result": {"content": []}}
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for event in (note, answer):
            self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())


def test_what_comes_before_the_answer_of_a_tool_is_not_taken_for_it():
    with ThreadingHTTPServer(("127.0.0.1", 0), _Streaming) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        run = RunFile(f"http://127.0.0.1:{server.server_port}", "a key", 0)
        assert ServiceClient(run).call_tool("any", {}) == {"content": []}
        server.shutdown()


def test_the_commands_answer_what_the_service_answers(served: Instance):
    found = served.qm_json("search", "echo a text")
    assert found["tools"][0]["name"] == "leaf__echo"
    assert found["receipt"]
    assert served.qm_json("describe", "leaf__echo")["inputSchema"]["properties"]["text"]
    called = served.qm_json("call", "leaf__echo", '{"text": "hello"}')
    assert called["content"] == [{"type": "text", "text": "hello"}]
    row = served.qm_json("lookup", "search", "plant", "Betula pendula")[0]
    assert (row["id"], row["match"]) == ("1", True)
    assert served.qm_json("ask", "What is that?") == served.qm_json(
        "knowledge", "ask", "What is that?"
    )
    assert served.qm("describe", "leaf__nothing").returncode == 1


def test_with_a_dsn_the_database_is_asked(served: Instance, tmp_path: Path):
    environment = {**served.environment, "QM_DATA_DIR": str(tmp_path)}
    for words in (*ASKED[:2], *ASKED[3:], ["origin", "list"], ["key", "list"]):
        done = qm([*words, "--dsn", served.admin_dsn], environment)
        assert done.returncode == 0, done.stderr


def test_times_are_shown_as_they_are_in_the_database(served: Instance):
    [row] = served.qm_json("job", "list")[:1]
    [(every,)] = served.rows(
        "select extract(epoch from j.every)::float8 from api.list_jobs() as j where j.name = %s",
        row["name"],
    )
    assert row["every"] == every
    shown = served.qm("key", "list").stdout
    assert "T" not in "".join(word for word in shown.split() if word.startswith("20"))


def test_an_answer_may_take_longer_than_a_connection(monkeypatch: pytest.MonkeyPatch):
    """The head of an answer that is no stream comes when the answer is complete."""
    monkeypatch.setattr("quartermaster.bridge.link._CONNECT_S", 0.2)
    release = Event()

    class Late(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            release.wait(1)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"late": true}')

        def log_message(self, *_: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Late) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        run = RunFile(f"http://127.0.0.1:{server.server_port}", "", 0, None)
        assert ServiceClient(run).get("/") == {"late": True}
        server.shutdown()
