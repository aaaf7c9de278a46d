"""Packages are read from their files, and nothing of them runs."""

from __future__ import annotations

import importlib
import logging
import os
import sys
import tracemalloc
from logging.config import dictConfig
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from quartermaster.core.errors import QmError
from quartermaster_knowledge import upkeep
from quartermaster_knowledge.environment import (
    imported_by,
    installed,
    packages_folder,
    state_of,
)
from quartermaster_knowledge.readers import read_distribution
from quartermaster_knowledge.reading import PackageReader, Symbol
from quartermaster_knowledge.rows import rows_of
from quartermaster_knowledge.signatures import shortened, shortened_around
from tests.support.canary import canary

if TYPE_CHECKING:
    from quartermaster.db import Row
    from quartermaster.service import Service

INIT = '''"""Parcels."""
from typing import TYPE_CHECKING

from ._core import Parcel, send

if TYPE_CHECKING:
    from .other import Hidden

__all__ = ["Parcel", "send"]
raise SystemExit("this package ran")
'''
CORE = '''from .base import Base
import warnings

class Parcel(Base):
    """A parcel.

    Use `send` to send it.
    """
    def __init__(self, weight: int) -> None: ...
    def open(self) -> "Parcel": ...

def send(parcel: Parcel, *, fast: bool = False) -> None:
    """Send a parcel.

    :param fast: by air
    """
    raise ValueError("the parcel is too heavy")

def ship(parcel):
    warnings.warn("ship is deprecated, use send instead")

post = send
'''
BASE = '''class Base:
    def weigh(self) -> int:
        """Weigh it."""
    def open(self):
        """Open it."""
'''
TWINS = '''class DepotFull(Exception): ...

class Depot:
    def __init__(self):
        """Where parcels wait."""
    def collect(self):
        """Fetch what waits there."""
        raise DepotFull(1)
    def collect_later(self):
        """Fetch it tomorrow."""

class AsyncDepot:
    async def collect(self): ...

def collect_later(depot): return depot.collect_later()

if typing.TYPE_CHECKING:
    def weigh() -> int:
        """Tell the grams."""
else:
    def weigh(): ...
'''

UNRESOLVED = """from typing import Optional
try:
    from typing_extensions import late
except ImportError:
    def late(category: Optional[type[Warning]]):
        def decorator(function):
            return function
        return decorator
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one package."""
    package = tmp_path / "acme"
    package.mkdir()
    for name, text in (("__init__", INIT), ("_core", CORE), ("base", BASE)):
        (package / f"{name}.py").write_text(text)
    (package / "other.py").write_text("class Hidden: ...\n")
    (package / "broken.py").write_text("def (:\n")
    info = tmp_path / "acme-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n\nUse `send`.\n"
    )
    names = ("__init__", "_core", "base", "other", "broken")
    (info / "RECORD").write_text("".join(f"acme/{name}.py,,\n" for name in names))
    return tmp_path


def _read(folder: Path) -> dict[str, Symbol]:
    return {symbol.path: symbol for symbol in PackageReader(folder, ["acme"]).read()}


def test_the_reader_does_not_log_what_it_cannot_resolve(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "acme" / "base.py").write_text(UNRESOLVED)
    # Another library may set the level of this logger, or enable all loggers again.
    dictConfig({"version": 1, "disable_existing_loggers": False})
    with caplog.at_level(logging.DEBUG, logger="griffe"):
        assert "acme.Parcel" in _read(folder)
    assert not caplog.records


def test_an_object_is_named_by_its_public_path(folder: Path) -> None:
    found = _read(folder)
    assert found["acme.send"].defined == "acme._core.send"
    assert "acme._core.send" in found["acme.send"].paths
    assert found["acme.send"].signature == "send(parcel: Parcel, *, fast: bool = False) -> None"
    assert (found["acme.send"].file, found["acme.send"].line) == ("acme/_core.py", 12)


