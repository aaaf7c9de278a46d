"""``qm eval guardrails``: measures how well the guardrails find dangerous parts of tool results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from quartermaster.cli.command import Local
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import print_table
from quartermaster.cli.session import Row

noun = Noun()


@noun.verb()
def guardrails_command(
    qm: Local,
    file: Annotated[
        Path,
        "File with tool results (JSON Lines): {result, instructions, personal, secrets}. The lists"
        " contain the texts that the guardrails should find in the result.",
    ],
    first_part: Annotated[bool, "Find instructions without asking the embedding model."] = False,
) -> Row:
    """Measure what share of the instructions, personal data and secrets in tool results the
    guardrails find, and how much text the guardrails mark or mask wrongly.
    """
    from quartermaster.eval.guardrail_files import read_results
    from quartermaster.guardrails.instruction_model import ENCODER
    from quartermaster.guardrails.measuring import measure
    from quartermaster.guardrails.scan import find_spans
    from quartermaster.models.registry import load_embedding

    results = read_results(file)
    encode = None
    if not first_part:
        runtime_dir, _ = qm.model_places()
        encode = load_embedding(ENCODER, runtime_dir).embed
    measured: dict[str, Any] = measure(results, lambda text: find_spans(text, encode=encode))
    if not qm.json:
        print_table(("measure", "value"), measured.items())
    return measured
