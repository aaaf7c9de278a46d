"""``qm eval docs``, ``qm eval experts``, and the commands that learn their weights."""

from __future__ import annotations

from quartermaster.cli.noun import Noun
from quartermaster_knowledge.eval import docs, experts

noun = Noun(after="calibrate")
noun.include(docs.noun, experts.noun)
