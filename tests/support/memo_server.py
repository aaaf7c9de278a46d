"""A server with everything beside tools: ``python memo_server.py stdio|http|sse [MODE ...]``.

Resources in pages, a template, prompts, completion, log messages, updates, questions to the user
and to the model; each in the way of the era that it is spoken to. Modes: those of `leaf_server`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.support.leaf_server import serve_http, serve_stdio, sse_app, text, tool

Context = ServerRequestContext[Any, Any]
bus = InMemorySubscriptionBus()
settings: dict[str, Any] = {"level": "debug"}
watching: dict[str, Any] = {}
RESOURCES = [
    types.Resource(uri=f"memo://{name}", name=name, mime_type="text/plain")
    for name in ("plan", "secret/key", "zoo")
]
PROMPTS = [types.Prompt(name="greet", arguments=[types.PromptArgument(name="name", required=True)])]
QUESTION = types.ElicitRequestFormParams(
    message="who?",
    requested_schema={"type": "object", "properties": {"name": {"type": "string"}}},
)
MESSAGE = types.CreateMessageRequestParams(
    messages=[
        types.SamplingMessage(role="user", content=types.TextContent(type="text", text="think"))
    ],
    max_tokens=10,
)


def is_stateless(ctx: Context) -> bool:
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


async def list_tools(ctx: Context, params: Any) -> types.ListToolsResult:
    names = ("ask", "sample", "roots", "log", "touch", "grow", "mixed", "subscribers")
    names += ("ask_until", "never_mind")
    return types.ListToolsResult(tools=[tool(name) for name in names])


async def call_tool(ctx: Context, params: types.CallToolRequestParams) -> Any:
    match params.name:
        case "ask":
            answer = await answered(ctx, params, types.ElicitRequest(params=QUESTION))
            if isinstance(answer, types.InputRequiredResult):
                return answer
            return text(f"{answer['action']} {(answer.get('content') or {}).get('name')}")
        case "ask_until":
            with anyio.CancelScope() as scope:
                settings["asking"] = scope
                await answered(ctx, params, types.ElicitRequest(params=QUESTION))
            return text("withdrawn" if scope.cancelled_caught else "answered")
        case "never_mind":
            settings["asking"].cancel()
            return text("done")
        case "sample":
            answer = await answered(ctx, params, types.CreateMessageRequest(params=MESSAGE))
            if isinstance(answer, types.InputRequiredResult):
                return answer
            return text(f"the model says {answer['content']['text']}")
        case "roots":
            answer = await answered(ctx, params, types.ListRootsRequest())
            if isinstance(answer, types.InputRequiredResult):
                return answer
            return text(f"{answer['roots'][0]['uri']}")
        case "log":
            for said in ("debug", "info", "warning", "error"):
                await log(ctx, said)
            return text("logged")
        case "touch":
            for session in list(watching.values()):
                await session.send_resource_updated("memo://plan")
            await bus.publish(ResourceUpdated("memo://plan"))
            return text("touched")
        case "grow":
            return await grow(ctx)
        case "subscribers":
            return text(str(len(watching)))
        case "mixed":
            return types.CallToolResult(
                content=[
                    types.TextContent(
                        type="text", text="t", annotations=types.Annotations(priority=1)
                    ),
                    types.ImageContent(type="image", data="aQ==", mime_type="image/png"),
                    types.AudioContent(type="audio", data="YQ==", mime_type="audio/wav"),
                    types.ResourceLink(type="resource_link", uri="memo://plan", name="plan"),
                    types.EmbeddedResource(
                        type="resource",
                        resource=types.TextResourceContents(uri="memo://zoo", text="z"),
                    ),
                ],
                structured_content={"n": 1},
                _meta={"kept": True},
            )
        case _:
            raise MCPError(types.INVALID_PARAMS, f"no tool {params.name}")


async def answered(ctx: Context, params: Any, question: Any) -> Any:
    """Returns the answer in wire form, or what asks for it in the newest revision."""
    if not is_stateless(ctx):
        data = question.model_dump(by_alias=True, mode="json", exclude_none=True)
        channel = ctx.session._request_outbound
        return await channel.send_raw_request(data["method"], data.get("params"))
    if not params.input_responses:
        return types.InputRequiredResult(request_state="s", input_requests={"q": question})
    return params.input_responses["q"].model_dump(by_alias=True, mode="json", exclude_none=True)


async def log(ctx: Context, said: Any) -> None:
    levels = ["debug", "info", "warning", "error"]
    wanted = (
        (ctx.meta or {}).get(types.LOG_LEVEL_META_KEY) if is_stateless(ctx) else settings["level"]
    )
    if wanted is None or levels.index(said) < levels.index(wanted):
        return
    params = types.LoggingMessageNotificationParams(level=said, data=f"a {said}")
    await ctx.session.send_notification(
        types.LoggingMessageNotification(params=params), related_request_id=ctx.request_id
    )


async def grow(ctx: Context) -> types.CallToolResult:
    RESOURCES.append(types.Resource(uri=f"memo://more/{len(RESOURCES)}", name="more"))
    PROMPTS.append(types.Prompt(name=f"more_{len(PROMPTS)}"))
    for notification in (
        types.ResourceListChangedNotification(),
        types.PromptListChangedNotification(),
    ):
        await ctx.session.send_notification(notification, related_request_id=ctx.request_id)
    await bus.publish(ResourcesListChanged())
    await bus.publish(PromptsListChanged())
    return text("grown")


async def list_resources(ctx: Context, params: Any) -> types.ListResourcesResult:
    start = int((params and params.cursor) or 0)
    following = str(start + 2) if start + 2 < len(RESOURCES) else None
    return types.ListResourcesResult(resources=RESOURCES[start : start + 2], next_cursor=following)


async def list_templates(ctx: Context, params: Any) -> types.ListResourceTemplatesResult:
    page = types.ResourceTemplate(uri_template="memo://page/{number}", name="page")
    return types.ListResourceTemplatesResult(resource_templates=[page])


async def read(ctx: Context, params: types.ReadResourceRequestParams) -> Any:
    if params.uri == "memo://nothing":
        raise MCPError(types.INVALID_PARAMS, "no such memo", {"uri": params.uri})
    if params.uri == "memo://zoo":
        contents = types.BlobResourceContents(uri=params.uri, blob="eg==", mime_type="x/y")
        return types.ReadResourceResult(contents=[contents], _meta={"kept": True})
    contents = types.TextResourceContents(uri=params.uri, text=f"the text of {params.uri}")
    return types.ReadResourceResult(contents=[contents])


async def list_prompts(ctx: Context, params: Any) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=PROMPTS)


async def get_prompt(ctx: Context, params: types.GetPromptRequestParams) -> Any:
    said = f"Greet {(params.arguments or {})['name']}"
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=said))
    return types.GetPromptResult(description="A greeting", messages=[message])


async def complete(ctx: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
    reference = params.ref.name if params.ref.type == "ref/prompt" else params.ref.uri
    values = [f"{reference}:{params.argument.value}!"]
    return types.CompleteResult(completion=types.Completion(values=values, total=1))


async def set_level(ctx: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
    settings["level"] = params.level
    return types.EmptyResult()


async def subscribe(ctx: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
    watching[params.uri] = ctx.session
    return types.EmptyResult()


async def unsubscribe(ctx: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
    watching.pop(params.uri, None)
    return types.EmptyResult()


class MemoServer(Server[Any]):
    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        options = notification_options or NotificationOptions(True, True, True)
        return super().create_initialization_options(options, *args, **kwargs)


if __name__ == "__main__":
    memo = MemoServer(
        "memo",
        version="3",
        instructions="Ask the memo.",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
        on_completion=complete,
        on_subscriptions_listen=ListenHandler(bus),
    )
    memo.add_request_handler("logging/setLevel", types.SetLevelRequestParams, set_level)
    memo.add_request_handler("resources/subscribe", types.SubscribeRequestParams, subscribe)
    memo.add_request_handler("resources/unsubscribe", types.UnsubscribeRequestParams, unsubscribe)
    if sys.argv[1] == "stdio":
        anyio.run(serve_stdio, memo)
    else:
        serve_http(memo.streamable_http_app() if sys.argv[1] == "http" else sse_app(memo))
