"""Docstrings have one voice: see service/README.md. Ruff checks their form."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.lint.test_names import MODULES, TEST_MODULES, parsed
from tests.support.sql_files import relative

pytestmark = pytest.mark.lint

# The help of a command is in the imperative, as in other programs.
_COMMAND = re.compile(r"\b(noun|command|verb|app|callback)\b")
# Libraries that tests read as those of others.
OTHERS = {"kinds/knowledge/tests/libraries.py"}
VERBS = frozenset(
    """
    Abort Accept Activate Add Allow Answer Append Apply Approve Ask Assign Attach Begin Bind Build
    Call Cancel Check Choose Clear Close Collect Combine Compare Compile Complete Compute Confirm
    Connect Continue Convert Copy Count Create Credit Cut Decide Decline Decode Delete Deny Describe
    Detect Determine Download Draw Drop Embed Emit Empty Encode Encrypt End Ensure Enter Escape
    Estimate Evaluate Expand Explain Export Extract Fetch Fill Filter Find Fit Follow Forget Format
    Gather Generate Get Give Go Grant Group Guess Handle Hash Hold Import Insert Inspect Install
    Join Judge Keep Learn Leave Let List Load Look Lower Make Map Mark Mask Match Measure Merge Move
    Normalise Notify Open Parse Pass Pick Plot Poll Predict Prepare Prevent Print Probe Produce
    Provide Publish Push Put Raise Read Receive Reconcile Refresh Refuse Register Reject Release
    Remember Remove Render Repair Replace Reset Resolve Restart Restore Resume Retire Retry Return
    Revoke Rewrite Run Save Say Scan Score Search Select Send Serve Set Shorten Show Shut Skip Sort
    Spend Split Start Stop Store Strip Submit Subscribe Suggest Switch Take Tell Train Translate
    Trim Try Turn Unpack Update Use Validate Verify Wait Walk Warn Widen Withdraw Write Yield
    """.split()  # noqa: SIM905 - one word a line would take a page
)
# Before these, the word is a noun: "Score of a card."
_OF = frozenset({"and", "at", "between", "for", "from", "in", "of", "that", "to", "which", "with"})


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yields the docstrings of the functions that are no commands, with their lines."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        decorators = " ".join(ast.unparse(each) for each in node.decorator_list)
        is_command = node.name.endswith("_command") or _COMMAND.search(decorators)
        if not is_command and (text := ast.get_docstring(node)):
            yield node.lineno, text


def is_imperative(text: str) -> bool:
    """Returns whether a docstring begins with a command to the function."""
    first, second = [*text.split(), "", ""][:2]
    return first.strip(",") in VERBS and second not in _OF


def test_functions_are_described_in_the_third_person():
    assert is_imperative("Return the tools of an origin.")
    assert not is_imperative("Returns the tools of an origin.")
    assert not is_imperative("Score of a card.")
    found = [
        f"{relative(path)}:{line}: {text.splitlines()[0]}"
        for path in {*MODULES, *TEST_MODULES}
        if relative(path) not in OTHERS
        for line, text in docstrings(parsed(path))
        if is_imperative(text)
    ]
    assert sorted(found) == []
