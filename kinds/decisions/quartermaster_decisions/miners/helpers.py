"""Finds helpers, which are parts of the code base that many of its files use. A helper is a
function, a method that few classes have, an object of the request or the application, a base class,
a decorator, or a test fixture. Several files must use it, and its name or its documentation must
state its purpose. No check can find the places that do the same work without the helper. So helpers
rank below candidates that a check can verify, and only the most used helpers become candidates.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final

from quartermaster_decisions.candidates import DecisionCandidate, Evidence, Statistics
from quartermaster_decisions.codebase import WHOLE_TREE, CodeBase, is_mined, is_test
from quartermaster_decisions.facts import Class, FileFacts
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import area_of, called, sentence, words_of

_MIN_FILES_AND_USES: Final = 5, 8
_LEAST_BASES: Final = 2, 6
_MIN_SUMMARY_CHARACTERS: Final = 20
_MAX_CANDIDATES: Final = {
    "function": 10,
    "method": 4,
    "object": 6,
    "base": 5,
    "error": 3,
    "decorator": 6,
    "fixture": 4,
    "test function": 3,
    "test base": 2,
}
"""Largest number of candidates for helpers of each sort."""
_WEIGHTS: Final = {"method": 0.8, "error": 0.8}
_OF_TESTS: Final = 0.6
_SHORTEST_NAME: Final = 4
_MOST_MEMBERS: Final = 3
_MOST_OWNERS: Final = 4
_AREA_SHARE: Final = 0.9
_OWN_CODE: Final = "code of your own"
_CALL_OF_ITSELF: Final = "()"
_TEXTS: Final = {
    "base": ("derive classes from {}", "writing the same in each class"),
    "test base": ("derive classes from {}", "preparing the same by hand"),
    "decorator": ("decorate with {}", "doing the same in each body"),
    "fixture": ("take the fixture {}", "making one"),
    "error": ("raise {}", "another error for the same"),
}
"""For each sort of helper: the instruction, and what to avoid. The instruction for all other sorts
is to call the helper.
"""
_PLAIN_MEMBERS: Final = frozenset(
    {"GET", "POST", "FILES", "META", "user", "db", "body", "headers", "args", "form", "cookies"}
    | {"json", "data", "values", "files", "params", "matchdict", "context", "path", "method"}
    | {"registry", "matched_route", "url", "host", "environ", "content_type", "is_authenticated"}
    | {"current_route", "get_json", "json_body", "path_info", "response", "query", "add_route"}
    | {"add_view", "scan", "include", "add_tween", "add_request_method", "get", "set", "items"}
    | {"add_directive", "add_static_view", "commit", "settings", "add_settings", "option", "update"}
    | {"matched_url_name", "resolver_match", "status_code", "name", "remote_addr", "endpoint"}
    | {"route_url", "route_path", "build_absolute_uri", "get_full_path", "session", "get_host"}
    | {"query_params", "view_args", "is_secure", "scheme", "domain", "encoding", "is_json"}
    | {"full_path", "LANGUAGE_CODE", "base_url", "url_root", "url_rule", "mimetype", "blueprint"}
    | {"referrer", "user_agent", "access_route", "client_addr", "host_url", "application_url"}
    | {"is_xhr", "accept", "authorization", "get_data", "content_length", "remote_user"}
    | {"static_url", "localizer", "locale_name", "invoke_subrequest", "exception", "exc_info"}
    | {"authenticated_userid", "add_finished_callback", "add_response_callback", "view_name"}
    | {"effective_principals", "get_signed_cookie", "auth", "query_string", "accept_languages"}
    | {"subpath", "tm"}
)
_WORDS: Final = """
add append apply ask assert assign attach audit authenticate begin build cache calculate
call capture check clean clear clone close compare compile compute configure connect
convert copy count create decode decorate delete describe dispatch download emit encode
encrypt enqueue ensure escape execute expand extract fake fetch filter find flash flatten
format generate get give handle hash import initialize insert install invalidate issue
iterate join list load lock log login look make map mark mask merge mock normalize notify
open paginate parse patch perform persist post prepare print process produce publish put
query raise read record redirect refresh register remove render replace report require
reset resolve restore retrieve return run sanitize save schedule search select send
serialize set show sign sort split start stop store strip sync test track transform
transition translate trigger try turn update upload upsert validate verify wrap write yield
"""
_VERBS: Final = frozenset(_WORDS.split())
_MARKED_PATTERN: Final = re.compile(
    r"[:*`<>{}]|deprecated|internal|TODO|\b(the|an?|of|to|and|for|in|with|that)$", re.IGNORECASE
)


@dataclass
class _Used:
    """A helper: its sort, its name, and where it is used."""

    sort: str
    name: str
    places: dict[str, int] = field(default_factory=dict[str, int])
    uses: int = 0
    members: Counter[str] = field(default_factory=Counter[str])

    def add(self, path: str, line: int) -> None:
        self.uses += 1
        self.places.setdefault(path, line)

    @property
    def folders(self) -> set[PurePosixPath]:
        return {PurePosixPath(path).parent for path in self.places}


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each of the most used helpers."""
    code = signals.code
    by_sort: dict[str, list[_Used]] = defaultdict(list)
    for used in (*_in_code(code), *_in_tests(code)):
        files, uses = _LEAST_BASES if used.sort.endswith("base") else _MIN_FILES_AND_USES
        if len(used.places) >= files and used.uses >= uses and _is_reported(code, used):
            by_sort[used.sort].append(used)
    for sort, found in by_sort.items():
        found.sort(key=lambda one: (-len(one.places) - len(one.folders), one.name))
        for used in found[: _MAX_CANDIDATES[sort]]:
            yield _candidate(code, used)


