"""The version of Python that a project is written for."""

from __future__ import annotations

import pytest

from quartermaster.projects.python_version import DEFAULT, python_version


@pytest.mark.parametrize(
    ("stated", "version"),
    [
        (">=3.12", "3.12"),
        (">= 3.11, <4", "3.11"),
        ("~=3.13.1", "3.13"),
        ("==3.12.*", "3.12"),
        (">3.12", "3.13"),
        (">3.12.1", "3.12"),
        (">=3.8", "3.10"),
        (">=3.99", "3.15"),
        ("<4", DEFAULT),
        ("nonsense", DEFAULT),
    ],
)
def test_the_lowest_version_that_the_project_allows(stated: str, version: str):
    assert python_version(f'[project]\nrequires-python = "{stated}"\n'.encode()) == version


@pytest.mark.parametrize("text", ["", "[project", "project = 3", "[project]\nrequires-python = 3"])
def test_a_project_that_states_none_gets_the_default(text: str):
    assert python_version(text.encode()) == DEFAULT
