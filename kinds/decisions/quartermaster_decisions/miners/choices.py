"""Choices: there are several ways to do something, and the code base always uses the same one.

This module lists the groups of alternatives. A function of the code base is an alternative as well
if it calls a listed alternative and is named after it. A group yields a candidate in an area if one
alternative has at least 90 % of the uses. The lift is the difference to the share in other packages
(table of base rates) and in other areas. For example, one area may answer with 403, and another
area with 404.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from quartermaster_decisions.base_rates import base_rate
from quartermaster_decisions.candidates import DecisionCandidate, Statistics
from quartermaster_decisions.checks import endings, uses_of
from quartermaster_decisions.codebase import WHOLE_TREE, CodeBase
from quartermaster_decisions.consensus import Consensus, ConsensusCase, find_consensus
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import all_of, area_of, called, sentence, share, words_of

_LEAST_LIFT: Final = 0.2
_LEAST_OWN: Final = 0.15
_MAX_FUNCTION_LINES: Final = 40
_PLAIN_WORDS: Final = frozenset({"get", "set", "new", "the", "self", "app", "current"})


class AlternativeGroup(NamedTuple):
    """Alternatives for one purpose, and the names that are called or raised for each of them.

    Attributes:
        tests: whether only tests count, or only other files. None if both count.
        by_area: whether areas may differ on purpose. If false, an area that differs is taken for
            older code.
    """

    purpose: str
    options: dict[str, tuple[str, ...]]
    tests: bool | None
    by_area: bool


_OPTIONS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "patch objects in tests": {
        "`mocker.patch` of pytest-mock": ("~mocker.patch", "~mocker.patch.object"),
        "`unittest.mock.patch`": (
            *all_of("unittest.mock", "patch", "patch.object"),
            *all_of("mock", "patch", "patch.object"),
        ),
        "`monkeypatch`": ("~monkeypatch.setattr", "~monkeypatch.setitem"),
        "a `patch` fixture": ("~patch",),
    },
    "make stand-ins in tests": {
        "`pretend.stub`": ("pretend.stub", "pretend.call_recorder", "pretend.raiser"),
        "`create_autospec`": ("unittest.mock.create_autospec", "mock.create_autospec"),
        "`Mock`": (
            *all_of("unittest.mock", "Mock", "MagicMock"),
            *all_of("mock", "Mock", "MagicMock"),
        ),
    },
    "check in tests that an error is raised": {
        "`self.assertRaises`": ("~self.assertRaises", "~self.assertRaisesRegex"),
        "`pytest.raises`": ("pytest.raises",),
    },
    "get the current time": {
        "`django.utils.timezone.now`": ("django.utils.timezone.now",),
        "`datetime.utcnow`": ("datetime.datetime.utcnow",),
        "`datetime.now`": ("datetime.datetime.now", "datetime.datetime.today"),
        "`arrow.utcnow`": ("arrow.utcnow", "arrow.now"),
        "`pendulum.now`": ("pendulum.now",),
    },
    "handle paths": {
        "`pathlib.Path`": ("pathlib.Path",),
        "`os.path`": ("os.path.join", "os.path.dirname", "os.path.exists"),
    },
    "load an object or answer 404": {
        "`get_object_or_404`": ("django.shortcuts.get_object_or_404",),
        "`Http404` raised by hand": ("django.http.Http404",),
    },
    "refuse access": {
        "`PermissionDenied`": ("django.core.exceptions.PermissionDenied",),
        "`HttpResponseForbidden`": ("django.http.HttpResponseForbidden",),
        "`Forbidden` (403)": (
            "werkzeug.exceptions.Forbidden",
            "pyramid.httpexceptions.HTTPForbidden",
        ),
        "the error 404 (as if it did not exist)": (
            "werkzeug.exceptions.NotFound",
            "pyramid.httpexceptions.HTTPNotFound",
            "django.http.Http404",
        ),
    },
    "translate texts": {
        "`gettext_lazy`": ("django.utils.translation.gettext_lazy",),
        "`gettext`": ("django.utils.translation.gettext",),
    },
    "log": {
        "`structlog`": ("structlog.get_logger", "structlog.getLogger"),
        "`logging`": ("logging.getLogger",),
        "`current_app.logger`": all_of(
            "flask.current_app.logger", "debug", "info", "warning", "error", "exception"
        ),
        "`get_task_logger`": ("celery.utils.log.get_task_logger",),
        "`loguru`": all_of("loguru.logger", "info", "warning", "error"),
    },
    "send mail": {
        "`EmailMessage` of Django": all_of(
            "django.core.mail", "send_mail", "EmailMessage", "EmailMultiAlternatives"
        ),
        "`smtplib`": ("smtplib.SMTP", "smtplib.SMTP_SSL"),
        "`flask_mail`": ("flask_mail.Message", "flask_mail.Mail"),
        "`pyramid_mailer`": ("pyramid_mailer.message.Message", "pyramid_mailer.get_mailer"),
    },
    "build URLs": {
        "`flask.url_for`": ("flask.url_for",),
        "`reverse` of Django": ("django.urls.reverse", "django.urls.reverse_lazy"),
        "`request.build_absolute_uri`": (
            "~request.build_absolute_uri",
            "~self.request.build_absolute_uri",
        ),
    },
    "start programs": {
        "`subprocess`": all_of("subprocess", "run", "Popen", "check_output", "check_call", "call"),
        "`os.system`": ("os.system", "os.popen"),
    },
    "send HTTP requests": {
        "`urllib`": ("urllib.request.urlopen", "urllib.request.Request"),
        "`pycurl`": ("pycurl.Curl",),
        "`requests`": all_of("requests", "get", "post", "Session", "request"),
        "`httpx`": all_of("httpx", "get", "Client", "AsyncClient", "post"),
        "`aiohttp`": ("aiohttp.ClientSession",),
    },
    "make JSON": {
        "`json.dumps`": ("json.dumps", "json.loads"),
        "`simplejson`": ("simplejson.dumps", "simplejson.loads"),
        "`orjson`": ("orjson.dumps", "orjson.loads"),
    },
    "redirect": {
        "`redirect`": ("django.shortcuts.redirect",),
        "`HttpResponseRedirect`": ("django.http.HttpResponseRedirect",),
        "`HTTPSeeOther`": ("pyramid.httpexceptions.HTTPSeeOther",),
        "`HTTPFound`": ("pyramid.httpexceptions.HTTPFound",),
    },
    "queue a task": {
        "`apply_async`": ("*.apply_async",),
        "`delay`": ("*.delay",),
        "`send_task`": ("*.send_task",),
    },
    "fix the time in tests": {
        "`freeze_time`": ("freezegun.freeze_time", "~freezer.move_to"),
        "`time_machine`": ("time_machine.travel", "~time_machine.move_to"),
    },
    "stand in for HTTP servers in tests": {
        "`responses`": ("responses.add", "responses.RequestsMock", "~responses.add"),
        "`requests_mock`": (
            "requests_mock.Mocker",
            *all_of("~requests_mock", "get", "post", "put", "delete"),
        ),
        "`httpretty`": ("httpretty.register_uri",),
        "`respx`": ("respx.get", "respx.post", "~respx_mock.get"),
    },
    "mark texts as HTML": {
        "`format_html`": all_of("django.utils.html", "format_html", "format_html_join"),
        "`mark_safe`": ("django.utils.safestring.mark_safe",),
        "`Markup`": ("markupsafe.Markup",),
    },
    "refuse a request": {
        "`abort`": ("flask.abort", "werkzeug.exceptions.abort"),
        "the errors of `werkzeug.exceptions`": all_of(
            "werkzeug.exceptions", "NotFound", "Forbidden", "BadRequest"
        ),
    },
    "demand a login": {
        "`LoginRequiredMixin`": ("django.contrib.auth.mixins.LoginRequiredMixin",),
        "`login_required` of Django": ("django.contrib.auth.decorators.login_required",),
        "`login_required` of Flask-Login": ("flask_login.login_required",),
    },
    "register in the admin site": {
        "`@admin.register`": ("django.contrib.admin.register",),
        "`admin.site.register`": ("django.contrib.admin.site.register",),
    },
    "connect signals": {
        "`@receiver`": ("django.dispatch.receiver",),
        "`connect`": tuple(
            f"django.db.models.signals.{one}.connect"
            for one in ("post_save", "pre_save", "post_delete", "m2m_changed")
        ),
    },
    "cache properties": {
        "`cached_property` of Django": ("django.utils.functional.cached_property",),
        "`cached_property` of functools": ("functools.cached_property",),
        "`cached_property` of werkzeug": ("werkzeug.utils.cached_property",),
    },
    "write classes that hold values": {
        "`dataclass`": ("dataclasses.dataclass",),
        "`attrs`": ("attr.s", "attr.attrs", "attrs.define", "attr.define", "attrs.frozen"),
        "`NamedTuple`": ("typing.NamedTuple", "collections.namedtuple"),
        "`BaseModel` of pydantic": ("pydantic.BaseModel",),
    },
    "answer with JSON": {
        "`jsonify`": ("flask.jsonify",),
        "`make_response`": ("flask.make_response",),
        "`JsonResponse`": ("django.http.JsonResponse",),
        "`Response` of REST framework": ("rest_framework.response.Response",),
    },
    "make random tokens": {
        "`secrets`": ("secrets.token_urlsafe", "secrets.token_hex", "secrets.choice"),
        "`random`": ("random.choice", "random.randint", "random.sample"),
        "`get_random_string`": ("django.utils.crypto.get_random_string",),
        "`os.urandom`": ("os.urandom",),
    },
    "build links": {
        "`request.route_url`": ("~request.route_url", "~self.request.route_url"),
        "`request.route_path`": ("~request.route_path", "~self.request.route_path"),
    },
    "query the database": {
        "`select` statements (SQLAlchemy 2)": (
            "sqlalchemy.select",
            "sqlalchemy.future.select",
            "sqlalchemy.orm.select",
        ),
        "`session.query`": (
            *("~session.query", "~db.query", "~self.session.query", "~self.db.query"),
            *("~request.db.query", "~self.request.db.query", "~db.session.query"),
            *("~self._session.query", "*.session.query"),
        ),
        "`query` of the model": ("*.query.filter", "*.query.filter_by", "*.query.get"),
    },
    "declare columns": {
        "`mapped_column`": ("sqlalchemy.orm.mapped_column",),
        "`Column`": ("sqlalchemy.Column", "sqlalchemy.schema.Column", "~db.Column"),
    },
}
_BY_AREA: Final = frozenset(
    {"load an object or answer 404", "refuse access", "refuse a request", "demand a login"}
    | {"answer with JSON"}
)
_IN_TESTS: Final = frozenset(
    {"patch objects in tests", "make stand-ins in tests", "fix the time in tests"}
    | {"check in tests that an error is raised", "stand in for HTTP servers in tests"}
)
GROUPS: Final = tuple(
    AlternativeGroup(
        purpose,
        options,
        tests=None if purpose == "log" else purpose in _IN_TESTS,
        by_area=purpose in _BY_AREA,
    )
    for purpose, options in _OPTIONS.items()
)


@dataclass
class _Options:
    """The alternatives of a group in a code base, including functions of the code base.

    Attributes:
        of_name: maps each name to the alternative to which it belongs.
        names: maps each alternative to the names with which the code uses it.
        homes: files that define the code base's own alternatives. Uses in these files are not
            counted.
    """

    of_name: dict[str, str]
    names: dict[str, set[str]] = field(default_factory=lambda: defaultdict[str, set[str]](set))
    homes: set[str] = field(default_factory=set[str])
    own: set[str] = field(default_factory=set[str])
    uses: Counter[str] = field(default_factory=Counter[str])

    def used(self, code: CodeBase, facts: FileFacts) -> Iterator[str]:
        """Yields the alternatives that a file uses."""
        if facts.path in self.homes:
            return
        lines: set[int] = set()
        for name, line in uses_of(facts):
            known = code.canonical(name)
            option = self.of_name.get(known) or next(
                (self.of_name[one] for one in endings(known) if one in self.of_name), None
            )
            if option and line not in lines:
                lines.add(line)
                self.names[option].add(name)
                yield option


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each group of alternatives and each area that nearly always uses the
    same alternative.
    """
    code = signals.code
    libraries = {
        each.module.partition(".")[0] for facts in code.files.values() for each in facts.imports
    }
    for group in GROUPS:
        options = _options(code, group)
        rivals = [one for one, names in group.options.items() if _is_at_hand(names, libraries)]
        for rule in find_consensus(code, _files(code, group), _cases(code, group, options)):
            option = str(rule.has)
            if not (group.by_area or option in options.own or _is_wide(rule, options)):
                continue
            usual = 0.0
            if option not in options.own:
                usual = base_rate(f"choice:{group.purpose}:{option}", 0.5)
            if rule.area != WHOLE_TREE and rule.outside is not None:
                # Elsewhere, this code base itself does something else.
                usual = min(usual, rule.outside)
            lift = rule.share - usual
            others = [one for one in rivals if one != option]
            if lift >= _LEAST_LIFT and others:
                yield _candidate(group, options, rule, others, lift, usual)


