"""Choices: where Python offers several ways to do something, the code base takes one of them.

The groups of alternatives are listed here; a group counts where at least 90 % of the uses are of
one alternative. The lift is over how often other packages take it (table of base rates).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple

from quartermaster.decisions.base_rates import base_rate
from quartermaster.decisions.candidates import Candidate, Statistics
from quartermaster.decisions.codebase import EVERYWHERE, CodeBase
from quartermaster.decisions.signals import Signals
from quartermaster.decisions.words import share

_LEAST: Final = 15
_LEAST_SHARE: Final = 0.9
_LEAST_LIFT: Final = 0.2


class Group(NamedTuple):
    """Alternatives: what they are for, and the names that are called (or imported) for each."""

    purpose: str
    options: dict[str, tuple[str, ...]]
    tests: bool | None = False


GROUPS: Final = (
    Group(
        "patch objects in tests",
        {
            "`mocker.patch` of pytest-mock": ("~mocker.patch", "~mocker.patch.object"),
            "`unittest.mock.patch`": ("unittest.mock.patch", "unittest.mock.patch.object")
            + ("mock.patch", "mock.patch.object"),
            "`monkeypatch`": ("~monkeypatch.setattr", "~monkeypatch.setitem"),
            "a `patch` fixture": ("~patch",),
        },
        True,
    ),
    Group(
        "make stand-ins in tests",
        {
            "`pretend.stub`": ("pretend.stub", "pretend.call_recorder", "pretend.raiser"),
            "`create_autospec`": ("unittest.mock.create_autospec", "mock.create_autospec"),
            "`Mock`": ("unittest.mock.Mock", "unittest.mock.MagicMock", "mock.Mock")
            + ("mock.MagicMock",),
        },
        True,
    ),
    Group(
        "check results in tests",
        {
            "`assertEqual` and the other methods of `TestCase`": ("~self.assertEqual",)
            + ("~self.assertTrue", "~self.assertIn", "~self.assertFalse", "~self.assertRaises"),
            "`pytest.raises` and plain `assert`": ("pytest.raises",),
        },
        True,
    ),
    Group(
        "get the current time",
        {
            "`django.utils.timezone.now`": ("django.utils.timezone.now",),
            "`datetime.utcnow`": ("datetime.datetime.utcnow",),
            "`datetime.now`": ("datetime.datetime.now", "datetime.datetime.today"),
        },
    ),
    Group(
        "handle paths",
        {
            "`pathlib.Path`": ("pathlib.Path",),
            "`os.path`": ("os.path.join", "os.path.dirname", "os.path.exists"),
        },
    ),
    Group(
        "load an object or answer 404",
        {
            "`get_object_or_404`": ("django.shortcuts.get_object_or_404",),
            "`Http404` raised by hand": ("django.http.Http404",),
        },
    ),
    Group(
        "refuse access",
        {
            "`PermissionDenied`": ("django.core.exceptions.PermissionDenied",),
            "`HttpResponseForbidden`": ("django.http.HttpResponseForbidden",),
        },
    ),
    Group(
        "translate texts",
        {
            "`gettext_lazy`": ("django.utils.translation.gettext_lazy",),
            "`gettext`": ("django.utils.translation.gettext",),
        },
    ),
    Group(
        "log",
        {
            "`structlog`": ("structlog.get_logger", "structlog.getLogger"),
            "`logging`": ("logging.getLogger",),
        },
        None,
    ),
    Group(
        "send HTTP requests",
        {
            "`requests`": ("requests.get", "requests.post", "requests.Session", "requests.request"),
            "`httpx`": ("httpx.get", "httpx.Client", "httpx.AsyncClient", "httpx.post"),
            "`aiohttp`": ("aiohttp.ClientSession",),
        },
    ),
    Group(
        "make JSON",
        {
            "`json.dumps`": ("json.dumps", "json.loads"),
            "`simplejson`": ("simplejson.dumps", "simplejson.loads"),
            "`orjson`": ("orjson.dumps", "orjson.loads"),
        },
    ),
    Group(
        "build links",
        {
            "`request.route_url`": ("~request.route_url", "~self.request.route_url"),
            "`request.route_path`": ("~request.route_path", "~self.request.route_path"),
        },
    ),
    Group(
        "query the database",
        {
            "`select` statements (SQLAlchemy 2)": ("sqlalchemy.select", "sqlalchemy.future.select")
            + ("sqlalchemy.orm.select",),
            "`session.query`": ("~session.query", "~db.query", "~self.session.query")
            + ("~self.db.query", "~request.db.query", "~self.request.db.query")
            + ("~db.session.query", "~self._session.query"),
        },
    ),
    Group(
        "declare columns",
        {
            "`mapped_column`": ("sqlalchemy.orm.mapped_column",),
            "`Column`": ("sqlalchemy.Column", "sqlalchemy.schema.Column", "~db.Column"),
        },
    ),
)


def mine(signals: Signals) -> Iterator[Candidate]:
    """See the module."""
    for group in GROUPS:
        yield from _of_group(signals.code, group)


def count(code: CodeBase, group: Group) -> Counter[str]:
    """How often each alternative is used."""
    return _used(code, group)[0]


def _used(
    code: CodeBase, group: Group
) -> tuple[Counter[str], dict[str, set[str]], dict[str, set[str]]]:
    """Uses of each alternative, the names by which it is used, and the files."""
    option_of = {name: option for option, names in group.options.items() for name in names}
    counts: Counter[str] = Counter()
    used: dict[str, set[str]] = defaultdict(set)
    files: dict[str, set[str]] = defaultdict(set)
    for tests in (False, True) if group.tests is None else (group.tests,):
        for facts in code.mined(tests=tests):
            for call in facts.calls:
                if option := option_of.get(code.canonical(call.name)):
                    counts[option] += 1
                    used[option].add(call.name)
                    files[option].add(facts.path)
    return counts, used, files


def _of_group(code: CodeBase, group: Group) -> Iterator[Candidate]:
    counts, used, files = _used(code, group)
    total = sum(counts.values())
    if not counts:
        return
    [(option, count)] = counts.most_common(1)
    usual = base_rate(f"choice:{group.purpose}:{option}", 0.5)
    lift = count / total - usual
    if count < _LEAST or count / total < _LEAST_SHARE or len(files[option]) < 3:
        return
    if lift < _LEAST_LIFT:
        return
    others = [one for one in group.options if one != option]
    rejected = sorted(others, key=lambda one: (-counts[one], one))[:2]
    yield Candidate(
        miner="choices",
        pattern=f"To {group.purpose}, use {option}, not {' or '.join(rejected)}.",
        scope=EVERYWHERE,
        check={
            "form": "call_through",
            "old": sorted({name for one in others for name in (*group.options[one], *used[one])}),
            "new": sorted({*group.options[option], *used[option]}),
        }
        | ({} if group.tests is None else {"tests": group.tests}),
        rationale=f"{share(count, total, 'uses')} are of this kind; elsewhere {usual:.0%}.",
        instead=" or ".join(rejected),
        weight=1.1,
        topic=f"choice:{group.purpose}",
        keywords=group.purpose.split(),
        rejected=rejected,
        statistics=Statistics(total, count, len(files[option]), lift),
    )
