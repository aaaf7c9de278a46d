"""``qm asset``: reviews the resources, prompts and instructions of servers."""

from __future__ import annotations

from quartermaster.cli.items import add_commands
from quartermaster.cli.noun import Noun

noun = Noun("Review the resources, prompts and instructions of servers.")
add_commands(noun, ["resource", "resource_template", "prompt", "instructions"])
