"""Checks: rules with which a program tests whether a file follows a decision. Each check has one of
the forms in `FORMS`.

A check is data: it contains names and paths, but no commands and no regular expressions. It is
applied to the facts of one file. Nothing in the file is executed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from quartermaster_decisions.codebase import WHOLE_TREE, is_test
from quartermaster_decisions.facts import Class, Decorator, FileFacts, Function
from quartermaster_decisions.globs import MOST_CHARACTERS, globs_of

Check = Mapping[str, Any]
_STRING: Final = {"type": "string", "minLength": 1, "maxLength": 300}
_NAMES: Final = {"type": "array", "items": _STRING, "minItems": 1, "maxItems": 200}
_COMMON_MEMBERS: Final = {
    "paths": {**_NAMES, "description": "globs that match the files to which the check applies"},
    "except": {**_NAMES, "description": "globs that match files to which the check does not apply"},
    "tests": {
        "type": "boolean",
        "description": "true: the check applies only to tests; false: only to other files",
    },
}

_GLOBS: Final = ("paths", "except", "allowed")


def _form(required: Mapping[str, Any], optional: Mapping[str, Any] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"form": _STRING, **_COMMON_MEMBERS, **required, **(optional or {})},
        "required": ["form", *required],
        "additionalProperties": False,
    }


_SUBJECT: Final = {"enum": ["class", "function", "method", "module"]}
_CLASS_FILTER: Final = {
    "type": "object",
    "properties": {
        "bases": _NAMES,
        "decorators": _NAMES,
        "name_ends": _STRING,
        "name_starts": _STRING,
        "name": _STRING,
        "takes": _STRING,
        "public": {"type": "boolean"},
    },
    "additionalProperties": False,
}
_REQUIRE: Final = {
    "type": "object",
    "properties": {
        "bases": _NAMES,
        "decorators": _NAMES,
        "attribute": _STRING,
        "method": _STRING,
        "function": _STRING,
        "function_ends": _STRING,
        "class_ends": _STRING,
        "file_ends": _STRING,
        "calls": _NAMES,
        "name_ends": _STRING,
        "name_starts": _STRING,
        "first_parameter": _STRING,
        "returns_annotated": {"const": True},
        "documented": {"const": True},
        "is_async": {"const": True},
        "imports": _NAMES,
        "imports_are": {"enum": ["absolute", "relative"]},
        "tests_are": {"enum": ["methods", "functions"]},
        "header": _STRING,
        "assigned": _STRING,
        "assigned_from": _STRING,
    },
    "minProperties": 1,
    "additionalProperties": False,
}
FORMS: Final[dict[str, dict[str, Any]]] = {
    "import_contract": _form({"forbidden": _NAMES}),
    "replaced_import": _form({"old": _NAMES, "new": _NAMES}),
    "import_alias": _form({"target": _STRING, "alias": _STRING}),
    "call_through": _form({"old": {**_NAMES, "minItems": 0}, "new": _NAMES}),
    "written_only_through": _form(
        {"allowed": _NAMES}, {"names": _NAMES, "module": _STRING, "fields": _NAMES}
    ),
    "base_class": _form({"where": _CLASS_FILTER, "bases": _NAMES}),
    "decorator": _form({"subject": _SUBJECT, "where": _CLASS_FILTER, "decorators": _NAMES}),
    "keyword": _form(
        {"names": _NAMES, "keyword": _STRING},
        {"value": {"type": "string", "maxLength": 60}, "value_begins": _STRING},
    ),
    "raised": _form({"names": _NAMES}, {"caught": _NAMES, "not": _NAMES}),
    "pattern": _form({"subject": _SUBJECT, "where": _CLASS_FILTER, "require": _REQUIRE}),
    "ruff": _form({"rule": {"type": "string", "pattern": "^[A-Z]{1,8}[0-9]{0,4}$"}}),
}
"""JSON Schema of each form of a check, by the name of the form."""


class CheckedCase(NamedTuple):
    """One case of a check: its line, whether it follows the decision, and a description."""

    line: int
    followed: bool
    what: str


@dataclass(frozen=True)
class FileCheck:
    """All cases of a check in one file."""

    places: tuple[CheckedCase, ...]

    @property
    def applies(self) -> bool:
        """Whether the file has any case."""
        return bool(self.places)

    @property
    def followed(self) -> bool:
        """Whether all cases follow the decision."""
        return all(place.followed for place in self.places)


def problem_of(check: Check) -> str | None:
    """Returns a description of the fault in a check, or None if the check is valid."""
    import jsonschema_rs

    schema = FORMS.get(str(check.get("form")))
    if schema is None:
        return f"the form is not one of {', '.join(FORMS)}"
    error = next(iter(jsonschema_rs.validator_for(schema).iter_errors(dict(check))), None)
    if error is not None:
        return error.message[:300]
    if sum(len(glob) for member in _GLOBS for glob in check.get(member, ())) > MOST_CHARACTERS:
        return f"its globs have more than {MOST_CHARACTERS} characters together"
    return None


def evaluate_facts(check: Check, facts: FileFacts) -> FileCheck:
    """Returns the cases of a check in a file. The check must be valid."""
    if not applies_to(check, facts.path):
        return FileCheck(())
    return FileCheck(tuple(_EVALUATORS[check["form"]](check, facts)))


def applies_to(check: Check, path: str) -> bool:
    """Returns whether a check applies to a file."""
    tests = check.get("tests")
    if tests is not None and is_test(path) != tests:
        return False
    if globs_of(*check.get("except", ())).match(path):
        return False
    return globs_of(*check.get("paths", (WHOLE_TREE,))).match(path)


def _import_contract(check: Check, facts: FileFacts) -> Iterator[CheckedCase]:
    forbidden = tuple(check["forbidden"])
    wrong = [each for each in facts.imports if is_below(each.target, forbidden)]
    for each in wrong:
        yield CheckedCase(each.line, False, f"imports {each.target}")
    if not wrong and (facts.imports or facts.functions or facts.classes):
        yield CheckedCase(1, True, "imports none of them")


def is_below(target: str, modules: Iterable[str]) -> bool:
    """Returns whether a name is one of the modules, or is inside one of them."""
    return any(target == module or target.startswith(f"{module}.") for module in modules)


def _replaced_import(check: Check, facts: FileFacts) -> Iterator[CheckedCase]:
    """Yields the imports of new names, which follow the check, and of old names, which do not. If
    the check names a module, everything inside the module counts too.
    """
    old, new = tuple(check["old"]), tuple(check["new"])
    for each in facts.imports:
        if is_below(each.target, new):
            yield CheckedCase(each.line, True, f"imports {each.target}")
        elif is_below(each.target, old):
            yield CheckedCase(each.line, False, f"imports {each.target}")


def _import_alias(check: Check, facts: FileFacts) -> Iterator[CheckedCase]:
    for each in facts.imports:
        if each.target == check["target"]:
            local = each.alias or each.name or each.module
            yield CheckedCase(each.line, local == check["alias"], f"imports it as {local}")


def _call_through(check: Check, facts: FileFacts) -> Iterator[CheckedCase]:
    """Yields the uses of new names, which follow the check, and of old names, which do not. If the
    check lists no old name, all cases follow the check.
    """
    old, new = frozenset(check["old"]), frozenset(check["new"])
    lines: set[int] = set()
    for name, line in uses_of(facts):
        if line in lines:
            continue
        if (is_new := is_among(name, new)) or is_among(name, old):
            lines.add(line)
            yield CheckedCase(line, is_new, f"uses {name.removeprefix('~')}")


def is_among(name: str, names: frozenset[str]) -> bool:
    """Returns whether a set of names contains a name, or a pattern such as `*.add` that matches
    it.
    """
    return name in names or any(one in names for one in endings(name))


def endings(name: str) -> Iterator[str]:
    """Yields the patterns that match the end of a name. For `db.session.add`, these are `*.add` and
    `*.session.add`.
    """
    outer, dot, last = name.rpartition(".")
    if dot:
        yield f"*.{last}"
        owner, _, member = outer.rpartition(".")
        if owner:
            yield f"*.{member}.{last}"


def can_be_violated(check: Check) -> bool:
    """Returns whether a file can violate a check. A `call_through` check that lists no old name
    cannot be violated.
    """
    return check["form"] != "call_through" or bool(check["old"])


def uses_of(facts: FileFacts) -> Iterator[tuple[str, int]]:
    """Yields the names that a file uses, with their lines: the names of called functions, raised
    errors, decorators, base classes, and members of the request.
    """
    yield from ((one.name, one.line) for one in (*facts.calls, *facts.raises, *facts.reads))
    yield from ((one.name, one.line) for one, _ in facts.decorated())
    for each in facts.classes:
        yield from ((base, each.line) for base in each.bases)


def _written_only_through(check: Check, facts: FileFacts) -> Iterator[CheckedCase]:
    names, module = set(check.get("names", ())), check.get("module")
    inside = globs_of(*check["allowed"]).match(facts.path)
    for call in facts.calls:
        is_made = module and call.name.startswith(f"{module}.") and is_class(call.name)
        if call.name in names or is_made:
            yield CheckedCase(call.line, inside, f"calls {call.name}")
    fields = set(check.get("fields", ()))
    for write in facts.writes:
        if write.attribute in fields and write.variable not in {"self", "cls"}:
            yield CheckedCase(write.line, inside, f"sets {write.attribute}")


def is_class(name: str) -> bool:
    """Returns whether the last part of a name, but no part before it, looks like the name of a
    class.
    """
    *outer, last = name.split(".")
    return last[:1].isupper() and not last.isupper() and not any(one[:1].isupper() for one in outer)


_RECORDS: Final = frozenset(
    {"Enum", "IntEnum", "StrEnum", "NamedTuple", "TypedDict", "Protocol", "ABC"}
)


def is_record(each: Class) -> bool:
    """Returns whether a class only holds values, is an error, or is a mixin."""
    decorators = {one.name.rpartition(".")[2] for one in each.decorators}
    return bool(
        decorators & {"dataclass", "define", "attrs", "s"}
        or {base.rpartition(".")[2] for base in each.bases} & _RECORDS
        or each.name.endswith(("Error", "Exception", "Mixin", "Enum"))
    )


def _base_class(check: Check, facts: FileFacts) -> Iterator[CheckedCase]:
    bases = frozenset(check["bases"])
    # Where all classes are meant, those that behave are meant.
    is_wide = not {"name_ends", "bases", "decorators"} & check["where"].keys()
    for each in _classes(check["where"], facts):
        if is_wide and is_record(each):
            continue
        if f"{facts.module}.{each.name}" not in bases:
            yield CheckedCase(each.line, _is_derived(each, bases, facts), f"class {each.name}")


def _is_derived(each: Class, bases: frozenset[str], facts: FileFacts, depth: int = 5) -> bool:
    for base in each.bases:
        if base in bases:
            return True
        parent = next((c for c in facts.classes if f"{facts.module}.{c.name}" == base), None)
        if parent is not None and depth and _is_derived(parent, bases, facts, depth - 1):
            return True
    return False


def _classes(where: Mapping[str, Any], facts: FileFacts) -> Iterator[Class]:
    bases = frozenset(where.get("bases", ()))
    decorators = set(where.get("decorators", ()))
    for each in facts.classes:
        if each.nested or (where.get("public") and each.name.startswith("_")):
            continue
        if not each.name.endswith(where.get("name_ends", "")):
            continue
        if bases and not _is_derived(each, bases, facts):
            continue
        if decorators and not decorators & {one.name for one in each.decorators}:
            continue
        yield each


def _functions(
    subject: str, where: Mapping[str, Any], facts: FileFacts
) -> Iterator[tuple[Function, Class | None]]:
    decorators = set(where.get("decorators", ()))
    bases = frozenset(where.get("bases", ()))
    owners = {each.name: each for each in facts.classes}
    for each in facts.functions:
        owner = owners.get(each.owner)
        if each.nested or (subject == "method") != bool(each.owner):
            continue
        if where.get("public") and each.name.startswith("_"):
            continue
        if "name" in where and each.name != where["name"]:
            continue
        if not each.name.endswith(where.get("name_ends", "")):
            continue
        if not each.name.startswith(where.get("name_starts", "")):
            continue
        if "takes" in where and where["takes"] not in each.parameters:
            continue
        if decorators and not decorators & {one.name for one in each.decorators}:
            continue
        if bases and (owner is None or not _is_derived(owner, bases, facts)):
            continue
        yield each, owner


def decorators_of(each: Function, owner: Class | None) -> tuple[Decorator, ...]:
    """Returns the decorators of a function, followed by the decorators of its class."""
    return each.decorators + (owner.decorators if owner is not None else ())


def _decorator(check: Check, facts: FileFacts) -> Iterator[CheckedCase]:
    wanted = set(check["decorators"])
    if check["subject"] == "class":
        for each in _classes(check["where"], facts):
            has = bool(wanted & {one.name for one in each.decorators})
            yield CheckedCase(each.line, has, f"class {each.name}")
        return
    for each, owner in _functions(check["subject"], check["where"], facts):
        has = bool(wanted & {one.name for one in decorators_of(each, owner)})
        yield CheckedCase(each.line, has, f"function {each.name}")


def _keyword(check: Check, facts: FileFacts) -> Iterator[CheckedCase]:
    """Yields calls and decorators, and whether they pass a keyword argument. A decorator of a
    method also counts if a decorator of its class passes the argument.
    """
    names, keyword = set(check["names"]), check["keyword"]
    inherited = {each.name: _keywords_of(each.decorators, keyword) for each in facts.classes}

    def follows(given: Mapping[str, str], owner: str) -> bool:
        found = [*([given[keyword]] if keyword in given else []), *inherited.get(owner, ())]
        return _is_wanted(check, found)

    for one, owner in facts.decorated():
        if one.name in names:
            yield CheckedCase(one.line, follows(one.keywords, owner), f"@{one.name}")
    lines = {one.line for one, _ in facts.decorated()}
    for call in facts.calls:
        if call.name in names and call.line not in lines and "**" not in call.keywords:
            yield CheckedCase(call.line, follows(call.keywords, ""), f"calls {call.name}")


def _is_wanted(check: Check, values: Sequence[str]) -> bool:
    """Returns whether one of the values meets the check. The check wants a certain value, a certain
    beginning of the value, or any value.
    """
    if begins := check.get("value_begins"):
        return any(one.startswith(begins) for one in values)
    return bool(values) if check.get("value") is None else check["value"] in values


def _keywords_of(decorators: Iterable[Decorator], keyword: str) -> list[str]:
    return [one.keywords[keyword] for one in decorators if keyword in one.keywords]


def _raised(check: Check, facts: FileFacts) -> Iterator[CheckedCase]:
    """Yields the raised errors. If the check names caught errors, yields only errors that are
    raised while one of them is handled.
    """
    names, others = set(check["names"]), set(check.get("not", ()))
    caught = set(check.get("caught", ()))
    for each in facts.raises:
        if caught and not caught & set(each.caught):
            continue
        if each.name in names:
            yield CheckedCase(each.line, True, f"raises {each.name}")
        elif (each.name in others) if others else not each.name.startswith("~"):
            yield CheckedCase(each.line, False, f"raises {each.name}")


def _ruff(check: Check, facts: FileFacts) -> Iterator[CheckedCase]:
    """Yields nothing, because ruff itself evaluates such a check from the bytes of the file. See
    `ruff_rules`.
    """
    del check, facts
    return iter(())


def _pattern_check(check: Check, facts: FileFacts) -> Iterator[CheckedCase]:
    subject, where, require = check["subject"], check["where"], check["require"]
    if subject == "module":
        if _module_counts(facts, require):
            yield CheckedCase(1, all(_module_has(facts, *one) for one in require.items()), "module")
    elif subject == "class":
        for each in _classes(where, facts):
            followed = all(_class_has(each, facts, *one) for one in require.items())
            yield CheckedCase(each.line, followed, f"class {each.name}")
    else:
        for each, owner in _functions(subject, where, facts):
            followed = all(_function_has(each, owner, facts, *one) for one in require.items())
            yield CheckedCase(each.line, followed, f"function {each.name}")


def _module_counts(facts: FileFacts, require: Mapping[str, Any]) -> bool:
    """Returns whether a module is a case. It is a case only if it contains the kind of code that
    the check is about, such as tests or imports.
    """
    if "tests_are" in require or "file_ends" in require:
        return bool(facts.tests())
    if "imports_are" in require:
        return bool(facts.imports_of_own())
    return bool(facts.functions or facts.classes)


def _module_has(facts: FileFacts, key: str, value: Any) -> bool:
    has = _OF_MODULES.get(key)
    return has is not None and has(facts, value)


def _are_tests(facts: FileFacts, value: Any) -> bool:
    owned = [bool(each.owner) for each in facts.tests()]
    return all(owned) if value == "methods" else not any(owned)


def _top(facts: FileFacts) -> list[str]:
    """Returns the names of the functions at the top level of a module."""
    return [each.name for each in facts.functions if not each.owner and not each.nested]


_OF_MODULES: Final[dict[str, Callable[[FileFacts, Any], bool]]] = {
    "function": lambda facts, value: value in _top(facts),
    "function_ends": lambda facts, value: any(name.endswith(value) for name in _top(facts)),
    "class_ends": lambda facts, value: any(
        each.name.endswith(value) and not each.nested for each in facts.classes
    ),
    "calls": lambda facts, value: any(
        not call.function and call.name in value for call in facts.calls
    ),
    "header": lambda facts, value: facts.header == value,
    "imports_are": lambda facts, value: all(
        each.relative == (value == "relative") for each in facts.imports_of_own()
    ),
    "tests_are": _are_tests,
    "file_ends": lambda facts, value: facts.path.endswith(value),
    "imports": lambda facts, value: bool({each.target for each in facts.imports} & set(value)),
    "assigned": lambda facts, value: value in facts.assigned,
    "assigned_from": lambda facts, value: value in facts.assigned.values(),
    "documented": lambda facts, value: facts.documented == value,
}


_OF_CLASSES: Final[dict[str, Callable[[Class, Any], bool]]] = {
    "decorators": lambda each, value: bool({one.name for one in each.decorators} & set(value)),
    "attribute": lambda each, value: value in each.attributes or value in each.methods,
    "method": lambda each, value: value in each.methods,
    "name_ends": lambda each, value: each.name.endswith(value),
    "name_starts": lambda each, value: each.name.startswith(value),
    "documented": lambda each, value: bool(each.documented) == value,
}


def _class_has(each: Class, facts: FileFacts, key: str, value: Any) -> bool:
    if key == "bases":
        return _is_derived(each, frozenset(value), facts)
    has = _OF_CLASSES.get(key)
    return has is not None and has(each, value)


def calls_in(each: Function, facts: FileFacts) -> Iterator[str]:
    """Yields the names of the functions that a function calls directly."""
    for call in facts.calls:
        if call.function == each.name and each.line <= call.line <= each.end_line:
            yield call.name


def _is_named(name: str, wanted: Iterable[str]) -> bool:
    """Returns whether a name is one of the wanted names. `*.log` matches every name that ends in
    `.log`.
    """
    return any(name.endswith(one[1:]) if one.startswith("*.") else name == one for one in wanted)


def _function_has(
    each: Function, owner: Class | None, facts: FileFacts, key: str, value: Any
) -> bool:
    if key == "calls":
        return any(_is_named(name, value) for name in calls_in(each, facts))
    if key == "decorators":
        return bool({one.name for one in decorators_of(each, owner)} & set(value))
    has = _OF_FUNCTIONS.get(key)
    return has is not None and has(each, value)


def first_parameter(each: Function) -> str:
    """Returns the name of the first parameter after `self` or `cls`. Returns an empty string if
    there is none.
    """
    return next((one for one in each.parameters if one not in {"self", "cls"}), "")


_OF_FUNCTIONS: Final[dict[str, Callable[[Function, Any], bool]]] = {
    "name_ends": lambda each, value: each.name.endswith(value),
    "name_starts": lambda each, value: each.name.startswith(value),
    "first_parameter": lambda each, value: first_parameter(each) == value,
    "returns_annotated": lambda each, value: each.returns == value,
    "documented": lambda each, value: bool(each.documented) == value,
    "is_async": lambda each, value: each.is_async == value,
}

_EVALUATORS: Final[dict[str, Callable[[Check, FileFacts], Iterator[CheckedCase]]]] = {
    "import_contract": _import_contract,
    "replaced_import": _replaced_import,
    "import_alias": _import_alias,
    "call_through": _call_through,
    "written_only_through": _written_only_through,
    "base_class": _base_class,
    "decorator": _decorator,
    "keyword": _keyword,
    "raised": _raised,
    "pattern": _pattern_check,
    "ruff": _ruff,
}
