"""Output is divided into the same texts, wherever it is cut into chunks."""

from __future__ import annotations

import json

import pytest

from quartermaster.upstream.stdout_texts import StdoutTexts, TooLong

ONE = {"jsonrpc": "2.0", "id": 1, "result": {"text": 'a } b " { \u00fc', "list": [{"x": []}]}}
TWO = {"jsonrpc": "2.0", "id": 2, "result": {}}


def framed(message: object) -> str:
    text = json.dumps(message, ensure_ascii=False)
    return f"Content-Length: {len(text.encode())}\r\nContent-Type: x\r\n\r\n{text}"


OUTPUTS = {
    "lines": f"{json.dumps(ONE)}\n\n{json.dumps(TWO)}\r\n".encode(),
    "pretty": "\n".join(json.dumps(each, indent=2) for each in (ONE, TWO)).encode() + b"\n",
    "pretty without indents": "\n".join(json.dumps(each, indent=0) for each in (ONE, TWO)).encode()
    + b"\n",
    "one line": (json.dumps(ONE) + json.dumps(TWO) + "\n").encode(),
    "framed": (framed(ONE) + framed(TWO)).encode(),
    "framed and lines": (framed(ONE) + "\n" + json.dumps(TWO) + "\n").encode(),
    "utf-16": "".join(f"{json.dumps(each)}\n" for each in (ONE, TWO)).encode("utf-16"),
    "utf-16 with a mark in each": b"".join(
        f"{json.dumps(each)}\n".encode("utf-16") for each in (ONE, TWO)
    ),
    "utf-16 without a mark": "".join(f"{json.dumps(each)}\n" for each in (ONE, TWO)).encode(
        "utf-16-be"
    ),
}


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
@pytest.mark.parametrize("form", OUTPUTS)
def test_each_form_gives_its_messages(form: str, size: int) -> None:
    output = OUTPUTS[form]
    # The encoding shows in the first two bytes.
    sizes = [max(size, 2), *[size] * len(output)]
    texts = StdoutTexts(1_000)
    found: list[bytes | TooLong] = []
    start = 0
    for each in sizes:
        found += texts.feed(output[start : start + each])
        start += each
    assert [json.loads(text) for text in found if isinstance(text, bytes)] == [ONE, TWO]
    assert len(found) == 2


@pytest.mark.parametrize(
    "before", ["{", '{\n "never": ', "Content-Length: 10\nX: y", "Content-Length: x", "[1,"]
)
def test_what_is_no_message_costs_none_of_the_next(before: str) -> None:
    found = [*StdoutTexts(1_000).feed(f"{before}\n{json.dumps(TWO)}\n".encode())]
    assert json.dumps(TWO).encode() in found


@pytest.mark.parametrize("before", ["Ready", "\x1b[0m", "\ufeff", "[info] "])
def test_a_message_behind_other_text_in_its_line_is_found(before: str) -> None:
    *_, last = StdoutTexts(1_000).feed(f"{before}{json.dumps(TWO)}\n".encode())
    assert isinstance(last, bytes)
    assert json.loads(last.lstrip(b"\xef\xbb\xbf")) == TWO


@pytest.mark.parametrize("id_first", [True, False])
@pytest.mark.parametrize("size", [100, 5_000])
def test_an_answer_that_is_too_long_is_told_and_the_next_is_read(id_first: bool, size: int) -> None:
    ends = {"jsonrpc": "2.0", "id": "a"}
    long = {"result": {"text": "x" * 3_000}}
    output = json.dumps(ends | long if id_first else long | ends) + "\n" + json.dumps(TWO) + "\n"
    texts = StdoutTexts(1_000)
    found: list[bytes | TooLong] = []
    for start in range(0, len(output), size):
        found += texts.feed(output[start : start + size].encode())
    if size < 1_000:
        assert found[0] == TooLong("a", is_endless=False)
    assert found[-1] == json.dumps(TWO).encode()


def test_a_line_without_an_end_is_told() -> None:
    texts = StdoutTexts(1_000)
    assert [*texts.feed(b"x" * 1_001)] == [TooLong(None, is_endless=True)]
    texts = StdoutTexts(1_000)
    found = [report for _ in range(10) for report in texts.feed(b'{"id": 7,' + b" " * 500)]
    assert found[0] == TooLong(7, is_endless=True)


def test_quotation_marks_without_an_end_are_read_once() -> None:
    # Reading on from each of them would take hours.
    odd = b"{\n" + b'\\"' * 500_000 + b"\n"
    found = [*StdoutTexts(64 * 2**20).feed(odd + json.dumps(TWO).encode() + b"\n")]
    assert found[-1] == json.dumps(TWO).encode()