def _is_reported(code: CodeBase, used: _Used) -> bool:
    """Returns whether the documentation or the name of a helper states its purpose."""
    if used.sort == "function":
        return bool(_said(code, used)) or "_" in used.name.rpartition(".")[2]
    return len(used.name.rpartition(".")[2]) >= _SHORTEST_NAME


Use = tuple[str, str, int]
"""A use of a helper: its sort, its name and the line."""


def _collected(
    files: Iterable[FileFacts], found_in: Callable[[FileFacts], Iterable[Use]]
) -> dict[tuple[str, str], _Used]:
    """Returns the helpers that the files use, by sort and name."""
    found: dict[tuple[str, str], _Used] = {}
    for facts in files:
        for sort, name, line in found_in(facts):
            found.setdefault((sort, name), _Used(sort, name)).add(facts.path, line)
    return found


def _in_code(code: CodeBase) -> Iterable[_Used]:
    methods = _methods(code)

    def uses(facts: FileFacts) -> Iterator[Use]:
        yield from _calls(code, facts, methods)
        yield from _names(code, facts)
        for each in facts.reads:
            if each.name.partition(".")[2] not in _PLAIN_MEMBERS:
                yield "object", each.name, each.line

    found = _collected(code.mined(tests=False), uses)
    for facts in code.mined(tests=False):
        for each in facts.calls:
            outer, _, last = each.name.removeprefix("~").removeprefix("self.").rpartition(".")
            outer = outer.removeprefix("flask.")
            for name, member in ((outer, last), (f"{outer}.{last}", _CALL_OF_ITSELF)):
                if (used := found.get(("object", name))) is not None:
                    used.members[member] += 1
    return found.values()


def _calls(code: CodeBase, facts: FileFacts, methods: Mapping[str, str]) -> Iterator[Use]:
    """Yields the calls of functions that other files define, and of methods of their classes."""
    decorated = {one.line for one, _ in facts.decorated()}
    for each in facts.calls:
        name = code.canonical(each.name)
        last = name.rpartition(".")[2]
        if each.line in decorated:
            continue
        if _is_of_others(code, name, facts):
            yield "function", name, each.line
            continue
        owner = methods.get(last)
        if owner and code.classes[owner][0].path != facts.path and _is_on_other(code, name):
            yield "method", f"{owner}.{last}", each.line