def test_what_only_type_checkers_import_is_no_path(folder: Path) -> None:
    assert "acme.Hidden" not in {path for each in _read(folder).values() for path in each.paths}


def test_an_assigned_name_is_a_path_of_the_same_object(folder: Path) -> None:
    assert "acme._core.post" in _read(folder)["acme.send"].paths


def test_what_a_package_without_a_list_imports_is_a_public_path(folder: Path) -> None:
    (folder / "acme" / "__init__.py").write_text("from .base import *\nfrom ._core import send\n")
    (folder / "acme" / "base.py").write_text(f'{BASE}\n__all__ = ["Base"]\n')
    found = _read(folder)
    assert {"acme.Base", "acme.Base.weigh", "acme.send"} <= set(found)
    assert found["acme.Base"].exported
    assert found["acme.send"].exported


def test_a_member_is_named_by_the_class_that_defines_it(folder: Path) -> None:
    (folder / "acme" / "__init__.py").write_text(
        "from .base import *\n\nclass Box(Base): ...\n\nCrate = Base\n"
    )
    found = _read(folder)
    assert "acme.Base.weigh" in found
    assert {"acme.Box.weigh", "acme.Crate.weigh"} <= set(found["acme.Base.weigh"].paths)


def test_members_are_inherited_with_their_documentation(folder: Path) -> None:
    found = _read(folder)
    assert found["acme.Parcel.weigh"].defined == "acme.base.Base.weigh"
    assert found["acme.Parcel.open"].summary == "Open it."


def test_classes_inside_of_their_own_base_do_not_fill_the_memory(folder: Path) -> None:
    kinds = "".join(f"    class Kind{each}(Trouble):\n        code: int\n" for each in range(18))
    (folder / "acme" / "trouble.py").write_text(f"class Trouble:\n{kinds}")
    tracemalloc.start()
    found = _read(folder)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "acme.trouble.Trouble.Kind1.Kind0" in found["acme.trouble.Trouble.Kind0"].paths
    assert peak < 20_000_000


def test_a_successor_is_credited_with_what_recommends_it(folder: Path) -> None:
    assert any("deprecated" in each for each in _read(folder)["acme.send"].mentions)


def test_what_has_no_documentation_takes_that_of_its_twin(folder: Path) -> None:
    (folder / "acme" / "other.py").write_text(TWINS)
    found = _read(folder)
    assert found["acme.other.AsyncDepot.collect"].summary == "Fetch what waits there."
    assert found["acme.other.collect_later"].summary == "Fetch it tomorrow."
    assert found["acme.other.Depot"].summary == "Where parcels wait."
    assert found["acme.other.weigh"].summary == "Tell the grams."
    [report] = found["acme.other.DepotFull"].mentions
    assert report == "raised by depot collect"


def test_a_distribution_without_a_summary_is_read(folder: Path) -> None:
    importlib.import_module("importlib_metadata")  # it takes over the search, and raises KeyError
    [found] = installed(folder)
    assert found.summary == ""


def test_the_digest_changes_with_every_file(folder: Path) -> None:
    [before] = installed(folder)
    (folder / "acme" / "base.py").write_text(BASE + "\n")
    [after] = installed(folder)
    assert before.modules == ("acme",)
    assert before.digest != after.digest


def test_a_package_that_claims_the_files_of_another_has_a_digest_of_its_own(
    tmp_path: Path,
) -> None:
    (tmp_path / "plain.py").write_text("PAGES = 3")
    for name in ("claims", "plain"):
        _described(tmp_path / f"{name}-1.dist-info", name, "")
        (tmp_path / f"{name}-1.dist-info" / "RECORD").write_text("plain.py,,\n")
    claims, plain = installed(tmp_path)
    assert claims.modules == plain.modules == ("plain",)
    assert claims.digest != plain.digest


