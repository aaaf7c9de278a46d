"""The programs in docs/model-apis.md, and what they need to run."""

from __future__ import annotations

import os
import re

from clients.tests.vendors import Vendors
from tests.support.database import ROOT
from tests.support.instance import Instance

_PAGE = (ROOT / "docs" / "model-apis.md").read_text()


def programs(language: str) -> list[str]:
    """Returns the programs of the page in a language, as its blocks name it; without a
    name, those are commands.
    """
    return re.findall(rf"^```{language}\n(.*?)^```$", _PAGE, re.M | re.S)


def environment_of(shop: Instance, vendors: Vendors) -> dict[str, str]:
    """Returns the environment in which the programs find Quartermaster and the vendors' APIs."""
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT / "clients" / "python"),
        "NO_PROXY": "*",
        "QM_URL": shop.run_file.url,
        "QM_KEY": shop.run_file.token,
        "ANTHROPIC_BASE_URL": vendors.url,
        "ANTHROPIC_API_KEY": "none",
        "OPENAI_BASE_URL": f"{vendors.url}/v1",
        "OPENAI_API_KEY": "none",
    }
