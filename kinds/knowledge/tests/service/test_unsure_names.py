"""What the check of call sites cannot know is told, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from quartermaster_knowledge.unsure_names import ANY_KEYWORD, DYNAMIC_NAMES_REASON, unsure_names


def _row(path: str, signature: str = "", *parameters: str) -> dict[str, Any]:
    name = path.rpartition(".")[2]
    return {"name": name, "path": path, "signature": signature, "parameters": list(parameters)}


_ROWS = {
    "acme": [_row("acme"), _row("acme.__getattr__"), _row("acme.send"), _row("acme.road")],
    "acme.send": [_row("acme.send", "send(to, **options)", "to", "options")],
    "acme.weigh": [_row("acme.weigh", "weigh(power=2**3)", "power")],
    "acme.Parcel": [_row("acme.Parcel", "Parcel(**fields: int)", "fields")],
    "plain": [_row("plain"), _row("plain.Box"), _row("plain.Box.__getattr__")],
}


def _members(modules: Sequence[str], owner: str) -> list[dict[str, Any]]:
    assert list(modules) == [owner.partition(".")[0]]
    return _ROWS.get(owner, [])


@pytest.mark.parametrize(
    ("code", "unsure"),
    [
        ("import acme\nacme.send('x', urgent=1)", [("acme.send(urgent=)", ANY_KEYWORD)]),
        ("from acme import Parcel as P\nP(kg=1)", [("acme.Parcel(kg=)", ANY_KEYWORD)]),
        ("import acme\nacme.send(to='x', **more)", []),
        ("import acme\nacme.weigh(force=1)", []),  # the checker knows
        ("import acme\nacme.send(wrong=1)", []),  # a mistake that was found
        ("import acme\nacme = other\nacme.send(urgent=1)", []),
        ("from acme import send, road, glide", [("acme.glide", DYNAMIC_NAMES_REASON)]),
        ("from acme import *", []),
        ("from plain import Bax", []),
        ("from .acme import glide", []),
    ],
)
def test_what_may_exist_or_not_is_told(code: str, unsure: list[tuple[str, str]]):
    found = unsure_names(code.encode(), {(2, "wrong")}, _members)
    # Parcel is made by the module, too, which is not what is asked here.
    assert [each for each in found if each != ("acme.Parcel", DYNAMIC_NAMES_REASON)] == unsure
