"""A real browser without a window, driven by its own protocol (Chrome DevTools Protocol)."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import httpx2
from websockets.sync.client import ClientConnection, connect

from tests.support.waiting import wait_until

PROGRAM: Final = shutil.which("chromium")
_STARTS_S: Final = 60
_LOADS_S: Final = 60


class RefusedError(Exception):
    """The browser could not do what it was told."""


class Page:
    """One tab.

    Args:
        socket: its connection.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._last = 0
        for domain in ("Page", "Runtime"):
            self._send(f"{domain}.enable")

    def open(self, url: str) -> None:
        """Goes to an address, and waits until the page is loaded."""
        self._send("Page.navigate", url=url)
        self.wait_for(f"location.href === {json.dumps(url)} && document.readyState === 'complete'")

    def evaluate(self, expression: str, *, world: int | None = None) -> Any:
        """Returns the value of an expression, or of the promise that it returns."""
        where = {} if world is None else {"contextId": world}
        answer = self._send(
            "Runtime.evaluate",
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
            **where,
        )
        if "exceptionDetails" in answer:
            raise RefusedError(json.dumps(answer["exceptionDetails"])[:2_000])
        return answer["result"].get("value")

    def wait_for(self, expression: str) -> None:
        """Waits until an expression is true."""

        def is_true() -> bool:
            # A page that is being loaded may vanish while it is asked.
            with suppress(RefusedError):
                return bool(self.evaluate(f"!!({expression})"))
            return False

        assert wait_until(is_true, _LOADS_S), expression

    def point_at(self, selector: str) -> None:
        """Moves the mouse to the middle of the first element that a selector finds."""
        x, y = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
            " return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        for shift in (1, 0):
            self._send("Input.dispatchMouseEvent", type="mouseMoved", x=x + shift, y=y)

    def text_in_frame(self, address: str, selector: str) -> str:
        """Returns the text of an element in the frame whose address begins so, once it is there."""
        found: list[str] = []

        def is_there() -> bool:
            tree = self._send("Page.getFrameTree")["frameTree"]
            for child in tree.get("childFrames", []):
                if child["frame"]["url"].startswith(address):
                    # The frame may still be replaced by what it loads.
                    with suppress(RefusedError):
                        found.append(self._text_in(child["frame"]["id"], selector))
            return any(found)

        assert wait_until(is_there, _LOADS_S), f"there is no frame {address} with {selector}"
        return found[-1]

    def _text_in(self, frame: str, selector: str) -> str:
        world = self._send("Page.createIsolatedWorld", frameId=frame)["executionContextId"]
        text = f"document.querySelector({json.dumps(selector)})?.textContent"
        return str(self.evaluate(text, world=world) or "").strip()

    def screenshot(self, path: Path) -> None:
        """Writes what is visible to a PNG file."""
        path.write_bytes(base64.b64decode(self._send("Page.captureScreenshot")["data"]))

    def _send(self, method: str, **given: Any) -> dict[str, Any]:
        self._last += 1
        self._socket.send(json.dumps({"id": self._last, "method": method, "params": given}))
        while True:
            report: dict[str, Any] = json.loads(self._socket.recv(timeout=_LOADS_S))
            if report.get("id") == self._last:
                if "error" in report:
                    raise RefusedError(f"{method}: {report['error']}")
                return report["result"]


@contextmanager
def browsing(width: int = 1_280, height: int = 800) -> Generator[Page]:
    """Provides a browser with one empty tab; ended at the end."""
    folder = Path(tempfile.mkdtemp(prefix="qm-chromium-"))
    arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    arguments += ["--remote-debugging-port=0", f"--user-data-dir={folder}"]
    arguments += [f"--window-size={width},{height}", "--no-proxy-server", "about:blank"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([PROGRAM or "chromium", *arguments], stdout=log, stderr=log)
    try:
        report = folder / "DevToolsActivePort"
        assert wait_until(lambda: report.exists() and "\n" in report.read_text(), _STARTS_S)
        port = report.read_text().split("\n")[0]
        pages = httpx2.get(f"http://127.0.0.1:{port}/json/list", trust_env=False).json()
        url = next(page["webSocketDebuggerUrl"] for page in pages if page["type"] == "page")
        with connect(url, proxy=None, max_size=None) as socket:
            yield Page(socket)
    finally:
        process.terminate()
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)
