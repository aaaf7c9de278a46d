"""Whether what was mined is served for later commits: measured on a repository made here."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from quartermaster.cli.session import open_session
from quartermaster.projects.git import open_repository
from quartermaster_decisions import api
from quartermaster_decisions.serving_eval import ask, held_out, load, ndcg
from tests.support.database import Database

VIEW = '''"""Page {number}."""

from shop.auth import login_required


@login_required
def page_{number}(request: object) -> str:
    """Show page {number}."""
    return "page {number}"
'''


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """Thirty commits that add a view with a decorator, every third with a page of text."""
    root = tmp_path / "shop"
    views = root / "src" / "shop" / "views"
    views.mkdir(parents=True)
    for folder in (views.parent, views):
        (folder / "__init__.py").write_text("")
    (views.parent / "auth.py").write_text("def login_required(page):\n    return page\n")
    git(root, "init", "-q")
    for number in range(60):
        (views / f"page_{number}.py").write_text(VIEW.format(number=number))
        if number % 3 == 0:
            (root / f"page_{number}.html").write_text(f"<p>Page {number}</p>\n")
        git(root, "add", ".")
        git(root, "commit", "-qm", f"Show page {number} to customers")
    return root


def test_what_later_commits_exercise_is_served(shop: Path, database: Database):
    def no_progress(what: str, done: int, total: int) -> None:
        assert what
        assert done <= total

    with open_repository(shop) as repository:
        candidates, questions = held_out(repository, 0.7, no_progress)
    [decorated] = [
        number
        for number, one in enumerate(candidates)
        if one.check and "login_required" in str(one.check)
    ]
    views = [one for one in questions if one.path.endswith(".py")]
    texts = [one for one in questions if one.path.endswith(".html")]
    assert len(views) == 17
    assert all(decorated in one.exercised and not one.is_unrelated for one in views)
    assert len(texts) == 5
    assert all(one.is_unrelated and not one.exercised for one in texts)
    with open_session(None, database.dsn) as session:
        ids = load(session, candidates, "measured")
        found = ask(session, questions, ids, no_progress).as_json()
        assert found["questions"] == 17
        assert found["unrelated"] == 5
        assert found["silence"] == 1.0
        assert found["ndcg_8"] > 0.6
        assert found["recall_8"] > 0.8
        served = session.call(api.decisions_for(path="src/shop/views/page_99.py", task="a page"))
        assert ids[decorated] in {row["decision"] for row in served}
        # Decisions that are rejected are not served, and what is not served gains nothing.
        known = [one for one in ids if one is not None]
        session.call(api.reject_decisions(ids=known))
        assert ask(session, questions, ids, no_progress).as_json()["ndcg_8"] == 0.0


def test_the_order_counts():
    assert ndcg([1, 2], {1, 2}) == 1.0
    assert ndcg([3, 1], {1}) == pytest.approx(0.631, abs=0.001)
    assert ndcg([], {1}) == 0.0
