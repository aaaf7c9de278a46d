"""Embeds the cards, with the service's model; what was embedded before is remembered in a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from lab.bench.padding import original_of, pad_vectors
from lab.bench.server import BenchDatabase
from lab.bench.timing import rate, timed
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.registry import load_embedding
from tests.support.model import cached_model_dir

CLAIM = 512
SAMPLE = 500
_REPOSITORY = Path(__file__).parents[2]
_CLAIM = "select kind, text_hash, embedding_text from api.claim_unembedded(%s, %s)"
_STORE = "select api.store_embeddings(%s, %s, %s, %s)"
_TOOLS = """
select o.name, t.name, c.text_hash
from search.card as c
inner join catalog.item as t on t.id = c.ref
inner join catalog.origin as o on o.id = t.origin_id
where c.kind = 'tool'
order by c.id
"""
VECTOR_INDEXES = """
select c.oid::regclass::text
from pg_class as c
inner join pg_am as a on a.oid = c.relam
where a.amname = 'hnsw'
"""
_SOME_TEXTS = "select embedding_text from search.card order by text_hash limit %s"


@dataclass
class EmbeddingCost:
    """What embedding took.

    Attributes:
        texts: computed in this run, in `seconds`.
        is_sample: they are a sample, the others were remembered from an earlier run.
        stored: vectors written into the index, in `store_seconds`; claiming took `claim_seconds`.
        build_seconds: to build the index of all vectors at once, the last time.
    """

    texts: int = 0
    seconds: float = 0.0
    is_sample: bool = False
    stored: int = 0
    store_seconds: float = 0.0
    claim_seconds: float = 0.0
    build_seconds: float = 0.0

    @property
    def texts_per_s(self) -> float:
        """Texts a second."""
        return rate(self.texts, self.seconds)

    @property
    def stored_per_s(self) -> float:
        """Vectors a second into the table and the HNSW index, claims included."""
        return rate(self.stored, self.store_seconds + self.claim_seconds)


def memory_file(folder: Path) -> Path:
    """Returns where the vectors of a model's folder are remembered; another model file has another
    one.
    """
    cache = os.environ.get("QM_TEST_CACHE")
    digest = sha256((folder / "model.onnx").read_bytes()).hexdigest()[:12]
    return (
        (Path(cache) if cache else _REPOSITORY / "build") / "bench" / f"{folder.name}-{digest}.npz"
    )


class VectorCache:
    """Vectors by hash of their text, for one model.

    Args:
        file: keeps them for the next run; None forgets them.
        fresh: begin without those of earlier runs.
    """

    def __init__(self, file: Path | None, fresh: bool = False) -> None:
        self._file = file
        self._lent: dict[bytes, NDArray[np.float32]] = {}
        self._vectors: dict[bytes, NDArray[np.float32]] = {}
        if file is not None and file.is_file() and not fresh:
            with np.load(file) as stored:
                keys = (row.tobytes() for row in stored["hashes"])
                self._vectors = dict(zip(keys, stored["vectors"], strict=True))

    def get(self, text_hash: bytes) -> NDArray[np.float32] | None:
        """Returns the vector of a text; None where it is not known."""
        return self._vectors.get(text_hash, self._lent.get(text_hash))

    def lend(self, vectors: Mapping[bytes, NDArray[np.float32]]) -> None:
        """Knows these, too, in this run."""
        self._lent |= vectors

    def put(self, text_hash: bytes, vector: NDArray[np.float32]) -> None:
        """Remembers a vector."""
        self._vectors[text_hash] = vector

    def save(self) -> None:
        """Writes the file, if there is to be one."""
        if self._file is None or not self._vectors:
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        hashes = np.frombuffer(b"".join(self._vectors), dtype=np.uint8).reshape(-1, 32)
        partial = self._file.with_suffix(".partial.npz")
        np.savez(partial, hashes=hashes, vectors=np.stack(list(self._vectors.values())))
        partial.replace(self._file)


def load_model() -> tuple[EmbeddingModel, Path]:
    """Returns the service's model on all cores, and its folder."""
    folder = cached_model_dir()
    threads = len(os.sched_getaffinity(0))
    return load_embedding(folder, folder.parents[1], threads), folder


