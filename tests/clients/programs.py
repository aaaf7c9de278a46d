"""The clients, each run once beside a stand-in for its model, in a home folder of its own.

Their entries for servers are those that `qm connect` writes.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from quartermaster.clients.editing import with_entry
from quartermaster.clients.known import CLIENTS
from tests.clients.packages import PACKAGES, installed, path_of_node
from tests.clients.stand_in import Script, StandIn, stand_in
from tests.clients.wires import Call

# A batch of hundreds of searches takes a minute.
_LONGEST_S: Final = 900.0
_KEY: Final = "stand-in"
# Nobody is asked, and nothing is reported.
_QUIET: Final = {
    "CI": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "NO_PROXY": "127.0.0.1",
    "TERM": "dumb",
}


@dataclass(frozen=True)
class Address:
    """A server that a client connects to.

    Attributes:
        url: of its MCP endpoint.
        headers: of each request.
        is_ours: whether it is Quartermaster, and has the entry that `qm connect` writes.
    """

    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    is_ours: bool = False


@dataclass(frozen=True, eq=False)
class Program:
    """A client from npm.

    Attributes:
        name: its name in `CLIENTS`.
        package: its key in `PACKAGES`.
        file: its configuration, in the home folder.
        arguments: of one session without a person.
        settings: the configuration to begin with; `MODEL` stands for the address of the model.
        environment: further variables; `MODEL` and `HOME` stand for the address of the model and
            the home folder.
        prefix: what it puts before the name of a tool of the server `SERVER`.
        search: makes the calls of its own search for a goal; None if it has no search.
        loading: makes the call that loads a tool by its name; None if nothing has to be loaded.
    """

    name: str
    package: str
    file: str
    arguments: tuple[str, ...]
    settings: str
    environment: Mapping[str, str]
    prefix: str
    search: Callable[[str], list[Call]] | None
    loading: Callable[[str], Call] | None

    @property
    def version(self) -> str:
        """The version of the package."""
        return PACKAGES[self.package].rpartition("@")[2]

    def configured(self, servers: Mapping[str, Address], model: str) -> str:
        """Returns the text of its configuration."""
        known = CLIENTS[self.name]
        text = self.settings.replace("MODEL", model)
        for server, address in servers.items():
            entry = known.remote(server, address.url, address.headers)
            if not address.is_ours:
                entry = {key: value for key, value in entry.items() if key not in known.more}
            place = (*known.keys[0], server)
            text = with_entry(text, known.format, place, entry, Path(self.file))
        return text

    def call(self, server: str, tool: str, arguments: dict[str, Any]) -> Call:
        """Returns a call of a tool of a server."""
        prefix = self.prefix.replace("SERVER", server)
        if self.name == "codex":
            return Call(tool, arguments, namespace=prefix)
        return Call(prefix + tool, arguments)

    def load(self, server: str, tool: str) -> list[Call]:
        """Returns the call that loads a tool which the model sees by its name only."""
        return [self.loading(self.call(server, tool, {}).name)] if self.loading else []

    def run(self, servers: Mapping[str, Address], script: Script) -> StandIn:
        """Runs a session to its end; returns what the model saw.

        Args:
            servers: the servers that it knows, by name.
            script: what the model does.

        Raises:
            AssertionError: with what the client wrote, if it failed.
        """
        with tempfile.TemporaryDirectory(prefix="qm-client-") as home, stand_in(script) as model:
            file = Path(home, self.file)
            file.parent.mkdir(exist_ok=True)
            file.write_text(self.configured(servers, model.url), encoding="utf-8")
            project = Path(home, "project")
            project.mkdir()
            own = {
                key: value.replace("MODEL", model.url).replace("HOME", home)
                for key, value in self.environment.items()
            }
            done = subprocess.run(
                [installed(self.package), *self.arguments],
                env={"HOME": home, "PATH": path_of_node(), **_QUIET, **own},
                cwd=project,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=_LONGEST_S,
            )
            said = f"{self.name}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
            if done.returncode != 0 or not model.offers:
                raise AssertionError(said)
            return model


_PROMPT: Final = "Do what has to be done."


def _search_of_claude_code(goal: str) -> list[Call]:
    # More than five, since its own tools are among them.
    return [Call("ToolSearch", {"query": goal, "max_results": 12})]


def _search_of_codex(goal: str) -> list[Call]:
    # It answers by server, not by rank, so the first and the best five are asked for apart.
    return [
        Call("tool_search", {"query": goal, "limit": limit}, is_search=True) for limit in (1, 5)
    ]


def _loading_of_claude_code(name: str) -> Call:
    return Call("ToolSearch", {"query": f"select:{name}", "max_results": 1})


def _loading_of_codex(name: str) -> Call:
    return Call("tool_search", {"query": name}, is_search=True)


CLAUDE_CODE: Final = Program(
    name="claude-code",
    package="claude",
    file="claude/.claude.json",
    arguments=("-p", _PROMPT, "--output-format", "json", "--dangerously-skip-permissions"),
    settings="{}",
    environment={
        "ANTHROPIC_API_KEY": _KEY,
        "ANTHROPIC_BASE_URL": "MODEL",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CONFIG_DIR": "HOME/claude",
        "DISABLE_AUTO_COMPACT": "1",
        # It is the default beside its own provider only.
        "ENABLE_TOOL_SEARCH": "true",
        # The tests may run as root.
        "IS_SANDBOX": "1",
        "MAX_MCP_OUTPUT_TOKENS": "200000",
    },
    prefix="mcp__SERVER__",
    search=_search_of_claude_code,
    loading=_loading_of_claude_code,
)
CODEX: Final = Program(
    name="codex",
    package="codex",
    file="codex/config.toml",
    arguments=("exec", "--skip-git-repo-check", "--json", _PROMPT),
    settings="""model = "gpt-5.5"
model_provider = "stand-in"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.stand-in]
name = "stand-in"
base_url = "MODEL/v1"
env_key = "STAND_IN_KEY"
wire_api = "responses"
""",
    environment={"CODEX_HOME": "HOME/codex", "STAND_IN_KEY": _KEY},
    prefix="mcp__SERVER",
    search=_search_of_codex,
    loading=_loading_of_codex,
)
GEMINI: Final = Program(
    name="gemini",
    package="gemini",
    file=".gemini/settings.json",
    arguments=("-p", _PROMPT, "--yolo", "--skip-trust", "-o", "json", "-m", "gemini-2.5-pro"),
    settings=json.dumps(
        {
            "general": {"enableAutoUpdate": False},
            "model": {"maxSessionTurns": -1},
            "privacy": {"usageStatisticsEnabled": False},
            "security": {"auth": {"selectedType": "gemini-api-key"}},
        }
    ),
    environment={"GEMINI_API_KEY": _KEY, "GOOGLE_GEMINI_BASE_URL": "MODEL"},
    prefix="mcp_SERVER_",
    search=None,
    loading=None,
)
PROGRAMS: Final[Sequence[Program]] = (CLAUDE_CODE, CODEX, GEMINI)