def test_secrets_in_documentation_are_masked(folder: Path) -> None:
    secret = canary()
    (folder / "acme" / "other.py").write_text(f'class Key:\n    """password = "{secret}" """\n')
    rows = rows_of(list(_read(folder).values()))
    assert rows
    assert secret not in str(rows)


def test_folders_of_this_machine_are_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home" / "mia"
    monkeypatch.setenv("HOME", str(home))
    environment = home / "shop" / ".venv"
    folder = environment / "lib" / "python3.12" / "site-packages"
    folder.mkdir(parents=True)
    (environment / "pyvenv.cfg").touch()
    _described(folder / "acme-1.dist-info", "acme", "")
    (folder / "acme-1.dist-info" / "RECORD").write_text("acme.py,,\n")
    (folder / "acme.py").write_text(
        f"PLACE = '{environment}/share'\n"
        f"def send(key='{home}/key', other='{home}s/x', all='/srv{home}/x', tmp='/tmp'):\n"
        f'    """Reads {home}, then {environment}/etc."""\n'
    )
    [found] = installed(folder)
    rows = {row["path"]: row for row in read_distribution(found).rows}
    assert rows["acme.PLACE"]["signature"] == "PLACE = '<environment>/share'"
    assert rows["acme.send"]["passage"] == "Reads ~, then <environment>/etc."
    assert rows["acme.send"]["signature"] == (
        f"send(key='~/key', other='{home}s/x', all='/srv{home}/x', tmp='/tmp')"
    )
    assert str(environment) not in str(rows)


def test_a_shared_package_gives_each_distribution_its_own_modules(tmp_path: Path) -> None:
    _share(tmp_path, "zoo.birds", "zoo/birds/__init__.py", "def sing() -> None: ...\n")
    _share(tmp_path, "zoo.fish", "zoo/fish/_swim.py", "def swim() -> None: ...\n")
    _share(tmp_path, "farm", "farm/__init__.py", "def plough() -> None: ...\n")
    _share(tmp_path, "farm-cows", "farm/cows.py", "def milk() -> None: ...\n")
    paths = {
        each.name: {row["path"] for row in read_distribution(each).rows}
        for each in installed(tmp_path)
    }
    assert paths == {
        "zoo.birds": {"zoo.birds", "zoo.birds.sing"},
        "zoo.fish": {"zoo.fish._swim", "zoo.fish._swim.swim"},
        "farm": {"farm", "farm.plough"},
        "farm-cows": {"farm.cows", "farm.cows.milk"},
    }


def _share(packages: Path, name: str, file: str, text: str) -> None:
    (packages / file).parent.mkdir(parents=True, exist_ok=True)
    (packages / file).write_text(text)
    info = packages / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "RECORD").write_text(f"{file},,\n")


def test_letters_that_cannot_be_stored_are_replaced(folder: Path) -> None:
    (folder / "acme" / "other.py").write_text('class Key:\n    "A key without \\0 and \\ud800."\n')
    [row] = [
        each for each in rows_of(list(_read(folder).values())) if each["path"] == "acme.other.Key"
    ]
    assert row["passage"] == "A key without \ufffd and \ufffd."


def test_what_a_project_imports_is_known(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("import acme.core\nfrom stones import throw\n")
    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "pyvenv.cfg").touch()
    (tmp_path / "env" / "other.py").write_text("import sand\n")
    assert imported_by(tmp_path) == {"acme", "stones"}


def test_only_an_environment_of_the_current_folder_need_not_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    packages = tmp_path / "venv" / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    with pytest.raises(QmError) as refused:
        packages_folder(None)
    assert refused.value.slug == "environment_not_found"
    assert sys.prefix in str(refused.value.hint)
    assert packages_folder(Path(sys.prefix)).is_relative_to(sys.prefix)
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    assert packages_folder(None) == packages
    (tmp_path / ".venv").symlink_to("venv")  # one environment for several checkouts
    linked = tmp_path / ".venv" / packages.relative_to(tmp_path / "venv")
    assert packages_folder(None) == linked
    assert packages_folder(Path(".venv")) == linked


