"""`qm up`: what it tells, what it keeps, what it refuses, and how it ends."""

from __future__ import annotations

import json
import signal
import socket
import stat
import time
from collections.abc import Generator
from pathlib import Path

import httpx2
import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from tests.support.database import SERVICE_PASSWORD, Server
from tests.support.instance import START_S, STOP_S, Instance, descendants, new_instance
from tests.support.upstreams import is_running
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@pytest.fixture
def fresh() -> Generator[Instance]:
    """Never started yet, without starter servers; it starts as it does for users."""
    with new_instance(forked=False) as instance:
        yield instance


def test_run_json_is_private_and_says_how_to_reach_it(instance: Instance) -> None:
    path = instance.data_dir / "run.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    said = json.loads(path.read_text())
    assert said.keys() == {"url", "token", "pid", "ca"}
    assert instance.process is not None
    assert said["pid"] == instance.process.pid


def test_the_owner_of_the_data_directory_is_administrator(instance: Instance) -> None:
    path = instance.data_dir / "admin.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    dsn = json.loads(path.read_text())["dsn"]
    assert instance.qm("dsn", "--admin").stdout.strip() == dsn
    with psycopg.connect(dsn) as connection:
        assert connection.execute("select count(*) > 0 from catalog.item").fetchone() == (True,)
    address = conninfo_to_dict(instance.qm("dsn").stdout.strip())
    assert address.keys() == {"host", "port", "dbname"}
    asked = instance.qm("psql", "-c", "select 1")
    assert asked.returncode == 1
    assert "--admin" in asked.stderr


def test_it_tells_that_it_lives_that_it_is_ready_and_to_those_with_the_token_how_it_is(
    instance: Instance,
) -> None:
    run = instance.run_file
    assert httpx2.get(f"{run.url}/healthz").json() == {"status": "ok"}
    assert httpx2.get(f"{run.url}/readyz").status_code == 200
    assert httpx2.get(f"{run.url}/status").status_code == 401
    with instance.http() as http:
        status = http.get("/status").raise_for_status().json()
    assert status["service"]["pid"] == run.pid
    assert status["unembedded"] == 0
    assert status["upstreams"]["time"]["state"] == "connected"


def test_it_shows_a_worked_example_with_a_real_result(instance: Instance) -> None:
    assert "what time is it in Tokyo" in instance.stdout
    assert "time__get_current_time" in instance.stdout
    assert '"timezone": "Asia/Tokyo"' in instance.stdout


def test_its_log_is_json_with_request_ids_and_without_secrets(instance: Instance) -> None:
    with instance.http() as http:
        request_id = http.get("/status").headers["x-request-id"]
        http.get("/status", headers={"Authorization": "Bearer wrong"})
    lines = [json.loads(line) for line in instance.stderr.splitlines()]
    assert {"event", "level", "time"} <= lines[0].keys()
    assert any(line["event"] == "refresh_done" and line["request_id"] for line in lines)
    assert any(line["event"] == "call_ended" and line["request_id"] for line in lines)
    assert request_id
    for secret in _secrets(instance):
        assert secret not in instance.stderr
        assert secret not in instance.stdout


def test_a_second_one_for_the_same_data_is_refused(instance: Instance) -> None:
    refused = instance.qm("up", "--port", "0", "--no-starter")
    assert refused.returncode == 1
    assert "already_running" in refused.stderr
    assert instance.run_file.url in refused.stderr.replace("\n", "")
    assert "--data-dir" in refused.stderr
    with instance.http() as http:
        assert http.get("/readyz").status_code == 200


def test_a_second_start_takes_seconds_and_keeps_everything(
    installed: Instance, tmp_path: Path
) -> None:
    installed.start()
    assert "Goal:" not in installed.stdout, "no example without its server"
    tools = tmp_path / "tools.jsonl"
    tools.write_text(json.dumps({"origin": "o", "name": "mend", "description": "Mends a sock"}))
    installed.qm_json("import", tools)
    installed.add_upstream("leaf", "leaf_server.py", "stdio")
    installed.qm_json("call", "leaf__echo", '{"text": "hello"}')
    receipt = installed.qm_json("search", "mend a sock")["receipt"]
    run, dsn, retained = installed.run_file, installed.admin_dsn, _counts(installed)
    assert retained["selection.receipt"] >= 1
    assert retained["calls.call"] == 1
    assert installed.stop() == 0

    begun = time.monotonic()
    installed.start()
    assert time.monotonic() - begun < 60
    assert installed.run_file.token == run.token
    assert installed.admin_dsn == dsn
    assert _counts(installed) == retained
    assert installed.rows("select from selection.receipt where id = %s", receipt)
    assert installed.qm_json("search", "mend a sock")["tools"][0]["name"] == "o__mend"
    installed.qm_json("call", "leaf__echo", '{"text": "again"}')


def test_sigterm_ends_service_upstreams_and_database_in_order(installed: Instance) -> None:
    installed.start()
    installed.add_upstream("leaf", "leaf_server.py", "stdio")
    assert installed.qm_json("call", "leaf__counters")["structuredContent"]["calls"] == 1
    run = installed.run_file
    everything = {run.pid, *descendants(run.pid), *installed.server_pids()}
    assert len(everything - installed.server_pids()) >= 2, "the service and its upstream"
    addresses = (run.url, installed.admin_dsn)
    ports = [int(address.rpartition(":")[2].partition("/")[0]) for address in addresses]
    assert installed.stop() == 0
    assert not [pid for pid in everything if is_running(pid)]
    assert not (installed.data_dir / "run.json").exists()
    assert not (installed.data_dir / "admin.json").exists()
    assert "Stopped." in installed.stdout
    assert "Traceback" not in installed.stderr
    for port in ports:
        with socket.socket() as probe:
            assert probe.connect_ex(("127.0.0.1", port)) != 0
    log = (installed.data_dir / "log" / "postgres.log").read_text()
    assert "database system is shut down" in log


