"""An ingest that is killed at any point goes on, and a large repository fits into little memory."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from quartermaster.cli import project
from quartermaster_decisions import mining_cli
from tests.support.database import Database
from tests.support.generated_repository import generate
from tests.support.lots import lots
from tests.support.views_repository import make_views

# For each number that it reads, a fork kills itself before or after that one of everything that is
# written, to the file or the database. It answers with the exit status: to start Python for each
# would be most of the work.
FORKING = """
import os, signal, sys, traceback
from pathlib import Path
from quartermaster.cli.session import AdminSession
from quartermaster_decisions import file_cache, ingest, mining_cli

out = os.dup(1)
os.dup2(2, 1)
root, data, dsn = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
last = written = 0
# Imports what an ingest imports when it runs.
mining_cli.ingest_command(root, dry_run=True, json=True, data_dir=data.with_name("warm"))

def counted(function):
    def call(*given, **more):
        global written
        for when in ("before", "after"):
            if written == last:
                os.kill(os.getpid(), signal.SIGKILL)
            written += 1
            if when == "before":
                result = function(*given, **more)
        return result
    return call

ingest._BATCH = 20
file_cache.FileCache.put = counted(file_cache.FileCache.put)
mining_cli._AT_ONCE = 1
AdminSession.call = counted(AdminSession.call)

def run():
    try:
        mining_cli.ingest_command(root, json=True, data_dir=data, dsn=dsn)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)

for line in sys.stdin:
    last = int(line)
    pid = os.fork() or run()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.write(out, f"{status}\\n".encode())
"""


@pytest.mark.slow
def test_an_ingest_that_was_killed_at_any_point_goes_on(
    database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    root = make_views(tmp_path / "shop")
    mining_cli.ingest_command(root, dry_run=True, json=True, data_dir=tmp_path / "other")
    wanted = {row["pattern"] for row in json.loads(capsys.readouterr().out)["candidates"]}
    assert len(wanted) >= 2
    project.add_command(root, dsn=database.dsn)
    capsys.readouterr()
    given = [str(root), str(tmp_path / "data"), database.dsn]
    with subprocess.Popen(
        [sys.executable, "-c", FORKING, *given],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as forking:
        assert forking.stdin
        assert forking.stdout
        counts: list[int] = []
        for last in range(200):
            forking.stdin.write(f"{last}\n")
            status = int(forking.stdout.readline())
            with database.connect() as connection:
                rows = connection.execute(
                    "select d.pattern, exists (select from decisions.evidence as e"
                    " where e.decision_id = d.id) from decisions.decision as d"
                ).fetchall()
            assert all(has_evidence for _, has_evidence in rows), "half of a decision was stored"
            counts.append(len(rows))
            if status == 0:
                break
            assert status == -signal.SIGKILL
        forking.stdin.close()
    assert counts == sorted(counts)
    assert counts[0] == 0
    assert len(set(counts)) > 2, "it was killed between two decisions, too"
    assert {str(pattern) for pattern, _ in rows} == wanted
    with database.connect() as connection:
        [[pieces, different]] = connection.execute(
            "select count(*),"
            " count(distinct (e.decision_id, e.kind, e.path, e.line, e.commit_hash))"
            " from decisions.evidence as e"
        ).fetchall()
    assert pieces == different, "evidence was stored twice"


@pytest.mark.slow
def test_a_large_repository_fits_into_little_memory(tmp_path: Path):
    """`make attack` reads ten thousand commits and five thousand files with less than 500 MB."""
    root, commits = tmp_path / "large", lots(2_000)
    generate(root, commits=commits, files=commits // 2)
    # Its own peak is that of /proc: the one of getrusage begins with the size of the process that
    # started it.
    measured = (
        "import re, resource, sys; from pathlib import Path;"
        "from quartermaster_decisions import mining_cli;"
        "mining_cli.ingest_command(Path(sys.argv[1]), dry_run=True, json=True,"
        " max_commits=int(sys.argv[3]), data_dir=Path(sys.argv[2]));"
        "own = int(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1]);"
        "children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss;"
        "print(max(own, children), file=sys.stderr)"
    )
    given = [str(root), str(tmp_path / "data"), str(commits)]
    done = subprocess.run(
        [sys.executable, "-c", measured, *given], capture_output=True, text=True, check=True
    )
    assert len(json.loads(done.stdout)["candidates"]) >= 5
    assert int(done.stderr.splitlines()[-1]) * 1024 < 100_000_000 + 40_000 * commits
