"""What is to be reached, beside made-up figures."""

from __future__ import annotations

from collections.abc import Sequence

from lab.comparisons.line import ComparisonResult, Line, half_width
from lab.comparisons.targets import verdicts


def line(system: str, values: Sequence[float], pool: float = 0.9) -> Line:
    """Returns a system with such an nDCG@10 for each query."""
    return Line(system, {"nDCG@10": values, "pool_recall@100": [pool] * len(values)}, 1, 2)


def result(
    name: str, split: str, lines: Sequence[Line], *, is_whole: bool = True
) -> ComparisonResult:
    """Returns a result of two queries."""
    return ComparisonResult(name, split, 35_439, 2, is_whole, lines)


def test_a_target_is_met_or_missed_by_so_much():
    ours = line("ours, balanced", [0.5, 0.7], pool=0.8)
    found = verdicts({"35,439": result("mcpcatalog", "dev", [ours])})
    assert [(one.reach, one.measured, str(one)) for one in found] == [
        (0.42, 0.6, "met"),
        (0.82, 0.8, "MISSED by 0.020"),
    ]
    assert found[0].half_width == half_width([0.5, 0.7])


def test_a_part_of_a_catalog_is_beside_its_best_channel_only():
    ours = line("ours, balanced", [0.5, 0.7])
    others = [line("BM25 (bm25s)", [0.4, 0.4]), line("dense (numpy)", [0.6, 0.8])]
    [found] = verdicts({"500": result("mcpcatalog", "dev", [ours, *others], is_whole=False)})
    assert found.beside == "best single channel: dense (numpy)"
    assert (str(found), found.half_width) == ("MISSED by 0.100", 0)


def test_the_trained_model_is_to_beat_the_untrained_one():
    lines = [line("dense (numpy)", [0.5, 0.9]), line("untrained MiniLM (numpy)", [0.5, 0.5])]
    [found] = verdicts({"toollens dev": result("toollens", "dev", lines)})
    assert found.measure == "nDCG@10, dense (numpy)"
    assert (found.reach, found.measured, str(found)) == (0.5, 0.7, "met")
    assert found.half_width == half_width([0.0, 0.4])
