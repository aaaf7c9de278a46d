"""Fills the catalog of a database with tools, for comparisons of checkouts: each runs its own."""

from __future__ import annotations

from lab.bench import catalog, vectors
from lab.bench.server import BenchDatabase
from lab.comparisons import retrieval_sets as sets


def fill(bench: BenchDatabase, name: str, count: int) -> None:
    """Imports and embeds tools.

    Args:
        bench: the database.
        name: a retrieval set; `-` for tools that are made up.
        count: the number of tools.
    """
    model, folder = vectors.load_model()
    cache = vectors.VectorCache(vectors.memory_file(folder))
    tools = sets.make_tools(count) if name == "-" else sets.read_tools(name, count)
    vectors.register(bench, model)
    catalog.import_tools(bench, tools, lambda _: None)
    vectors.embed_cards(bench, model, cache, vectors.EmbeddingCost(), lambda _: None)
    catalog.settle(bench)
