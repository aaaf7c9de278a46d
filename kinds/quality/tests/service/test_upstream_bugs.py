"""Bugs that other quality servers had, as tests: kinds/quality/docs/measured.md lists them."""

from __future__ import annotations

import anyio
import pytest

from kinds.quality.tests.service.conftest import GOOD, QualityService, Shop
from kinds.quality.tests.service.test_degradation import HANGING, running
from quartermaster_quality.bench import bench_of

pytestmark = pytest.mark.anyio


async def test_a_quick_score_is_no_gate_that_passes_because_the_rest_is_absent(
    quality_service: QualityService, shop: Shop
):
    shop.write("prices.py", GOOD)
    quick = await shop.call("score_file", file_path="prices.py", quick=True)
    assert (quick["overall"], quick["categories"]["security"]["score"]) == (None, None)
    with quality_service.database.connect() as connection:
        connection.execute("select t.act_as('ann', 'qm_user')")
        asked = "select passed, score, degraded from api.gate('prices.py')"
        assert connection.execute(asked).fetchall() == [(False, None, True)]


@pytest.mark.parametrize(
    "data",
    [
        b"x = '\xff\xfe'\n",
        b"\xff\xfe" + "eval(input())\n".encode("utf-16-le"),
        b"# coding: nothing\neval(input())\n",
        b"x = 1\0\neval(input())\n",
    ],
    ids=["no text", "utf-16", "unknown encoding", "null"],
)
async def test_bytes_that_no_checker_can_read_are_not_clean(shop: Shop, data: bytes):
    (shop.root / "odd.py").write_bytes(data)
    found = await shop.call("security_scan", file_path="odd.py")
    assert (found["status"], found["degraded"]) == ("degraded", True)
    gate = await shop.call("quality_gate", file_path="odd.py")
    assert not gate["passed"]
    assert any(text.startswith("security: unknown") for text in gate["failures"])


async def test_a_weakness_is_seen_in_the_encoding_that_the_file_declares(shop: Shop):
    (shop.root / "odd.py").write_bytes(b"# coding: utf-7\n+AGUAdgBhAGw-(input())\n")
    found = await shop.call("security_scan", file_path="odd.py")
    assert {finding["cwe"] for finding in found["findings"]} & {94, 95}, found


async def test_nothing_but_answers_is_written_to_stdout(
    shop: Shop, capfd: pytest.CaptureFixture[str]
):
    capfd.readouterr()
    shop.write("prices.py", f"{GOOD}\n\nprint('loud')\n")
    shop.write("Dockerfile", "FROM python:latest\n")
    assert not (await shop.call("quality_gate", file_path="prices.py"))["passed"]
    await shop.call("validate_config", file_path="Dockerfile")
    assert capfd.readouterr().out == ""


async def test_a_checker_that_hangs_keeps_nobody_else_waiting(
    shop: Shop, tmp_path_factory: pytest.TempPathFactory
):
    shop.write("slow.py", GOOD)
    ended: list[str] = []

    async def judge() -> None:
        await shop.call("quality_gate", file_path="slow.py")
        ended.append("gate")

    async def note() -> None:
        await shop.call("session_notes", action="save", key="a", value="b")
        ended.append("note")

    folder = tmp_path_factory.mktemp("scripts")
    async with (
        running(bench_of(shop.service), "bandit", HANGING, folder),
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(judge)
        tasks.start_soon(note)
    assert ended == ["note", "gate"]


async def test_many_gates_at_once_all_answer(shop: Shop):
    for number in range(6):
        shop.write(f"part{number}.py", f"{GOOD}\n\nNUMBER = {number}\n")
    verdicts: list[bool] = []

    async def judge(path: str) -> None:
        verdicts.append("passed" in await shop.call("quality_gate", file_path=path))

    with anyio.fail_after(120):
        async with anyio.create_task_group() as tasks:
            for number in range(6):
                for _ in range(2):
                    tasks.start_soon(judge, f"part{number}.py")
    assert verdicts == [True] * 12