def _names(code: CodeBase, facts: FileFacts) -> Iterator[Use]:
    """Yields the errors, base classes and decorators of other files that a file uses."""
    for each in facts.raises:
        name = code.canonical(each.name)
        if name in code.classes and code.classes[name][0].path != facts.path:
            yield "error", name, each.line
    for each in facts.classes:
        yield from (("base", base, each.line) for base in _bases(code, facts, each))
    for one, _ in facts.decorated():
        name = code.canonical(one.name)
        if name in code.functions and code.functions[name][0].path != facts.path:
            yield "decorator", name, one.line


def _is_of_others(code: CodeBase, name: str, facts: FileFacts) -> bool:
    """Returns whether a name is a public function of another file."""
    known = code.functions.get(name)
    return (
        known is not None
        and known[0].path != facts.path
        and is_mined(known[0].path)
        and is_test(known[0].path) == is_test(facts.path)
        and not known[1].name.startswith("_")
    )


def _is_on_other(code: CodeBase, name: str) -> bool:
    """Returns whether a called method belongs to another object, not to the calling class
    itself.
    """
    is_own = name.startswith("~") or code.is_own(name)
    return is_own and not name.startswith(("~self.", "~cls.", "~config."))


def _methods(code: CodeBase) -> dict[str, str]:
    """Returns methods with descriptive names that only few classes have. Maps each method to one of
    these classes: the one with the most subclasses.
    """
    owners: dict[str, list[str]] = defaultdict(list)
    for name, (facts, each) in code.classes.items():
        if is_mined(facts.path) and not is_test(facts.path):
            for method in each.methods:
                owners[method].append(name)
    return {
        method: max(classes, key=lambda one: (len(code.descendants.get(one, ())), -len(one), one))
        for method, classes in owners.items()
        if len(classes) <= _MOST_OWNERS
        and "_" in method.strip("_")
        and not method.startswith(("_", "get_", "set_", "to_", "as_", "from_"))
        and method not in _PLAIN_MEMBERS
    }


def _bases(code: CodeBase, facts: FileFacts, each: Class) -> Iterator[str]:
    """Yields the direct base classes of a class that other files of the code base define."""
    for base in map(code.canonical, each.bases):
        known = code.classes.get(base)
        is_other = known is not None and known[0].path != facts.path and not each.nested
        if is_other and not base.endswith(("Error", "Exception", "Enum")):
            yield base


def _in_tests(code: CodeBase) -> Iterable[_Used]:
    """Returns the fixtures, functions and base classes that tests use."""
    fixtures = _fixtures(code)

    def uses(facts: FileFacts) -> Iterator[Use]:
        for each in facts.functions:
            for one in each.parameters:
                name = _nearest(fixtures.get(one, {}), facts.path)
                if name and not name.startswith(f"{facts.module}."):
                    yield "fixture", name, each.line
        for each in facts.classes:
            for base in _bases(code, facts, each):
                if is_test(code.classes[base][0].path):
                    yield "test base", base, each.line
        for each in facts.calls:
            name = code.canonical(each.name)
            if _is_of_others(code, name, facts):
                yield "test function", name, each.line

    return _collected(code.mined(tests=True), uses).values()


