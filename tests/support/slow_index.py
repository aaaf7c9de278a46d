"""A package index on loopback that answers each request after a second; run in a machine."""

from __future__ import annotations

import functools
import http.server
import re
import time
import urllib.parse
from pathlib import Path

WHEELS = Path("/srv/wheels")


def plain(name: str) -> str:
    """Returns the name of a package as indexes spell it."""
    return re.sub("[-_.]+", "-", name).lower()


class Index(http.server.SimpleHTTPRequestHandler):
    """Pages of packages, and their wheels."""

    def do_GET(self) -> None:
        time.sleep(1)
        path = urllib.parse.unquote(self.path)
        if not path.startswith("/simple/"):
            super().do_GET()
            return
        wanted = plain(path.split("/")[2])
        wheels = [wheel.name for wheel in WHEELS.glob("*.whl")]
        found = [name for name in wheels if plain(name.split("-")[0]) == wanted]
        page = "".join(f'<a href="/{name}">{name}</a>' for name in found).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)


if __name__ == "__main__":
    handler = functools.partial(Index, directory=WHEELS)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 8081), handler)
    print(len(list(WHEELS.glob("*.whl"))), "wheels", flush=True)  # noqa: T201 - the test waits for it
    server.serve_forever()
