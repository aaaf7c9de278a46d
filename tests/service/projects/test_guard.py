"""Nothing outside a project is read or written, whatever a path says and whatever lies there."""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from subprocess import run

import pytest

from quartermaster.core.errors import QmError
from quartermaster.projects import guard as guard_module
from quartermaster.projects.guard import ProjectFileAccess, real_folder
from quartermaster.projects.opening import OpenFolder
from tests.support.each import for_each

SECRET = b"what lies outside"
INSIDE = b"print('inside')\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project ``p`` with one file, and beside it what must not be read."""
    root = real_folder(tmp_path) / "p"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_bytes(INSIDE)
    (root / ".git").mkdir()
    (root / ".git" / "config").write_bytes(SECRET)
    beside = root.parent / "other"
    beside.mkdir()
    (beside / "secret").write_bytes(SECRET)
    (root.parent / "p2").mkdir()
    (root.parent / "p2" / "secret").write_bytes(SECRET)
    return root


def refusal(call: Callable[[], object]) -> str:
    """Returns the slug of the error of a call; fails if there is none."""
    try:
        call()
    except QmError as error:
        return error.slug
    raise AssertionError("it was not refused")


# Texts of a path, in which TOP stands for the project and OUT for the folder beside it.
TEXTS = [
    "../other/secret",
    "src/../../other/secret",
    "./../other/secret",
    "src/./../../other/secret",
    "..",
    "../",
    "src/..",
    "src/../a.py",
    "..\\other\\secret",
    "src\\..\\..\\other\\secret",
    "src/..\\..\\other/secret",
    "%2e%2e/other/secret",
    "%2e%2e%2fother%2fsecret",
    "..%2fother%2fsecret",
    "..%5cother%5csecret",
    "%252e%252e%252fother%252fsecret",
    "..%c0%af..%c0%afother/secret",
    "\u2024\u2024/other/secret",
    "\uff0e\uff0e/other/secret",
    "..\uff0fother\uff0fsecret",
    "..\u2215other\u2215secret",
    "\udcae\udcae/other/secret",
    "src/a.py\0.txt",
    "../other/secret\0.py",
    "\0",
    "",
    ".",
    "/",
    "//",
    "src/",
    "src",
    "TOP",
    "TOP/../other/secret",
    "TOP2/secret",
    "/TOP/src/a.py",
    "OUT/secret",
    "/OUT/secret",
    "/etc/passwd",
    "//etc/passwd",
    "/proc/self/environ",
    "/proc/self/cwd/../etc/passwd",
    "/dev/stdin",
    "~/secret",
    "~daemon/.profile",
    "$HOME/secret",
    "${HOME}/secret",
    "file:///etc/passwd",
    "file:../other/secret",
    "C:\\Windows\\win.ini",
    "\\\\server\\share\\secret",
    "\\\\?\\C:\\secret",
    "src/a.py/",
    "src/a.py/../../../other/secret",
    "src/a.py\n",
    "src/\x1b[2Ja.py",
    ".git/config",
    ".GIT/config",
    ".git./config",
    ".git /config",
    ".g\u200cit/config",
    "git~1/config",
    ".git::$INDEX_ALLOCATION/config",
    "src/" + "a" * 300,
    "src/" + "a/" * 3000,
]


@pytest.mark.parametrize("by_dir_fd", [True, False])
def test_no_text_of_a_path_leads_outside(root: Path, by_dir_fd: bool):
    guard = ProjectFileAccess(root, by_dir_fd=by_dir_fd)
    allowed = {"src/a.py/": INSIDE}  # a needless slash leads to the same file
    for text in TEXTS:
        path = text.replace("TOP", str(root)).replace("OUT", str(root.parent / "other"))
        assert (guard.facts(path) is not None) == (text in allowed), text
        if text in allowed:
            assert guard.read(path).data == allowed[text]
            continue
        with pytest.raises(QmError) as caught:
            guard.read(path)
        assert caught.value.slug in {"path_denied", "file_not_found"}, text
        assert "\x1b" not in str(caught.value)


def link_to_a_file(root: Path) -> str:
    (root / "src" / "link.py").symlink_to(root.parent / "other" / "secret")
    return "src/link.py"


