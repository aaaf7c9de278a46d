"""Names and schemas of the quality tools. They only grow: nothing is renamed or removed."""

from __future__ import annotations

from typing import Any, Final

import mcp_types as types

Schema = dict[str, Any]

CATEGORIES: Final = [
    "complexity",
    "security",
    "maintainability",
    "test_coverage",
    "performance",
    "structure",
    "devex",
]
PRESETS: Final = ["standard", "strict", "framework"]
TASK_TYPES: Final = ["feature", "bugfix", "refactor", "config", "general"]

_TEXT: Final[Schema] = {"type": "string"}
_NUMBER: Final[Schema] = {"type": "number"}
_FLAG: Final[Schema] = {"type": "boolean"}
_LIST: Final[Schema] = {"type": "array"}
_OBJECT: Final[Schema] = {"type": "object"}
_MAYBE: Final[Schema] = {"type": ["number", "null"]}
_MAYBE_FLAG: Final[Schema] = {"type": ["boolean", "null"]}
_COMMON: Final[Schema] = {
    "project": {
        "type": "string",
        "description": (
            "Name of the project, or OWNER/NAME. Default: the project of the session, or your "
            "only project."
        ),
    },
    "session": {
        "type": "string",
        "description": "Session from tapps_server_info. Default: your last one within 24 hours.",
    },
}
_FILE: Final[Schema] = {
    "type": "string",
    "description": "Path of the file, below the project's root or absolute.",
}
# Null without a project: if there is none, or several and none was named.
_NAME: Final[Schema] = {"type": ["string", "null"]}
# Members of every answer.
_ALWAYS: Final[Schema] = {"elapsed_ms": _NUMBER, "degraded": _FLAG, "session_id": _NAME}


def _tool(
    name: str,
    description: str,
    takes: Schema,
    required: list[str],
    returns: Schema,
    *,
    writes: bool = False,
) -> types.Tool:
    return types.Tool(
        name=name,
        description=description,
        input_schema={
            "type": "object",
            "properties": takes | _COMMON,
            "required": required,
            "additionalProperties": False,
        },
        output_schema={
            "type": "object",
            "properties": returns | _ALWAYS,
            "required": ["elapsed_ms"],
        },
        annotations=types.ToolAnnotations(
            read_only_hint=not writes,
            destructive_hint=False,
            idempotent_hint=not writes,
            open_world_hint=False,
        ),
    )


