"""A large repository, generated: thousands of commits and files of Python in seconds."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

_VIEW = '''"""Views of {name}."""

from __future__ import annotations

import {library}
from shop.auth import login_required
from shop.{area}.models import Record


class View{number}(Record):
    """Shows {name}."""

    name = "{name}"

    @login_required
    def show(self, request: object, limit: int = {limit}) -> str:
        """Show it."""
        if limit > {change}:
            raise ValueError("too many")
        return {library}.dumps({{"name": self.name, "limit": limit}})


@login_required
def page_{number}(request: object) -> str:
    """Show page {number}."""
    return View{number}().show(request)
'''


def generate(root: Path, *, commits: int, files: int) -> None:
    """Makes a repository with a number of commits, each of which changes a file or adds one."""
    root.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, check=True)
    stream = b"".join(_stream(commits, files))
    subprocess.run(
        ["git", "fast-import", "--quiet"], cwd=root, input=stream, check=True, capture_output=True
    )
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=root, check=True)


def _stream(commits: int, files: int) -> Iterator[bytes]:
    random = Random(5)
    names = [(f"area_{number % 40}", number) for number in range(files)]
    added = 0
    for commit in range(commits):
        wanted = files * (commit + 1) // commits
        changed = names[added:wanted] or [random.choice(names[: max(added, 1)])]
        added = max(added, wanted)
        yield (
            f"commit refs/heads/main\ncommitter A <a@example.org> {1_600_000_000 + commit * 600}"
            f" +0000\n{_data(_message(commit, random))}"
        ).encode()
        for area, number in changed:
            text = _VIEW.format(
                name=f"thing {number}",
                number=number,
                area=area,
                library="ujson" if commit < commits // 2 else "orjson",
                limit=random.randrange(100),
                change=commit,
            )
            yield f"M 100644 inline src/shop/{area}/view_{number}.py\n{_data(text)}".encode()


def _message(commit: int, random: Random) -> str:
    words = random.sample(["limit", "page", "order", "login", "search", "cache", "form"], 3)
    return f"{random.choice(['Fix', 'Add', 'Change'])} {' '.join(words)} {commit}\n\nBecause of it."


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}\n"
