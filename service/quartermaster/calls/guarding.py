"""Applies guardrails to results: marks or masks findings in texts and structures. The database
decides whether a kind of finding is marked or masked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final, cast

import mcp_types as types
from anyio import to_thread

from quartermaster.guardrails.instruction_model import ENCODER, Encode
from quartermaster.guardrails.masking import Action, rewritten
from quartermaster.guardrails.scan import find_spans
from quartermaster.guardrails.spans import Kind, Span
from quartermaster.models.asynchronous import AsyncEmbedder

Findings = dict[str, dict[str, int]]
JsonObject = dict[str, Any]
FINDINGS_KEY: Final = "quartermaster/guardrails"
_ACTION_RESULTS: Final[dict[Action, str]] = {"mark": "marked", "mask": "masked"}


class GuardrailFilter:
    """Marks and masks findings of the guardrails.

    Args:
        embedder: embeds the sentences for which the first part of the guardrails' classifier is
            unsure. It is used only if the classifier was trained for its model.
    """

    def __init__(self, embedder: AsyncEmbedder) -> None:
        self._embedder = embedder

    async def result(
        self, result: types.CallToolResult, actions: Mapping[Kind, Action]
    ) -> tuple[types.CallToolResult, Findings | None]:
        """Marks and masks the findings of the guardrails in a result. A marked part stays readable:
        it is quoted, and the mark names the kind of finding. Structured content keeps its form:
        only strings and numbers change.

        Args:
            result: the upstream's result.
            actions: the action for each kind of finding; other kinds are not looked for.

        Returns:
            The result, and how many findings of each kind were marked and masked; None if none.
        """
        if not actions:
            return result, None
        # Other requests must not wait for the search.
        return await to_thread.run_sync(_guarded, result, actions, self.encode)

    async def read(
        self, result: JsonObject, actions: Mapping[Kind, Action]
    ) -> tuple[JsonObject, Findings | None]:
        """Marks and masks the findings of the guardrails in a resource or a prompt.

        The messages of a prompt are instructions that the user chose. So instructions are looked
        for only in the resources that they embed.

        Args:
            result: the upstream's answer to resources/read or prompts/get.
            actions: the action for each kind of finding; other kinds are not looked for.

        Returns:
            The result, and how many findings of each kind were marked and masked; None if none.
        """
        if not actions:
            return result, None
        return await to_thread.run_sync(_guarded_read, result, actions, self.encode)

    async def text(self, text: str, actions: Mapping[Kind, Action]) -> str:
        """Marks and masks the findings of the guardrails in a text, such as an error."""
        if not actions:
            return text
        leaf = _Leaf([text], 0)
        await to_thread.run_sync(_Document([leaf]).change, actions, self.encode)
        return leaf.value

    @property
    def encode(self) -> Encode | None:
        """The encoder of the embedding model; None if the guardrails were trained for another
        model.
        """
        model = self._embedder.model
        return model.embed if model.name == ENCODER else None


def _guarded(
    result: types.CallToolResult, actions: Mapping[Kind, Action], encode: Encode | None
) -> tuple[types.CallToolResult, Findings | None]:
    wire = [
        block.model_dump(by_alias=True, mode="json", exclude_none=True) for block in result.content
    ]
    found: Findings = {}
    leaves = [leaf for block in wire for leaf in _texts(block)]
    # Every text block is searched alone, as the agent reads it.
    for leaf in leaves:
        _add(found, _Document([leaf]).change(actions, encode))
    holder: list[Any] = [result.structured_content]
    if holder[0] is not None:
        _add(found, _Document(_strings(holder)).change(actions, encode))
    if not found:
        return result, None
    meta = (result.meta or {}) | {FINDINGS_KEY: found}
    changed = types.CallToolResult.model_validate(
        result.model_dump(
            by_alias=True, exclude_none=True, exclude={"content", "structured_content"}
        )
        | {"content": wire, "structuredContent": holder[0], "_meta": meta}
    )
    return changed, found


def _guarded_read(
    result: JsonObject, actions: Mapping[Kind, Action], encode: Encode | None
) -> tuple[JsonObject, Findings | None]:
    changed: JsonObject = deepcopy(result)
    found: Findings = {}
    for entry in changed.get("contents", ()):
        if "text" in entry:
            _add(found, _Document([_Leaf(entry, "text")]).change(actions, encode))
    to_person: Mapping[Kind, Action] = {
        kind: action for kind, action in actions.items() if kind != "instructions"
    }
    for message in changed.get("messages", ()):
        block: JsonObject = message["content"]
        of_block: Mapping[Kind, Action] = to_person if block["type"] == "text" else actions
        for leaf in _texts(block):
            _add(found, _Document([leaf]).change(of_block, encode))
    if not found:
        return result, None
    return changed | {"_meta": {**(changed.get("_meta") or {}), FINDINGS_KEY: found}}, found


def _add(found: Findings, more: Findings) -> None:
    for done, counts in more.items():
        found[done] = dict(Counter(found.get(done, {})) + Counter(counts))


@dataclass
class _Leaf:
    """A string or a number in a structure.

    Attributes:
        holder, key: the list or the object that contains the value, and its position there.
        before: the text before the value in the text that is searched.
        start: the position of the value in this text.
    """

    holder: Any
    key: Any
    before: str = ""
    start: int = field(default=0, init=False)

    @property
    def value(self) -> str:
        return str(self.holder[self.key])


def _texts(block: dict[str, Any]) -> list[_Leaf]:
    """Returns the texts of a content block."""
    if block["type"] == "text":
        return [_Leaf(block, "text")]
    if block["type"] == "resource" and "text" in block["resource"]:
        return [_Leaf(block["resource"], "text")]
    if block["type"] == "resource_link":
        return [_Leaf(block, name) for name in ("name", "title", "description") if name in block]
    return []


def _strings(holder: list[Any]) -> list[_Leaf]:
    """Replaces the only element of the list by a copy, and returns the strings and numbers in the
    copy, in their order.
    """
    leaves: list[_Leaf] = []
    waiting: list[tuple[Any, Any, str]] = [(holder, 0, "")]
    while waiting:
        place, key, before = waiting.pop()
        value = place[key]
        if isinstance(value, dict):
            copy = dict(cast("dict[str, Any]", value))
            place[key] = copy
            waiting += [(copy, name, f', "{name}":') for name in reversed(copy)]
        elif isinstance(value, list):
            items = list(cast("list[Any]", value))
            place[key] = items
            waiting += [(items, n, ", ") for n in reversed(range(len(items)))]
        elif isinstance(value, str | int | float) and not isinstance(value, bool):
            leaves.append(_Leaf(place, key, before))
    return leaves


@dataclass
class _Document:
    """Values that are searched as one text, because neighbouring values can change the meaning of a
    value.
    """

    leaves: list[_Leaf]

    def change(self, actions: Mapping[Kind, Action], encode: Encode | None) -> Findings:
        """Marks and masks the findings; returns how many of each kind were marked and masked."""
        parts: list[str] = []
        length = 0
        for leaf in self.leaves:
            opening = f'{leaf.before}"' if len(self.leaves) > 1 else ""
            closing = '"' if opening else ""
            leaf.start = length + len(opening)
            parts.append(opening + leaf.value + closing)
            length += len(parts[-1])
        spans = find_spans("".join(parts), tuple(actions), encode)
        found: Findings = {}
        for span in spans:
            counts = found.setdefault(_ACTION_RESULTS[actions[span.kind]], {})
            counts[span.kind] = counts.get(span.kind, 0) + 1
        if spans:
            for leaf in self.leaves:
                _rewrite(leaf, spans, actions)
        return found


def _rewrite(leaf: _Leaf, spans: list[Span], actions: Mapping[Kind, Action]) -> None:
    text = leaf.value
    end = leaf.start + len(text)
    inside = [span for span in spans if span.start < end and leaf.start < span.end]
    if inside:
        leaf.holder[leaf.key] = rewritten(text, inside, actions, leaf.start)
