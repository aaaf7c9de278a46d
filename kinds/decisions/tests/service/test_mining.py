"""Mining a repository that the test writes: what it decided is found, checked and kept."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from kinds.decisions.tests.service.repositories import git, write
from quartermaster.core.errors import QmError
from quartermaster.guardrails.masking import masked_secrets
from quartermaster.projects.git import open_repository
from quartermaster_decisions.backtest import interval, measure
from quartermaster_decisions.candidates import DecisionCandidate
from quartermaster_decisions.checking import changed_since, check_files, guard_of
from quartermaster_decisions.checks import Check, FileCheck, evaluate_facts, problem_of
from quartermaster_decisions.health import health_of
from quartermaster_decisions.ingest import Options, read_signals
from quartermaster_decisions.languages import language_of
from quartermaster_decisions.mining import complete, line_hash, mine
from quartermaster_decisions.narrowing import read_narrowing
from tests.support.canary import canary

VIEW = """\
from app.base import View
from app.auth import signed_in
from app.clock import utcnow


class Page{n}(View):
    @signed_in
    def show(self, request):
        return utcnow()
"""
CLOCK = '''\
import datetime


def utcnow():
    """The time without a zone."""
    return datetime.datetime.utcnow()
'''


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("mined")
    git(root, "init", "-q", "-b", "main")
    base = {
        "app/__init__.py": "",
        "app/base.py": "class View:\n    pass\n",
        "app/auth.py": "def signed_in(function):\n    return function\n",
        "app/clock.py": CLOCK,
        "app/views/__init__.py": "",
        "CONTRIBUTING.md": "Always call `utcnow` rather than `datetime.utcnow` in this project.\n",
    }
    write(root, base, "Start")
    views = {f"app/views/page{n}.py": VIEW.format(n=n) for n in range(20)}
    write(root, views, "Views")
    message = "Fix the clock\n\nBecause zones differ.\n\nConstraint: Keep times without zones"
    write(root, {"app/views/page0.py": VIEW.format(n=0) + "\n"}, message)
    for n in range(20, 26):
        write(root, {f"app/views/page{n}.py": VIEW.format(n=n)}, f"Page {n}")
    return root


@pytest.fixture(scope="module")
def found(root: Path) -> list[DecisionCandidate]:
    with open_repository(root) as repository:
        signals = read_signals(repository, Options())
        candidates = mine(signals)
        complete(repository, signals, candidates)
    return candidates


def of(found: list[DecisionCandidate], miner: str) -> DecisionCandidate:
    return next(one for one in found if one.miner == miner)


def test_the_base_class_of_a_folder_is_found(found: list[DecisionCandidate]):
    assert "Derive new classes from `View` (from `app.base`)." in of(found, "bases").pattern


def test_a_decorator_that_all_methods_have_is_found(found: list[DecisionCandidate]):
    assert "with `signed_in` (from `app.auth`)." in of(found, "decorators").pattern


def test_a_wrapper_that_everybody_calls_is_found(found: list[DecisionCandidate]):
    wrapper = of(found, "wrappers")
    assert wrapper.pattern == (
        "Call `utcnow` (from `app.clock`) instead of `utcnow` (from `datetime.datetime`)."
    )
    assert wrapper.rationale.startswith("The time without a zone.")


def test_trailers_and_documents_are_found(found: list[DecisionCandidate]):
    assert of(found, "trailers").pattern == "Keep times without zones."
    assert of(found, "documents").evidence[0].path == "CONTRIBUTING.md"


RECORD = "# 1. HTTP clients\n\n{status}\n\n## Decision\n\nWe will use httpx and never requests.\n"


@pytest.mark.parametrize(
    ("path", "status", "is_found"),
    [
        ("docs/adr/0001-httpx.md", "Status: Accepted", True),
        ("adr/0001-httpx.md", "**Status**: accepted", True),
        ("docs/decisions/0001-httpx.md", "## Status\n\nAccepted", True),
        ("docs/adr/0001-httpx.md", "Status: Proposed", False),
        ("docs/adr/0001-httpx.md", "Status: Superseded; it was accepted", False),
        ("CONTRIBUTING.md", "Status: Accepted", False),
    ],
)
def test_the_record_of_an_accepted_decision_is_found_in_a_small_repository(
    tmp_path: Path, path: str, status: str, is_found: bool
):
    git(tmp_path, "init", "-q")
    code = "import httpx\n\n\ndef get(url):\n    return httpx.get(url, timeout=3)\n"
    write(tmp_path, {"app.py": code, path: RECORD.format(status=status)}, "Start")
    with open_repository(tmp_path) as repository:
        found = mine(read_signals(repository, Options()))
    said = [(one.pattern, one.polarity, one.scope, one.keywords) for one in found]
    wanted = [("We will use httpx and never requests.", "do", "**", ["httpx"])]
    assert said == (wanted if is_found else [])


def test_each_candidate_has_evidence_that_can_be_found_again(found: list[DecisionCandidate]):
    for one in found:
        assert one.evidence, one.pattern
        assert one.check is None or problem_of(one.check) is None
        for each in one.evidence:
            assert each.commit
            assert each.kind == "commit" or (each.blob and each.line_hash)


def test_a_line_is_recognised_after_it_has_moved():
    assert line_hash("    return 1\n") == line_hash("return 1")
    assert line_hash("return 1") != line_hash("return 2")


def test_candidates_are_in_the_order_of_their_importance(found: list[DecisionCandidate]):
    worths = [one.worth for one in found]
    assert worths == sorted(worths, reverse=True)
    assert worths[0] > 0


def test_a_second_run_reads_only_what_is_new(root: Path, tmp_path: Path):
    reads: list[tuple[str, int, int]] = []

    def summary(what: str, done: int, total: int) -> None:
        reads.append((what, done, total))

    with open_repository(root) as repository:
        cache = tmp_path / "kept"
        first = read_signals(repository, Options(), cache)
        second = read_signals(repository, Options(), cache, summary)
    assert reads == [("files", 31, 31)]
    assert [one.pattern for one in mine(first)] == [one.pattern for one in mine(second)]


def test_a_violation_is_found_with_its_place_and_rationale(
    root: Path, found: list[DecisionCandidate]
):
    decisions: list[dict[str, Any]] = [
        one.as_json() | {"id": number} for number, one in enumerate(found)
    ]
    wrong = root / "app" / "views" / "wrong.py"
    wrong.write_text("class Wrong:\n    def show(self, request):\n        pass\n")
    try:
        with open_repository(root) as repository:
            guard = guard_of(root)
            assert changed_since(repository, guard, "HEAD") == ["app/views/wrong.py"]
            violations = check_files(repository, guard, decisions, ["app/views"])
    finally:
        wrong.unlink()
    assert {(one.path, one.line) for one in violations} == {
        ("app/views/wrong.py", 1),
        ("app/views/wrong.py", 2),
    }
    assert all(one.as_json()["rationale"] for one in violations)


def test_a_rule_of_ruff_is_checked_without_the_settings_of_the_project(root: Path):
    decision: dict[str, Any] = {"id": 1, "pattern": "Print nothing.", "instead": ""}
    decision["check"] = {"form": "ruff", "rule": "T201", "except": ["app/views/b*.py"]}
    written = [root / "app" / "views" / name for name in ("a1.py", "b1.py", "ruff.toml")]
    for path in written:
        path.write_text("print(1)\n" if path.suffix == ".py" else 'exclude = ["*"]\n')
    try:
        with open_repository(root) as repository:
            found = check_files(repository, guard_of(root), [decision], ["app/views"])
    finally:
        for path in written:
            path.unlink()
    assert [(one.path, one.line, one.what) for one in found] == [
        ("app/views/a1.py", 1, "ruff finds T201")
    ]


def test_decisions_that_the_code_left_behind_are_flagged(tmp_path: Path):
    root = tmp_path / "left"
    root.mkdir()
    git(root, "init", "-q")
    write(root, {"a.py": "import new\n\nnew.run()\n"}, "One")
    with open_repository(root) as repository:
        start = str(repository.head)
    check = {"form": "replaced_import", "old": ["old"], "new": ["new"]}
    evidence = [{"id": 1, "kind": "file", "path": "a.py", "line_hash": "f" * 32, "blob": "0" * 40}]
    decision = {"id": 7, "check": check, "valid_from": start, "last_verified": None}
    decision |= {"scope": {"kind": "global", "value": ""}}
    gone = decision | {"evidence": evidence}
    with open_repository(root) as repository:
        assert health_of(repository, [gone], start)[0]["health"] == "suspect"
        assert health_of(repository, [decision | {"evidence": []}], start)[0]["health"] == "fresh"
    names = {f"m{number}.py": "import old\n" for number in range(4)}
    write(root, names, "Two")
    with open_repository(root) as repository:
        [report] = health_of(repository, [decision | {"evidence": []}], str(repository.head))
    assert report["health"] == "contested"
    write(root, {"a.py": "import old\n"}, "Three")
    with open_repository(root) as repository:
        [report] = health_of(repository, [decision | {"evidence": []}], str(repository.head))
    assert report["health"] == "obsolete"


def test_a_repository_without_commits_says_so(tmp_path: Path):
    git(tmp_path, "init", "-q")
    with open_repository(tmp_path) as repository, pytest.raises(QmError, match="repository_empty"):
        read_signals(repository, Options())


def test_odd_files_are_read_or_left_out(tmp_path: Path):
    root = tmp_path / "odd"
    root.mkdir()
    git(root, "init", "-q")
    (root / "latin.py").write_bytes(b"# caf\xe9\ndef f(:\n")
    (root / "huge.py").write_bytes(b"x = 1\n" * 200_000)
    (root / "link.py").symlink_to("/etc/passwd")
    (root / "binary.py").write_bytes(bytes(range(256)))
    write(root, {"ok.py": "def f():\n    pass\n"}, "Odd \udcff".encode("utf-8", "replace").decode())
    with open_repository(root) as repository:
        signals = read_signals(repository, Options())
    assert set(signals.code.files) == {"latin.py", "binary.py", "ok.py"}
    assert signals.code.files["latin.py"].partial


def test_secrets_are_taken_out_of_texts():
    secret = canary()
    assert secret not in masked_secrets(f"password = '{secret}'")


def test_later_files_are_measured_against_what_was_mined_before(root: Path):
    with open_repository(root) as repository:
        figures = measure(repository, cut=0.5).as_json()
    assert figures["new_files"] > 0
    assert figures["adherence"] == 1.0


def test_an_interval_of_nothing_is_unknown():
    assert interval(0, 0) is None
    low, high = interval(8, 10) or (0, 0)
    assert 0.4 < low < 0.8 < high < 1


def evaluate(check: Check, content: bytes, path: str, module: str = "") -> FileCheck:
    """Returns the cases of a check in a file, if the check can be used."""
    assert problem_of(check) is None
    language = language_of(path)
    assert language is not None
    return evaluate_facts(check, language.read(path, module, content))


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        (
            {"form": "import_contract", "forbidden": ["app.views"]},
            "import app.models\n",
            "from app.views import x\n",
        ),
        (
            {"form": "replaced_import", "old": ["mock"], "new": ["unittest.mock"]},
            "from unittest.mock import patch\n",
            "import mock\n",
        ),
        (
            {"form": "import_alias", "target": "sqlalchemy", "alias": "sa"},
            "import sqlalchemy as sa\n",
            "import sqlalchemy\n",
        ),
        (
            {"form": "call_through", "old": ["datetime.datetime.now"], "new": ["app.clock.now"]},
            "from app.clock import now\nnow()\n",
            "from datetime import datetime\ndatetime.now()\n",
        ),
        (
            {"form": "base_class", "where": {"name_ends": "View"}, "bases": ["app.Base"]},
            "import app\nclass A(app.Base): pass\nclass OneView(A): pass\n",
            "class OneView: pass\n",
        ),
        (
            {"form": "keyword", "names": ["web.route"], "keyword": "permission"},
            "import web\n@web.route(permission='x')\ndef f(): pass\n",
            "import web\n@web.route()\ndef f(): pass\n",
        ),
        (
            {"form": "keyword", "names": ["web.route"], "keyword": "permission"},
            "import web\n@web.defaults(permission='x')\nclass A:\n @web.route()\n def f(s): pass\n",
            "import web\n@web.defaults()\nclass A:\n @web.route()\n def f(s): pass\n",
        ),
        (
            {"form": "raised", "names": ["app.NotFound"], "caught": ["KeyError"]},
            "import app\ntry: f()\nexcept KeyError as e:\n raise app.NotFound() from e\n",
            "try: f()\nexcept KeyError as e:\n raise ValueError() from e\n",
        ),
        (
            {"form": "written_only_through", "names": ["app.models.User"], "allowed": ["x/*.py"]},
            None,
            "from app.models import User\nUser()\n",
        ),
        (
            {"form": "written_only_through", "fields": ["status"], "allowed": ["x/*.py"]},
            None,
            "def pay(order):\n    order.status = 'paid'\n",
        ),
        (
            {
                "form": "pattern",
                "subject": "function",
                "where": {"public": True},
                "require": {"returns_annotated": True},
            },
            "def f() -> int: ...\ndef _g(): ...\n",
            "def f(): ...\n",
        ),
    ],
)
def test_each_form_tells_what_follows_it_from_what_does_not(
    check: dict[str, Any], good: str | None, bad: str
):
    if good is not None:
        result = evaluate(check, good.encode(), "src/a.py", "a")
        assert result.applies
        assert result.followed
    assert not evaluate(check, bad.encode(), "src/a.py", "a").followed


def test_a_check_with_an_unknown_form_is_refused():
    assert problem_of({"form": "command", "run": "true"})


@pytest.fixture(scope="module")
def sold(shop_root: Path) -> list[str]:
    with open_repository(shop_root) as repository:
        return [one.pattern for one in mine(read_signals(repository, Options()))]


@pytest.mark.parametrize(
    "pattern",
    [
        "Derive classes from `ShopForm` (from `shop.forms`), not from `Form` (from `wtforms`)"
        " directly.",
        "Use what `shop.client` offers; only `shop/client.py` imports `pycurl`.",
        "Define the method `_process` in each class that derives from `ShopForm`"
        " (from `shop.forms`).",
        "Call one of `_get_any_item_for_user`, `_get_item_for_user` (from `shop.access`) in each"
        " function `show`.",
        "Pass a member of `Permission` as `permission=` to `route` (from `shop.web`).",
        "Import `web.pages.render` instead of `web.views.render`.",
        "Set `balance` of `Order` (from `shop.models`) only in `shop/pay.py`; elsewhere, call what"
        " is there.",
        "Put the tests of a module where its path says: those of `shop/area0/forms0.py` are in"
        " `tests/area0/test_forms0.py`.",
        "To send a text to the person who asked, call `say` (from `shop.news`) rather than code of"
        " your own.",
        "Use `request.basket` (`total`) rather than getting the basket in another way.",
        "In tests: take the fixture `till` (from `tests.conftest`) rather than making one.",
    ],
)
def test_what_a_careful_reader_writes_down_is_proposed(sold: list[str], pattern: str):
    assert pattern in sold, "\n".join(sold)


def test_what_others_do_by_area_is_no_rule_for_all(sold: list[str]):
    assert not [one for one in sold if "no other errors" in one]
    assert len(sold) == len(set(sold))


def test_a_replacement_is_foretold_by_earlier_commits_only(shop_root: Path):
    with open_repository(shop_root) as repository:
        figures = measure(repository, cut=0.5)
    # The first commit teaches it, the second one follows it in ten files.
    assert (figures.replaced_as_said, figures.replaced) == (10, 10)


def test_what_was_kept_is_the_same_and_runs_nothing(shop_root: Path, tmp_path: Path):
    retained = tmp_path / "kept"
    with open_repository(shop_root) as repository:
        first = read_signals(repository, Options(), retained)
        second = read_signals(repository, Options(), retained)
        with sqlite3.connect(retained) as database:
            database.execute("update kept_json set value = 'no JSON'")
        third = read_signals(repository, Options(), retained)
    assert first.code.files == second.code.files == third.code.files
    assert first.history == second.history == third.history


COLUMN = "from sqlalchemy.orm import mapped_column\n\n\nclass Row{n}:\n    id = mapped_column()\n"
FIELD = "from django.db import models\n\n\nclass Row{n}:\n    id = models.{kind}Field(label=1)\n"
MADE = "from tests.factories import OrderFactory\n\n\ndef test_{n}():\n    OrderFactory.create()\n"


def _proposed(
    root: Path, files: dict[str, str], miners: list[str] | None = None
) -> list[DecisionCandidate]:
    git(root, "init", "-q", "-b", "main")
    write(root, files, "Start")
    with open_repository(root) as repository:
        return mine(read_signals(repository, Options()), miners)


def test_migrations_neither_count_nor_violate(tmp_path: Path):
    old = "from sqlalchemy import Column\n\n\nColumn()\n"
    files = {f"shop/models/row{n}.py": COLUMN.format(n=n) for n in range(20)}
    files |= {f"shop/migrations/m{n}.py": old for n in range(9)}
    [found] = [one for one in _proposed(tmp_path, files) if "mapped_column" in one.pattern]
    assert found.pattern == "To declare columns, use `mapped_column`, not `Column`."
    assert (found.statistics.cases, found.statistics.followed) == (20, 20)
    assert found.check is not None
    assert not evaluate(found.check, old.encode(), "shop/migrations/new.py").applies
    assert not evaluate(found.check, old.encode(), "shop/models/new.py").followed


def test_a_keyword_of_classes_that_are_named_alike_is_found(tmp_path: Path):
    kinds = ("Char", "Text", "Date")
    files = {f"shop/row{n}.py": FIELD.format(n=n, kind=kinds[n % 3]) for n in range(24)}
    said = [one.pattern for one in _proposed(tmp_path, files)]
    assert "Pass `label=` to `CharField`, `TextField`, `DateField` and others like them." in said, (
        said
    )


def test_a_method_of_a_factory_makes_what_the_factory_is_named_after(tmp_path: Path):
    files = {
        "shop/models.py": "class Order:\n    id = 1\n",
        "tests/factories.py": "class OrderFactory:\n    id = 1\n",
    } | {f"tests/test_{n}.py": MADE.format(n=n) for n in range(16)}
    said = [one.pattern for one in _proposed(tmp_path, files)]
    assert any("`tests.factories.OrderFactory.create`" in one for one in said), said


def test_a_factory_of_the_name_of_its_model_is_not_the_model(tmp_path: Path):
    factories = "from shop.models import Order\n\nOrder = make_factory(Order)\n"
    test = "from tests.factories import Order\n\n\ndef test_{n}():\n    Order()\n"
    files = {"shop/models.py": "class Order:\n    id = 1\n", "tests/factories.py": factories}
    files |= {f"tests/test_{n}.py": test.format(n=n) for n in range(16)}
    said = [one.pattern for one in _proposed(tmp_path, files)]
    assert any("(`tests.factories.Order`)" in one for one in said), said


def test_a_function_of_a_library_is_no_method_of_an_own_class_of_the_same_name(tmp_path: Path):
    text = "from flask import render_page\n\n\ndef a(x):\n    render_page()\n    x.mark_done()\n"
    files = {f"shop/area{n % 3}/a{n}.py": text for n in range(20)}
    files["shop/alert.py"] = (
        "class Alert:\n    def render_page(self):\n        pass\n\n"
        "    def mark_done(self):\n        pass\n"
    )
    said = [one.pattern for one in _proposed(tmp_path, files, ["helpers"])]
    assert said == ["Call `mark_done`, a method of `Alert`, rather than code of your own."]


def test_a_fixture_is_counted_only_where_tests_get_it(tmp_path: Path):
    fixture = "import pytest\n\n\n@pytest.fixture\ndef till():\n    return 1\n"
    files = {"tests/far/conftest.py": fixture}
    files |= {f"tests/near/test_{n}.py": f"def test_{n}(till):\n    pass\n" for n in range(20)}
    assert not _proposed(tmp_path, files, ["helpers"])


def test_what_is_about_one_package_is_said_of_this_package(tmp_path: Path):
    text = "from shop.clock import fetch_now\n\n\ndef a():\n    return fetch_now()\n"
    files = {f"shop/area{n % 3}/a{n}.py": text for n in range(20)}
    files |= {"shop/clock.py": "def fetch_now():\n    return 1\n", "setup.py": "NAME = 1\n"}
    files |= {f"tests/test_{n}.py": text for n in range(3)}
    [found] = _proposed(tmp_path, files, ["helpers"])
    assert found.scope == "shop/**"
    assert found.check is not None
    assert found.check["paths"] == ["shop/**"]
    assert not evaluate(found.check, text.encode(), "setup.py").applies


def test_an_alternative_that_the_code_base_does_not_have_is_not_named(tmp_path: Path):
    text = "from django.urls import reverse\n\n\ndef link():\n    return reverse('a')\n"
    files = {f"shop/link{n}.py": text for n in range(20)}
    said = [one.pattern for one in _proposed(tmp_path, files) if "build URLs" in one.pattern]
    assert said == ["To build URLs, use `reverse` of Django, not `request.build_absolute_uri`."]


def test_things_of_one_name_in_unrelated_libraries_are_no_alternatives(tmp_path: Path):
    files = {
        f"shop/a{n}.py": "from flask import current_app\n\nX = current_app\n" for n in range(20)
    }
    files["shop/b.py"] = "from celery import current_app\n\nX = current_app\n"
    assert not [one for one in _proposed(tmp_path, files) if one.miner == "imported"]


SUITE = "class Suite:\n    def prepare(self):\n        pass\n\n    def clean(self):\n        pass\n"
PREPARED = (
    "from tests.support import Suite\n\n\nclass Test{n}(Suite):\n    def prepare(self):\n"
    "        {does}\n\n    def clean(self):\n        pass\n"
)


def test_a_method_that_overrides_another_one_calls_it(tmp_path: Path):
    files = {"tests/support.py": SUITE}
    files |= {
        f"tests/test_{n}.py": PREPARED.format(n=n, does="super().prepare()") for n in range(16)
    }
    [found] = _proposed(tmp_path, files, ["overrides"])
    said = "In tests: call `super().prepare()` in each `prepare` that overrides that of `Suite`."
    assert found.pattern == said
    assert (found.statistics.cases, found.statistics.followed) == (16, 16)
    assert found.check is not None
    [bad] = evaluate(
        found.check, PREPARED.format(n=0, does="pass").encode(), "tests/test_x.py"
    ).places
    assert not bad.followed
    assert not evaluate(found.check, SUITE.encode(), "tests/support.py").applies


@pytest.mark.parametrize(("code", "said"), [("from shop.b", True), ("from .b", False)])
def test_how_tests_import_is_said_if_the_code_does_it_in_another_way(
    tmp_path: Path, code: str, said: bool
):
    files = {f"shop/a{n}.py": f"{code} import x\n\n\ndef f():\n    x()\n" for n in range(20)}
    files |= dict.fromkeys(("shop/__init__.py", "tests/__init__.py"), "")
    test = "from .support import make\n\n\ndef test_{n}():\n    make()\n"
    files |= {f"tests/test_{n}.py": test.format(n=n) for n in range(20)}
    found = [one.pattern for one in _proposed(tmp_path, files, ["style"])]
    wanted = "In tests: write relative imports for modules of the same package."
    assert (wanted in found) == said, found


def test_what_a_helper_is_for_stands_first(tmp_path: Path):
    text = "from shop.clock import now_utc\n\n\ndef a():\n    return now_utc()\n"
    files = {f"shop/area{n % 3}/a{n}.py": text for n in range(20)}
    summary = '"""Returns the time in UTC, without parts of seconds."""'
    files["shop/clock.py"] = f"def now_utc():\n    {summary}\n    return 1\n"
    [found] = _proposed(tmp_path, files, ["helpers"])
    assert found.pattern == (
        "To return the time in UTC, without parts of seconds, call `now_utc` (from `shop.clock`)"
        " rather than code of your own."
    )


def test_a_file_of_the_repository_narrows_what_is_read_and_does_nothing_else(tmp_path: Path):
    git(tmp_path, "init", "-q", "-b", "main")
    narrow = 'max_commits = 2\npaths = ["shop", "lib/*.py"]\nprovider = "anthropic"\n'
    files = dict.fromkeys(("shop/deep/a.py", "lib/b.py", "lib/deep/c.py", "other/d.py"), "X = 1\n")
    write(tmp_path, files | {"metatron.toml": narrow}, "Start")
    for n in range(4):
        write(tmp_path, {"shop/e.py": f"X = {n}\n"}, f"Change {n}")
    with open_repository(tmp_path) as repository:
        read = read_signals(repository, Options())
        assert sorted(read.code.files) == ["lib/b.py", "shop/deep/a.py", "shop/e.py"]
        assert len(read.history.commits) == 2
        assert len(read_signals(repository, Options(max_commits=1)).history.commits) == 1
    write(tmp_path, {"metatron.toml": "max_commits = 'all'\n"}, "Break")
    with open_repository(tmp_path) as repository, pytest.raises(QmError, match="argument_invalid"):
        read_signals(repository, Options())


@pytest.mark.parametrize(
    "text",
    [
        "max_commits = true",
        "max_commits = " + "9" * 5000,
        "x = " + "[" * 5000 + "]" * 5000,
        f"paths = {['*' * 500] * 21}",
    ],
    ids=["no number", "long number", "deep", "many globs"],
)
def test_a_hostile_file_that_narrows_is_refused(text: str):
    with pytest.raises(QmError, match="argument_invalid"):
        read_narrowing(text)


def test_many_stars_do_not_cost_time():
    narrowing = read_narrowing(f'paths = ["{"*a" * 6}b", "+ (x)/"]')
    started = process_time()
    assert not narrowing.is_read("a" * 60)
    assert process_time() - started < 0.5
    assert narrowing.is_read("a" * 60 + "b")
    assert narrowing.is_read("+ (x)/\u00e9.py")
