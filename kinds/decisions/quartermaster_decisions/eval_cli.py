"""``qm eval decisions`` and ``qm eval base-rates``: measure decisions, and compute base rates."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Option

from quartermaster.cli.command import Qm
from quartermaster.cli.eval.databases import Measurement
from quartermaster.cli.noun import Noun
from quartermaster.cli.session import Row, open_session
from quartermaster.cli.waiting import Progress
from quartermaster.core.errors import QmError

noun = Noun("Measure decisions.")


@noun.verb()
def decisions_command(
    qm: Measurement,
    repository: Annotated[Path, "Folder of a git repository."],
    cut: Annotated[
        float,
        "Share of the commits in which to look for decisions, beginning with the oldest.",
        Option(min=0.1, max=0.95),
    ] = 0.7,
    serving: Annotated[
        bool,
        "Also test, in a temporary database, which decisions an agent would get while working on"
        " the later commits.",
    ] = True,
) -> Row:
    """Find decisions in the first commits of a repository. Then measure whether the later commits
    follow these decisions, and whether agents would have got the decisions.
    """
    from quartermaster.projects.git import open_repository
    from quartermaster.projects.guard import real_folder
    from quartermaster_decisions.backtest import measure

    repository = real_folder(repository)
    with Progress() as progress, open_repository(repository) as opened:
        found = measure(opened, cut, progress.update).as_json()
        missing = opened.missing_commits
    if missing:
        qm.note(missing)
    shown = {name: str(value) for name, value in found.items() if name != "worst"}
    qm.facts("Decisions", str(repository), shown)
    qm.table(
        found["worst"],
        ("pattern", "followed", "cases"),
        empty="No check applies to a file that a later commit changed.",
    )
    if serving:
        found["serving"] = _served(qm, repository, cut)
        figures = {name: str(value) for name, value in found["serving"].items()}
        qm.facts("Serving", str(repository), figures)
    return found


def _served(qm: Measurement, repository: Path, cut: float) -> Row:
    """Measures whether the service serves the right decisions for the files of later commits. The
    decisions are those that were found at the cut.
    """
    from quartermaster.install.throw_away import settle
    from quartermaster.models.registry import open_embedding
    from quartermaster.projects.git import open_repository
    from quartermaster_decisions.serving_eval import ask, embedder, held_out, load

    settings = qm.settings()
    with Progress() as progress, open_repository(repository) as opened:
        candidates, questions = held_out(opened, cut, progress.update)
    with qm.bench(settings) as bench, open_session(None, bench.dsns[0]) as session:
        ids = load(session, candidates, "measured")
        try:
            model = open_embedding(settings.embedding, *qm.model_places())
        except QmError as error:
            qm.note(f"Tasks were compared by words only: {error}")
            embed = None
        else:
            embed = embedder(session, model, bench.progress)
        settle(bench.dsns[0])
        return ask(session, questions, ids, bench.progress, embed).as_json()


@noun.verb()
def base_rates_command(
    qm: Qm,
    folder: Annotated[Path, "Folder that contains source distributions (*.tar.gz)."],
    output: Annotated[Path, "File to write the rates to."],
) -> Row:
    """Compute how common decorators, keyword arguments and names are in Python packages."""
    from quartermaster_decisions.rate_counts import write_rates

    table = write_rates(folder, output)
    qm.say(
        f"{len(table['rates']):,} rates, counted in {table['packages']} packages, are in {output}."
    )
    return {"packages": table["packages"], "rates": len(table["rates"])}
