"""Settings for the embedding model and the reranker, and for the device on which they run."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from quartermaster.settings.base import NotNegative, Positive, Seconds, Section

Name = Annotated[str, Field(min_length=1)]
Device = Literal["auto", "cpu", "cuda", "coreml"]

DEVICE: Final[Device] = "auto"


class Remote(Section):
    """A server that runs models: its base URL, and the locator of its key."""

    url: Name | None = None
    api_key: str | None = None
    request_timeout_s: Seconds = 30


class Embedding(Remote):
    """The embedding model; ``threads`` 0 means one thread per core.

    ``dimension`` and the prefixes are only for ``api_remote``, because a model folder contains its
    own values.
    """

    provider: Literal["onnx_local", "api_remote"] = "onnx_local"
    model: Name = "minilm-tools-2"
    batch_size: Positive = 32
    threads: NotNegative = 0
    device: Device = DEVICE
    query_cache: NotNegative = 1_000
    dimension: Positive | None = None
    query_prefix: str = ""
    passage_prefix: str = ""


class Reranker(Remote):
    """The reranker.

    If ``max_tokens`` is null, the model's limit is used; if ``margin`` is null, all texts are
    scored. ``documents_field`` is the name under which the server expects the texts.
    """

    provider: Literal["none", "onnx_local", "api_remote"] = "none"
    model: Name | None = None
    threads: NotNegative = 0
    device: Device = DEVICE
    max_tokens: Annotated[int, Field(ge=16)] | None = None
    margin: Annotated[float, Field(ge=0)] | None = None
    margin_keep: Positive = 10
    timeout_s: Seconds = 2
    documents_field: Literal["documents", "texts"] = "documents"