def relative_link(root: Path) -> str:
    (root / "src" / "link.py").symlink_to("../../other/secret")
    return "src/link.py"


def link_to_a_folder(root: Path) -> str:
    (root / "out").symlink_to(root.parent / "other")
    return "out/secret"


def link_to_the_parent(root: Path) -> str:
    (root / "up").symlink_to("..")
    return "up/other/secret"


def chain_of_links(root: Path) -> str:
    (root / "one").symlink_to("two")
    (root / "two").symlink_to(root.parent / "other")
    return "one/secret"


def circle_of_links(root: Path) -> str:
    (root / "one").symlink_to("two")
    (root / "two").symlink_to("one")
    return "one/secret"


def link_that_leads_nowhere(root: Path) -> str:
    (root / "new.py").symlink_to(root.parent / "other" / "new.py")
    return "new.py"


def link_inside(root: Path) -> str:
    (root / "b.py").symlink_to("src/a.py")
    return "b.py"


def link_to_git(root: Path) -> str:
    (root / "g").symlink_to(".git")
    return "g/config"


def link_to_proc(root: Path) -> str:
    (root / "e").symlink_to("/proc/self/environ")
    return "e"


def link_to_a_descriptor(root: Path) -> str:
    (root / "f").symlink_to("/dev/fd/0")
    return "f"


def fifo(root: Path) -> str:
    os.mkfifo(root / "pipe.py")
    return "pipe.py"


def sock(root: Path) -> str:
    with socket.socket(socket.AF_UNIX) as server:
        # The path of a socket is short.
        where = os.getcwd()  # noqa: PTH109
        os.chdir(root)
        try:
            server.bind("s.py")
        finally:
            os.chdir(where)
    return "s.py"


def device(root: Path) -> str:
    try:
        os.mknod(root / "null.py", 0o600 | 0o020000, os.makedev(1, 3))
    except PermissionError:  # only root may
        os.mkfifo(root / "null.py")
    return "null.py"


def folder_of_the_name(root: Path) -> str:
    (root / "d.py").mkdir()
    return "d.py"


def file_as_a_folder(root: Path) -> str:
    return "src/a.py/secret"


def too_large(root: Path) -> str:
    with (root / "big.py").open("wb") as file:
        file.truncate(10_000_001)
    return "big.py"


PLACED = [
    link_to_a_file,
    relative_link,
    link_to_a_folder,
    link_to_the_parent,
    chain_of_links,
    circle_of_links,
    link_that_leads_nowhere,
    link_inside,
    link_to_git,
    link_to_proc,
    link_to_a_descriptor,
    fifo,
    sock,
    device,
    folder_of_the_name,
    file_as_a_folder,
    too_large,
]


@pytest.mark.parametrize("by_dir_fd", [True, False])
@pytest.mark.parametrize("place", PLACED, ids=lambda place: place.__name__)
def test_nothing_but_a_plain_file_is_read(
    root: Path, place: Callable[[Path], str], by_dir_fd: bool
):
    guard = ProjectFileAccess(root, by_dir_fd=by_dir_fd)
    path = place(root)
    slug = refusal(lambda: guard.read(path))
    assert slug in {"path_denied", "file_not_found", "file_too_large"}
    assert (slug == "file_too_large") == (place is too_large)


def test_there_are_at_least_sixty_attacks():
    assert len(TEXTS) + len(PLACED) >= 60


def test_a_root_replaced_by_a_link_is_refused(root: Path):
    guard = ProjectFileAccess(root)
    assert guard.read("src/a.py").data == INSIDE
    (root.parent / "other" / "src").mkdir()
    (root.parent / "other" / "src" / "a.py").write_bytes(SECRET)
    root.rename(root.parent / "moved")
    root.symlink_to(root.parent / "other")
    assert refusal(lambda: guard.read("src/a.py")) == "path_denied"


