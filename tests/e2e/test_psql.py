"""psql alone: the search from SQL, by meaning where the server embeds, else with a notice."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.database import SERVICE_PASSWORD, Server
from tests.support.instance import Instance, new_instance, shared_runtime_dir
from tests.support.model import cached_model_dir

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

QUERY = (
    "select rank, name, scores from select_tools('what time is it in Tokyo', explain => true)"
    " where rank is not null"
)


def test_the_embedded_server_finds_the_time_tools_by_meaning(instance: Instance) -> None:
    if reason := _missing(instance, "embed"):
        pytest.skip(f"the embedded server has no embed(): {reason}")
    rows, notices = _psql(instance, QUERY)
    names = [name for _, name, _ in rows]
    assert set(names[:2]) == {"time__get_current_time", "time__convert_time"}
    assert "dense" in json.loads(rows[0][2])["sources"]
    assert notices == ""


def test_psql_and_the_command_give_the_same_tools(instance: Instance) -> None:
    if reason := _missing(instance, "embed"):
        pytest.skip(f"the embedded server has no embed(): {reason}")
    rows, _ = _psql(instance, QUERY)
    found = instance.qm_json("search", "what time is it in Tokyo")["tools"]
    assert [(rank, name) for rank, name, _ in rows] == [(str(t["rank"]), t["name"]) for t in found]


def test_psql_shows_every_column_of_the_command(instance: Instance) -> None:
    shown = instance.qm(
        "psql", "--admin", "--csv", "-c", "select * from select_tools('list my commits')"
    )
    assert shown.returncode == 0, shown.stderr
    columns = shown.stdout.splitlines()[0].split(",")
    found = instance.qm_json("search", "list my commits")
    assert set(columns) >= found["tools"][0].keys()
    assert "git__git_log" in shown.stdout


def test_a_mistake_in_psql_has_code_and_hint(instance: Instance) -> None:
    failed = instance.qm(
        "psql", "--admin", "-v", "VERBOSITY=verbose", "-c", "select * from select_tools('')"
    )
    assert failed.returncode != 0
    assert "QM422" in failed.stderr
    assert "HINT:" in failed.stderr


@pytest.mark.root_only
def test_the_debian_server_embeds_where_it_sees_the_model(
    debian_server: Server, tmp_path: Path
) -> None:
    with _on_debian(debian_server, tmp_path, model_is_visible=True) as instance:
        assert _missing(instance, "embed") is None
        rows, notices = _psql(instance, QUERY)
        [scores] = [scores for _, name, scores in rows if name == "clock__hours"]
        assert json.loads(scores)["sources"] == ["dense"], "no word of the goal is in it"
        assert "searching without vectors" not in notices


@pytest.mark.root_only
def test_the_debian_server_searches_words_and_says_so_where_it_does_not(
    debian_server: Server, tmp_path: Path
) -> None:
    with _on_debian(debian_server, tmp_path, model_is_visible=False) as instance:
        assert "model" in str(_missing(instance, "embed"))
        rows, notices = _psql(instance, QUERY)
        assert [name for _, name, _ in rows] == ["guide__tokyo"], "only words count"
        assert "NOTICE:  searching without vectors" in notices
        doctor = instance.qm("doctor")
        assert doctor.returncode == 0
        assert "embed" in doctor.stdout
        # The service computes vectors itself.
        found = instance.qm_json("search", "what time is it in Tokyo")["tools"]
        assert "clock__hours" in [tool["name"] for tool in found]


def test_doctor_tells_what_the_embedded_server_has(instance: Instance) -> None:
    diagnosis = instance.qm_json("doctor")
    assert diagnosis["problems"] == []
    assert diagnosis["server"].startswith("18")
    states = {c["name"]: c for c in diagnosis["capabilities"]}
    assert states["vector"]["state"] == "ok"
    assert states["pg_search"]["state"] == "absent"
    assert states["pg_search"]["stand_in"]
    assert states["pg_search"]["reason"]


@contextmanager
def _on_debian(server: Server, tmp_path: Path, *, model_is_visible: bool) -> Generator[Instance]:
    """Provides a service on the Debian server, over three tools."""
    with server.empty() as database, new_instance("--dsn", database.dsn) as instance:
        if model_is_visible:
            instance.environment["QM_RUNTIME_DIR"] = str(cached_model_dir().parents[1])
        # The login role belongs to the whole server, which other tests use, too.
        instance.data_dir.mkdir()
        credentials = instance.data_dir / "credentials.json"
        credentials.write_text(json.dumps({"qm_service": SERVICE_PASSWORD}))
        instance.start()
        # The client program is that of the embedded server.
        instance.environment["QM_RUNTIME_DIR"] = str(shared_runtime_dir())
        file = tmp_path / "tools.jsonl"
        tools = [
            ("clock", "hours", "Current clock reading for any city and zone"),
            ("guide", "tokyo", "Restaurants of Tokyo"),
            ("socks", "mend", "Mends socks"),
        ]
        file.write_text(
            "\n".join(
                json.dumps({"origin": o, "name": n, "description": text}) for o, n, text in tools
            )
        )
        assert instance.qm_json("import", file)["unembedded"] == 0
        yield instance


def _psql(instance: Instance, query: str) -> tuple[list[list[str]], str]:
    """Returns rows of a query as text, and what psql wrote beside them."""
    done = instance.qm("psql", "--admin", "-X", "-A", "-t", "-F", "\t", "-c", query)
    assert done.returncode == 0, done.stderr
    return [line.split("\t") for line in done.stdout.splitlines()], done.stderr


def _missing(instance: Instance, capability: str) -> str | None:
    """Returns why the server lacks a capability; None if it has it."""
    capabilities = instance.qm_json("doctor")["capabilities"]
    [found] = [c for c in capabilities if c["name"] == capability]
    return None if found["state"] == "ok" else str(found["reason"])
