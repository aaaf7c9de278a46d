"""Measures security scans on files that are known to be vulnerable or safe."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from quartermaster.core.errors import QmError
from quartermaster_quality.local import judged, scan_each
from quartermaster_quality.scanners.concurrent_scan import SECURITY, Scanners
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile
from quartermaster_quality.weaknesses import RELATIVES

Case = dict[str, Any]


def read_cases(path: Path) -> list[Case]:
    """Reads a corpus: one JSON object per line, with the members pair, cwe, label and code.

    Raises:
        QmError: QM422 corpus_invalid.
    """
    cases: list[Case] = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        try:
            case = json.loads(line)
            known = {"pair": str(case["pair"]), "cwe": int(case["cwe"]), "code": str(case["code"])}
            cases.append(known | {"vulnerable": {"vulnerable": True, "safe": False}[case["label"]]})
        except (KeyError, TypeError, ValueError):
            raise QmError(
                422,
                "corpus_invalid",
                f"Line {number} of {path.name} is not a test case.",
                'Each line needs the members pair, cwe, code, and label ("vulnerable" or "safe").',
            ) from None
    return cases


async def measure(cases: list[Case], progress: Callable[[int, int], None]) -> dict[str, Any]:
    """Scans all files with the security checkers. Returns the answer of `figures`.

    Args:
        cases: see `read_cases`.
        progress: function that is called with the number of scanned files and the number of all
            files.
    """

    async def one(scanners: Scanners, case: Case) -> tuple[Case, bool, bool]:
        source = SourceFile("app.py", case["code"].encode())
        result = judged("app.py", await scanners.scan(source, ScanOptions(), SECURITY))
        found = any(_same(finding.cwe, case["cwe"]) for finding in result.findings)
        return case, found, result.status == "ok"

    return figures(await scan_each(cases, one, progress))


def figures(done: Iterable[tuple[Case, bool, bool]]) -> dict[str, Any]:
    """Computes how well weaknesses were found, for each class and for all classes.

    Youden's J of a class is the share of its vulnerable files that were reported minus the share of
    its safe files that were reported.

    Args:
        done: for each case: the case, whether it was reported, and whether every checker has read
            the whole file.
    """
    counts: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    unread = 0
    for case, found, is_read in done:
        at = 0 if case["vulnerable"] else 2
        counts[case["cwe"]][at] += 1
        counts[case["cwe"]][at + 1] += found
        unread += not is_read
    rows: list[dict[str, Any]] = []
    for cwe, (bad, found, good, false) in sorted(counts.items()):
        recall, rate = found / bad if bad else 0.0, false / good if good else 0.0
        numbers = {"vulnerable": bad, "found": found, "safe": good, "false": false}
        rows.append({"cwe": cwe, **numbers, "youden": round(recall - rate, 3)})
    safe = sum(row["safe"] for row in rows)
    return {
        "files": sum(row["vulnerable"] + row["safe"] for row in rows),
        "mean_youden": round(sum(row["youden"] for row in rows) / max(1, len(rows)), 3),
        "safe_alarmed": round(sum(row["false"] for row in rows) / max(1, safe), 3),
        "not_read": unread,
        "classes": rows,
    }


def _same(found: int | None, wanted: int) -> bool:
    return found is not None and RELATIVES.get(found, found) == RELATIVES.get(wanted, wanted)
