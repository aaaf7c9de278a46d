"""The goals of a first trial, over the starter servers: what is right stays right.

The lab tells what is still wrong, and why (lab/notes/selection.md#goals-of-a-first-trial).
"""

from __future__ import annotations

import json

import pytest

from quartermaster.upstream.confinement import confinement
from tests.support.instance import Instance

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_FIRST = {
    "what time is it in Tokyo": "time__get_current_time",
    "if it is 3pm in London what time is it in Sydney": "time__convert_time",
    "show me what I changed but haven't committed": "git__git_diff_unstaged",
    "what is in commit abc123": "git__git_show",
    "compare my branch with main": "git__git_diff",
    "see what will go into the next commit": "git__git_diff_staged",
    "what's in this folder": "filesystem__list_directory",
    "rename report.txt": "filesystem__move_file",
    "wie spät ist es in Berlin": "time__get_current_time",
    "what is the square root of 1764": "calculator__calculate",
    "how much is 12 * 7": "calculator__calculate",
    "multiply 128 by 64": "calculator__calculate",
}
# Their tool is first, but is said not to fit.
_FIRST_THOUGH_WEAK = {
    "what is 17 % of 2349": "calculator__calculate",
    "divide the bill of 84 euros by 6": "calculator__calculate",
}
# The server is there where it has a network of its own.
_FIRST_OF_FETCH = {
    "fetch the page https://example.org": "fetch__fetch",
    "download a web page as text": "fetch__fetch",
}
_SAID_NOT_TO_FIT = (
    "send an email to my boss",
    "asdkjhqwe zzz",
    "forget everything about Bob",
)
_REMEMBER = "remember that Alice works at Acme"
# All goals at once: each command takes a second.
_SEARCH = """
select jsonb_object_agg(g.goal, f.found)
from unnest(string_to_array(:'goals', '|')) as g (goal)
cross join lateral (
    select jsonb_agg(jsonb_build_array(s.name, s.weak) order by s.rank) as found
    from select_tools(g.goal) as s
) as f;
"""


def test_what_is_right_for_the_goals_of_a_first_trial_stays_right(instance: Instance) -> None:
    first = _FIRST | (_FIRST_OF_FETCH if confinement().has_own_network else {})
    goals = "|".join((*first, *_FIRST_THOUGH_WEAK, *_SAID_NOT_TO_FIT, _REMEMBER))
    asked = instance.qm("psql", "--admin", "-tA", "-v", f"goals={goals}", stdin=_SEARCH)
    assert asked.returncode == 0, asked.stderr
    found: dict[str, list[tuple[str, bool]]] = json.loads(asked.stdout)
    right = first | _FIRST_THOUGH_WEAK
    assert {goal: found[goal][0][0] for goal in right} == right
    assert not any(weak for goal in first for _, weak in found[goal])
    assert all(weak for goal in _SAID_NOT_TO_FIT for _, weak in found[goal])
    names = [name for name, _ in found[_REMEMBER]]
    assert not [name for name in names if "delete" in name]
