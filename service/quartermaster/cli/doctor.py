"""``qm doctor``: checks the database and the models, and says how to fix problems."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from quartermaster import api
from quartermaster.cli.command import Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import err, say_problem
from quartermaster.cli.session import Row
from quartermaster.cli.shares import crowded
from quartermaster.cli.waiting import problem_of

if TYPE_CHECKING:
    from quartermaster.install.doctor import Diagnosis
    from quartermaster.models.trial import ModelTrial

_CAPABILITIES: Final = (
    ("capability", "name"),
    "state",
    "version",
    "used_for",
)
_RUNGS: Final = (("sandbox", "rung"), ("works", "works"), ("what it said", "said"))
_MODELS: Final = (
    ("model for", "use"),
    "provider",
    ("name", "model"),
    ("runs on", "device"),
    ("ms per text", "milliseconds"),
)

noun = Noun()


@noun.verb()
def doctor_command(qm: Qm) -> Row:
    """Check the database, the models and the running service, and show how to fix problems.

    Exits with status 1 if a problem was found.
    """
    from quartermaster.cli.own_user import RUNS_AS_ROOT, why_root
    from quartermaster.cli.served import ask
    from quartermaster.core.paths import RunFile
    from quartermaster.install.doctor import diagnose
    from quartermaster.install.kind_folders import configured_folders
    from quartermaster.models.trial import try_models
    from quartermaster.secrets.credentials import ServiceCredentials
    from quartermaster.upstream.confinement import confinement

    with err.status("checking the database and the models"):
        # The password of the service is not tried for a database that --dsn names.
        is_own = qm.dsn is None and qm.settings().database.service_dsn is None
        password = ServiceCredentials(qm.folder).find("qm_service") if is_own else None
        diagnosis = diagnose(qm.target, configured_folders(qm.data_dir), password)
        models = try_models(qm.settings(), *qm.model_places())
    run = RunFile.read(qm.folder)
    served = ask(run) if run is not None and run.is_alive() else None
    problems = [*diagnosis.problems, *([served.problem] if served and served.problem else [])]
    if not problems:
        problems += [*_missing_programs(qm), *_plain_secrets(qm)]
    confined = confinement()
    _tell_database(qm, diagnosis)
    _tell_models(qm, models)
    rungs = [tried.as_dict() for tried in confined.tried]
    qm.table(rungs, _RUNGS)
    qm.say(confined.describe())
    root = why_root(qm.folder)
    if root:
        qm.say(f"{RUNS_AS_ROOT} {root}")
    waiting = crowded(qm)
    _tell_waiting(qm, waiting)
    if served and served.certificate_until:
        qm.say(f"The certificate for {served.url} is valid until {served.certificate_until}.")
    for problem in [] if qm.json else problems:
        say_problem(problem)
    if not problems:
        qm.say("All required components are installed.")
    qm.failed = bool(problems)
    found: dict[str, Any] = {
        "problems": problems,
        "models": [each.as_dict() for each in models],
        "confinement": confined.as_dict() | {"rungs": rungs},
        "runs_as_root": root,
        "service": served and served.as_dict(),
        "waiting": waiting,
    }
    return diagnosis.as_dict() | found


def _missing_programs(qm: Qm) -> list[str]:
    """Returns a sentence for each server whose program was not found. The sentence says what to
    install.
    """
    missing = [
        row for row in qm.read(api.list_origins()) if row["failure_class"] == "command_not_found"
    ]
    return [
        f"{row['name']}: {problem_of(row)} To try again: qm origin refresh"
        f" {shlex.quote(row['name'])}."
        for row in missing
    ]


def _plain_secrets(qm: Qm) -> list[str]:
    from quartermaster.cli.secret import plain_secrets

    names = [found.arguments["name"] for found in plain_secrets(qm)]
    if not names:
        return []
    return [
        f"Secrets stand in plain text in the arguments or the URLs of {', '.join(names)}. Move them"
        " to the secret store with: qm secret extract"
    ]


def _tell_database(qm: Qm, diagnosis: Diagnosis) -> None:
    installed = diagnosis.installed or "not installed"
    qm.say(f"PostgreSQL {diagnosis.server}, Quartermaster {installed}")
    qm.table(diagnosis.capabilities, _CAPABILITIES)
    for row in diagnosis.capabilities:
        if row["state"] != "ok":
            qm.say(f"{row['name']}: {row['reason']}. Instead: {row['stand_in']}.")
    if diagnosis.limits:
        message = ", ".join(f"{name} {value}" for name, value in diagnosis.limits.items())
        qm.say(f"Limits for the sessions of a psql login: {message}. docs/doors.md explains them.")


def _tell_waiting(qm: Qm, waiting: Sequence[Row]) -> None:
    for row in waiting:
        qm.say(
            f"{row['principal']}: {row['waiting']} {row['queue']} are waiting, and"
            f" {row['refused']} were refused. docs/shares.md explains what each principal may use."
        )


def _tell_models(qm: Qm, models: list[ModelTrial]) -> None:
    qm.table([vars(each) for each in models], _MODELS)
    for each in models:
        if each.problem:
            # In a table, a narrow terminal would cut off what to do.
            qm.say(f"{each.use}: {each.problem}")
