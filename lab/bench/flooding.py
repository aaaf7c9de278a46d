"""Runs a flood of requests beside what is measured."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

_ROOT = Path(__file__).parents[2]


@contextmanager
def in_background(code: str, *arguments: str | Path) -> Generator[Counter[str]]:
    """Runs Python code as a process of the lowest priority, and counts what became of its requests.

    Args:
        code: prints ``flooding`` when it has begun, ends at the end of its input, and then prints
            the counts as JSON.
        arguments: what the code finds in ``sys.argv``.
    """
    tally = Counter[str]()
    with subprocess.Popen(
        ["setsid", "nice", "-n", "19", sys.executable, "-c", code, *arguments],
        cwd=_ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        # The kernel shares the processor between sessions first; nice alone has no effect then.
        group = Path(f"/proc/{process.pid}/autogroup")
        if group.exists():
            group.write_text("19")
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "flooding\n"
            yield tally
            report, _ = process.communicate(timeout=120)
            tally.update(json.loads(report))
        finally:
            process.kill()
