"""Measures the taint pass: ``python -m lab.comparisons.twins TWINS.jsonl --owasp DIR --pairs DIR``.

The corpora lie outside the repository. The rules were written while half of the twins were looked
at (five pairs a class, drawn with seed 22); the other half is measured only.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import sys
import sysconfig
from collections import defaultdict
from pathlib import Path

from quartermaster.core.findings import Status
from quartermaster_quality.taint import MODELLED_CWES, scan

# A finding counts if it names the class or a close relative.
RELATIVES = {
    22: {22, 23, 36, 73}, 78: {77, 78, 88}, 79: {79, 80}, 94: {94, 95}, 117: {93, 117},
    208: {208, 385}, 295: {295, 297}, 328: {326, 327, 328, 759, 760, 916},
    330: {330, 331, 337, 338, 340}, 347: {287, 345, 347}, 377: {377, 378, 379},
    611: {611, 776, 827}, 614: {614, 1004, 1275}, 798: {259, 321, 798}, 1336: {94, 1336},
}  # fmt: skip
# What is wrong in vulpy's bad half, in classes that the pass models, as read by hand.
VULPY = {
    "api_post.py": {377}, "db.py": {798}, "db_init.py": {798}, "libapi.py": {22, 330, 377},
    "libsession.py": {347, 614}, "libuser.py": {89}, "vulpy.py": {94, 798},
    "vulpy-ssl.py": {94, 377, 798},
}  # fmt: skip
OWASP_CLASSES = {"hash": 328, "securecookie": 614}
Counts = dict[str, list[int]]


def relatives(cwe: int) -> set[int]:
    return RELATIVES.get(cwe, {cwe})


def alarmed(source: bytes, path: str, cwe: int) -> bool:
    result = scan(source, path)
    if result.status is not Status.OK:
        print(f"{path}: {result.status}: {result.reason}")
    return any(f.cwe in relatives(cwe) for f in result.findings)


def show(title: str, counts: Counts) -> None:
    """Prints recall, false alarms and Youden's J of each class, and their means."""
    print(f"\n{title}")
    indices: list[float] = []
    rates: list[float] = []
    for name, (bad, found, good, false) in sorted(counts.items()):
        rates.append(false / good)
        indices.append(found / bad - rates[-1])
        print(f"  {name:16} found {found}/{bad}  false {false}/{good}  J {indices[-1]:.2f}")
    pooled = sum(c[3] for c in counts.values()) / sum(c[2] for c in counts.values())
    print(
        f"  mean J {sum(indices) / len(indices):.3f}  mean false-alarm rate "
        f"{sum(rates) / len(rates):.3f}  safe files alarmed {pooled:.3f}"
    )


