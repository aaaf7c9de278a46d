"""``qm job``: listed, run, changed, and what they did."""

from __future__ import annotations

import re

from tests.support.instance import Instance


def test_a_job_is_listed_run_changed_and_logged(instance: Instance) -> None:
    names = [row["name"] for row in instance.qm_json("job", "list")]
    assert {"learn", "refresh"} <= set(names)

    ran = instance.qm("job", "run", "refresh")
    assert ran.returncode == 0, ran.stderr
    assert "origins" in ran.stdout
    [logged, *_] = instance.qm_json("job", "log", "refresh")
    assert (logged["failure"], logged["job"]) == (None, "refresh")
    assert "refresh" in instance.qm("job", "log").stdout
    listed = instance.qm("job", "list").stdout.splitlines()
    # A name and two moments, each in one piece.
    assert any(len(re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d", line)) == 2 for line in listed)

    [changed] = instance.qm_json("job", "set", "refresh", "--every", "48 hours", "--off")
    assert not changed["enabled"]
    [changed] = instance.qm_json("job", "set", "refresh", "--every", "24 hours", "--on")
    assert changed["enabled"]

    for arguments in (("run", "none"), ("set", "none", "--off"), ("log", "none")):
        refused = instance.qm("job", *arguments)
        assert (refused.returncode, "job_not_found" in refused.stderr) == (1, True)
        assert "refresh" in refused.stderr
    odd = instance.qm("job", "set", "refresh", "--every", "often")
    assert odd.returncode == 1