def test_an_interpreter_is_found_without_running_it(tmp_path: Path) -> None:
    packages = tmp_path / "lib" / "python3.13" / "site-packages"
    packages.mkdir(parents=True)
    (tmp_path / "bin").mkdir()
    python = tmp_path / "bin" / "python"
    python.write_text("this is no program")
    assert packages_folder(python) == packages


def _link(packages: Path, name: str, text: str) -> None:
    """An editable install: beside the packages, only a file says where the sources are."""
    info = packages / "linked-0.1.dist-info"
    info.mkdir(parents=True)
    (packages / name).write_text(text)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: linked\nVersion: 0.1\n")
    (info / "RECORD").write_text(f"{name},,\n")
    (info / "direct_url.json").write_text('{"dir_info": {"editable": true}, "url": "file:///x"}')


def _sources(root: Path) -> Path:
    source = root / "checkout" / "linked"
    source.mkdir(parents=True)
    (source / "__init__.py").write_text('def tie() -> None:\n    """Tie it."""\n')
    (source.parent / "setup.py").write_text("raise SystemExit\n")
    return source


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("_linked.pth", "{folder}\n"),
        (
            "__editable___linked_0_1_finder.py",
            "import sys\nMAPPING: dict[str, str] = {{'linked': '{folder}/linked'}}\n",
        ),
    ],
)
def test_an_editable_install_is_read_where_its_sources_are(
    tmp_path: Path, name: str, text: str
) -> None:
    source, packages = _sources(tmp_path), tmp_path / "packages"
    _link(packages, name, text.format(folder=source.parent))
    [found] = installed(packages)
    assert found.modules == ("linked",)
    rows = {row["path"]: row for row in read_distribution(found).rows}
    assert rows["linked.tie"]["file"] == "linked/__init__.py"
    state = state_of(packages)
    (source / "knots.py").write_text("COUNT = 1\n")
    [changed] = installed(packages)
    assert changed.digest != found.digest
    assert state_of(packages) != state


def test_sources_outside_of_the_project_are_not_opened(tmp_path: Path) -> None:
    source, packages = _sources(tmp_path), tmp_path / "project" / "packages"
    _link(packages, "_linked.pth", f"{source.parent}\n")
    [found] = installed(packages, within=tmp_path / "project")
    read = read_distribution(found)
    assert read.rows == []
    assert read.unread == [f"an editable install whose sources lie outside {tmp_path / 'project'}"]


def test_links_inside_of_packages_are_not_followed(tmp_path: Path) -> None:
    source, packages = _sources(tmp_path), tmp_path / "packages"
    _link(packages, "_linked.pth", f"{source.parent}\n")
    others = tmp_path / "others"
    others.mkdir()
    (others / "secret.py").write_text('def plan() -> None:\n    """The plan of others."""\n')
    (others / "plans.md").write_text("# Plans\n\nThe plan of others.\n")
    (source / "taken.py").symlink_to(others / "secret.py")
    (source / "all").symlink_to(others)
    (packages / "plain").symlink_to(others)
    info = packages / "plain-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plain\nVersion: 1\n")
    (info / "RECORD").write_text("plain/secret.py,,\nplain/plans.md,,\nplain/__init__.py,,\n")
    (source / "loop").symlink_to(source)
    (source / "loop_too").symlink_to(source)
    pth = packages / "private-1.dist-info"
    pth.mkdir()
    (others / "private").mkdir()
    (others / "private" / "__init__.py").write_text('"""The plan of others."""\n')
    (pth / "METADATA").write_text("Metadata-Version: 2.1\nName: private\nVersion: 1\n")
    (pth / "RECORD").write_text("private/__init__.py,,\n")
    (packages / "more.pth").write_text(f"{others}\n")
    reads = [read_distribution(each) for each in installed(packages)]
    assert "linked.tie" in str([read.rows for read in reads])
    assert "plan of others" not in str([(read.rows, read.unread) for read in reads])


