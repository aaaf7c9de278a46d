"""Log lines: JSON, with a request id, without secrets."""

from __future__ import annotations

import json
import logging
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

from quartermaster.core import logs


@pytest.fixture(autouse=True)
def logging_as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    for added in [each for each in root.handlers if each not in handlers]:
        added.close()
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    captured = capsys.readouterr()
    assert captured.out == ""
    return [json.loads(line) for line in captured.err.splitlines()]


def test_a_line_is_json_with_time_level_event_and_context(capsys: pytest.CaptureFixture[str]):
    logs.configure("info")
    logs.get_logger(part="ingest").info("origin_read", tools=3)
    (line,) = lines(capsys)
    assert line.pop("time")
    assert line == {"event": "origin_read", "level": "info", "part": "ingest", "tools": 3}


def test_a_file_gets_every_line_and_stderr_only_if_it_is_wanted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "service.log"
    logs.configure("info", file=path, stderr=False)
    logs.get_logger().info("of_ours")
    logging.getLogger("another").warning("of another package")
    assert capsys.readouterr().err == ""
    events = [json.loads(line)["event"] for line in path.read_text().splitlines()]
    assert events == ["of_ours", "of another package"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600

    logs.configure("info", file=path)
    logs.get_logger().info("on_both")
    assert [line["event"] for line in lines(capsys)] == ["on_both"]
    assert "on_both" in path.read_text()


def test_a_full_file_becomes_the_previous_one_and_there_are_never_more_than_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(logs, "_FILE_BYTES", 1000)
    path = tmp_path / "service.log"
    logs.configure("info", file=path, stderr=False)
    for number in range(100):
        logs.get_logger().info("beat", number=number)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["service.log", "service.log.1"]
    assert all(each.stat().st_size <= 1000 for each in tmp_path.iterdir())
    retained = [path.with_name("service.log.1"), path]
    numbers = [
        json.loads(line)["number"] for each in retained for line in each.read_text().splitlines()
    ]
    assert numbers == list(range(numbers[0], 100)), "the newest, without a gap"


def test_lines_below_the_level_are_left_out(capsys: pytest.CaptureFixture[str]):
    logs.configure("warning")
    logs.get_logger().info("quiet")
    logs.get_logger().warning("loud")
    assert [line["event"] for line in lines(capsys)] == ["loud"]


def test_lines_of_one_request_share_its_id(capsys: pytest.CaptureFixture[str]):
    logs.configure()
    with logs.request_scope() as request_id:
        assert logs.current_request_id() == request_id
        logs.get_logger().info("inside")
    logs.get_logger().info("outside")
    inside, outside = lines(capsys)
    assert inside["request_id"] == request_id
    assert len(request_id) == 32
    assert "request_id" not in outside
    assert logs.current_request_id() is None


@pytest.mark.parametrize(
    "name",
    ["token", "access_token", "apiKey", "X-Api-Key", "Authorization", "client_secret", "password"],
)
def test_a_field_named_like_a_secret_is_hidden(name: str, capsys: pytest.CaptureFixture[str]):
    logs.configure()
    logs.get_logger().info("call", headers={name: "s3cr3t-value"})
    (line,) = lines(capsys)
    assert line["headers"] == {name: "[masked]"}


@pytest.mark.parametrize("name", ["max_tokens", "token_budget", "secret_count", "author"])
def test_other_fields_are_shown(name: str, capsys: pytest.CaptureFixture[str]):
    logs.configure()
    logs.get_logger().info("call", **{name: "shown"})
    assert lines(capsys)[0][name] == "shown"


def test_a_registered_secret_is_hidden_wherever_it_occurs(capsys: pytest.CaptureFixture[str]):
    logs.configure()
    logs.register_secret("correct-horse")
    try:
        raise ValueError("refused correct-horse")
    except ValueError:
        logs.get_logger().exception("failed", urls=["http://h/?k=correct-horse"])
    logging.getLogger("library").warning("sent %s", "correct-horse")
    captured = capsys.readouterr().err
    assert "correct-horse" not in captured
    assert "refused [masked]" in captured
    assert "sent [masked]" in captured
    assert "k=[masked]" in captured


def test_a_password_inside_a_connection_string_is_hidden(capsys: pytest.CaptureFixture[str]):
    logs.configure()
    logs.get_logger().info("connected", dsn="postgresql://qm:hunter@127.0.0.1:5432/qm")
    assert lines(capsys)[0]["dsn"] == "postgresql://qm:[masked]@127.0.0.1:5432/qm"


def test_people_get_lines_instead_of_json(capsys: pytest.CaptureFixture[str]):
    logs.configure(json=False)
    logs.get_logger().info("started", port=8765)
    with pytest.raises(ValueError, match="Expecting value"):
        lines(capsys)


def test_configuring_again_does_not_double_the_lines(capsys: pytest.CaptureFixture[str]):
    logs.configure()
    logs.configure()
    logging.getLogger("library").warning("once")
    assert len(lines(capsys)) == 1
