"""A real browser: a page of another origin uses the API as OpenRefine's does, and shows rows."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import quote

import pytest

from kinds.lookup.tests.reconciliation import ODD, Served

CHROMIUM = shutil.which("chromium")

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed; scripts/test-prerequisites.sh does it"
)

PAGE = """<!doctype html><meta charset="utf-8"><title>waiting</title><ul></ul><div></div><script>
const root = %s, said = {};
const get = async (url, more) => (await fetch(url, more)).json();
const script = url => new Promise(done => {
  window.answered = done;
  document.head.append(Object.assign(document.createElement('script'), {src: url}));
});
(async () => {
  const manifest = await get(root);
  const place = manifest.suggest.entity;
  const found = await get(place.service_url + place.service_path + '?prefix=bet');
  for (const row of found.result) {
    const item = document.createElement('li');
    item.textContent = row.name + ' (' + row.description + ')';
    document.querySelector('ul').append(item);
  }
  for (const kind of ['entity', 'type', 'property']) {
    const suggest = manifest.suggest[kind];
    const id = {entity: found.result[1].id, type: 'plant', property: 'family'}[kind];
    const address = suggest.flyout_service_url + suggest.flyout_service_path;
    const flyout = await get(address.replace('${id}', encodeURIComponent(id)));
    document.querySelector('div').insertAdjacentHTML('beforeend', flyout.html);
  }
  said.json = (await get(root, {
    method: 'POST', body: JSON.stringify({queries: {q0: {query: 'Betula nana'}}}),
    headers: {'Content-Type': 'application/json'}
  })).q0.result[0].id;
  said.script = (await script(root + '?callback=answered')).name;
  said.refused = (await fetch(root + '/suggest/colour')).status;
})().catch(error => { said.error = String(error); }).finally(() => {
  document.title = 'done ' + JSON.stringify(said);
});
</script>"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def page_at(folder: Path, text: str) -> Generator[str]:
    """Provides a page under an origin of its own."""
    (folder / "page.html").write_text(text)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/page.html"
    finally:
        server.shutdown()
        server.server_close()


def shown(url: str, folder: Path) -> str:
    """Returns what the browser has made of a page, once nothing happens there any more."""
    done = subprocess.run(
        [
            *(CHROMIUM or "", "--headless", "--no-sandbox", "--disable-gpu"),
            *("--disable-dev-shm-usage", f"--user-data-dir={folder / 'profile'}"),
            *("--window-size=400,300", "--virtual-time-budget=20000", "--dump-dom", url),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def title_of(page: str) -> str:
    found = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
    assert found is not None
    return html.unescape(found[1])


def test_a_page_of_another_origin_suggests_flies_out_and_matches(served: Served, tmp_path: Path):
    with page_at(tmp_path, PAGE % json.dumps(f"{served.keyed}/plant")) as url:
        page = shown(url, tmp_path)
    assert title_of(page).startswith("done "), title_of(page)
    said = json.loads(title_of(page).removeprefix("done "))
    assert said == {"json": "2", "script": "Quartermaster: plant", "refused": 404}
    listed = re.findall(r"<li>(.*?)</li>", page)
    assert listed[1] == "Betula pendula (author: Roth · family: Betulaceae)"
    flyouts = page[page.index("</ul>") :]
    for report in ("vårtbjörk", "Plants by their Latin names", "such as"):
        assert report in flyouts


def test_the_preview_shows_markup_as_text(served: Served, tmp_path: Path):
    row = json.loads(ODD)[0]
    page = shown(f"{served.keyed}/odd/preview?id={quote(row['id'], safe='')}", tmp_path)
    assert title_of(page) == row["value"]
    assert "<script>" not in page.replace("</title>", "").split("<body>")[1]
    assert "<img" not in page
    assert 'href="javascript' not in page
    assert 'lang="en"' in page