def test_what_is_written_about_a_package_is_read_through_no_link(tmp_path: Path) -> None:
    others, packages = tmp_path / "others", tmp_path / "packages"
    _described(others / "secret-1.dist-info", "secret", "The plan of others.")
    _described(packages / "plain-1.dist-info", "plain", "What everybody knows.")
    _described(packages / "linked-1.dist-info", "linked", "")
    (packages / "linked-1.dist-info" / "METADATA").unlink()
    (packages / "linked-1.dist-info" / "METADATA").symlink_to(
        others / "secret-1.dist-info" / "METADATA"
    )
    (packages / "secret-1.dist-info").symlink_to(others / "secret-1.dist-info")
    assert [each.readme.strip() for each in installed(packages)] == ["What everybody knows."]


def test_what_is_written_about_a_package_does_not_fill_the_memory(tmp_path: Path) -> None:
    _described(tmp_path / "vast-1.dist-info", "vast", "Vast.")
    for name in ("METADATA", "RECORD", "direct_url.json"):
        with (tmp_path / "vast-1.dist-info" / name).open("ab") as file:
            file.truncate(2_000_000_000)
    tracemalloc.start()
    assert [each.unread for each in installed(tmp_path)] == [
        "the list of its files (RECORD) is missing, empty or damaged"
    ]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300_000_000


@pytest.mark.anyio
async def test_an_environment_that_cannot_be_read_keeps_no_other_from_being_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [tmp_path / "bad", tmp_path / "good"]
    rows: list[Row] = [
        {"folder": str(each), "root": None, "state": "", "indexed_by": 1} for each in folders
    ]
    asked: list[Path] = []

    class Environments:
        async def call(self, *_: object) -> list[Row]:
            return rows

    def state(folder: Path, _: object) -> str:
        asked.append(folder)
        if folder.name == "bad":
            raise ValueError(folder)
        return ""

    for each in folders:
        each.mkdir()
    monkeypatch.setattr(upkeep, "state_of", state)
    service = SimpleNamespace(database=Environments(), worker=None)
    await upkeep.keep_environments_read(cast("Service", service))
    assert asked == folders


def _described(info: Path, name: str, readme: str) -> None:
    info.mkdir(parents=True)
    fields = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n"
    (info / "METADATA").write_text(f"{fields}\n{readme}\n")
    (info / "RECORD").write_text("")


@pytest.mark.parametrize(
    "record",
    [
        "bad.py,,many\n",
        "bad.py,,1,2\n",
        "bad.py,,\n\n",
        ",,\n",
        ".,,\n/,,\n",
        "bad/a\0b.py,,\n",
        f"{'a' * 5000}.py,,\n",
    ],
    ids=["size", "columns", "blank line", "no name", "folders", "zero byte", "long name"],
)
def test_a_damaged_list_of_files_harms_no_other_package(tmp_path: Path, record: str) -> None:
    for name in ("bad", "good"):
        _described(tmp_path / f"{name}-1.dist-info", name, "")
        (tmp_path / f"{name}-1.dist-info" / "RECORD").write_text(f"{name}.py,,\n")
        (tmp_path / f"{name}.py").write_text("")
    (tmp_path / "bad-1.dist-info" / "RECORD").write_text(record)
    found = {each.name: each.modules for each in installed(tmp_path)}
    assert found["good"] == ("good",)
    assert len("".join(found["bad"])) < 300
    assert state_of(tmp_path)