def test_a_folder_swapped_for_a_link_again_and_again_never_leads_outside(root: Path):
    guard = ProjectFileAccess(root)
    inner, hidden, trap = root / "src", root / "hidden", root / "trap"
    trap.symlink_to(root.parent / "other")
    (root.parent / "other" / "a.py").write_bytes(SECRET)
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            inner.rename(hidden)
            trap.rename(inner)
            inner.rename(trap)
            hidden.rename(inner)

    swapper = threading.Thread(target=swap)
    swapper.start()
    seen: set[object] = set()
    try:
        for _ in range(3000):
            try:
                seen.add(guard.read("src/a.py").data)
            except QmError as error:
                seen.add(error.slug)
    finally:
        stop.set()
        swapper.join()
    assert SECRET not in seen
    assert seen & {"path_denied", "file_not_found"}, "the swap was never met"


def test_a_file_swapped_for_a_link_between_look_and_open_is_refused(
    root: Path, monkeypatch: pytest.MonkeyPatch
):
    guard = ProjectFileAccess(root)
    opened = os.open

    def late(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == "a.py":
            (root / "src" / "a.py").unlink()
            (root / "src" / "a.py").symlink_to(root.parent / "other" / "secret")
        return opened(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", late)
    assert refusal(lambda: guard.read("src/a.py")) == "path_denied"


def test_a_file_swapped_for_another_file_between_look_and_open_is_refused(
    root: Path, monkeypatch: pytest.MonkeyPatch
):
    guard = ProjectFileAccess(root)
    opened = os.open

    def late(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == "a.py":
            (root.parent / "other" / "secret").rename(root / "src" / "a.py")
        return opened(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", late)
    assert refusal(lambda: guard.read("src/a.py")) == "path_denied"


def test_a_file_written_to_while_it_is_read_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch):
    read = guard_module._read  # pyright: ignore[reportPrivateUsage]

    def slow(descriptor: int, limit: int) -> bytes:
        data = read(descriptor, limit)
        (root / "src" / "a.py").write_bytes(INSIDE * 2)
        return data

    monkeypatch.setattr(guard_module, "_read", slow)
    assert refusal(lambda: ProjectFileAccess(root).read("src/a.py")) == "file_changed"


@for_each(["/", "/proc", "/proc/self", "/sys", "/dev", "/dev/shm", "/nowhere", "/etc/passwd"], str)
def test_what_is_not_a_folder_of_people_is_no_root(path: str):
    assert refusal(lambda: real_folder(Path(path))) in {"path_denied", "file_not_found"}


def test_the_bytes_come_with_the_hash_that_git_gives_them(root: Path):
    content = ProjectFileAccess(root).read("./src//a.py")
    assert (content.path, content.data) == ("src/a.py", INSIDE)
    asked = run(
        ["git", "hash-object", "--stdin"], input=INSIDE, capture_output=True, check=True
    ).stdout
    assert content.blob_hash == asked.decode().strip()


def test_an_absolute_path_below_the_root_is_read(root: Path):
    assert ProjectFileAccess(root).read(root / "src" / "a.py").path == "src/a.py"


def test_names_that_only_look_odd_are_read(root: Path):
    names = ["100%.py", "a b.py", "...py", "..a", "a..b", "aux.py", "é\u0301.py", "a:b", "~", "$x"]
    for name in names:
        (root / name).write_bytes(name.encode())
        assert ProjectFileAccess(root).read(name).data == name.encode()


def test_an_environment_outside_the_root_is_read_and_its_links_are_not(root: Path):
    environment = root.parent / "env"
    run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    guard = ProjectFileAccess(environment)
    assert b"home = " in guard.read(environment / "pyvenv.cfg").data
    assert refusal(lambda: guard.read(environment / "bin" / "python")) == "path_denied"
    assert (
        refusal(lambda: ProjectFileAccess(root).read(environment / "pyvenv.cfg")) == "path_denied"
    )
    assert refusal(lambda: guard.read(f"{environment}x/pyvenv.cfg")) == "path_denied"


def test_hard_linked_packages_are_read_and_hard_linked_files_are_not_written(root: Path):
    environment = root.parent / "env"
    packages = environment / "lib"
    packages.mkdir(parents=True)
    # As uv installs a package: a second name of a file in its cache.
    cached = root.parent / "cached.py"
    cached.write_bytes(b"x = 1\n")
    (packages / "module.py").hardlink_to(cached)
    (root / "src" / "vendored.py").hardlink_to(cached)
    guard = ProjectFileAccess(root)
    installed = ProjectFileAccess(environment).read(packages / "module.py")
    assert installed.data == b"x = 1\n"
    vendored = guard.read("src/vendored.py")
    for content in (installed, vendored):
        assert refusal(lambda c=content: guard.replace(c, b"x = 2\n")) == "path_denied"
    assert cached.read_bytes() == b"x = 1\n"


def test_a_file_is_replaced_as_a_whole_and_keeps_its_mode(root: Path):
    path = root / "src" / "a.py"
    path.chmod(0o750)
    guard = ProjectFileAccess(root)
    written = guard.replace(guard.read("src/a.py"), b"x = 2\n")
    assert path.read_bytes() == written.data == b"x = 2\n"
    assert guard.read("src/a.py") == written
    assert path.stat().st_mode & 0o777 == 0o750
    assert [p.name for p in path.parent.iterdir()] == ["a.py"]


@pytest.mark.parametrize("is_root", [True, False])
def test_a_file_of_another_keeps_its_owner_and_its_rights(
    root: Path, monkeypatch: pytest.MonkeyPatch, is_root: bool
) -> None:
    path, other = root / "src" / "a.py", 4242
    guard, given = ProjectFileAccess(root), list[tuple[int, int]]()
    read = guard._contents  # pyright: ignore[reportPrivateUsage]

    def owned(place: OpenFolder, name: str, shown: str) -> tuple[bytes, os.stat_result]:
        data, facts = read(place, name, shown)
        return data, os.stat_result((*facts[:4], other, other, *facts[6:]))

    def give(_descriptor: int, user: int, group: int) -> None:
        given.append((user, group))
        if not is_root:
            raise PermissionError

    def may(*_given: object, **_more: object) -> bool:
        return is_writable

    content, is_writable = guard.read("src/a.py"), False
    monkeypatch.setattr(os, "access", may)
    monkeypatch.setattr(os, "fchown", give)
    monkeypatch.setattr(guard, "_contents", owned)
    # The facts as they were made up have no nanoseconds.
    monkeypatch.setattr(guard_module, "_identity", type)
    with pytest.raises(QmError, match="a file of another user"):
        guard.replace(content, b"new\n")
    assert path.read_bytes() == INSIDE
    is_writable = True
    guard.replace(content, b"new\n")
    assert given == [(other, other)] if is_root else [(other, other), (-1, other)]
    assert path.read_bytes() == b"new\n"
    assert list(path.parent.iterdir()) == [path]


def test_a_file_changed_meanwhile_is_not_replaced(root: Path):
    guard = ProjectFileAccess(root)
    content = guard.read("src/a.py")
    (root / "src" / "a.py").write_bytes(b"x = 3\n")
    assert refusal(lambda: guard.replace(content, b"x = 2\n")) == "file_changed"
    assert (root / "src" / "a.py").read_bytes() == b"x = 3\n"


def test_a_file_changed_while_the_new_one_is_written_is_not_replaced(
    root: Path, monkeypatch: pytest.MonkeyPatch
):
    guard = ProjectFileAccess(root)
    content = guard.read("src/a.py")
    synced = os.fsync

    def late(descriptor: int) -> None:
        synced(descriptor)
        (root / "src" / "a.py").write_bytes(b"x = 3\n")

    monkeypatch.setattr(os, "fsync", late)
    assert refusal(lambda: guard.replace(content, b"x = 2\n")) == "file_changed"
    assert (root / "src" / "a.py").read_bytes() == b"x = 3\n"
    assert [p.name for p in (root / "src").iterdir()] == ["a.py"]


def test_writing_through_a_link_is_refused(root: Path):
    guard = ProjectFileAccess(root)
    content = guard.read("src/a.py")
    (root.parent / "other" / "a.py").write_bytes(INSIDE)
    (root / "src" / "a.py").unlink()
    (root / "src").rmdir()
    (root / "src").symlink_to(root.parent / "other")
    assert refusal(lambda: guard.replace(content, b"x = 2\n")) == "path_denied"
    assert (root.parent / "other" / "a.py").read_bytes() == INSIDE
