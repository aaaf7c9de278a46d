"""``qm lookup gold`` and ``qm lookup shadow``: measure the quality of answers, and try out other
settings.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from typer import Option

from quartermaster.cli.command import DryRunCommand, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import counted
from quartermaster.cli.session import Row
from quartermaster.core.errors import QmError
from quartermaster_lookup import api
from quartermaster_lookup.cli.table_name import TableName

noun = Noun()
_gold = Noun("Manage gold pairs: strings for which the right rows are known.")
noun.add_typer(_gold, name="gold")


@_gold.verb()
def load_command(
    qm: DryRunCommand,
    table: TableName,
    file: Annotated[
        Path, "CSV file with the columns table, query, expected_ids (separated by |), props."
    ],
    keep: Annotated[bool, "Keep pairs that are not in the file."] = False,
) -> Row:
    """Load gold pairs (strings and their right rows). The weekly job evaluate_lookups uses them to
    measure how often the answers of the tables are right.
    """
    from quartermaster_lookup.eval.gold_pairs import read_pairs

    pairs = [
        {"query": pair.goal, "expected": sorted(pair.accepted), "properties": pair.properties}
        for pair in read_pairs(file, table)
    ]
    with qm.unless_dry():
        [found] = qm.call(api.load_lookup_gold(lookup=table, pairs=pairs, replaces=not keep))
    qm.say(
        f"{table}: {counted(found['pairs_kept'], 'pair')}; ids that no row has:"
        f" {found['ids_unknown']}{qm.preview}. To measure now: qm job run evaluate_lookups."
    )
    return {**found, "dry_run": qm.dry_run}


@noun.verb()
def shadow_command(
    qm: Qm,
    table: TableName,
    share: Annotated[
        float,
        "Share of the queries that the shadow also answers, from 0 to 1; 0 removes the shadow.",
        Option(min=0, max=1),
    ],
    weights: Annotated[
        Path | None, "File with weights from qm eval fit-lookup; default: the table's weights."
    ] = None,
    threshold: Annotated[
        float | None, "Threshold; default: the table's threshold.", Option(min=0, max=1)
    ] = None,
    candidates: Annotated[
        int, "Number of candidates to find by trigrams.", Option(min=1, max=100)
    ] = 30,
) -> Row:
    """Try other settings (a shadow) with some of the queries.

    The replies to clients do not change.
    """
    count: int = qm.call_value(
        api.configure_lookup_shadow(
            lookup=table,
            share=share,
            weights=_weights(weights) if weights is not None else None,
            threshold=threshold,
            candidates=candidates,
        )
    )
    if share:
        whose = f"{counted(count, 'weight')} of its own" if count else "the weights of the table"
        qm.say(
            f"For {share:.0%} of the queries to {table}, a shadow computes a second answer with"
            f" {whose}. This answer is only recorded. To compare the answers: qm stats lookups"
            f" --shadow. To remove the shadow: qm lookup shadow {table} --share 0."
        )
    else:
        qm.say(f"{table} has no shadow.")
    return {"table": table, "share": share, "weights": count}


def _weights(path: Path) -> Row:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise QmError(
            422,
            "weights_invalid",
            f"{path} cannot be read as JSON: {error}.",
            "Create it with: qm eval fit-lookup LOOKUP.csv GOLD.csv --output FILE.",
        ) from None
