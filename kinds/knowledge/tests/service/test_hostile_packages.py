"""What a package says of itself can be stored, and costs no more than its files are worth."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from quartermaster_knowledge import environment
from quartermaster_knowledge.environment import imported_by, installed, packages_folder
from quartermaster_knowledge.readers import read_distribution
from tests.support.waiting import wait_until


def _install(folder: Path, metadata: str, record: str, text: str = "x = 1\n") -> None:
    (folder / "evil").mkdir(parents=True)
    (folder / "evil" / "__init__.py").write_text(text)
    info = folder / "evil-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(metadata)
    (info / "RECORD").write_text(record)


@pytest.mark.parametrize(
    ("metadata", "record"),
    [
        ("Name: evil\nVersion: 1\0\nSummary: s\n", "evil/__init__.py,,\n"),
        ("Name: evil\nVersion: 1\nSummary: s\0\n", "evil/__init__.py,,\n"),
        ("Name: evil\0\nVersion: 1\nSummary: s\n", "evil/__init__.py,,\n"),
        ("Name: evil\nVersion: 1\nSummary: s\n", "evil/__init__.py,,\nevil/a\0.so,,\n"),
        ("Name: evil\nVersion: 1\x1b[31m\nSummary: s\n", "evil/__init__.py,,\nevil/\x1b.so,,\n"),
    ],
)
def test_control_characters_are_not_read(tmp_path: Path, metadata: str, record: str) -> None:
    _install(tmp_path, metadata, record)
    [found] = installed(tmp_path)
    row = json.dumps(read_distribution(found).distribution_row())
    assert "\\u0000" not in row
    assert "\\u001b" not in row


def test_a_file_that_is_listed_often_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install(tmp_path, "Name: evil\nVersion: 1\n", "evil/__init__.py,,\n" * 50)
    read: list[Path] = []
    start_of = environment._start_of  # pyright: ignore[reportPrivateUsage]

    def counted(path: Path) -> bytes:
        read.append(path)
        return start_of(path)

    monkeypatch.setattr(environment, "_start_of", counted)
    list(installed(tmp_path))
    assert sum(path.name == "__init__.py" for path in read) == 1


def test_files_beyond_the_bound_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install(tmp_path, "Name: evil\nVersion: 1\n", "evil/__init__.py,,\n", "x = 1\n" * 100)
    monkeypatch.setattr(environment, "_MOST_BYTES", 500)
    [found] = installed(tmp_path)
    assert found.unread == "its files are larger than 0 MB"


def test_a_list_of_too_many_files_is_not_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "_MOST_LISTED", 20)
    for number in range(8):
        _install(tmp_path / "a", f"Name: evil{number}\nVersion: 1\n", "evil/__init__.py,,\n" * 15)
        (tmp_path / "a" / "evil-1.0.dist-info").rename(tmp_path / "a" / f"e{number}-1.0.dist-info")
        (tmp_path / "a" / "evil").rename(tmp_path / "a" / f"evil{number}")
    budget = environment._Budget(files=100)  # pyright: ignore[reportPrivateUsage]
    _install(tmp_path / "a", "Name: evil\nVersion: 1\n", "evil/__init__.py,,\x0b" * 21)
    monkeypatch.setattr(environment, "_Budget", lambda: budget)
    unread = {each.name: bool(each.unread) for each in installed(tmp_path / "a")}
    assert unread.pop("evil"), "one list is too long"
    assert sorted(unread.values()) == [False] * 5 + [True] * 3, "or all of them together"


@pytest.mark.parametrize(
    "path", ["../secret.py", "/etc/passwd", "evil/../../secret.py", "evil/link.py", "evil/pipe.py"]
)
def test_a_list_leads_to_no_file_elsewhere(tmp_path: Path, path: str) -> None:
    folder = tmp_path / "packages"
    _install(folder, "Name: evil\nVersion: 1\n", f"evil/__init__.py,,\n{path},,\n")
    (tmp_path / "secret.py").write_text('def told():\n    """A SECRET."""\n')
    (folder / "evil" / "link.py").symlink_to(tmp_path / "secret.py")
    os.mkfifo(folder / "evil" / "pipe.py")
    (folder / "evil.pth").write_text("import os; os.system('touch /tmp/never')\n")
    info = folder / "evil-1.0.dist-info"
    (info / "entry_points.txt").write_text("[console_scripts]\nx = evil:told\n")
    [found] = installed(folder)
    read = read_distribution(found)
    assert [row["path"] for row in read.rows] == ["evil", "evil.x"]
    assert "SECRET" not in json.dumps(read.distribution_row())


@pytest.mark.parametrize("name", ["METADATA", "RECORD", "direct_url.json"])
def test_what_describes_a_package_is_no_way_out(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "packages"
    _install(folder, "Name: evil\nVersion: 1\n", "evil/__init__.py,,\n")
    (tmp_path / "secret").write_text("Name: SECRET\nSummary: SECRET\n\nSECRET\n")
    described = folder / "evil-1.0.dist-info" / name
    described.unlink(missing_ok=True)
    described.symlink_to(tmp_path / "secret")
    assert "SECRET" not in "".join(map(repr, installed(folder)))
    described.unlink()
    os.mkfifo(described)
    assert "SECRET" not in "".join(map(repr, installed(folder)))
    environment.state_of(folder)


def test_a_description_without_end_is_cut(tmp_path: Path) -> None:
    _install(tmp_path, "Name: evil\nVersion: 1\n\nRead me.\n", "evil/__init__.py,,\n")
    with (tmp_path / "evil-1.0.dist-info" / "METADATA").open("ab") as file:
        file.truncate(100_000_000_000)
    [found] = installed(tmp_path)
    assert len(found.readme) < 1_000_000


@pytest.mark.parametrize(
    "text",
    [
        "from evil import *\nfrom evil import x as x\nx = 1\n",
        "import evil\nevil.evil = evil\nx = evil.evil.x\n",
        "class A(A): ...\nclass B(C): ...\nclass C(B): ...\nx: C = C()\n",
    ],
)
def test_a_package_that_is_defined_by_itself_is_read(tmp_path: Path, text: str) -> None:
    _install(tmp_path, "Name: evil\nVersion: 1\n", "evil/__init__.py,,\n", text)
    [found] = installed(tmp_path)
    assert read_distribution(found).rows


def test_a_version_is_short(tmp_path: Path) -> None:
    _install(tmp_path, f"Name: evil\nVersion: {'1' * 100_000}\n", "evil/__init__.py,,\n")
    [found] = installed(tmp_path)
    assert len(found.version) == 100


def test_a_path_fits_into_an_index(tmp_path: Path) -> None:
    text = f"def {'q' * 9000}(): ...\ndef weigh(): ...\n"
    _install(tmp_path, "Name: evil\nVersion: 1\n", "evil/__init__.py,,\n", text)
    [found] = installed(tmp_path)
    paths = [row["path"] for row in read_distribution(found).rows]
    assert paths == ["evil", "evil.weigh"]


def test_an_object_with_a_secret_as_its_name_is_left_out(tmp_path: Path) -> None:
    letters = "".join("A7b9C2d4E6"[number % 10] for number in range(36))
    text = f"class ghp_{letters}: ...\nclass ghp_{letters[::-1]}: ...\nX = 1\n"
    _install(tmp_path, "Name: evil\nVersion: 1\n", "evil/__init__.py,,\n", text)
    [found] = installed(tmp_path)
    read = read_distribution(found)
    assert [row["path"] for row in read.rows] == ["evil", "evil.X"]
    assert read.unread == ["2 objects whose name contains a secret or is too long"]
    assert letters not in json.dumps(read.rows)


def test_a_distribution_without_a_name_costs_no_other(tmp_path: Path) -> None:
    _install(tmp_path, "Name: \xa0\nVersion: 1\n", "evil/__init__.py,,\n")
    good = tmp_path / "good-1.0.dist-info"
    good.mkdir()
    (good / "METADATA").write_text("Name: good\nVersion: 1\n")
    assert [each.name for each in installed(tmp_path)] == ["good"]


@pytest.mark.parametrize("name", ["a\x1bb.py", os.fsdecode(b"\xff.py")])
def test_a_file_of_an_editable_install_with_a_hostile_name_is_passed_over(
    tmp_path: Path, name: str
) -> None:
    sources = tmp_path / "src" / "pk"
    sources.mkdir(parents=True)
    (sources / "__init__.py").write_text("X = 1\n")
    (sources / name).write_text("Y = 1\n")
    folder = tmp_path / "packages"
    info = folder / "pk-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Name: pk\nVersion: 1\n")
    (info / "RECORD").write_text("pk.pth,,\npk-1.0.dist-info/direct_url.json,,\n")
    (info / "direct_url.json").write_text('{"url": "", "dir_info": {"editable": true}}')
    (folder / "pk.pth").write_text(f"{tmp_path / 'src'}\n")
    [found] = installed(folder)
    assert [row["path"] for row in read_distribution(found).rows] == ["pk", "pk.X"]


def test_a_file_that_may_not_be_read_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _install(tmp_path, "Name: evil\nVersion: 1\n", "evil/__init__.py,,\nevil/closed.py,,\n")
    (tmp_path / "evil" / "closed.py").write_text("Y = 1\n")
    access = os.access

    def closed(path: Path, mode: int) -> bool:
        return "closed" not in str(path) and access(path, mode)

    monkeypatch.setattr(os, "access", closed)
    [found] = installed(tmp_path)
    assert [row["path"] for row in read_distribution(found).rows] == ["evil", "evil.x"]


def test_a_folder_of_somebody_else_in_a_project_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "app.py").write_text("import httpx2\n")
    (tmp_path / "closed").mkdir()
    stat = os.stat

    def denied(
        path: str, *, dir_fd: int | None = None, follow_symlinks: bool = True
    ) -> os.stat_result:
        if str(path).endswith("closed/pyvenv.cfg"):
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(os, "stat", denied)
    assert imported_by(tmp_path) == {"httpx2"}


def test_a_project_is_walked_up_to_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "app.py").write_text(f"import of_{name}\n")
    monkeypatch.setattr(environment, "_MOST_SEEN", 4)
    assert imported_by(tmp_path) == {"of_a"}


_READING = """
import sys
from quartermaster_knowledge.readers import _new_process
if __name__ == "__main__":
    process = _new_process()
    print(process.submit(__import__("os").getpid).result(), flush=True)
    sys.stdin.read()
"""


def test_a_reader_ends_with_its_parent(tmp_path: Path) -> None:
    script = tmp_path / "reading.py"
    script.write_text(_READING)
    with subprocess.Popen(
        [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        reader = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
    assert wait_until(lambda: not _is_there(reader))


def _is_there(process: int) -> bool:
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_the_folder_of_packages_may_be_behind_a_link(tmp_path: Path) -> None:
    _install(tmp_path / "there", "Name: evil\nVersion: 1\n", "evil/__init__.py,,\n")
    (tmp_path / "here").symlink_to(tmp_path / "there")
    [found] = installed(tmp_path / "here")
    read = read_distribution(found)
    assert ([row["path"] for row in read.rows], read.unread) == (["evil", "evil.x"], [])


def test_a_file_that_is_no_interpreter_names_no_environment(tmp_path: Path) -> None:
    folder = tmp_path / "lib" / "python3.12" / "site-packages"
    folder.mkdir(parents=True)
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "passwd").touch()
    with pytest.raises(Exception, match="is not a Python interpreter"):
        packages_folder(tmp_path / "etc" / "passwd")