def test_a_damaged_description_harms_no_other_package(tmp_path: Path) -> None:
    for name, readme in (("bad", "Content-Type: message/rfc822\n\n" * 3000), ("good", "Good.")):
        _described(tmp_path / f"{name}-1.dist-info", name, readme)
        (tmp_path / f"{name}-1.dist-info" / "METADATA").write_text(f"Name: {name}\n{readme}")
    (tmp_path / "lost-1.dist-info").symlink_to(tmp_path / "nowhere")
    (tmp_path / "odd-\udcff-1.dist-info").mkdir()
    assert [each.name for each in installed(tmp_path)] == ["bad", "good"]
    assert state_of(tmp_path)


def test_a_damaged_link_to_sources_harms_no_other_package(tmp_path: Path) -> None:
    for line in (f"/{'a' * 5000}", "/a\0b"):
        packages = tmp_path / str(len(line))
        packages.mkdir()
        _link(packages, "bad.pth", line)
        _described(packages / "good-1.dist-info", "good", "Good.")
        assert "good" in {each.name for each in installed(packages)}
        assert state_of(packages)


def test_sources_outside_of_the_project_are_not_even_listed(tmp_path: Path) -> None:
    source, packages = _sources(tmp_path), tmp_path / "project" / "packages"
    _link(packages, "_linked.pth", f"{source.parent}\n")
    state = state_of(packages, tmp_path / "project")
    (source / "knots.py").write_text("COUNT = 1\n")
    assert state_of(packages, tmp_path / "project") == state


def test_only_plain_files_of_a_project_say_what_it_imports(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "others.py").write_text("import theirs\n")
    (tmp_path / "p" / "link.py").symlink_to(tmp_path / "others.py")
    os.mkfifo(tmp_path / "p" / "pipe.py")
    (tmp_path / "p" / "a.py").write_text("import ours\n")
    found: list[frozenset[str]] = []
    reads = Thread(target=lambda: found.append(imported_by(tmp_path / "p")), daemon=True)
    reads.start()
    reads.join(60)
    assert found == [frozenset({"ours"})]


def test_comments_that_sphinx_reads_are_documentation(tmp_path: Path) -> None:
    (tmp_path / "post.py").write_text(
        "# no word of this\n"
        "#: The heaviest parcel,\n"
        "#: in grams.\n"
        "HEAVIEST = 5\n"
        "LIGHTEST = 1  #: in grams, too\n"
        "# nor of this\n"
        "PRICE = '#:3'\n"
        "class Parcel:\n"
        "    #: who gets it\n"
        "    name: str\n"
    )
    symbols = PackageReader(tmp_path, ["post"]).read()
    assert {symbol.path: symbol.passage for symbol in symbols} == {
        "post": "",
        "post.HEAVIEST": "The heaviest parcel,\nin grams.",
        "post.LIGHTEST": "in grams, too",
        "post.PRICE": "",
        "post.Parcel": "",
        "post.Parcel.name": "who gets it",
    }


def test_what_only_a_longer_stub_defines_is_read(tmp_path: Path) -> None:
    (tmp_path / "post.py").write_text("from _post import *\n")
    (tmp_path / "post.pyi").write_text("\n" * 9 + "def send(parcel: str) -> None: ...\n")
    reader = PackageReader(tmp_path, ["post"])
    assert {symbol.path for symbol in reader.read()} == {"post", "post.send"}
    assert reader.unread == []


_OVERLOADS = """
from typing import overload
@overload
def send(parcel: int, *, fast: bool) -> None: ...
@overload
def send(parcel: str, *, slow: bool) -> None: ...
"""


def test_overloads_are_one_function_with_the_parameters_of_all(tmp_path: Path) -> None:
    _share(tmp_path, "acme", "acme/__init__.py", f"{_OVERLOADS}def send(parcel, **how): ...\n")
    (tmp_path / "acme/fast.pyi").write_text(_OVERLOADS)  # stubs have no implementation
    by_path = {symbol.path: symbol for symbol in PackageReader(tmp_path, ["acme"]).read()}
    assert by_path["acme.send"].parameters == ("parcel", "how", "fast", "slow")
    assert by_path["acme.fast.send"].parameters == ("parcel", "fast", "slow")
    assert by_path["acme.fast.send"].line == 3


