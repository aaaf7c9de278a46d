"""Names and schemas of the quality tools. Later versions may add members, but must not rename or
remove any.
"""

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


def _text(description: str, **more: object) -> Schema:
    return {"type": "string", **more, "description": description}


def _flag(description: str) -> Schema:
    return {"type": "boolean", "description": description}


def _each(schema: Schema, names: str) -> Schema:
    """Maps each of the given member names to the same schema."""
    return dict.fromkeys(names.split(), schema)


_TEXT: Final[Schema] = {"type": "string"}
_NUMBER: Final[Schema] = {"type": "number"}
_FLAG: Final[Schema] = {"type": "boolean"}
_LIST: Final[Schema] = {"type": "array"}
_OBJECT: Final[Schema] = {"type": "object"}
_MAYBE_NUMBER: Final[Schema] = {"type": ["number", "null"]}
_MAYBE_TEXT: Final[Schema] = {"type": ["string", "null"]}
_MAYBE_FLAG: Final[Schema] = {"type": ["boolean", "null"]}
_COMMON_ARGUMENTS: Final[Schema] = {
    "project": _text(
        "Name of the project, or OWNER/NAME. Default: the project of the session, or your "
        "only project."
    ),
    "session": _text("Session from tapps_server_info. Default: your last one within 24 hours."),
}
_FILE: Final[Schema] = _text("Path of the file: absolute, or relative to the project's root.")
# Members of every answer. Null without a project: if there is none, or several and none was named.
_ANSWER_MEMBERS: Final[Schema] = {
    "elapsed_ms": _NUMBER,
    "degraded": _FLAG,
    "session_id": _MAYBE_TEXT,
}


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
            "properties": takes | _COMMON_ARGUMENTS,
            "required": required,
            "additionalProperties": False,
        },
        output_schema={
            "type": "object",
            "properties": returns | _ANSWER_MEMBERS,
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
    "Return the version, the quality tools, and the installed checkers with the files that each "
    "cannot check. Call this first: it also returns the session that the other tools take.",
    {},
    [],
    {
        **_each(_TEXT, "version protocol_version"),
        **_each(_LIST, "protocol_versions tools_available"),
        **_each(_OBJECT, "external_tools config"),
        "project": _MAYBE_TEXT,
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
        "quick": _flag(
            "Run only ruff, which is fast enough to check after every edit (default: false)."
        ),
        "fix": _flag("Let ruff apply safe fixes; needs quick (default: false). Returns the diff."),
    },
    ["file_path"],
    {
        **_each(_TEXT, "file_path blob_hash"),
        "overall": _MAYBE_NUMBER,
        "categories": _OBJECT,
        **_each(
            _LIST, "ruff_issues mypy_errors bandit_findings findings losses missing suppressions"
        ),
        "tool_versions": _OBJECT,
        "fixes_applied": _NUMBER,
        **_each(_TEXT, "diff hash_before hash_after"),
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
        "scan_secrets": _flag("Also look for secrets in the file (default: true)."),
    },
    ["file_path"],
    {
        **_each(_TEXT, "file_path blob_hash status"),
        **_each(_LIST, "findings hints suppressions"),
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
        "preset": _text(
            "standard (70 overall, security 7, coverage 75 %; the default), strict (80, 8, 80 %) "
            "or framework (75, 8.5, 75 %).",
            enum=PRESETS,
        ),
        "new_code": _flag("Judge only code that is new since a commit (default: false)."),
        "base": _text(
            "The commit, branch or tag with which new code is compared (default: "
            "the last commit); needs new_code."
        ),
    },
    ["file_path"],
    {
        **_each(_TEXT, "file_path blob_hash preset"),
        "passed": _MAYBE_FLAG,
        **_each(_MAYBE_NUMBER, "score threshold"),
        **_each(_LIST, "failures warnings"),
        "recommendation": _TEXT,
        **_each(_LIST, "findings suppressions"),
        "finding_count": _NUMBER,
        "only_secrets": _FLAG,
    },
)
CHECKLIST: Final = _tool(
    "tapps_checklist",
    "Check which recommended tools were not used in this session, or saw an older version "
    "of a file. Call this before you say that the work is done.",
    {
        "task_type": _text(
            "Type of the task. The recommended tools depend on it. Default: general.",
            enum=TASK_TYPES,
        )
    },
    [],
    {"project": _TEXT, "passed": _FLAG, **_each(_LIST, "called missing optional_missing")},
)
SESSION_NOTES: Final = _tool(
    "tapps_session_notes",
    "Save and retrieve notes of this session: decisions and constraints that must not be forgotten "
    "in a long session.",
    {
        "action": {"type": "string", "enum": ["save", "get", "list", "clear"]},
        "key": _text('Key of the note. With the action "clear" and no key, all notes are deleted.'),
        "value": _text('Text of the note; only for the action "save".'),
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
        "config_type": _text(
            "Kind of the file (default: auto, by its name).",
            enum=["dockerfile", "docker-compose", "auto"],
        ),
    },
    ["file_path"],
    {
        **_each(_TEXT, "file_path blob_hash config_type"),
        "valid": _FLAG,
        **_each(_LIST, "findings missing"),
    },
)
PROJECT_PROFILE: Final = _tool(
    "tapps_project_profile",
    "Detect what a project uses: languages, frameworks, tests, packages, CI, containers. Each fact "
    "names the file that proves it. Call this at the start of a task.",
    {"project_root": _text("Root folder (default: the root of the project).")},
    [],
    {
        "project": _TEXT,
        **_each(_LIST, "languages frameworks"),
        **_each(_MAYBE_TEXT, "test_framework package_manager"),
        **_each(_FLAG, "has_ci has_docker"),
        "deployment_type": _MAYBE_TEXT,
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
        "change_type": _text(
            "Type of the change (default: modified).", enum=["added", "modified", "removed"]
        ),
    },
    ["file_path"],
    {
        **_each(_TEXT, "file_path change_type"),
        **_each(_LIST, "affected_files affected_modules affected_tests decisions"),
        **_each(_LIST, "importers uses companions broken"),
    },
)
REPORT: Final = _tool(
    "tapps_report",
    "Report on the quality of a file or of the whole project, from the stored scans.",
    {
        "file_path": _text("File to report on (default: the whole project)."),
        "format": _text(
            "Format of the report (default: json).", enum=["json", "markdown", "html", "sarif"]
        ),
    },
    [],
    {"project": _TEXT, "format": _TEXT, "report": {"type": ["string", "object"]}},
)
FEEDBACK: Final = _tool(
    "tapps_feedback",
    "Say whether an answer of a quality tool was useful. This changes no score and no gate.",
    {
        "tool": _text("Name of the tool."),
        "rating": {
            "type": "integer",
            "minimum": 1,
            "maximum": 10,
            "description": "Rating from 1 (useless) to 10 (very useful).",
        },
        "comment": _text("Why.", maxLength=4000),
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
    _each(_OBJECT, "tools checkers gates feedback"),
)
