"""`make openrefine` says so where it cannot run, and a picture needs a browser only."""

from __future__ import annotations

import http.server
import sys
import threading
from functools import partial
from pathlib import Path

import pytest

from lab.bench import openrefine
from tests.support.chromium import PROGRAM, browsing


def test_without_the_package_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(sys, "argv", ["openrefine", "lookup.csv", "gold.csv"])
    openrefine.main()
    assert "Skipped: OpenRefine is not installed" in capsys.readouterr().out


@pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")
def test_a_frame_that_opens_under_the_mouse_is_read_and_pictured(tmp_path: Path):
    (tmp_path / "preview.html").write_text("<h1> Betula nana </h1>")
    (tmp_path / "page.html").write_text(
        "<p onmouseenter='this.onmouseenter = null; "
        'this.insertAdjacentHTML("afterend", "<iframe src=preview.html>")\'>B. nana</p>'
    )
    serving = partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), serving)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    root = f"http://127.0.0.1:{server.server_port}"
    try:
        with browsing(400, 300) as page:
            page.open(f"{root}/page.html")
            page.point_at("p")
            assert page.text_in_frame(f"{root}/preview.html", "h1") == "Betula nana"
            page.screenshot(tmp_path / "page.png")
    finally:
        server.shutdown()
        server.server_close()
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
