"""What is found in code: weaknesses, scores and verdicts, and candidates for decisions."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Final

from lab.bench.outputs.writing import Output, as_json, read_lines
from tests.support.forks import forked_qm
from tests.support.generated_repository import generate
from tests.support.instance import Instance, environment_of_commands, new_instance
from tests.support.upstreams import REPOSITORY
from tests.support.views_repository import git

HISTORY: Final = "fc39184431d09074dd6537038051965df4d27cb3"
"""The commit of this repository whose history is read, the same in all checkouts."""
PAIRS: Final = 2
"""How many pairs of twins of each class are scanned."""
# Times, and numbers of rows.
_VARYING_MEMBERS: Final = (
    r"session|session_id|finding|\w+_ms|(scanned|checked|seen|created|judged)_at"
)


def write_findings(output: Output) -> None:
    """Scans of twins, a file for each class; scores and verdicts of one file of each class."""
    with new_instance() as instance, tempfile.TemporaryDirectory(prefix="qm-outputs-") as place:
        output.tell("starting a service")
        _pin_fingerprints(instance)
        instance.start()
        root = Path(place).resolve() / "shop"
        classes = _make_project(root, output.data)
        assert instance.qm("project", "add", root).returncode == 0

        def ask(name: str, *words: str) -> None:
            output.tell(f"qm quality {' '.join(words[:2])}")
            output.write(f"findings/{name}.json", _answer(instance, root, "quality", *words))

        for cwe, names in classes.items():
            ask(f"scan/{cwe}", "scan", *names)
            ask(f"score/{cwe}", "score", names[0])
            ask(f"gate/{cwe}", "gate", names[0])
        ask("strict", "gate", "--preset", "strict", *classes["cases"])
        ask("config", "config", "heredoc.Dockerfile", "compose.yaml")
        ask("profile", "profile")
        for form in ("json", "markdown", "html", "sarif"):
            ask(f"report-{form}", "report", "--format", form)


def _pin_fingerprints(instance: Instance) -> None:
    """Fingerprints, on which waivers depend, are made with a key of the installation."""
    instance.data_dir.mkdir(mode=0o755)
    key = instance.data_dir / "credentials.json"
    key.touch(mode=0o600)
    key.write_text('{"quality": "the same in all checkouts"}\n')


def _make_project(root: Path, data: Path) -> dict[str, list[str]]:
    """Writes the twins and the cases; returns the files of each class."""
    shutil.copytree(data / "cases" / "code", root)
    classes: dict[str, list[str]] = {"cases": sorted(path.name for path in root.glob("*.py*"))}
    for row in read_lines(data / "quality" / "twins" / "twins.jsonl"):
        if int(row["pair"].rpartition("-")[2]) > PAIRS:
            continue
        name = f"twins/pair_{row['pair'].replace('-', '_')}_{row['twin']}.py"
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(row["code"], encoding="utf-8")
        classes.setdefault(f"cwe-{row['cwe']}", []).append(name)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Everything")
    return classes


def _answer(instance: Instance, root: Path, *words: str) -> str:
    # The exit status tells a verdict; an error is an answer, too.
    done = instance.qm(*words, "--json", cwd=root)
    report: Any = json.loads(done.stdout)
    return as_json({"status": done.returncode, "told": report}, _VARYING_MEMBERS).replace(
        str(root), "ROOT"
    )


def write_candidates(output: Output) -> None:
    """Candidates from the history of this repository and from a repository that a script makes."""
    with tempfile.TemporaryDirectory(prefix="qm-outputs-") as place:
        own, made = Path(place) / "own", Path(place) / "made"
        output.tell("copying this repository")
        git(REPOSITORY, "clone", "-q", "--no-local", "--no-checkout", str(REPOSITORY), str(own))
        git(own, "checkout", "-q", "-B", "main", HISTORY)
        generate(made, commits=300, files=120)
        environment = environment_of_commands() | {"QM_DATA_DIR": str(Path(place) / "data")}
        for root in (own, made):
            output.tell(f"reading {root.name}")
            asked = [*forked_qm(), "decisions", "ingest", str(root), "--dry-run", "--json"]
            done = subprocess.run(
                asked, env=environment, capture_output=True, text=True, check=True
            )
            output.write(f"candidates/{root.name}.json", as_json(json.loads(done.stdout)))
