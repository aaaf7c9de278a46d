"""``qm tool terms`` against a running service."""

from __future__ import annotations

from tests.service.cli.test_trust import Upstream, lingua

__all__ = ["lingua"]


def test_terms_are_shown_tried_set_and_taken_back(lingua: Upstream):
    lingua.refreshed()
    qm, tool = lingua.instance, lingua.tool
    refused = qm.qm("tool", "terms", tool, "--attempts", "0")
    assert refused.returncode == 1
    assert "from 1 to 10" in refused.stdout + refused.stderr
    tried = qm.qm("tool", "terms", tool, "--read-only", "--cache", "60", "--dry-run")
    assert "is_read_only" in tried.stdout
    before = qm.qm_json("tool", "terms", tool)
    assert (before["own"], before["effective"]["may_repeat"]) == ({}, False)
    asked = ("--read-only", "--cache", "60", "--redact", "text", "--timeout", "2.5")
    assert qm.qm("tool", "terms", tool, *asked).returncode == 0
    held = qm.qm_json("tool", "terms", tool, "--reset", "timeout_s")
    assert held["own"] == {"is_read_only": True, "cache_s": 60, "redacted": ["text"]}
    assert held["effective"]["may_repeat"] is True
    shown = qm.qm("tool", "terms", tool).stdout
    assert all(len(line) <= 80 for line in shown.splitlines()), shown
    assert "seconds for which a result is cached" in shown
