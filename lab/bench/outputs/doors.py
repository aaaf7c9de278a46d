"""What clients see of each MCP door: capabilities, instructions, tools, prompts and resources."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final, Literal

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from lab.bench.outputs.writing import Output, as_json
from tests.support.instance import QM, START_S, Instance, new_instance
from tests.support.waiting import wait_until

Era = Literal["auto", "legacy"]
ERAS: Final[tuple[Era, ...]] = ("auto", "legacy")
TOOLSET: Final = "echoes"
ORIGIN: Final = "leaf"
DOORS: Final = {
    "main": ("/mcp", ()),
    **{
        name: (f"/mcp/{name}", ("--toolset", name))
        for name in ("decisions", "knowledge", "quality", "reconcile", TOOLSET)
    },
    "transparent": (f"/mcp/transparent/{ORIGIN}", ("--origin", ORIGIN)),
}
"""Address and options of `qm stdio`, for each door."""
USER: Final = "asker"
_SEARCH: Final = "search_tools"
# The version of the server, which each answer repeats.
_VARYING_MEMBERS: Final = r"io\.modelcontextprotocol/serverInfo"


def write_doors(output: Output) -> None:
    """A file for each door, way to it, and person who comes."""
    with new_instance(environment={"QM_LOG__LEVEL": "critical"}) as instance:
        output.tell("starting a service")
        instance.start().add_upstream(ORIGIN, "leaf_server.py", "stdio")
        assert wait_until(partial(_is_embedded, instance), START_S)
        _succeed(instance, "toolset", "put", TOOLSET, "--tool", "*echo*")
        _succeed(instance, "principal", "create", USER)
        key = _succeed(instance, "key", "create", USER).split()[0]
        for door, (path, options) in DOORS.items():
            output.tell(f"asking {door}")
            for name, token in (("local", instance.run_file.token), (USER, key)):
                for era in ERAS:
                    seen = anyio.run(_over_http, instance, path, token, era)
                    output.write(f"tools/http-{name}-{era}/{door}.json", seen)
            seen = anyio.run(_over_stdio, instance, options)
            output.write(f"tools/stdio-bridge/{door}.json", seen)
        instance.stop()
        for door, (_, options) in DOORS.items():
            output.tell(f"asking {door} without a running service")
            seen = anyio.run(_over_stdio, instance, options)
            output.write(f"tools/stdio-alone/{door}.json", seen)


def _is_embedded(instance: Instance) -> bool:
    with instance.http() as http:
        return not http.get("/status").json()["unembedded"]


def _succeed(instance: Instance, *words: str) -> str:
    done = instance.qm(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


async def _over_http(instance: Instance, path: str, token: str, era: Era) -> str:
    headers = {"authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=START_S, trust_env=False) as http,
        Client(
            streamable_http_client(f"{instance.run_file.url}{path}", http_client=http), mode=era
        ) as client,
    ):
        return await _seen(client)


async def _over_stdio(instance: Instance, options: Sequence[str]) -> str:
    asked = ["stdio", *options]
    server = StdioServerParameters(command=str(QM), args=asked, env=instance.environment)
    async with Client(server, read_timeout_seconds=START_S) as client:
        return await _seen(client)


async def _seen(client: Client) -> str:
    """Returns everything that a client may list, before and after a search, and the texts of
    prompts.
    """
    offered, tools = client.server_capabilities, await client.list_tools()
    seen: dict[str, Any] = {
        "server": client.server_info and client.server_info.name,
        "protocol": client.protocol_version,
        "instructions": client.instructions,
        "capabilities": _dumped(offered),
        "tools": _dumped(tools),
    }
    if _SEARCH in {tool.name for tool in tools.tools}:
        await client.call_tool(_SEARCH, {"query": "echo a text"})
        seen["searched"] = _dumped(await client.list_tools(cache_mode="bypass"))
    if offered.prompts:
        listed = await client.list_prompts()
        seen["prompts"] = _dumped(listed)
        seen["texts"] = [
            _dumped(await client.get_prompt(one.name))
            for one in listed.prompts
            if not any(given.required for given in one.arguments or ())
        ]
    if offered.resources:
        seen["resources"] = _dumped(await client.list_resources())
        seen["templates"] = _dumped(await client.list_resource_templates())
    return as_json(seen, _VARYING_MEMBERS)


def _dumped(model: Any) -> Any:
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)
