"""The version of Python that a project is written for."""

from __future__ import annotations

from pathlib import Path

import pytest

from quartermaster.projects.guard import Guard, real_folder
from quartermaster.projects.python_version import DEFAULT, python_version_of


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
def test_the_lowest_version_that_the_project_allows(tmp_path: Path, stated: str, version: str):
    (tmp_path / "pyproject.toml").write_text(f'[project]\nrequires-python = "{stated}"\n')
    assert python_version_of(Guard(real_folder(tmp_path))) == version


@pytest.mark.parametrize("text", ["", "[project", "project = 3", "[project]\nrequires-python = 3"])
def test_a_project_that_states_none_gets_the_default(tmp_path: Path, text: str):
    guard = Guard(real_folder(tmp_path))
    assert python_version_of(guard) == DEFAULT
    (tmp_path / "pyproject.toml").write_text(text)
    assert python_version_of(guard) == DEFAULT