def _is_at_hand(names: tuple[str, ...], libraries: set[str]) -> bool:
    """Returns whether a newcomer might use an alternative, because Python offers it or because the
    code base imports its library.
    """
    tops = {name.partition(".")[0] for name in names}
    return any(top[0] in "~*" or top in sys.stdlib_module_names or top in libraries for top in tops)


def _is_wide(rule: Consensus, options: _Options) -> bool:
    """Returns whether most uses, or all uses in new code, follow a rule."""
    return rule.is_trend or rule.cases >= 0.6 * sum(options.uses.values())


def count(code: CodeBase, group: AlternativeGroup) -> Counter[str]:
    """Returns how often the code uses each alternative."""
    options = _Options({name: option for option, names in group.options.items() for name in names})
    return Counter(one for facts in _files(code, group) for one in options.used(code, facts))


def _files(code: CodeBase, group: AlternativeGroup) -> list[FileFacts]:
    kinds = (False, True) if group.tests is None else (group.tests,)
    return [facts for tests in kinds for facts in code.mined(tests=tests)]


def _cases(code: CodeBase, group: AlternativeGroup, options: _Options):
    def describe(facts: FileFacts) -> Iterator[ConsensusCase]:
        for option in options.used(code, facts):
            options.uses[option] += 1
            yield ConsensusCase(group.purpose, frozenset({option}))

    return describe


