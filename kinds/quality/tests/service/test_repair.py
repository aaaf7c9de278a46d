"""The changes of a file are those that diff writes, and take no longer than the file is long."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from random import Random

from quartermaster_quality.repair import changes
from tests.support.lots import lots


def test_changes_have_three_lines_around_them():
    before = b"".join(b"%d\n" % line for line in range(1, 31))
    after = before.replace(b"\n5\n", b"\n").replace(b"\n20\n", b"\n20\nx\n")
    assert changes(before, after, "f.py").splitlines() == [
        *("--- a/f.py", "+++ b/f.py"),
        *("@@ -2,7 +2,6 @@", " 2", " 3", " 4", "-5", " 6", " 7", " 8"),
        *("@@ -18,6 +17,7 @@", " 18", " 19", " 20", "+x", " 21", " 22", " 23"),
    ]


def test_git_makes_the_later_version_of_the_earlier_one(tmp_path: Path):
    random = Random(43)
    file = tmp_path / "f.py"
    for _ in range(lots(40)):
        before, after = (
            b"".join(random.choices([b"a\n", b"b\n", b"c\r\n", b"d\x0c\n", b"e\re\n"], k=30))
            + random.choice([b"", b"z", b"z\n"])
            for _ in "ab"
        )
        file.write_bytes(before)
        given = changes(before, after, "f.py").encode()
        subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=given, check=True)
        assert file.read_bytes() == after


def test_many_changes_among_like_lines_take_no_time():
    """Difflib alone computed half a minute."""
    retained = [b"x%d = %d\n" % (n % 150, n % 150) for n in range(4_000)]
    before = b"".join(b"import m%d\n%s" % (n, line) for n, line in enumerate(retained))
    begun = time.process_time()
    report = changes(before, b"".join(retained), "f.py")
    assert time.process_time() - begun < 5
    assert report.count("\n-import m") == 4_000