def test_the_end_of_its_terminal_is_a_stop_like_any_other(installed: Instance) -> None:
    process = installed.start().process
    assert process is not None
    server = installed.server_pids()
    process.send_signal(signal.SIGHUP)
    assert process.wait(STOP_S) == 0
    assert not [pid for pid in server if is_running(pid)]
    assert not (installed.data_dir / "run.json").exists()
    assert not (installed.data_dir / "admin.json").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_start_that_is_stopped_leaves_nothing_running(
    fresh: Instance, number: signal.Signals
) -> None:
    process = fresh.launch()
    assert wait_until(lambda: "starting PostgreSQL" in fresh.stdout, START_S)
    process.send_signal(number)
    assert process.wait(STOP_S) == 130
    assert not fresh.server_pids()
    assert "Traceback" not in fresh.stderr


def test_two_data_directories_live_side_by_side(instance: Instance, fresh: Instance) -> None:
    # A copy of the other data directory would have its token.
    fresh.start()
    mine, other = fresh.run_file, instance.run_file
    assert mine.url != other.url
    assert mine.token != other.token
    assert fresh.admin_dsn != instance.admin_dsn
    with fresh.http(token=other.token) as http:
        assert http.get("/status").status_code == 401
    with fresh.http() as http:
        alone = http.get("/status").json()["cards"]["tool"]
    with instance.http() as http:
        assert http.get("/status").json()["cards"]["tool"] > alone


def test_a_port_in_use_is_refused_before_anything_is_started(fresh: Instance) -> None:
    with socket.socket() as squatter:
        squatter.bind(("127.0.0.1", 0))
        squatter.listen()
        port = str(squatter.getsockname()[1])
        refused = fresh.qm("up", "--no-starter", "--port", port)
    assert refused.returncode == 1
    assert "port_in_use" in refused.stderr
    assert port in refused.stderr
    assert "--port" in refused.stderr.partition("Next:")[2]
    assert not (fresh.data_dir / "postgres").exists()


@pytest.mark.parametrize("name", ["embedded_server", "debian_server"])
def test_it_works_on_a_server_of_ones_own(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    server: Server = request.getfixturevalue(name)
    with server.empty() as database, new_instance("--dsn", database.dsn) as instance:
        # The login role belongs to the whole server, which other tests use, too.
        instance.data_dir.mkdir()
        credentials = instance.data_dir / "credentials.json"
        credentials.write_text(json.dumps({"qm_service": SERVICE_PASSWORD}))
        instance.start()
        assert instance.admin_dsn == database.dsn
        assert not (instance.data_dir / "postgres").exists()
        tools = tmp_path / "tools.jsonl"
        tools.write_text(json.dumps({"origin": "o", "name": "mend", "description": "Mends a sock"}))
        instance.qm_json("import", tools)
        assert instance.qm_json("search", "mend a sock")["tools"][0]["name"] == "o__mend"
        assert instance.qm_json("doctor")["problems"] == []
        assert instance.stop() == 0
        with database.connect() as connection:
            stored = connection.execute("select count(*) from catalog.item where name = 'mend'")
            assert stored.fetchone() == (1,)


@pytest.mark.parametrize(
    ("text", "report"),
    [
        ("server:\n  prot: 9000\n", ["quartermaster.yaml:2", "prot", "did you mean port"]),
        ("server:\n  port: [9000\n", ["quartermaster.yaml:", "not valid YAML"]),
        ("log:\n  level: loud\n", ["quartermaster.yaml:2", "log.level", "debug"]),
    ],
)
def test_a_mistake_in_the_settings_is_told_with_its_place(
    fresh: Instance, text: str, report: list[str]
) -> None:
    fresh.data_dir.mkdir()
    (fresh.data_dir / "quartermaster.yaml").write_text(text)
    refused = fresh.qm("up", "--no-starter")
    assert refused.returncode == 1
    assert "QM422 settings_invalid" in refused.stderr
    assert "Traceback" not in refused.stderr
    flat = refused.stderr.replace("\n", "")
    assert [part for part in report if part not in flat] == []
    assert not (fresh.data_dir / "postgres").exists()


def test_an_unreachable_server_of_ones_own_is_a_clear_error(fresh: Instance) -> None:
    dsn = "postgresql://me:hush@127.0.0.1:9/none"
    refused = fresh.qm("up", "--no-starter", "--port", "0", "--dsn", dsn)
    assert refused.returncode == 1
    assert "QM503 database_unavailable" in refused.stderr
    assert "Next:" in refused.stderr
    assert "hush" not in refused.stderr
    assert "Traceback" not in refused.stderr


def _counts(instance: Instance) -> dict[str, int]:
    tables = ("catalog.origin", "catalog.item", "catalog.item_version", "search.card")
    tables += ("search.embedding", "selection.receipt", "calls.call", "policy.principal")
    return {table: instance.rows(f"select count(*) from {table}")[0][0] for table in tables}


def _secrets(instance: Instance) -> list[str]:
    held = json.loads((instance.data_dir / "credentials.json").read_text())
    return [*held.values(), instance.run_file.token]
