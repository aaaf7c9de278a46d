"""How well our rules agree with the cases of checkov's tests, and with Compose files read by hand.

``python -m lab.comparisons.dockerfiles FOLDER``, in which each git repository stands as
``owner+name/repo``. Each Dockerfile of checkov's tests belongs to one check of checkov and says by
its folder whether the check has to fail. Only the rule of ours that looks for the same is counted.
The problems of the Compose files are listed by line in ``compose_labels.toml``.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from rich.console import Console

from quartermaster_quality.config import compose, compose_rules
from quartermaster_quality.config.dockerfile import parse
from quartermaster_quality.config.dockerfile_rules import findings

CONSOLE = Console(markup=False, highlight=False, soft_wrap=True)
CERTIFICATE = "docker-no-certificate-check"
# checkov's check: our rules that look for the same.
RULES: dict[str, tuple[str, ...]] = {
    "AddExists": ("docker-add-instead-of-copy", "docker-add-url"),
    "AliasIsUnique": ("docker-stage-twice",),
    "ExposePort22": ("docker-expose-ssh",),
    "HealthcheckExists": ("docker-no-healthcheck",),
    "ReferenceLatestTag": ("docker-latest-tag",),
    "MaintainerExists": ("docker-maintainer",),
    "RootUser": ("docker-root-user",),
    "UserExists": ("docker-no-user", "docker-root-user"),
    "RunUsingAPT": ("docker-apt",),
    "UpdateNotAlone": ("docker-update-alone",),
    "WorkdirIsAbsolute": ("docker-relative-workdir",),
    "RunChpasswd": ("docker-password-set",),
    "RunUsingSudo": ("docker-sudo",),
}
LABELS = Path(__file__).parent / "compose_labels.toml"
# Class of a label: our rules that look for it.
COMPOSE_RULES: dict[str, set[str]] = {
    "secret": {"compose-secret-in-environment", "compose-secret-in-command"},
    "tag": {"compose-latest-tag"},
    "port": {"compose-open-port"},
    "rights": {
        *("compose-privileged", "compose-cap-add", "compose-unconfined", "compose-root-user"),
        *("compose-host-network", "compose-host-namespace", "compose-device"),
        *("compose-docker-socket", "compose-host-folder"),
    },
    "login": {"compose-no-login"},
}
_FOLDER = re.compile(r"/(?:example_(?P<old>\w+)|resources/(?P<new>[A-Z]\w+))/(?P<verdict>\w+)/")


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m lab.comparisons.dockerfiles")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    dockerfiles(folder / "bridgecrewio+checkov" / "repo")
    labels = tomllib.loads(LABELS.read_text(encoding="utf-8"))
    compose_files("read before the rules were finished", labels["file"], folder)
    compose_files("drawn and read afterwards", labels["second"], folder)


def dockerfiles(folder: Path) -> None:
    """Compares the Dockerfiles."""
    counts: Counter[tuple[str, str]] = Counter()
    for path in _git(folder, "ls-tree", "-r", "--name-only", "HEAD", "tests/dockerfile").split():
        match = _FOLDER.search(path)
        if match is None or "ockerfile" not in path.rpartition("/")[2]:
            continue
        check = match["old"] or match["new"]
        text = _git(folder, "show", f"HEAD:{path}")
        fired = {finding.rule for finding in findings(parse(text))}
        is_hit = not fired.isdisjoint(RULES.get(check, (CERTIFICATE,)))
        is_bad = match["verdict"].startswith("fail")
        counts[check, {(1, 1): "tp", (1, 0): "fn", (0, 1): "fp", (0, 0): "tn"}[is_bad, is_hit]] += 1
        if is_bad != is_hit:
            CONSOLE.print(f"  {'missed' if is_bad else 'wrong'}: {path} {sorted(fired)}")
    total: Counter[str] = Counter()
    for check in sorted({check for check, _ in counts}):
        own = {kind: counts[check, kind] for kind in ("tp", "fn", "fp", "tn")}
        total.update(own)
        CONSOLE.print(f"{check:30} {own}")
    precision = total["tp"] / max(1, total["tp"] + total["fp"])
    recall = total["tp"] / max(1, total["tp"] + total["fn"])
    CONSOLE.print(
        f"{total.total()} Dockerfiles: precision {precision:.3f}, recall {recall:.3f}, of passing "
        f"files alarmed {total['fp'] / max(1, total['fp'] + total['tn']):.3f}"
    )


def compose_files(title: str, labels: list[dict[str, Any]], folder: Path) -> None:
    """Compares the Compose files: a problem is found if a rule of its class names its line."""
    counts: Counter[tuple[str, str]] = Counter()
    for label in labels:
        repository = folder / label["repository"].replace("/", "+") / "repo"
        text = _git(repository, "show", f"HEAD:{label['path']}")
        wanted = {tuple(problem.split()) for problem in label["problems"]}
        fired = {
            (str(finding.line), kind)
            for finding in compose_rules.findings(compose.parse(text))
            for kind, rules in COMPOSE_RULES.items()
            if finding.rule in rules
        }
        for kind in COMPOSE_RULES:
            one, other = ({p for p in found if p[1] == kind} for found in (wanted, fired))
            counts[kind, "tp"] += len(one & other)
            counts[kind, "fn"] += len(one - other)
            counts[kind, "fp"] += len(other - one)
        for line, kind in sorted(wanted ^ fired):
            verdict = "missed" if (line, kind) in wanted else "wrong"
            CONSOLE.print(f"  {verdict}: {label['repository']} {label['path']} {line} {kind}")
    for kind in COMPOSE_RULES:
        CONSOLE.print(f"{kind:30} {_shares(*(counts[kind, k] for k in ('tp', 'fp', 'fn')))}")
    total = [sum(counts[kind, k] for kind in COMPOSE_RULES) for k in ("tp", "fp", "fn")]
    CONSOLE.print(f"{len(labels)} Compose files, {title}: {_shares(*total)}")


def _shares(right: int, wrong: int, missed: int) -> str:
    precision, recall = right / max(1, right + wrong), right / max(1, right + missed)
    return f"precision {precision:.3f}, recall {recall:.3f}, of {right + missed} problems"


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
