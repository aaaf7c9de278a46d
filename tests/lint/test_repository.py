"""What must not be in the repository, whatever the file."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.kinds import DECLARED
from tests.support.sql_files import ROOT, SCHEMAS, files, relative

pytestmark = pytest.mark.lint

# Put together here, so that this file does not hold what it forbids.
REGISTRIES = ["pypi" + ".org", "pythonhosted" + ".org", "npmjs" + ".org", "deb.debian" + ".org"]
MACHINE_PATHS = ["/" + "work/", "/" + "root/", "/" + "home/"]
FORBIDDEN = re.compile("|".join(re.escape(text) for text in [*REGISTRIES, *MACHINE_PATHS]))
# The package index has packages of others with this name, and with this name before a hyphen.
OTHERS = "quarter" + "master"
TAKEN = re.compile(
    rf"\b(?:install|inject|run|download|uvx)\s+(?:-\S+\s+)*[\"'`]?{OTHERS}[\"'`]?(?:\s|$)"
    rf"|(?<![\w-]){OTHERS}(?:\[\w|[=~>]=|-(?:\*|\d))",
    re.MULTILINE,
)
UNMERGED = re.compile(r"^(<{7}|>{7}) ", re.MULTILINE)


def tracked_files() -> list[Path]:
    """Returns files of the repository, new ones included, ignored ones not."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def texts() -> Iterator[tuple[Path, str]]:
    """Yields the files that are text."""
    for path in tracked_files():
        with suppress(UnicodeDecodeError):
            yield path, path.read_text(encoding="utf-8")


def test_no_file_names_a_registry_or_a_path_of_one_machine():
    found = [
        f"{relative(path)}:{number}: {match[0]}"
        for path, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if (match := FORBIDDEN.search(line))
    ]
    assert not found


def test_no_file_names_a_distribution_of_others():
    found = [
        f"{relative(path)}: {match[0]}"
        for path, text in texts()
        if "lab/notes" not in relative(path)
        for match in TAKEN.finditer(text)
    ]
    assert not found


def test_no_file_has_both_sides_of_a_conflict():
    assert [relative(path) for path, text in texts() if UNMERGED.search(text)] == []


def test_domains_have_the_same_name_everywhere():
    for folder in ("views", "triggers", "rls", "seeds"):
        named = {path.stem for path in files(f"sql/{folder}/*.sql")}
        assert named
        assert named <= {*SCHEMAS}, folder


def test_the_file_of_a_kind_has_its_name():
    assert DECLARED
    for kind, path in DECLARED.items():
        assert f"'{kind}'" in path.read_text(encoding="utf-8"), relative(path)
