"""The page about clients lists what the table of clients has."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

import pytest

from quartermaster.clients.client import Client
from quartermaster.clients.known import CLIENTS
from tests.support.sql_files import ROOT

pytestmark = pytest.mark.lint

_PAGE = ROOT / "docs" / "clients.md"
_TABLE = re.compile(r"(<!-- the table of clients: begin -->\n)(.*?)(<!--)", re.DOTALL)


_COLUMNS = ("name", "client", "format", "servers under", "files", "off", "source")


def _row(client: Client) -> str:
    off = [f"`{client.off[0]}: {str(client.off[1]).lower()}`"] if client.off else []
    lists = [*client.off_lists, *([client.off_file[1]] if client.off_file else [])]
    places = (*client.user, *client.further, *client.project)
    cells = (
        f"`{client.name}`",
        client.title,
        client.format.upper(),
        _codes(".".join(keys) for keys in client.keys),
        _codes(path.replace("|", "\\|") for path in places),
        ", ".join([*off, *(f"list `{'.'.join(keys)}`" for keys in lists)]),
        f"{client.source} ({client.checked})",
    )
    return _line(cells)


def _codes(texts: Iterable[str]) -> str:
    return ", ".join(f"`{text}`" for text in dict.fromkeys(texts))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def test_the_page_lists_the_clients_of_the_table() -> None:
    head = _line(_COLUMNS) + _line("---" for _ in _COLUMNS)
    table = head + "".join(map(_row, CLIENTS.values()))
    page = _PAGE.read_text()
    if os.environ.get("QM_WRITE_SNAPSHOTS"):
        _PAGE.write_text(_TABLE.sub(lambda match: match[1] + table + match[3], page))
    found = _TABLE.search(_PAGE.read_text())
    assert found is not None
    assert found[2] == table


@pytest.mark.parametrize("client", CLIENTS.values(), ids=lambda client: client.name)
def test_each_client_has_a_source_and_a_place(client: Client) -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", client.checked)
    assert client.source
    assert client.user or client.project
