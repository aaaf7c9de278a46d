"""``python -m lab.comparisons.poisoning [TOOLS]``: detection and false alarms of the scan."""

from __future__ import annotations

import sys
import time

import psycopg

from lab.comparisons.poisoning.detection_rates import (
    half,
    judge_benign,
    judge_poisoned,
    rate,
    report,
)
from tests.support.database import embedded
from tests.support.shared_data import SHARED

CATALOG = SHARED / "retrieval" / "mcpcatalog" / "tools.jsonl"


def main() -> None:
    """Prints what became of each class, in the half for tuning and in the other."""
    maximum = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    with (
        embedded() as server,
        server.clone() as database,
        psycopg.connect(database.dsn) as connection,
    ):
        verdicts = judge_poisoned(connection)
        started = time.perf_counter()
        if CATALOG.exists():
            verdicts += judge_benign(connection, CATALOG, maximum, is_dev=True)
            verdicts += judge_benign(connection, CATALOG, maximum, is_dev=False)
        seconds = time.perf_counter() - started
    sys.stdout.write("class                    tuned on       unseen\n")
    sys.stdout.writelines(f"{line}\n" for line in report(verdicts))
    unseen = half(verdicts, is_dev=False)
    poisoned = [verdict for verdict in unseen if verdict.attack]
    sys.stdout.write(f"unseen: {rate(poisoned):.1%} of {len(poisoned)} poisoned are found\n")
    if benign := [verdict for verdict in unseen if not verdict.attack]:
        sys.stdout.write(f"unseen: {rate(benign):.2%} of {len(benign)} benign are suspected\n")
        sys.stdout.write(f"{seconds:.1f} s to store, scan and index {2 * len(benign)} of them\n")


if __name__ == "__main__":
    main()
