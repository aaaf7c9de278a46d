"""How well our own rules for Dockerfiles agree with the cases of checkov's tests.

``python -m tests.eval.dockerfiles GIT_FOLDER``, the git folder of a clone of checkov. Each case
belongs to one check of checkov and says by its folder whether the check has to fail. Only the rule
of ours that looks for the same is counted.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections import Counter
from pathlib import Path

from rich.console import Console

from quartermaster.quality.config.dockerfile import parse
from quartermaster.quality.config.dockerfile_rules import findings

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
_FOLDER = re.compile(r"/(?:example_(?P<old>\w+)|resources/(?P<new>[A-Z]\w+))/(?P<verdict>\w+)/")


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.eval.dockerfiles")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
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


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
