"""One function a file, every label written, every error in the registry."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pglast import ast

from tests.support.each import for_each
from tests.support.error_files import registered
from tests.support.kinds import DECLARED
from tests.support.sql_files import (
    FUNCTION_FILES,
    MIGRATIONS,
    OPERATION_SCHEMAS,
    OTHER_SQL,
    ROOT,
    SCHEMAS,
    FunctionFile,
    code_of,
    modules,
    relative,
)

pytestmark = pytest.mark.lint

LABELS = ("language", "volatility", "parallel", "security")
SEARCH_PATH = "pg_catalog, pg_temp"
# Paragraphs of a header with a beginning of their own.
PARAGRAPHS = ("-- Definer: ", "-- Reads: ", "-- Writes: ", "-- Announces: ")
INLINABLE = {
    line.split()[0]
    for line in Path(__file__).with_name("inlinable.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
}
DOMAINS = [schema for schema in SCHEMAS if schema not in OPERATION_SCHEMAS]
FAIL = ROOT / "functions" / "core" / "fail.sql"
PUT_KIND = ROOT / "functions" / "search" / "put_kind.sql"

each_file = for_each([FunctionFile(path) for path in FUNCTION_FILES], lambda file: file.name)


@each_file
def test_a_file_holds_one_function_name_which_is_its_path(file: FunctionFile):
    assert file.functions
    assert {function.name for function in file.functions} == {file.name}
    assert all(function.statement.replace for function in file.functions), "create or replace"
    others = [s for s in file.statements if not isinstance(s, ast.CreateFunctionStmt)]
    beside = (ast.CommentStmt, ast.GrantStmt, ast.AlterOwnerStmt)
    assert all(isinstance(s, beside) for s in others), "only comment, owner and grant beside it"


@each_file
def test_a_file_grants_its_own_function_once(file: FunctionFile):
    assert set(file.granted) <= {file.name}
    assert len(file.granted) <= len(file.functions)


def test_functions_are_granted_in_their_own_files_only():
    declared = re.compile(r"^\s*(grant|revoke)\b.*\bon\s+(all\s+)?functions?\b", re.I | re.M)
    elsewhere = [path for path in [*MIGRATIONS, *OTHER_SQL] if path.parent.name != "reset"]
    assert not [relative(p) for p in elsewhere if declared.search(p.read_text(encoding="utf-8"))]


@each_file
def test_operations_lie_in_the_folder_of_their_domain(file: FunctionFile):
    folder = file.parts[1:-1]
    assert folder in ([(domain,) for domain in DOMAINS] if file.is_operation else [()])


def test_no_command_calls_what_only_the_service_calls():
    files = [FunctionFile(path) for path in FUNCTION_FILES]
    names = "|".join(file.parts[-1] for file in files if file.parts[0] == "service")
    of_commands = re.compile(r"\.(cli|eval)\b|_(cli|commands?)$")
    for name, path in modules().items():
        if of_commands.search(name):
            called = re.findall(rf"\bapi\.({names})\(", path.read_text(encoding="utf-8"))
            assert not called, f"{name}: an operation that a command calls belongs to api"


def test_no_function_has_two_files():
    names = [FunctionFile(path).name for path in FUNCTION_FILES]
    assert len(names) == len(set(names))


@each_file
def test_a_header_begins_with_the_name_or_with_what_is_written(file: FunctionFile):
    assert not file.header or file.header.startswith((f"-- {file.name}: ", *PARAGRAPHS))


@each_file
def test_a_header_and_a_comment_say_each_thing_once(file: FunctionFile):
    """A header is for those who change the function, a comment for those who call it."""
    assert "-- Raises:" not in file.header
    said = re.sub(r"^(-- )?[a-z_.]+: |-- ", "", file.header, flags=re.MULTILINE)
    sentences = re.split(r"(?<=[.?])\s+", " ".join(said.split()))
    comments = " ".join(file.comment_texts).lower()
    assert not [text for text in sentences if text and text.lower() in comments]


@each_file
def test_a_comment_names_errors_with_their_status(file: FunctionFile):
    for text in file.comment_texts:
        status = ""
        for code, slug in re.findall(r"\bQM(\d{3})\b|\b([a-z0-9]+_[a-z0-9_]+)\b", text):
            status = code or status
            if slug in registered() and status:
                assert registered()[slug].status == status, slug


@each_file
def test_every_function_has_a_comment(file: FunctionFile):
    assert file.comments == [file.name] * len(file.functions)


@each_file
def test_a_comment_begins_with_what_the_function_does(file: FunctionFile):
    begins = re.compile(r"(?!Arguments)([A-Z][a-z]+s|Trigger (that|on)),? ")
    assert not [text for text in file.comment_texts if not begins.match(text)]


@each_file
def test_arguments_start_with_p_except_in_operations_where_people_type_them(file: FunctionFile):
    names = [name for function in file.functions for name in function.inputs]
    if file.is_operation:
        assert not [name for name in names if name.startswith("p_")]
    else:
        assert not [name for name in names if not (name or "").startswith("p_")]


@each_file
def test_every_label_is_written(file: FunctionFile):
    for function in file.functions:
        wanted = ("language", "security") if function.statement.is_procedure else LABELS
        assert not [label for label in wanted if label not in function.labels]
        # The names in a RETURN are bound when the function is made.
        assert (function.statement.sql_body is not None) == (function.name in INLINABLE)
        if function.name in INLINABLE:
            assert function.labels["language"] == "sql"
            assert not function.is_definer
            assert not [label for label in function.labels if label.startswith("set ")]
        else:
            assert function.labels.get("set search_path") == SEARCH_PATH


@each_file
def test_a_definer_says_only_a_reason_of_its_own(file: FunctionFile):
    """What holds for all of them stands in functions/README.md."""
    assert "(security definer), because" not in file.header
    is_owners = any(function.is_definer for function in file.functions) and file.owner is None
    assert is_owners or "-- Definer:" not in file.header


@each_file
def test_an_operation_runs_as_the_owner_or_as_the_reader(file: FunctionFile):
    """One that runs as its caller would need tables that callers may not read."""
    if file.is_operation:
        assert all(function.is_definer for function in file.functions)
    assert file.owner is None or (file.owner == "qm_reader" and file.is_operation)


@each_file
def test_python_is_told_by_the_file_name(file: FunctionFile):
    is_python = any(f.labels["language"].startswith("plpython") for f in file.functions)
    assert file.path.name.endswith(".plpy.sql") == is_python


@each_file
def test_errors_are_raised_through_the_registry_only(file: FunctionFile):
    if file.path != FAIL:
        assert not re.search(r"\braise\s+(exception|')", code_of(file.text), re.IGNORECASE)


@each_file
def test_no_other_condition_than_a_named_one_is_caught(file: FunctionFile):
    if file.name not in {"jobs.run", "search.create_words_index"}:
        assert not re.search(r"\bwhen\s+others\b", code_of(file.text), re.IGNORECASE)


@for_each([*MIGRATIONS, *OTHER_SQL], relative)
def test_errors_outside_functions_carry_a_code(path: Path):
    code = code_of(path.read_text(encoding="utf-8"))
    raises = re.findall(r"\braise\s+exception\b[^;]*;", code, re.IGNORECASE)
    assert not [statement for statement in raises if "errcode" not in statement.lower()]


def test_inlinable_functions_exist():
    assert not INLINABLE - {FunctionFile(path).name for path in FUNCTION_FILES}


def test_every_slug_is_in_the_registry_and_every_entry_is_used():
    registry = set(registered())
    code = "\n".join(
        code_of(path.read_text(encoding="utf-8")) for path in FUNCTION_FILES if path != FAIL
    )
    kinds = "\n".join(path.read_text(encoding="utf-8") for path in [PUT_KIND, *DECLARED.values()])
    # A family of kinds, such as asset, has some errors of its own; for the others there is card.
    families = re.findall(r"\bp_not_found (?:=>|text default) '([a-z0-9_]+)_not_found'", kinds)
    endings = re.findall(r"\bsearch\.kind_slug\([^;]*?, '([a-z_]+)'\)", code)
    of_kinds = {f"{family}{ending}" for family in families for ending in endings} & registry
    raised = set(re.findall(r"\bcore\.fail\(\s*(?:p_slug\s*=>\s*)?'([a-z0-9_]+)'", code))
    calls = len(re.findall(r"\bcore\.fail\(", code))
    slug = r"(?:(?:p_slug\s*=>\s*)?'|search\.kind_slug\()"
    assert calls == len(re.findall(rf"\bcore\.fail\(\s*{slug}", code)), "a slug is a literal"
    assert {f"card{ending}" for ending in endings} <= registry
    assert raised | of_kinds == registry