def register(bench: BenchDatabase, model: EmbeddingModel) -> None:
    """Makes the model the one that queries use."""
    bench.service.execute("select api.put_model(%s, %s)", (model.name, model.dimension))


def embed_cards(
    bench: BenchDatabase,
    model: EmbeddingModel,
    memory: VectorCache,
    into: EmbeddingCost,
    progress: Callable[[int], None],
) -> None:
    """Gives every card its vector, as the service's worker does; progress hears how many more."""
    lend_padded(bench, memory)
    try:
        while claimed := _claim(bench, model, into):
            _compute([(key, text) for _, key, text in claimed], model, memory, into)
            kinds, keys = [kind for kind, _, _ in claimed], [key for _, key, _ in claimed]
            arguments = (model.name, kinds, keys, [literal(memory.get(key)) for key in keys])
            _, took = timed(lambda given=arguments: bench.service.execute(_STORE, given))
            into.store_seconds += took
            into.stored += len(claimed)
            progress(len(claimed))
    finally:
        memory.save()


def lend_padded(bench: BenchDatabase, memory: VectorCache) -> None:
    """Copies of real tools that wait for a vector get one beside their original's."""
    rows = bench.owner.execute(_TOOLS).fetchall()
    hashes = {(str(origin), str(name)): bytes(key) for origin, name, key in rows}
    copies: dict[bytes, NDArray[np.float32]] = {}
    for (origin, name), key in hashes.items():
        original = original_of(origin, name)
        if original is None or memory.get(key) is not None:
            continue
        # An original that the scan keeps out has no card; its copy is embedded as it is.
        vector = memory.get(hashes[original]) if original in hashes else None
        if vector is not None:
            copies[key] = vector
    if copies:
        moved = pad_vectors(np.stack(list(copies.values())))
        memory.lend(dict(zip(copies, moved, strict=True)))


@contextmanager
def index_built_after(bench: BenchDatabase, into: EmbeddingCost) -> Generator[None]:
    """Without the vector index inside the block; it is built anew at its end."""
    bench.owner.execute("set maintenance_work_mem = '1GB'")
    for (index,) in bench.owner.execute(VECTOR_INDEXES).fetchall():
        bench.owner.execute(f"drop index {index}".encode())
    try:
        yield
    finally:
        _, into.build_seconds = timed(
            lambda: bench.owner.execute("select search.create_vector_indexes()")
        )


def embed_sample(bench: BenchDatabase, model: EmbeddingModel, into: EmbeddingCost) -> None:
    """Measures the rate on texts whose vectors are known, where too few were computed."""
    if into.texts >= min(SAMPLE, into.stored):
        return
    texts = [str(text) for (text,) in bench.owner.execute(_SOME_TEXTS, (SAMPLE,)).fetchall()]
    _, into.seconds = timed(lambda: model.embed(texts))
    into.texts, into.is_sample = len(texts), True


def literal(vector: NDArray[np.float32] | None) -> str:
    """Returns a vector as pgvector reads it; nine digits say a 32-bit float exactly."""
    assert vector is not None
    return f"[{','.join(f'{number:.9g}' for number in vector.tolist())}]"


def _claim(
    bench: BenchDatabase, model: EmbeddingModel, into: EmbeddingCost
) -> list[tuple[str, bytes, str]]:
    """Returns kind, hash and text of some that have no vector."""
    arguments = (model.name, CLAIM)
    rows, took = timed(lambda: bench.service.execute(_CLAIM, arguments).fetchall())
    into.claim_seconds += took
    return [(str(kind), bytes(key), str(text)) for kind, key, text in rows]


def _compute(
    texts: Sequence[tuple[bytes, str]],
    model: EmbeddingModel,
    memory: VectorCache,
    into: EmbeddingCost,
) -> None:
    unknown = [(key, text) for key, text in texts if memory.get(key) is None]
    begun = perf_counter()
    vectors = model.embed([text for _, text in unknown])
    into.seconds += perf_counter() - begun
    into.texts += len(unknown)
    for (key, _), vector in zip(unknown, vectors, strict=True):
        memory.put(key, vector)
