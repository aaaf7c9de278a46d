"""What sqlfluff, squawk and pgspot see; each is shown only what it understands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.sql_files import MIGRATIONS, PLACES, ROOT, files, relative

pytestmark = pytest.mark.lint

BIN = Path(sys.executable).parent
# All before the body, the signature, and the body.
_INLINED = re.compile(
    r"^(create or replace function ([^\n]+\))\n(?:\w[^\n]*\n)*?)return\n(.*?);\n",
    re.DOTALL | re.MULTILINE,
)


def run_tool(*command: str | Path) -> str:
    """Runs a tool; its output is the failure, and the answer when it succeeds."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        pytest.fail(f"{done.stdout}{done.stderr}", pytrace=False)
    return done.stdout


def unfrozen_migrations() -> list[str]:
    """Returns migrations not yet released: the ones that may still change."""
    return [
        relative(path)
        for path in MIGRATIONS
        if path.name not in path.with_name("frozen.txt").read_text(encoding="utf-8")
    ]


def test_sqlfluff_finds_nothing():
    run_tool(
        BIN / "sqlfluff", "lint", "--disable-progress-bar", *unfrozen_migrations(), *files("sql")
    )


def test_squawk_finds_no_risky_migration():
    if unfrozen := unfrozen_migrations():
        run_tool(BIN / "squawk", *unfrozen)


def test_migrations_are_numbered_one_by_one():
    for place in PLACES:
        names = sorted(path.name for path in place.glob("migrations/*.sql"))
        numbers = [name.partition("_")[0] for name in names]
        assert numbers == [f"{number:04d}" for number in range(1, len(numbers) + 1)], place.name


def test_pgspot_finds_no_unsafe_statement_in_the_bundle(tmp_path: Path):
    bundle = tmp_path / "bundle.sql"
    script = run_tool(BIN / "qm", "bundle")
    # psql's own commands are not SQL.
    plain = re.sub(r"^\\.*$", "", script, flags=re.MULTILINE).replace(" \\gset", ";")
    # pgspot cannot read a RETURN, so it sees the same as a string.
    bundle.write_text(_INLINED.sub(r"\1as $sql$ select\3; $sql$;\n", plain), encoding="utf-8")
    # Inlined into every query, so they cannot carry a path of their own.
    inlined = [found[2].replace(", ", ",") for found in _INLINED.finditer(plain)]
    run_tool(
        BIN / "pgspot",
        "--ignore-lang=plpython3u",
        *(f"--proc-without-search-path={signature}" for signature in inlined),
        bundle,
    )
