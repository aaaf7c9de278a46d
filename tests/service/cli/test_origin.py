"""``qm origin`` and ``qm secret`` against a running service and real upstreams."""

from __future__ import annotations

import json
import sys

import pytest

from quartermaster.cli.waiting import print_refreshes
from tests.support.canary import canary
from tests.support.instance import Instance
from tests.support.upstreams import SUPPORT, is_running, leaf_server
from tests.support.waiting import wait_until

RUDE = f"{sys.executable} {SUPPORT / 'rude_server.py'}"


def test_an_origin_from_its_addition_to_its_removal(instance: Instance) -> None:
    token = canary()
    added = instance.qm(
        "origin", "add", "rude", "--command", RUDE, "--yes", "--env", f"TOKEN={token}"
    )
    assert added.returncode == 0, added.stderr
    assert "done" in added.stdout

    [listed] = [o for o in instance.qm_json("origin", "list") if o["name"] == "rude"]
    assert (listed["status"], listed["items"]["tool"]) == ("ready", 8)

    shown = instance.qm_json("origin", "show", "rude")
    assert shown["environment"] == {"TOKEN": "secret:rude/TOKEN"}
    assert len([i for i in shown["items"] if i["kind"] == "tool"]) == 8
    assert "rude__echo" in instance.qm("origin", "show", "rude").stdout
    assert "rude/TOKEN" in instance.qm_json("secret", "list")
    assert token not in json.dumps(shown) + added.stdout + instance.stderr

    again = instance.qm("origin", "add", "rude", "--command", RUDE, "--yes")
    assert (again.returncode, "origin_exists" in again.stderr) == (1, True)
    replaced = instance.qm(
        "origin", "add", "rude", "--command", f"{RUDE} banner", "--yes", "--replace"
    )
    assert replaced.returncode == 0, replaced.stderr
    assert instance.qm_json("origin", "show", "rude")["command"][-1] == "banner"

    asked = instance.qm("origin", "remove", "rude", stdin="n\n")
    assert (asked.returncode, "8 tools" in asked.stdout) == (1, True)
    assert instance.qm("origin", "remove", "rude", "--yes").returncode == 0
    assert not [o for o in instance.qm_json("origin", "list") if o["name"] == "rude"]
    assert instance.qm("secret", "remove", "rude/TOKEN", "--yes").returncode == 0


@pytest.mark.parametrize("mode", ["", " banner"], ids=["the same", "another"])
def test_a_server_that_is_defined_again_is_started_again(instance: Instance, mode: str) -> None:
    def process() -> int:
        instance.qm_json("call", "again__pid")
        with instance.http() as client:
            return client.get("/status").json()["upstreams"]["again"]["pid"]

    added = instance.qm("origin", "add", "again", "--command", RUDE, "--yes")
    assert added.returncode == 0, added.stdout + added.stderr
    before = process()
    # The program may have changed, even if the command that starts it has not.
    added = instance.qm("origin", "add", "again", "--command", RUDE + mode, "--yes", "--replace")
    assert added.returncode == 0, added.stdout + added.stderr
    assert process() != before
    assert wait_until(lambda: not is_running(before))
    assert instance.qm("origin", "remove", "again", "--yes").returncode == 0


def test_a_failing_origin_is_told_with_its_class_and_another_status(instance: Instance) -> None:
    failed = instance.qm("origin", "add", "broken", "--command", "no-such-program-at-all")

    assert failed.returncode == 1
    assert "command_not_found" in failed.stdout
    assert instance.qm("origin", "refresh", "broken").returncode == 1
    assert instance.qm("origin", "remove", "broken", "--yes").returncode == 0


def test_a_secret_set_later_is_used_by_the_next_refresh(instance: Instance) -> None:
    with leaf_server("http", "token") as server:
        url = server.spec().url
        header = "Authorization=Bearer ${input:token}"
        added = instance.qm(
            "origin", "add", "closed", "--url", str(url), "--header", header, "--yes"
        )
        assert (added.returncode, "qm secret set closed/token" in added.stderr) == (1, True)

        kept = instance.qm("secret", "set", "closed/token", stdin="cnryQm7x-let-me-in\n")
        assert kept.returncode == 0
        refreshed = instance.qm("origin", "refresh", "closed")

    assert refreshed.returncode == 0, refreshed.stdout
    assert instance.qm("origin", "remove", "closed", "--yes").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["add", "x"], "either a command or a url"),
        (["add", "x", "--url", "ftp://a"], "origin_invalid"),
        (["add", "", "--command", "y"], "origin_invalid"),
        (["show", "nowhere"], "origin_not_found"),
        (["refresh", "nowhere"], "origin_not_found"),
        (["remove", "nowhere", "--yes"], "origin_not_found"),
    ],
)
def test_mistakes_are_explained(instance: Instance, arguments: list[str], said: str) -> None:
    done = instance.qm("origin", *arguments)

    assert done.returncode == 1
    assert said in done.stderr
    assert "Next:" in done.stderr


@pytest.mark.parametrize(("status", "failure"), [("failed", "died"), ("done", None)])
def test_after_a_refresh_that_failed_the_next_step_is_said(
    status: str, failure: str | None, capsys: pytest.CaptureFixture[str]
):
    counts = dict.fromkeys(("added", "changed", "withheld", "unchanged", "deprecated"), 0)
    told = {"origin": "o", "status": status, "failure_class": failure, "failure": failure}
    print_refreshes([{**counts, **told, "rejected": []}])
    assert ("qm origin log NAME" in " ".join(capsys.readouterr().err.split())) == bool(failure)
