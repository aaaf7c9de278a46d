"""Names and ancestors in files that were made to be hard to read."""

from __future__ import annotations

import pytest

from quartermaster_decisions.codebase import CodeBase, module_names
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.languages.python import Python

MANY = 3_000
PYTHON = Python()


def read(module: str, source: str) -> FileFacts:
    path = f"{module.replace('.', '/')}.py"
    return PYTHON.read(path, module, source.encode())


def bases(facts: FileFacts) -> dict[str, tuple[str, ...]]:
    code = CodeBase([facts])
    return {each.name: code.ancestors(facts, each) for each in facts.classes}


def test_names_are_followed_through_calls_and_subscripts():
    facts = read("m", "from lib import a\na.b().c[0][1].d()\nself.e()\n(a or b).f()\n")
    assert {call.name for call in facts.calls} == {"lib.a.b().c.d", "lib.a.b", "~self.e"}


@pytest.mark.parametrize("step", [".b()", "[0]", ".b"])
def test_the_name_of_a_very_long_expression_is_not_looked_for(step: str):
    facts = read("m", f"import a\na{step * MANY}()\nprint(a.b())\n")
    assert {"print", "a.b"} <= {call.name for call in facts.calls}
    assert max(len(call.name) for call in facts.calls) < MANY


def test_ancestors_are_named_nearest_first():
    facts = read("m", "class D(B, C): pass\nclass B(A): pass\nclass C(A): pass\n")
    assert bases(facts)["D"] == ("m.B", "~A", "m.C")


def test_of_a_long_chain_of_classes_the_nearest_are_known():
    lines = [f"class C{number}(C{number + 1}): pass\n" for number in range(MANY)]
    found = bases(read("m", "".join(lines)))["C0"]
    assert found[:2] == ("m.C1", "m.C2")
    assert 100 < len(found) < MANY


def test_classes_may_be_derived_in_a_circle():
    assert bases(read("m", "class A(B): pass\nclass B(A): pass\n"))["A"] == ("m.B", "m.A")


def test_imports_may_lead_in_a_circle():
    code = CodeBase([read("m", "from m.x.y import x\n")])
    assert code.canonical("m.x").startswith("m.x")


def test_imports_may_lead_through_many_modules():
    files = [read(f"m{at}", f"from m{at + 1}.x.y import x\n") for at in range(MANY)]
    code = CodeBase([*files, read(f"m{MANY}", "class x: pass\n")])
    assert code.canonical("m0.x.z").startswith("m")


def test_a_name_of_very_many_parts_stays_as_it_is():
    long = f"a{'.b' * MANY}"
    code = CodeBase([read("m", f"from {long} import c\n")])
    assert code.canonical(long) == long
    assert code.canonical("m.c") in {"m.c", f"{long}.c"}


def test_the_top_of_a_repository_may_be_a_package():
    names = module_names(["__init__.py", "a.py", "b/c.py", "d/__init__.py", "d/e.py"])
    assert list(names.values()) == ["__init__", "a", "b.c", "d", "d.e"]