def test_what_python_would_refuse_is_read_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "post.py").write_text(
        "from typing import Annotated\n"
        "def send(parcel: Annotated[()], by: Annotated[str, 'how']): ...\n"
        "@property\nclass Mail: ...\n"
    )
    by_path = {symbol.path: symbol for symbol in PackageReader(tmp_path, ["post"]).read()}
    assert by_path["post.send"].signature == "send(parcel: Annotated[()], by: str)"
    assert by_path["post.Mail"].kind == "class"


def test_what_is_deprecated_says_so(tmp_path: Path) -> None:
    (tmp_path / "post.py").write_text(
        '"""Letters.\n\n.. deprecated:: 2.0\n   `send` is.\n"""\n'
        "from typing_extensions import deprecated\n"
        "@deprecated('Use `ship`\\n instead.')\n"
        "def send(): ...\n"
        "@deprecated(TEXT)\n"
        "class Mail: ...\n"
        "def track():\n"
        '    """Tell.\n\n    .. deprecated:: 2.0\n       Use `find`.\n\n    So far."""\n'
        "def weigh():\n    'Deprecated alias of `measure`.'\n"
        "def post(by):\n    'Post it.\\n\\n.. deprecated:: 2.0 *by* is not read.'\n"
        "def ship(by):\n"
        '    """Ship it.\n\n    :param by: how\n\n      .. deprecated:: 2.0\n    """\n'
    )
    symbols = PackageReader(tmp_path, ["post"]).read()
    assert {each.path: each.deprecated for each in symbols if each.deprecated} == {
        "post.send": "Use `ship` instead.",
        "post.Mail": "yes",
        "post.track": "2.0 Use `find`.",
        "post.weigh": "Deprecated alias of `measure`.",
    }


def test_a_long_signature_ends_between_words_with_a_mark() -> None:
    assert shortened("send(a, b)") == "send(a, b)"
    cut = shortened("send(address: str = None, barcode: str = None)", 30)
    assert cut == "send(address: str = None, …"
    assert shortened("x" * 50, 30) == "x" * 29 + "…"


def test_a_long_signature_is_cut_around_a_parameter() -> None:
    before = ", ".join(f"before_{number}: int = 0" for number in range(30))
    after = ", ".join(f"after_{number}: int = 0" for number in range(30))
    whole = f"send({before}, by_air: bool = False, {after})"
    cut = shortened_around(whole, "by_air", 120)
    assert len(cut) <= 120
    assert cut.startswith("send(… before_")
    assert "by_air: bool = False" in cut
    assert cut.endswith("…")
    assert shortened_around("send(to, by_air)", "by_air", 120) == "send(to, by_air)"
    assert shortened_around(shortened(whole), "after_29", 120) == "send(… after_29 …)"


_STUBS = """from ._box import Box as Box

def send(parcel: Box, *, by_air: bool = ...) -> str: ...
"""


def _with_stubs(packages: Path) -> Path:
    _share(packages, "types-acme", "acme-stubs/__init__.pyi", _STUBS)
    (packages / "acme-stubs/_box.pyi").write_text("class Box:\n    def weigh(self) -> int: ...\n")
    record = "acme-stubs/__init__.pyi,,\nacme-stubs/_box.pyi,,\n"
    (packages / "types_acme-1.0.dist-info" / "RECORD").write_text(record)
    return packages


def test_stubs_are_read_under_the_names_of_their_library(tmp_path: Path) -> None:
    [found] = installed(_with_stubs(tmp_path))
    read = read_distribution(found)
    assert (found.modules, read.unread) == (("acme",), [])
    assert {row["path"]: row["signature"] for row in read.rows} == {
        "acme": "acme",
        "acme._box": "acme._box",
        "acme.Box": "class Box",
        "acme.Box.weigh": "weigh() -> int",
        "acme.send": "send(parcel: Box, *, by_air: bool = ...) -> str",
    }
    assert {row["file"] for row in read.rows} == {
        "acme-stubs/__init__.pyi",
        "acme-stubs/_box.pyi",
    }


