"""The short help that ``qm --help`` shows for each command of the core. Importing all commands for
their help would take 0.7 s.

A test compares these texts with the help of the commands.
"""

from __future__ import annotations

from typing import Final

SHORT_HELP: Final = {
    "up": "Start the database and all servers, and serve until Ctrl-C is pressed.",
    "connect": "Connect a client, such as Claude Code, Cursor, VS Code or Codex.",
    "import": "Import servers from a client, or servers or tools from a file.",
    "search": "Find the tools for a goal.",
    "describe": "Show the complete definition of a tool, with its arguments.",
    "call": "Call a tool through the running Quartermaster.",
    "status": (
        "Show versions, servers, tools, work in progress, and principals with waiting requests."
    ),
    "version": (
        "Show the version; also those of the schema and of PostgreSQL if Quartermaster runs."
    ),
    "install": "Install or update the schema.",
    "uninstall": (
        "Take Quartermaster out of a database, and give back the rights that the installation took."
    ),
    "doctor": (
        "Check the database, the models and the running service, and show how to fix problems."
    ),
    "psql": "Open psql on the database; all further arguments are passed to psql.",
    "dsn": "Print the connection string of the database, for other programs.",
    "reference": "Print the reference for the api functions as Markdown.",
    "bundle": (
        "Print a psql script that installs Quartermaster in a database. The script also "
        "installs your own kinds of cards, if the setting kinds.folders names their "
        "folders."
    ),
    "stdio": "Serve MCP on standard input and output.",
    "origin": "Manage the servers that tools come from.",
    "tool": "Review tools: approve, quarantine, scan, probe.",
    "asset": "Review the resources, prompts and instructions of servers.",
    "toolset": "Manage toolsets: addresses /mcp/NAME that offer a few chosen tools.",
    "card": (
        "Search and review everything that searches can find: tools, prompts, decisions and "
        "other cards."
    ),
    "kind": "List the kinds of card, and remove your own.",
    "secret": "Manage the credentials for servers. Their values are never shown.",
    "principal": "Manage the people, agents and services that may use Quartermaster.",
    "organisation": "Manage the organisations to which principals belong.",
    "key": "Manage the bearer keys of principals.",
    "policy": "Manage the rules that say who may use which tools.",
    "audit": "Read and verify the records of all changes to rights.",
    "project": "Manage projects: code bases with their decisions, findings and members.",
    "stats": "Show statistics on calls, selections and lookups.",
    "receipts": "Show the receipts (records) of searches: what was asked, offered and called.",
    "eval": "Measure and improve search quality, using queries with known answers.",
    "model": "Manage the embedding models.",
    "snapshot": "Create, compare and restore snapshots of the catalog.",
    "job": "Manage the scheduled jobs.",
}
"""The first paragraph of the help of each command."""
