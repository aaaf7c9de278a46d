"""Packages of kinds are found by their entry points, and those of ours have our version."""

from __future__ import annotations

from pathlib import Path

import pytest

from quartermaster import DISTRIBUTION, __version__
from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import GROUP, entries


def test_a_package_of_ours_in_another_version_is_refused_with_what_to_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.syspath_prepend(tmp_path / "fit")
    _install(tmp_path / "fit", "socks", "0.0.1")
    _install(tmp_path / "fit", f"{DISTRIBUTION}-mended", __version__)
    assert {"socks", f"{DISTRIBUTION}-mended"} <= {entry.name for entry in entries(GROUP)}
    monkeypatch.syspath_prepend(tmp_path / "other")
    _install(tmp_path / "other", f"{DISTRIBUTION}-worn", "0.0.1")
    with pytest.raises(QmError, match=f"{DISTRIBUTION}-worn has the version 0.0.1") as refused:
        entries(GROUP)
    assert refused.value.slug == "kind_package_broken"
    assert "make setup" in refused.value.hint
    assert f"pip install ./{DISTRIBUTION}_worn-{__version__}-" in refused.value.hint


def _install(folder: Path, name: str, version: str) -> None:
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = socks:PACKAGE\n")
