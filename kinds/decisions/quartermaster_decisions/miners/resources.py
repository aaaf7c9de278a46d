"""Resources: only one place of the code base uses the environment, starts processes, sends mail or
similar.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from quartermaster_decisions.candidates import DecisionCandidate, Statistics
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import all_of, share

_MIN_CASES: Final = 5
_LEAST_SHARE: Final = 0.9
_LEAST_FILES: Final = 60
_RESOURCES: Final[dict[str, tuple[str, ...]]] = {
    "read environment variables": ("os.environ.get", "os.getenv", "os.environ.setdefault"),
    "start programs": (
        *all_of("subprocess", "run", "Popen", "check_output", "check_call", "call"),
        "os.system",
    ),
    "send HTTP requests": (
        *all_of("requests", "get", "post", "request", "Session"),
        *all_of("httpx", "get", "post", "Client", "AsyncClient"),
    ),
    "send mail": (
        *("smtplib.SMTP", "flask_mail.Message"),
        *all_of("django.core.mail", "send_mail", "EmailMessage", "EmailMultiAlternatives"),
    ),
    "hash passwords": ("passlib.hash.bcrypt_sha256.hash", "hashlib.pbkdf2_hmac"),
    "sign and verify tokens": ("jwt.encode", "jwt.decode"),
    "print": ("print",),
}


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each resource that almost only one file or folder uses."""
    files = list(signals.code.mined(tests=False))
    if len(files) < _LEAST_FILES:
        return
    for purpose, names in _RESOURCES.items():
        places: Counter[str] = Counter()
        used: Counter[str] = Counter()
        for facts in files:
            for call in facts.calls:
                name = signals.code.canonical(call.name)
                if name in names:
                    places[facts.path] += 1
                    used[call.name] += 1
                    used[name] += 1
        total = sum(places.values())
        if total < _MIN_CASES:
            continue
        folder, count = _best(places)
        if folder is None or "/" not in folder or count / total < _LEAST_SHARE:
            continue
        place = folder.removesuffix("/**")
        yield DecisionCandidate(
            pattern=f"{purpose[0].upper()}{purpose[1:]} (`{_usual(used)}`)"
            f" only in `{place}`; other code uses what is there.",
            check={
                "form": "written_only_through",
                "tests": False,
                "names": sorted({*names, *used}),
                "allowed": [folder],
            },
            rationale=f"{share(count, total, 'calls')} are there.",
            instead=f"`{_usual(used)}` in other modules",
            weight=1.3,
            topic=f"resource:{purpose}",
            keywords=purpose.split(),
            statistics=Statistics(total, count, len(places), 0.6),
        )


def _usual(used: Counter[str]) -> str:
    """Returns the name with which the resource is used most often."""
    return max(used, key=lambda one: (used[one], one)).removeprefix("~")


def _best(places: Counter[str]) -> tuple[str | None, int]:
    """Returns the narrowest file or folder that contains nearly all calls. Top-level folders do not
    count.
    """
    total = sum(places.values())
    [(path, count)] = places.most_common(1)
    if count / total >= _LEAST_SHARE:
        return path, count
    folders: Counter[str] = Counter()
    for path, count in places.items():
        for parent in PurePosixPath(path).parents:
            if len(parent.parts) > 1:
                folders[str(parent)] += count
    good = [one for one, count in folders.items() if count / total >= _LEAST_SHARE]
    if not good:
        return None, 0
    narrowest = max(good, key=lambda one: (one.count("/"), one))
    return f"{narrowest}/**", folders[narrowest]