def test_stubs_of_a_library_that_is_read_itself_are_not_read(tmp_path: Path) -> None:
    alone = next(installed(_with_stubs(tmp_path))).digest
    _share(tmp_path, "acme", "acme/__init__.py", "def send(parcel): ...\n")
    (tmp_path / "acme" / "_fast.so").touch()
    library, stubs = installed(tmp_path)
    assert read_distribution(library).unread == []
    read = read_distribution(stubs)
    assert (read.rows, read.unread) == ([], ["stubs of acme, which is read itself"])
    # Whoever has read them alone must not take this for the same.
    assert stubs.digest != alone
    # A public module that is compiled says nothing of itself.
    (tmp_path / "acme" / "fast.so").touch()
    _, stubs = installed(tmp_path)
    assert "acme.send" in {row["path"] for row in read_distribution(stubs).rows}


def test_of_several_stubs_those_of_a_library_that_is_read_itself_are_not_read(
    tmp_path: Path,
) -> None:
    _share(tmp_path, "types-all", "other-stubs/__init__.pyi", "def weigh() -> int: ...\n")
    (tmp_path / "acme-stubs").mkdir()
    (tmp_path / "acme-stubs/__init__.pyi").write_text("def steal() -> None: ...\n")
    record = "acme-stubs/__init__.pyi,,\nother-stubs/__init__.pyi,,\n"
    (tmp_path / "types_all-1.0.dist-info" / "RECORD").write_text(record)
    [alone] = installed(tmp_path)
    assert alone.modules == ("acme", "other")
    _share(tmp_path, "acme", "acme/__init__.py", "def send(parcel): ...\n")
    _, stubs = installed(tmp_path)
    read = read_distribution(stubs)
    assert (stubs.modules, read.unread) == (("other",), [])
    assert {row["path"] for row in read.rows} == {"other", "other.weigh"}
    assert stubs.digest != alone.digest


def test_sources_are_read_and_not_the_stubs_beside_them(tmp_path: Path) -> None:
    _share(tmp_path, "acme", "acme/__init__.py", "def send(parcel): ...\n")
    (tmp_path / "acme-stubs").mkdir()
    (tmp_path / "acme-stubs/__init__.pyi").write_text("def post() -> None: ...\n")
    record = "acme/__init__.py,,\nacme-stubs/__init__.pyi,,\n"
    (tmp_path / "acme-1.0.dist-info" / "RECORD").write_text(record)
    read = read_distribution(next(installed(tmp_path)))
    assert {row["path"] for row in read.rows} == {"acme", "acme.send"}


@pytest.mark.parametrize("linked", ["acme", "acme.py"])
def test_a_link_is_no_library_that_is_read_itself(tmp_path: Path, linked: str) -> None:
    packages, elsewhere = tmp_path / "packages", tmp_path / "elsewhere"
    packages.mkdir()
    elsewhere.mkdir()
    (elsewhere / "__init__.py").write_text("def send(parcel): ...\n")
    target = elsewhere / "__init__.py" if linked.endswith(".py") else elsewhere
    (packages / linked).symlink_to(target)
    [stubs] = installed(_with_stubs(packages))
    assert "acme.send" in {row["path"] for row in read_distribution(stubs).rows}


def test_a_reason_names_no_exception_of_python(tmp_path: Path) -> None:
    _share(tmp_path, "acme", "acme/__init__.py", "def (:\n")
    [found] = installed(tmp_path)
    read = read_distribution(found)
    assert read.unread == ["acme: Syntax error: invalid syntax (__init__.py, line 1)"]
