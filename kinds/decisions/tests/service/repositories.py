"""Repositories that the tests of decisions write."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path


def git(root: Path, *arguments: str) -> str:
    names = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    done = subprocess.run(
        ["git", *names, *arguments], cwd=root, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def write(root: Path, files: Mapping[str, str], message: str) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


AREA = """\
from shop import access, client
from shop.forms import ShopForm
from shop.models import Order
from shop.news import say
from shop.rights import Permission
from shop.web import route
from web.views import render


class Form{n}(ShopForm):
    def _process(self):
        return client.fetch("a")


@route("/{n}", permission=Permission.READ)
def show(request):
    return render(access.{helper}(request))


def total_{n}(request):
    return say(request.basket.total())
"""
HELPERS = ("_get_any_item_for_user", "_get_item_for_user")


def make_shop(root: Path) -> None:
    """A code base with its own form, client, views, helpers, and a name that was replaced."""
    git(root, "init", "-q", "-b", "main")
    areas = {
        f"shop/area{n % 4}/forms{n}.py": AREA.format(n=n, helper=HELPERS[n % 2]) for n in range(20)
    }
    tests = {
        f"tests/area{n % 4}/test_forms{n}.py": f"def test_{n}(till):\n    assert till == {n}\n"
        for n in range(20)
    }
    base = {
        "shop/__init__.py": "",
        **{f"shop/area{n}/__init__.py": "" for n in range(4)},
        "shop/forms.py": "from wtforms import Form\n\n\nclass ShopForm(Form):\n    def run(self):\n"
        "        return self._process()\n",
        "shop/client.py": "import pycurl\n\n\ndef fetch(url):\n    return pycurl.Curl(url)\n",
        "shop/rights.py": "class Permission:\n    READ = 1\n",
        "shop/web.py": "from web import route as plain\n\n\ndef route(path, permission=None):\n"
        '    """Register a function, with its rights."""\n    return plain(path)\n',
        "shop/access.py": "def _get_item_for_user(request):\n    return request\n\n\n"
        "def _get_any_item_for_user(request):\n    return request\n",
        "shop/news.py": 'def say(text):\n    """Send a text to the person who asked."""\n'
        "    return text\n",
        "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef till():\n    return 1\n",
        "shop/models.py": "from db import Column, Model\n\n\nclass Order(Model):\n"
        "    balance = Column()\n",
        "shop/pay.py": "def pay(order, other):\n    order.balance = 1\n    other.balance = 2\n"
        "    order.balance = 3\n",
        "shop/old.py": "from web import route\n\n\n"
        "@route('/old', permission=1, name='old')\ndef old(request):\n    return 1\n",
    }
    write(root, base | tests, "Start")
    write(root, areas, "Areas")
    for start in (0, 10):
        changed = {
            path: text.replace("from web.views import render", "from web.pages import render")
            for path, text in list(areas.items())[start : start + 10]
        }
        write(root, changed, f"Render with pages instead of views {start}")