def seen_pairs(rows: list[dict[str, object]]) -> set[str]:
    """Returns the pairs that were looked at while the rules were written."""
    classes: dict[int, set[str]] = defaultdict(set)
    for row in rows:
        classes[int(str(row["cwe"]))].add(str(row["pair"]))
    draw = random.Random(22)
    seen: set[str] = set()
    for cwe in sorted(classes):
        pairs = sorted(classes[cwe])
        draw.shuffle(pairs)
        seen |= set(pairs[: len(pairs) // 2])
    return seen


def twins(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    seen = seen_pairs(rows)
    for title, wanted in (("twins looked at", True), ("twins not looked at", False)):
        counts: Counts = defaultdict(lambda: [0, 0, 0, 0])
        for row in rows:
            if (row["pair"] in seen) is not wanted:
                continue
            at = 0 if row["label"] == "vulnerable" else 2
            entry = counts[f"CWE {row['cwe']:4}"]
            entry[at] += 1
            entry[at + 1] += alarmed(row["code"].encode(), row["pair"], row["cwe"])
        show(title, counts)


def owasp(folder: Path) -> None:
    counts: Counts = defaultdict(lambda: [0, 0, 0, 0])
    with next(folder.glob("expectedresults-*.csv")).open() as table:
        for name, category, real, number, *_ in csv.reader(table):
            if name.startswith("#"):
                continue
            at = 0 if real == "true" else 2
            source = (folder / "testcode" / f"{name}.py").read_bytes()
            counts[category][at] += 1
            cwe = OWASP_CLASSES.get(category, int(number))
            counts[category][at + 1] += alarmed(source, name, cwe)
    show("OWASP BenchmarkPython", counts)


def findings_of_bandit(folder: Path) -> list[tuple[str, int | None]]:
    command = [sys.executable, "-m", "bandit", "-q", "-r", "-f", "json", str(folder)]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    return [
        (r["filename"], r.get("issue_cwe", {}).get("id", 0))
        for r in json.loads(answer.stdout)["results"]
    ]


def never_tuned(folder: Path) -> None:
    """The findings in vulpy, and the files of SecurityEval whose class is modelled."""
    recall = 0, 0
    for part in ("vulpy/bad", "vulpy/good"):
        files = sorted((folder / part).rglob("*.py"))
        found = [(str(f), x.cwe) for f in files for x in scan(f.read_bytes(), str(f)).findings]
        theirs = findings_of_bandit(folder / part)
        print(f"\n{part}: findings {len(found)}, of bandit {len(theirs)}")
        if part == "vulpy/bad":
            recall = _labelled(found), _labelled(theirs)
    ours, other, total = _security_eval(folder)
    print(f"SecurityEval: {total} files of modelled classes, found {ours}, by bandit {other}")
    known = sum(map(len, VULPY.values()))
    print(f"vulpy/bad: {known} labelled weaknesses, found {recall[0]}, by bandit {recall[1]}")
    both, of_bandit = ours + recall[0], other + recall[1]
    print(f"both: found {both}, by bandit {of_bandit}, ratio {both / of_bandit:.2f}")


def _labelled(found: list[tuple[str, int | None]]) -> int:
    """Returns how many of the labelled weaknesses are among findings."""
    return sum(
        any(Path(path).name == name and number in relatives(cwe) for path, number in found)
        for name, classes in VULPY.items()
        for cwe in classes
    )


def _security_eval(folder: Path) -> tuple[int, int, int]:
    root = folder / "SecurityEval" / "Testcases_Insecure_Code"
    theirs = findings_of_bandit(root)
    total = ours = other = 0
    for case in sorted(root.iterdir()):
        cwe = int(case.name.removeprefix("CWE-"))
        wanted = relatives(cwe) | {c for c in MODELLED_CWES if cwe in relatives(c)}
        if not wanted & MODELLED_CWES:
            continue
        for file in sorted(case.glob("*.py")):
            total += 1
            ours += any(f.cwe in wanted for f in scan(file.read_bytes(), str(file)).findings)
            other += any(name == str(file) and c in wanted for name, c in theirs)
    return ours, other, total


def clean() -> None:
    """The standard library and installed packages: every finding is taken for a false alarm."""
    paths = sysconfig.get_paths()
    roots = [Path(paths["stdlib"])]
    roots += [Path(paths["purelib"]) / n for n in ("rich", "pydantic", "starlette")]
    lines = found = 0
    skipped = {"site-packages", "test", "tests", "idle_test", "lib2to3"}
    for root in roots:
        for file in sorted(root.rglob("*.py")):
            if skipped & set(file.relative_to(root).parts):
                continue
            source = file.read_bytes()
            lines += source.count(b"\n")
            found += len(scan(source, str(file)).findings)
    print(f"\nclean code: {found} findings in {lines} lines, 1 in {lines // max(1, found)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("twins", type=Path, help="file of twins, one JSON object a line")
    parser.add_argument("--owasp", type=Path, help="folder of OWASP BenchmarkPython")
    parser.add_argument("--pairs", type=Path, help="folder that holds vulpy and SecurityEval")
    parser.add_argument("--clean", action="store_true", help="also the standard library (minutes)")
    options = parser.parse_args()
    twins(options.twins)
    if options.owasp:
        owasp(options.owasp)
    if options.pairs:
        never_tuned(options.pairs)
    if options.clean:
        clean()


if __name__ == "__main__":
    main()
