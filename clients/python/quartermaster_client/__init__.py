"""Quartermaster for programs that call the API of a model themselves.

`Quartermaster` and `AsyncQuartermaster` search tools and call them. The modules
`quartermaster_client.anthropic` and `quartermaster_client.openai` answer the model's searches and
calls in the form of these two APIs.
"""

from __future__ import annotations

from quartermaster_client.client import AsyncQuartermaster, Quartermaster
from quartermaster_client.found import FoundTool
from quartermaster_client.wire import QuartermasterError, SearchAnswer, SearchOptions, ToolReply

__all__ = [
    "AsyncQuartermaster",
    "FoundTool",
    "Quartermaster",
    "QuartermasterError",
    "SearchAnswer",
    "SearchOptions",
    "ToolReply",
]
