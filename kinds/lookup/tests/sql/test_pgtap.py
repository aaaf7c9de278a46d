"""Runs the pgTAP files of this kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.pgtap import pgtap_tests

pytestmark = pytest.mark.sql

test_sql, test_a_file_leaves_nothing_behind = pgtap_tests(Path(__file__).parent)
