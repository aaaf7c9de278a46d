"""A local server changes what it may change, so that its next sandbox shows it more."""

from __future__ import annotations

import os
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest

from quartermaster.core.errors import QmError
from quartermaster.upstream.confinement import Folder
from quartermaster.upstream.spec import OriginSpec
from tests.support.confined import needs_bubblewrap, profile_in, python, run
from tests.support.place import new_place

pytestmark = needs_bubblewrap
_LOOK = "import sys; print(open(sys.argv[1]).read())"


@pytest.fixture
def place() -> Generator[Path]:
    with new_place("qm-attack-") as folder:
        (folder / "private").mkdir()
        (folder / "private" / "key").write_text("cnryQm7x-private-key")
        (folder / "project" / "bin").mkdir(parents=True)
        yield folder


def spec(place: Path, *granted: Folder) -> OriginSpec:
    looking = python(_LOOK, profile_in(place / "data", folders=granted))
    return replace(looking, command=(*looking.command, str(place / "private" / "key")))


def test_a_granted_file_is_shown(place: Path) -> None:
    """Else the other tests would show nothing."""
    done = run(spec(place, Folder(str(place / "private"))))
    assert done.stdout == "cnryQm7x-private-key\n", done


def test_by_a_link_in_place_of_a_folder_of_programs(place: Path) -> None:
    project = place / "project"
    (project / "lib").symlink_to(place / "private")
    (project / "bin" / "python").symlink_to("/usr/bin/python3")
    trying = spec(place, Folder(str(project), write=True))
    words = (str(project / "bin" / "python"), *trying.command[1:-1], str(project / "lib" / "key"))
    done = run(replace(trying, command=words))
    assert "cnryQm7x" not in done.stdout
    assert "FileNotFoundError" in done.stderr


def test_by_a_link_in_place_of_a_granted_folder(place: Path) -> None:
    project = place / "project"
    (project / "notes").symlink_to(place / "private")
    granted = Folder(str(project), write=True), Folder(str(project / "notes"))
    with pytest.raises(QmError, match="leads out"):
        run(spec(place, *granted))


@pytest.mark.parametrize("name", ["", "homes/o", "secrets.json"])
def test_by_a_grant_of_what_is_the_services(place: Path, name: str) -> None:
    with pytest.raises(QmError, match="belongs to the service"):
        run(spec(place, Folder(os.path.normpath(place / "data" / name))))
