"""A small repository from which a decision can be mined: every view has a decorator."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

MINED = "login_required"
"""A word in the pattern of the decision that is found."""

VIEW = '''"""Page {number}."""

from __future__ import annotations

from shop.auth import login_required


@login_required
def page_{number}(request: object) -> str:
    """Show page {number}."""
    return "page {number}"
'''


def git(root: Path, *arguments: str, fails: bool = False) -> str:
    """Returns plain git with an author; it may use repositories in other folders."""
    options = ["user.name=A", "user.email=a@example.org", "protocol.file.allow=always"]
    given = [part for option in options for part in ("-c", option)]
    done = subprocess.run(
        ["git", *given, *arguments], cwd=root, check=not fails, capture_output=True
    )
    return done.stdout.decode().strip()


def commit(root: Path, name: bytes, content: bytes) -> None:
    """Writes a file and commits it."""
    path = root / os.fsdecode(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "A commit")


def make_views(root: Path, count: int = 30) -> Path:
    """Makes the repository, in five commits."""
    views = root / "src" / "shop" / "views"
    views.mkdir(parents=True)
    for folder in (views.parent, views):
        (folder / "__init__.py").write_text("")
    (views.parent / "auth.py").write_text("def login_required(page):\n    return page\n")
    git(root, "init", "-q", "-b", "main")
    for number in range(count):
        (views / f"page_{number}.py").write_text(VIEW.format(number=number))
        if number % (count // 5) == 0 or number == count - 1:
            git(root, "add", "-A")
            git(root, "commit", "-qm", f"Pages up to {number}")
    return root
