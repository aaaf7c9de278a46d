from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

Write = Callable[[str, Sequence[Mapping[str, Any] | str]], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes JSON Lines; a text is written as it is."""

    def write_lines(name: str, lines: Sequence[Mapping[str, Any] | str]) -> Path:
        path = tmp_path / name
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        path.write_text("\n".join(texts) + "\n", encoding="utf-8")
        return path

    return write_lines