def _fixtures(code: CodeBase) -> dict[str, dict[str, str]]:
    """Returns the fixtures of each name, by the folder whose tests can use them."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for facts in code.files.values():
        if not facts.path.endswith("conftest.py"):
            continue
        for each in facts.functions:
            if any(one.name.endswith("fixture") for one in each.decorators) and not each.owner:
                folder = str(PurePosixPath(facts.path).parent)
                found[each.name][folder] = f"{facts.module}.{each.name}"
    return found


def _nearest(homes: Mapping[str, str], path: str) -> str:
    """Returns the fixture that a test file gets: the one from the nearest folder above the file."""
    for folder in map(str, PurePosixPath(path).parents):
        if folder in homes:
            return homes[folder]
    return ""


def _said(code: CodeBase, used: _Used) -> str:
    """Returns the purpose of a helper from its documentation, such as `to validate data`. Returns
    an empty string if the documentation does not state the purpose.
    """
    known = code.functions.get(used.name) or code.classes.get(used.name)
    text = known[1].documented if known is not None else ""
    first, _, rest = text.partition(" ")
    verb = next((one for one in _roots(first.lower()) if one in _VERBS), "")
    is_plain = (
        verb
        and len(text) >= _MIN_SUMMARY_CHARACTERS
        and text[0].isupper()
        and not _MARKED_PATTERN.search(text)
    )
    return f"to {verb} {rest.rstrip('.')}" if is_plain and rest else ""


def _roots(word: str) -> tuple[str, ...]:
    """Returns the possible base forms of a verb: `Returns` may be a form of `return`, `Fetches` of
    `fetch`.
    """
    return word, word.removesuffix("s"), word.removesuffix("es")


def _area(used: _Used) -> str:
    """Returns the glob of the deepest folder that contains nearly all uses. Returns `**` if there
    is no such folder.
    """
    paths = [PurePosixPath(path) for path in used.places]
    counts = Counter(parent for path in paths for parent in path.parents if len(parent.parts) > 1)
    good = [folder for folder, count in counts.items() if count >= _AREA_SHARE * len(paths)]
    return f"{max(good, key=lambda one: len(one.parts))}/**" if good else WHOLE_TREE


def _text(code: CodeBase, used: _Used) -> tuple[str, str]:
    """Returns the instruction for a helper, and a description of the code that the instruction says
    to avoid.
    """
    shown, said = called(used.name), _said(code, used)
    match used.sort:
        case "object":
            if used.members[_CALL_OF_ITSELF] > used.uses / 2:
                return f"call `{used.name}(...)`", _OWN_CODE
            offered = [name for name, _ in used.members.most_common(_MOST_MEMBERS)]
            listed = ", ".join(f"`{name}`" for name in offered)
            shown = f"`{used.name}`" + (f" ({listed})" if listed else "")
            what = " ".join(words_of(used.name.rpartition(".")[2]))
            return f"use {shown}", f"getting the {what} in another way"
        case "method":
            *_, owner, last = used.name.split(".")
            text, instead = f"call `{last}`, a method of `{owner}`,", _OWN_CODE
        case _:
            text, instead = _TEXTS.get(used.sort, ("call {}", _OWN_CODE))
            text = text.format(shown)
    return (f"{said}, {text}" if said else text), instead


def _check(code: CodeBase, used: _Used) -> dict[str, Any] | None:
    """Returns a check that finds the uses of a helper, so that a later check notices if no use is
    left.
    """
    match used.sort:
        case "fixture":
            return None
        case "method":
            names = [f"*.{used.name.rpartition('.')[2]}"]
        case "object":
            names = [
                used.name,
                *(f"~{used.name}.{one}" for one in used.members if one != _CALL_OF_ITSELF),
            ]
        case _:
            names = code.variants(used.name)
    is_for_tests = used.sort.startswith("test")
    return {"form": "call_through", "tests": is_for_tests, "old": [], "new": names[:200]}


def _candidate(code: CodeBase, used: _Used) -> DecisionCandidate:
    text, instead = _text(code, used)
    area = _area(used)
    if area.partition("/")[0] in {"test", "tests"}:
        area = WHOLE_TREE
    newest = sorted(used.places, key=lambda one: (-code.added.get(one, -1), one))[:3]
    known = code.functions.get(used.name) or code.classes.get(used.name)
    where = f" It is defined in {known[0].path}." if known else ""
    if known and used.name in code.classes and len(known[1].documented) > 1:
        where += f" {known[1].documented}"
    is_for_tests = used.sort == "fixture" or used.sort.startswith("test")
    return DecisionCandidate(
        pattern=sentence(area_of(area, tests=is_for_tests), f"{text} rather than {instead}"),
        scope=area,
        check=_check(code, used),
        rationale=f"{len(used.places)} modules use it, {used.uses} times.{where}",
        instead=instead,
        weight=_OF_TESTS if is_for_tests else _WEIGHTS.get(used.sort, 1.0),
        topic=f"base:{used.name}" if used.sort.endswith("base") else f"call:{used.name}",
        sort=used.sort,
        keywords=[used.name.rpartition(".")[2], *sorted(used.members)[:3]],
        statistics=Statistics(used.uses, used.uses, len(used.places), 0.5),
        evidence=[Evidence("file", one, used.places[one], used.places[one]) for one in newest],
    )