def _options(code: CodeBase, group: AlternativeGroup) -> _Options:
    """Returns the listed alternatives, and the functions of the code base that are used as one of
    them.
    """
    options = _Options({name: option for option, names in group.options.items() for name in names})
    if group.tests:
        return options
    own = _own(code, group, options.of_name)
    uses: Counter[str] = Counter()
    files: dict[str, set[str]] = defaultdict(set)
    for facts in _files(code, group):
        for call in facts.calls:
            name = code.canonical(call.name)
            if name in own and own[name] != facts.path:
                uses[name] += 1
                files[name].add(facts.path)
    total = sum(uses.values())
    retained = [
        name
        for name, number in uses.most_common(3)
        if len(files[name]) >= 3 and number >= total * _LEAST_OWN
    ]
    if retained:
        option = " or ".join(called(name) for name in retained)
        options.own.add(option)
        options.of_name |= dict.fromkeys(own, option)
        options.homes = {own[name] for name in own}
    return options


def _own(code: CodeBase, group: AlternativeGroup, listed: dict[str, str]) -> dict[str, str]:
    """Returns the functions and methods of the code base that serve as an alternative, each with
    its file.
    """
    found: dict[str, str] = {}
    purpose = set(words_of(group.purpose)) - _PLAIN_WORDS
    for facts in code.mined(tests=False):
        inner = [
            (call.function, call.owner, call.line, code.canonical(call.name))
            for call in facts.calls
            if code.canonical(call.name) in listed
        ]
        if not inner:
            continue
        for each in facts.functions:
            if (
                each.nested
                or each.name.startswith("_")
                or each.end_line - each.line > _MAX_FUNCTION_LINES
            ):
                continue
            here = [facts.module, *([each.owner] if each.owner else []), each.name]
            words = set(words_of(".".join([facts.module.rpartition(".")[2], *here[1:]])))
            named = {
                word
                for function, owner, line, name in inner
                if (function, owner) == (each.name, each.owner)
                and each.line <= line <= each.end_line
                for word in (*words_of(".".join(name.split(".")[-2:])), *purpose)
            }
            if (words - _PLAIN_WORDS) & named:
                found[".".join(here)] = facts.path
    if "gettext" in " ".join(listed):
        found |= {
            f"{facts.module}._": facts.path
            for facts in code.mined(tests=False)
            if "_" in facts.assigned
        }
    return found


