"""The figures of ``qm eval quality``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from quartermaster.core.errors import QmError
from quartermaster_quality.scan_evaluation import figures, measure, read_cases

SAFE = "import subprocess\n\n\ndef show(name):\n    subprocess.run(['ls', '--', name])\n"
BAD = "import os\nfrom flask import request\n\nos.system('ls ' + request.args['n'])\n"


def case(cwe: int, *, vulnerable: bool) -> dict[str, Any]:
    return {"pair": "p", "cwe": cwe, "code": "", "vulnerable": vulnerable}


def test_the_mean_is_over_classes_and_the_share_over_files():
    done = [
        (case(78, vulnerable=True), True, True),
        (case(78, vulnerable=True), False, True),
        (case(78, vulnerable=False), False, True),
        (case(89, vulnerable=True), True, True),
        (case(89, vulnerable=False), True, False),
        (case(89, vulnerable=False), False, True),
    ]
    found = figures(done)
    assert [row["youden"] for row in found["classes"]] == [0.5, 0.5]
    assert (found["files"], found["mean_youden"]) == (6, 0.5)
    assert (found["safe_alarmed"], found["not_read"]) == (0.333, 1)


def test_a_corpus_is_scanned(tmp_path: Path):
    corpus = tmp_path / "corpus.jsonl"
    rows = [
        {"pair": "1", "cwe": 78, "label": "vulnerable", "code": BAD},
        {"pair": "1", "cwe": 78, "label": "safe", "code": SAFE},
    ]
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows))
    seen: list[tuple[int, int]] = []
    found = anyio.run(measure, read_cases(corpus), lambda done, of: seen.append((done, of)))
    assert (found["mean_youden"], found["safe_alarmed"], found["not_read"]) == (1.0, 0.0, 0)
    assert seen == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    "line", ["{", "[]", "{}", '{"pair": 1, "cwe": 1, "code": "", "label": ""}']
)
def test_a_line_that_is_no_case_is_named(tmp_path: Path, line: str):
    (tmp_path / "corpus.jsonl").write_text(line + "\n")
    with pytest.raises(QmError, match=r"Line 1 of corpus\.jsonl"):
        read_cases(tmp_path / "corpus.jsonl")
