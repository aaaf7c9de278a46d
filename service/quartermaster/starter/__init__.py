"""The starter upstreams: real MCP servers that a new installation can use immediately."""

from __future__ import annotations

from quartermaster.starter.catalog import Starter, load_starters
from quartermaster.starter.install import StarterResult, install_starters

__all__ = ["Starter", "StarterResult", "install_starters", "load_starters"]
