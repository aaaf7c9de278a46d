"""Which names can be a part of a path, on Windows too, on which none of this was run."""

from __future__ import annotations

from quartermaster.projects.opening import name_problem
from tests.support.each import for_each


@for_each(
    ["con", "NUL.txt", "aux.py", "COM1", "lpt9.log", "a.py:stream", "C:", "a.py.", "a.py ", "..."],
    repr,
)
def test_names_that_windows_reads_otherwise_are_refused_there(name: str):
    assert name_problem(name, on_windows=True)
    assert name_problem(name, on_windows=False) is None


@for_each(["..", "a\\b", "a\0b", "a\x7f", "\udc80", ".git", ".Git", ".git.", ".gi\u200dt"], repr)
def test_names_that_are_refused_everywhere(name: str):
    assert name_problem(name, on_windows=False)


@for_each([".gitignore", "console.py", "com10", "git", ".github", "a.git", "nul_", "ünï"], repr)
def test_other_names_are_allowed(name: str):
    assert name_problem(name, on_windows=True) is None
