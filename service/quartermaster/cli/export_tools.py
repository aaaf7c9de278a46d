"""``qm eval export-tools``: one's own catalog as a tools file, for ``qm eval run`` and ``fit``."""

from __future__ import annotations

import json
from typing import Final

from quartermaster.cli.exporting import To, written
from quartermaster.cli.output import err
from quartermaster.cli.session import DataDir, Dsn, open_session

_PAGE: Final = 1000


def export_tools_command(to: To = None, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Write the tools that you may use as JSON Lines, as qm eval run and qm import read them."""
    count, after = 0, ""
    with open_session(data_dir, dsn) as session, written(to) as write:
        while rows := session.call("export_tools", after_name=after, limit_to=_PAGE):
            for row in rows:
                write(json.dumps(row["tool"], ensure_ascii=False) + "\n")
            count, after = count + len(rows), rows[-1]["name"]
    if to is not None:
        err.print(f"{count:,} tools written to {to}", highlight=False)
