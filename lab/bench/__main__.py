"""Measures import, embedding and search: `make bench`, with a throw-away server of its own."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lab.bench import catalog, growth, host_facts, service, snapshots, vectors
from lab.bench.baselines import ExactScan, InProcessBm25
from lab.bench.benchmark_report import BenchmarkReport
from lab.bench.padding import PADDING_METHOD, pad_tools
from lab.bench.rights import RightsCost, many_rules
from lab.bench.searching import EmbeddedGoal, ModeResult, Point, Searches, read_modes
from lab.bench.server import BenchDatabase, throw_away
from lab.bench.timing import Latency, timed
from lab.comparisons import retrieval_sets as sets
from quartermaster.models.embedding_model import EmbeddingModel

SET = "mcpcatalog"
QUESTIONS, RIGHTS_QUESTIONS = 200, 100
QUICK_TOOLS, QUICK_QUESTIONS = 200, 4
CURVE = (1_000, 5_000, 35_000)
TOOLS = 100_000
# Up to here vectors go into a living index, as they do in service; then it is built anew.
INDEX_REUSED = 5_000

console = Console(stderr=True)


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench", description=__doc__)
    parser.add_argument("--tools", type=int, default=TOOLS, metavar="N", help="tools in all")
    parser.add_argument(
        "--sizes", type=_sizes, default=CURVE, metavar="N,N", help="smaller catalogs on the way"
    )
    parser.add_argument("--fresh", action="store_true", help="embed what was embedded before")
    parser.add_argument("--quick", action="store_true", help="200 made-up tools, 4 questions")
    parser.add_argument("--no-service", action="store_true", help="leave out MCP and memory")
    parser.add_argument(
        "--plot", type=Path, default=growth.PICTURE, metavar="FILE", help="picture of the growth"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    return parser.parse_args(arguments)


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(sorted({int(size) for size in text.split(",") if size}))


def read_input(options: argparse.Namespace) -> tuple[list[sets.Tool], list[sets.Query], str]:
    """Returns tools, goals, and where they are from."""
    if options.quick:
        return sets.make_tools(QUICK_TOOLS), sets.make_queries(QUICK_QUESTIONS), "made up"
    if reason := sets.skip_reason(SET):
        console.print(f"[yellow]The public tools are {reason}. Made-up ones are used.")
        return sets.make_tools(options.tools), sets.make_queries(QUESTIONS), "made up"
    real = sets.read_tools(SET, options.tools)
    padded = pad_tools(real, options.tools)
    source = f"{len(real):,} of {SET}"
    if padded:
        source += f", {len(padded):,} copies of them: {PADDING_METHOD}"
    return real + padded, sets.read_queries(SET, QUESTIONS), source


def embed_questions(
    model: EmbeddingModel, queries: Sequence[sets.Query]
) -> tuple[list[EmbeddedGoal], Latency]:
    """Returns the goals with their vectors, and how long one takes."""
    model.embed([query.text for query in queries])
    timings = [timed(lambda query=query: model.embed([query.text])[0]) for query in queries]
    questions = [
        EmbeddedGoal(q.text, vector) for q, (vector, _) in zip(queries, timings, strict=True)
    ]
    return questions, Latency.of([seconds for _, seconds in timings])


def measure(
    bench: BenchDatabase, questions: Sequence[EmbeddedGoal], progress: Callable[[int], None]
) -> tuple[Point, Searches]:
    """Searches over what is in the catalog now; progress hears of every mode that is measured."""
    catalog.settle(bench)
    scan, bm25 = ExactScan(bench), InProcessBm25(bench)
    searches = Searches(bench, scan, bm25)
    modes: list[ModeResult] = []
    for mode in read_modes(bench):
        modes.append(searches.measure(mode, questions))
        progress(1)
    return Point(len(scan.card_ids), round(bm25.build_seconds, 2), modes), searches


def measure_rights(
    bench: BenchDatabase, searches: Searches, questions: Sequence[EmbeddedGoal]
) -> RightsCost:
    """Selection with and without a thousand rules, over what is in the catalog now."""
    modes = read_modes(bench)

    def select() -> dict[str, Latency]:
        return {mode.name: searches.measure_selection(mode, questions) for mode in modes}

    with many_rules(bench) as applied:
        catalog.settle(bench)
        under = select()
    catalog.settle(bench)
    return RightsCost(applied.seconds, applied.classes, select(), under)


def run(options: argparse.Namespace) -> BenchmarkReport:
    """Imports, embeds, searches; returns the figures."""
    tools, queries, source = read_input(options)
    model, folder = vectors.load_model()
    file = None if options.quick else vectors.memory_file(folder)
    memory = vectors.VectorCache(file, options.fresh)
    questions, query_embedding = embed_questions(model, queries)
    imports: list[catalog.CatalogImport] = []
    embedding, bulk = vectors.EmbeddingCost(), vectors.EmbeddingCost()
    points: list[Point] = []
    sizes = [*(size for size in options.sizes if size < len(tools)), len(tools)]
    searches: Searches | None = None
    used: service.MemoryUsage | None = None
    with throw_away() as bench, progress_bars() as bars:
        facts = host_facts.describe(bench.version)
        vectors.register(bench, model)
        importing = bars.add_task("import", total=len(tools))
        embedded = bars.add_task("embed", total=len(tools))
        searching = bars.add_task("search", total=len(sizes) * len(read_modes(bench)))
        for done, size in pairwise([0, *sizes]):
            imports.append(
                catalog.import_tools(bench, tools[done:size], partial(bars.advance, importing))
            )
            advance = partial(bars.advance, embedded)
            if size <= INDEX_REUSED:
                vectors.embed_cards(bench, model, memory, embedding, advance)
            else:
                with vectors.index_built_after(bench, bulk):
                    vectors.embed_cards(bench, model, memory, bulk, advance)
            bars.console.print(f"searching {size:,} tools")
            point, searches = measure(bench, questions, partial(bars.advance, searching))
            if not options.no_service:
                bars.console.print(f"asking for {size:,} tools over MCP")
                modes = [mode.name for mode in point.modes]
                served, used = service.measure(bench, questions, modes)
                point = replace(point, served=served)
            points.append(point)
        embedding.texts, embedding.seconds = (
            embedding.texts + bulk.texts,
            embedding.seconds + bulk.seconds,
        )
        vectors.embed_sample(bench, model, embedding)
        bars.console.print("searching under a thousand rules")
        assert searches is not None
        rights = measure_rights(bench, searches, questions[:RIGHTS_QUESTIONS])
        unchanged = catalog.import_again(bench, tools)
        bars.console.print("keeping a snapshot and taking it back")
        return BenchmarkReport(
            machine=facts,
            tools=source,
            questions=f"{len(questions)} of {SET if 'made' not in source else source}",
            imported=catalog.total(imports),
            unchanged=unchanged,
            embedding=embedding,
            bulk=bulk,
            query_embedding=query_embedding,
            sizes_mb=catalog.sizes_mb(bench),
            rebuild_s={} if options.quick else catalog.rebuild_s(bench),
            memory=used,
            rights=rights,
            snapshots=snapshots.measure(bench, tools),
            points=points,
        )


def progress_bars() -> Progress:
    """Bars on stderr, with what is done and what is left."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeRemainingColumn(), console=console)


def main() -> None:
    """Runs and prints."""
    options = parse()
    report = run(options)
    printer = Console(width=120)
    report.print(printer)
    if len(report.points) > 1:
        printer.print(growth.table(report.points))
        growth.draw(report.points, options.plot)
        printer.print(f"drawn: {options.plot}")
    if options.json:
        report.write(options.json)


if __name__ == "__main__":
    main()