def _candidate(
    group: AlternativeGroup,
    options: _Options,
    rule: Consensus,
    at_hand: list[str],
    lift: float,
    usual: float,
) -> DecisionCandidate:
    """Returns the candidate for a rule. `at_hand` lists the other alternatives that a newcomer
    might use.
    """
    option = str(rule.has)
    others = [one for one in group.options if one != option]
    rejected = sorted(at_hand, key=lambda one: (-len(options.names[one]), one))[:2]
    everywhere = rule.area == WHOLE_TREE
    area = "" if everywhere else area_of(rule.area, tests=group.tests)
    text = f"to {group.purpose}, use {option}, not {' or '.join(rejected)}"
    old = {name for one in others for name in (*group.options[one], *options.names[one])}
    new = {*group.options.get(option, ()), *options.names[option]}
    check = {
        "form": "call_through",
        "old": sorted(old)[:200],
        "new": sorted(new)[:200],
    }
    if not everywhere:
        check["paths"] = [rule.area]
    if options.homes:
        check["except"] = sorted(options.homes)[:200]
    return DecisionCandidate(
        pattern=sentence(area, text),
        scope=rule.area,
        check=check | ({} if group.tests is None else {"tests": group.tests}),
        rationale=f"{share(rule.followed, rule.cases, 'uses')} are of this kind;"
        f" elsewhere {usual:.0%}.",
        instead=" or ".join(rejected),
        weight=1.6 if option in options.own else 1.1,
        topic=f"choice:{group.purpose}",
        keywords=group.purpose.split(),
        rejected=rejected,
        statistics=Statistics(rule.cases, rule.followed, rule.files, lift),
    )