SERVER_INFO: Final = _tool(
    "tapps_server_info",
    "Return the version, the quality tools, and the checkers that are installed, with what they "
    "cannot read. Call this at the start of a session: it returns the session for the other tools.",
    {},
    [],
    {
        "version": _TEXT,
        "protocol_version": _TEXT,
        "protocol_versions": _LIST,
        "tools_available": _LIST,
        "external_tools": _OBJECT,
        "config": _OBJECT,
        "project": _NAME,
    },
)
SCORE_FILE: Final = _tool(
    "tapps_score_file",
    "Score the quality of a file with static analysis: seven categories from 0 (worst) to "
    "10 (best), and 0 to 100 overall. Every lost point is explained. Call this after you "
    "have written or changed code.",
    {
        "file_path": _FILE,
        "categories": {
            "type": "array",
            "items": {"type": "string", "enum": CATEGORIES},
            "description": "Categories to return (default: all).",
        },
        "quick": {
            "type": "boolean",
            "description": (
                "Run only ruff, which is fast enough to check after every edit (default: false)."
            ),
        },
        "fix": {
            "type": "boolean",
            "description": "Let ruff apply safe fixes; needs quick (default: false). Returns the "
            "diff.",
        },
    },
    ["file_path"],
    {
        "file_path": _TEXT,
        "blob_hash": _TEXT,
        "overall": _MAYBE,
        "categories": _OBJECT,
        "ruff_issues": _LIST,
        "mypy_errors": _LIST,
        "bandit_findings": _LIST,
        "findings": _LIST,
        "losses": _LIST,
        "missing": _LIST,
        "tool_versions": _OBJECT,
        "fixes_applied": _NUMBER,
        "diff": _TEXT,
        "hash_before": _TEXT,
        "hash_after": _TEXT,
    },
    writes=True,
)
SECURITY_SCAN: Final = _tool(
    "tapps_security_scan",
    "Scan a file for security weaknesses: a taint pass that follows data from their source to "
    "dangerous calls, bandit, ruff, and secrets. Findings name their CWE and OWASP class, and what "
    "would make the code safe.",
    {
        "file_path": _FILE,
        "scan_secrets": {
            "type": "boolean",
            "description": "Also look for secrets in the file (default: true).",
        },
    },
    ["file_path"],
    {
        "file_path": _TEXT,
        "blob_hash": _TEXT,
        "status": _TEXT,
        "findings": _LIST,
        "hints": _LIST,
        "by_owasp": _OBJECT,
        "missing": _LIST,
    },
)
QUALITY_GATE: Final = _tool(
    "tapps_quality_gate",
    "Check whether a file passes a quality gate. Code that no checker has read never "
    "passes. Work is not done before the file passes. If no checker reads the language, "
    "the member passed is null: then a person should read the file.",
    {
        "file_path": _FILE,
        "preset": {
            "type": "string",
            "enum": PRESETS,
            "description": "standard (70 overall, security 7, coverage 75 %; the default), strict "
            "(80, 8, 80 %) or framework (75, 8.5, 75 %).",
        },
        "new_code": {
            "type": "boolean",
            "description": "Judge only code that is new since a commit (default: false).",
        },
        "base": {
            "type": "string",
            "description": "The commit, branch or tag with which new code is compared (default: "
            "the last commit); needs new_code.",
        },
    },
    ["file_path"],
    {
        "file_path": _TEXT,
        "blob_hash": _TEXT,
        "preset": _TEXT,
        "passed": _MAYBE_FLAG,
        "score": _MAYBE,
        "threshold": _MAYBE,
        "failures": _LIST,
        "warnings": _LIST,
        "recommendation": _TEXT,
        "findings": _LIST,
        "finding_count": _NUMBER,
        "only_secrets": _FLAG,
    },
)
CHECKLIST: Final = _tool(
    "tapps_checklist",
    "Check which recommended tools were not used in this session, or saw an older version "
    "of a file. Call this before you say that the work is done.",
    {
        "task_type": {
            "type": "string",
            "enum": TASK_TYPES,
            "description": (
                "Type of the task. The recommended tools depend on it. Default: general."
            ),
        }
    },
    [],
    {"passed": _FLAG, "called": _LIST, "missing": _LIST, "optional_missing": _LIST},
)
SESSION_NOTES: Final = _tool(
    "tapps_session_notes",
    "Save and retrieve notes of this session: decisions and constraints that must not be forgotten "
    "in a long session.",
    {
        "action": {"type": "string", "enum": ["save", "get", "list", "clear"]},
        "key": {
            "type": "string",
            "description": (
                'Key of the note. With the action "clear" and no key, all notes are deleted.'
            ),
        },
        "value": {"type": "string", "description": 'Text of the note; only for the action "save".'},
    },
    ["action"],
    {"notes": _OBJECT, "note_count": _NUMBER, "session_started": _TEXT},
    writes=True,
)
VALIDATE_CONFIG: Final = _tool(
    "tapps_validate_config",
    "Validate a configuration file for security and good practice: a Dockerfile or a Compose file, "
    "together with the files that it names.",
    {
        "file_path": _FILE,
        "config_type": {
            "type": "string",
            "enum": ["dockerfile", "docker-compose", "auto"],
            "description": "Kind of the file (default: auto, by its name).",
        },
    },
    ["file_path"],
    {
        "file_path": _TEXT,
        "blob_hash": _TEXT,
        "config_type": _TEXT,
        "valid": _FLAG,
        "findings": _LIST,
        "missing": _LIST,
    },
)
PROJECT_PROFILE: Final = _tool(
    "tapps_project_profile",
    "Detect what a project uses: languages, frameworks, tests, packages, CI, containers. Each fact "
    "names the file that proves it. Call this at the start of a task.",
    {
        "project_root": {
            "type": "string",
            "description": "Root folder (default: the root of the project).",
        }
    },
    [],
    {
        "languages": _LIST,
        "frameworks": _LIST,
        "test_framework": {"type": ["string", "null"]},
        "package_manager": {"type": ["string", "null"]},
        "has_ci": _FLAG,
        "has_docker": _FLAG,
        "deployment_type": {"type": ["string", "null"]},
        "security_level": _TEXT,
        "quality_config": _OBJECT,
        "facts": _LIST,
    },
)
IMPACT_ANALYSIS: Final = _tool(
    "tapps_impact_analysis",
    "Analyse which files, modules and tests a change of a file affects. Call this before "
    "you change something that other code uses.",
    {
        "file_path": _FILE,
        "change_type": {
            "type": "string",
            "enum": ["added", "modified", "removed"],
            "description": "Type of the change (default: modified).",
        },
    },
    ["file_path"],
    {
        "file_path": _TEXT,
        "change_type": _TEXT,
        "affected_files": _LIST,
        "affected_modules": _LIST,
        "affected_tests": _LIST,
        "decisions": _LIST,
        "importers": _LIST,
        "uses": _LIST,
        "companions": _LIST,
        "broken": _LIST,
    },
)
REPORT: Final = _tool(
    "tapps_report",
    "Report on the quality of a file or of the whole project, from the stored scans.",
    {
        "file_path": {**_FILE, "description": "File to report on (default: the whole project)."},
        "format": {
            "type": "string",
            "enum": ["json", "markdown", "html", "sarif"],
            "description": "Format of the report (default: json).",
        },
    },
    [],
    {"format": _TEXT, "report": {"type": ["string", "object"]}},
)
FEEDBACK: Final = _tool(
    "tapps_feedback",
    "Say whether an answer of a quality tool was useful. This changes no score and no gate.",
    {
        "tool": {"type": "string", "description": "Name of the tool."},
        "rating": {
            "type": "integer",
            "minimum": 1,
            "maximum": 10,
            "description": "Rating from 1 (useless) to 10 (very useful).",
        },
        "comment": {"type": "string", "maxLength": 4000, "description": "Why."},
    },
    ["tool", "rating"],
    {"recorded": _FLAG},
    writes=True,
)
STATS: Final = _tool(
    "tapps_stats",
    "Count how often the quality tools of this project were used, how long they took, and how "
    "often gates passed.",
    {},
    [],
    {"tools": _OBJECT, "checkers": _OBJECT, "gates": _OBJECT, "feedback": _OBJECT},
)
