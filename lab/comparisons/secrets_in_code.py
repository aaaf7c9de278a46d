"""How many secrets in files are found, and how many look-alikes are taken for one.

``python -m lab.comparisons.secrets_in_code [--seed N] [--gitleaks FOLDER]``. The keys are drawn by
lot from a table of known formats, apart from the table of the rules, and put into lines as people
write them. With the folder of a clone of gitleaks, the literals among its cases are measured too.
"""

from __future__ import annotations

import argparse
import base64
import random
import re
import string
import subprocess
import tomllib
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from detect_secrets.core.scan import scan_file
from detect_secrets.settings import default_settings
from rich.console import Console

from quartermaster.guardrails.linear_patterns import compiled
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile
from quartermaster_quality.scanners.secrets import examine

CONSOLE = Console(markup=False, highlight=False, soft_wrap=True)
HEX, UPPER = "0123456789abcdef", string.ascii_uppercase
ALNUM = string.ascii_letters + string.digits
WORD = ALNUM + "-_"
DIGITS = string.digits
BASE32 = UPPER + "234567"

# name, then parts in turn: a text, or (alphabet, length).
Part = str | tuple[str, int]
KEYS: tuple[tuple[str, tuple[Part, ...]], ...] = (
    ("AWS key id", ("AKIA", (BASE32, 16))),
    ("AWS temporary key id", ("ASIA", (BASE32, 16))),
    ("GitHub personal", ("ghp_", (ALNUM, 36))),
    ("GitHub app", ("ghs_", (ALNUM, 36))),
    ("GitHub OAuth", ("gho_", (ALNUM, 36))),
    ("GitHub refresh", ("ghr_", (ALNUM, 36))),
    ("GitHub fine", ("github_pat_", (ALNUM, 22), "_", (ALNUM, 59))),
    ("GitLab personal", ("glpat-", (WORD, 20))),
    ("GitLab pipeline", ("glptt-", (HEX, 40))),
    ("GitLab runner", ("glrt-", (WORD, 20))),
    ("Slack bot", ("xoxb-", (DIGITS, 12), "-", (DIGITS, 13), "-", (ALNUM, 24))),
    ("Slack user", ("xoxp-", (DIGITS, 12), "-", (DIGITS, 12), "-", (DIGITS, 12), "-", (HEX, 32))),
    ("Slack app", ("xapp-1-A", (UPPER + DIGITS, 10), "-", (DIGITS, 13), "-", (HEX, 64))),
    (
        "Slack webhook",
        (
            "https://hooks.slack.com/services/T",
            (UPPER + DIGITS, 8),
            "/B",
            (UPPER + DIGITS, 10),
            "/",
            (ALNUM, 24),
        ),
    ),
    ("Stripe live", ("sk_live_", (ALNUM, 24))),
    ("Stripe long", ("sk_live_51", (ALNUM, 97))),
    ("Stripe restricted", ("rk_live_", (ALNUM, 24))),
    ("Stripe webhook", ("whsec_", (ALNUM, 32))),
    ("Google API", ("AIzaSy", (WORD, 33))),
    ("Google client secret", ("GOCSPX-", (WORD, 28))),
    ("Google token", ("ya29.", (WORD, 130))),
    ("SendGrid", ("SG.", (WORD, 22), ".", (WORD, 43))),
    ("Twilio", ("SK", (HEX, 32))),
    ("Mailgun", ("key-", (HEX, 32))),
    ("Mailchimp", ((HEX, 32), "-us", ("12345678", 1))),
    ("npm", ("npm_", (ALNUM, 36))),
    ("PyPI", ("pypi-AgEIcHlwaS5vcmc", (WORD, 140))),
    ("RubyGems", ("rubygems_", (HEX, 48))),
    ("crates.io", ("cio", (ALNUM, 32))),
    ("DigitalOcean", ("dop_v1_", (HEX, 64))),
    ("Hugging Face", ("hf_", (string.ascii_letters, 34))),
    ("OpenAI old", ("sk-", (ALNUM, 20), "T3BlbkFJ", (ALNUM, 20))),
    ("OpenAI project", ("sk-proj-", (WORD, 74), "T3BlbkFJ", (WORD, 74))),
    ("Anthropic", ("sk-ant-api03-", (WORD, 93), "AA")),
    ("Databricks", ("dapi", (HEX, 32))),
    ("Shopify", ("shpat_", (HEX, 32))),
    ("Square", ("sq0csp-", (WORD, 43))),
    ("Telegram", ((DIGITS[1:], 10), ":AA", (WORD, 33))),
    ("Discord bot", ("M", (ALNUM, 23), ".", (WORD, 6), ".", (WORD, 27))),
    ("Discord webhook", ("https://discord.com/api/webhooks/", (DIGITS[1:], 18), "/", (WORD, 68))),
    ("Vault", ("hvs.", (WORD, 95))),
    ("Doppler", ("dp.pt.", (ALNUM, 43))),
    ("Linear", ("lin_api_", (ALNUM, 40))),
    ("Notion", ("ntn_", (DIGITS, 11), (ALNUM, 35))),
    ("Postman", ("PMAK-", (HEX, 24), "-", (HEX, 34))),
    ("New Relic", ("NRAK-", (UPPER + DIGITS, 27))),
    ("Grafana", ("glsa_", (ALNUM, 32), "_", (HEX, 8))),
    ("Dynatrace", ("dt0c01.", (UPPER + DIGITS, 24), ".", (UPPER + DIGITS, 64))),
    ("Airtable", ("pat", (ALNUM, 14), ".", (HEX, 64))),
    ("Pulumi", ("pul-", (HEX, 40))),
    ("Sentry", ("sntryu_", (HEX, 64))),
    ("Supabase", ("sbp_", (HEX, 40))),
    ("Terraform", ((ALNUM, 14), ".atlasv1.", (WORD, 67))),
    ("Azure client", ((ALNUM, 3), ("123456789", 1), "Q~", (WORD, 34))),
    ("Tailscale", ("tskey-auth-", (ALNUM, 17), "-", (ALNUM, 32))),
    ("Docker Hub", ("dckr_pat_", (WORD, 27))),
    ("Buildkite", ("bkua_", (HEX, 40))),
    ("Netlify", ("nfp_", (ALNUM, 36))),
    ("Groq", ("gsk_", (ALNUM, 52))),
    ("Replicate", ("r8_", (ALNUM, 37))),
    ("Perplexity", ("pplx-", (ALNUM, 48))),
    ("Alibaba", ("LTAI", (ALNUM, 20))),
    ("Prefect", ("pnu_", (ALNUM, 36))),
    ("Brevo", ("xkeysib-", (HEX, 64), "-", (ALNUM, 16))),
    ("Sourcegraph", ("sgp_", (HEX, 40))),
    ("age", ("AGE-SECRET-KEY-1", ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58))),
)
LINES: tuple[tuple[str, str], ...] = (
    ("src/settings.py", 'VALUE = "{}"'),
    ("src/client.py", "client = Client(base, '{}', timeout=3)"),
    (".env", "SERVICE_VALUE={}"),
    ("deploy/values.yaml", "  value: {}"),
    ("config.json", '  "value": "{}",'),
    ("Dockerfile", "ENV VALUE={}"),
    ("README.md", "Run it with `--value {}` once."),
    ("src/app.ts", "const value = `{}`;"),
)


@dataclass(frozen=True)
class SecretCase:
    """A line of a file."""

    name: str
    path: str
    text: str


def positives(chance: random.Random) -> Iterator[SecretCase]:
    """Yields each format in three of the lines, and secrets without a form of their own."""
    for name, parts in KEYS:
        for path, line in chance.sample(LINES, 3):
            key = "".join(
                part if isinstance(part, str) else "".join(chance.choices(part[0], k=part[1]))
                for part in parts
            )
            yield SecretCase(name, path, line.format(key))
    for path, line in (
        ("src/db.py", 'engine = create_engine("postgresql://app:{}@db.internal:5432/app")'),
        ("src/db.py", 'DB_PASSWORD = "{}"'),
        ("src/api.js", "const apiKey = '{}';"),
        (".env", "CLIENT_SECRET={}"),
        ("app.yaml", "  password: {}"),
        ("src/call.py", 'headers = {{"Authorization": "Bearer {}"}}'),
        ("src/call.py", 'requests.get(url, auth=("admin", password), token="{}")'),
        ("infra/aws.ini", "aws_secret_access_key = {}"),
    ):
        for _ in range(4):
            size = 40 if "aws" in line else chance.randint(16, 32)
            yield SecretCase("no form", path, line.format("".join(chance.choices(ALNUM, k=size))))
    for kind in ("RSA ", "EC ", "OPENSSH ", "", "PGP "):
        body = base64.b64encode(chance.randbytes(600)).decode()
        rows = "\n".join(body[i : i + 64] for i in range(0, len(body), 64))
        block = " BLOCK" if kind == "PGP " else ""
        edge = f"{kind}PRIVATE KEY{block}-----"
        yield SecretCase("private key", "key.pem", f"-----BEGIN {edge}\n{rows}\n-----END {edge}\n")


def _hashes(chance: random.Random) -> Iterator[tuple[str, str]]:
    for size in (32, 40, 64, 96, 128):
        value = "".join(chance.choices(HEX, k=size))
        yield "src/hashes.py", f'CHECKSUM = "{value}"'
        yield "src/hashes.py", f'assert digest(data) == "{value}"'
        yield "uv.lock", f'hash = "sha256:{value}"'
        yield "requirements.txt", f"    --hash=sha256:{value} \\"
        yield ".github/workflows/ci.yml", f"      - uses: actions/checkout@{value[:40]} # v4"
    for size in (32, 48, 64):
        integrity = base64.b64encode(chance.randbytes(size)).decode()
        yield "package-lock.json", f'      "integrity": "sha512-{integrity}",'
        yield "go.sum", f"example.org/m v1.2.3 h1:{integrity}"
        yield "src/image.py", f'ICON = "data:image/png;base64,{integrity}"'
        yield "index.html", f'<script integrity="sha384-{integrity}"></script>'
    for _ in range(6):
        value = uuid.UUID(bytes=chance.randbytes(16), version=4)
        yield "src/ids.py", f'TENANT_ID = "{value}"'
        yield "src/ids.py", f'token_id = "{value}"'
        yield "values.yaml", f"  secretRef: {value}"


EXAMPLES: tuple[tuple[str, str], ...] = (
    ("README.md", "aws_access_key_id = AKIAIOSFODNN7EXAMPLE"),
    ("README.md", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    ("src/a.py", 'token = "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"'),
    ("src/a.py", 'token = "ghp_000000000000000000000000000000000000"'),
    ("src/a.py", 'key = "sk_live_xxxxxxxxxxxxxxxxxxxxxxxx"'),
    ("src/a.py", 'API_KEY = "your-api-key-here"'),
    ("src/a.py", 'API_KEY = "<YOUR_API_KEY_1234>"'),
    ("src/a.py", 'password = os.environ["DB_PASSWORD_2024"]'),
    ("src/a.py", 'password = getpass("Password for A1: ")'),
    ("src/a.py", "password = settings.database_password_v2"),
    ("src/a.py", 'PASSWORD_FIELD = "password_field_2"'),
    ("src/a.py", 'token_url = "https://login.example.org/oauth2/v2/token"'),
    ("src/a.py", 'secret_path = "/run/secrets/db_password_1"'),
    ("src/a.py", 'secret_name = "projects/p1/secrets/s2"'),
    ("src/a.py", 'password_hash = "$2b$12$KIXQZ0q3p5Zk1mWv8XxQeOe8JtYv7q0sB7m1p9K2h3g4f5d6s7a8q"'),
    ("src/a.py", 'error = "The token is wrong: log in again, please."'),
    ("src/a.py", 'TOKEN_PATTERN = re.compile(r"ghp_[A-Za-z0-9]{36}")'),
    ("src/a.py", 'if text.startswith("-----BEGIN RSA PRIVATE KEY-----"):'),
    ("src/a.py", 'url = "postgresql://user:password@localhost/db"'),
    ("src/a.py", 'url = f"postgresql://{user}:{password}@{host}/db"'),
    ("docker-compose.yml", "      POSTGRES_PASSWORD: ${POSTGRES_PASSWORD}"),
    ("docker-compose.yml", "      POSTGRES_PASSWORD_FILE: /run/secrets/pg1"),
    ("values.yaml", "  password: changeme"),
    ("values.yaml", "  password: <redacted>"),
    ("values.yaml", "  apiKey: {{ .Values.apiKey1 }}"),
    (".env.example", "SECRET_KEY=replace-me-with-a-random-value"),
    (".env.example", "API_TOKEN="),
    ("main.tf", "  password = var.database_password1"),
    ("ci.yml", "  token: ${{ secrets.GITHUB_TOKEN }}"),
    ("src/app.ts", "const token = process.env.API_TOKEN_V1;"),
    ("src/app.ts", "const token = req.headers['x-api-key-2'];"),
    ("src/app.go", 'secretKeyRef := "name-of-secret-1"'),
    ("src/a.py", 'ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"'),
    ("src/a.py", 'version = "1.2.3-rc.4+build.5678"'),
    ("src/a.py", 'class_name = "AKIAvatarUploaderForTheWebPage"'),
    ("src/a.css", ".sk-loading-spinner-animation-container { color: red }"),
    ("src/a.py", 'skip = "sk-learn-compatible-estimator-with-very-long-name"'),
    ("README.md", "xoxb-your-token-here and xoxp-1234567890-1234567890-abc"),
    ("README.md", "Authorization: Bearer <token>"),
    ("README.md", "curl -H 'Authorization: Bearer $TOKEN' https://api.example.org"),
    ("i18n/de.json", '  "password": "Passwort vergessen?",'),
    ("i18n/en.json", '  "token": "Your token has expired. Please log in again.",'),
    ("src/a.py", 'CSRF_COOKIE_NAME = "csrftoken_v2"'),
    ("src/a.py", 'parser.add_argument("--api-key-file", help="token file")'),
    ("src/a.py", 'tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")'),
    ("src/a.py", 'PRIMARY_KEY = "user_id_2024_primary"'),
)


def negatives(chance: random.Random) -> Iterator[SecretCase]:
    """Yields lines without a secret that look like one."""
    for path, text in (*_hashes(chance), *EXAMPLES):
        yield SecretCase("look-alike", path, text)


def ours(case: SecretCase) -> bool:
    """Returns whether our scanner finds something that counts."""
    scan = examine(SourceFile(case.path, case.text.encode()), ScanOptions(secret_key=b"measure"))
    return any(not finding.is_hint for finding in scan.findings)


def theirs(case: SecretCase) -> bool:
    """Returns whether detect-secrets finds something in a file, with its own plugins and limits."""
    with default_settings() as settings:
        # It would ask the providers.
        settings.disable_filters(
            "detect_secrets.filters.common.is_ignored_due_to_verification_policies"
        )
        with TemporaryDirectory() as folder:
            path = Path(folder) / Path(case.path).name
            path.write_text(case.text)
            return any(True for _ in scan_file(str(path)))


_CASES = re.compile(r"\b(tps|fps)\s*:?=\s*(?:append\(tps,\s*)?\[\]string\{(.*?)\n\t*\}", re.DOTALL)
_RULE_ID = re.compile(r'RuleID:\s*"([^"]+)"')
_LITERAL = re.compile(r'^\s*(?:"((?:[^"\\\n]|\\.)*)"|`([^`]*)`),(?:\s*//.*)?$', re.MULTILINE)


def gitleaks_cases(folder: Path) -> Iterator[tuple[bool, SecretCase]]:
    """Yields the literals among gitleaks' cases, read from a clone: (is a secret, case).

    What one rule must leave to another rule of the same file is a secret all the same, so such a
    case is no look-alike and is left out.
    """
    rules = tomllib.loads(_git(folder, "show", "HEAD:config/gitleaks.toml"))["rules"]
    patterns = {r["id"]: compiled(r["regex"]) for r in rules if "regex" in r}
    listed = _git(folder, "ls-tree", "-r", "--name-only", "HEAD", "cmd/generate/config/rules")
    for path in listed.split():
        if not path.endswith(".go"):
            continue
        source = _git(folder, "show", f"HEAD:{path}")
        named = [(m.start(), m[1]) for m in _RULE_ID.finditer(source) if m[1] in patterns]
        for found in _CASES.finditer(source):
            kind, block = found.groups()
            own = max(((at, rule) for at, rule in named if at < found.start()), default=(0, ""))[1]
            for quoted, raw in _LITERAL.findall(block):
                text = raw or quoted.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")
                matched = {rule for _, rule in named if patterns[rule].search(text.encode())}
                if kind == "tps" or not matched or own in matched:
                    yield kind == "tps", SecretCase(Path(path).stem, "src/file", text)


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def show(
    title: str, cases: Sequence[SecretCase], finds: Callable[[SecretCase], bool], verbose: bool
) -> float:
    """Prints the share of the cases in which something is found."""
    hits = [case for case in cases if finds(case)]
    CONSOLE.print(
        f"{title:44} {len(hits):4} of {len(cases):4}  {len(hits) / max(1, len(cases)):.3f}"
    )
    if verbose:
        for case in cases:
            wanted = "look" not in title
            if (case in hits) != wanted:
                CONSOLE.print("    ", case.name, case.path, case.text[:150].replace("\n", "\\n"))
    return len(hits) / max(1, len(cases))


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(prog="python -m lab.comparisons.secrets_in_code")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gitleaks", type=Path, help="git folder of a clone of gitleaks")
    parser.add_argument("--verbose", action="store_true", help="name the wrong cases")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    wanted, unwanted = list(positives(chance)), list(negatives(chance))
    sets = [(f"seed {options.seed}", wanted, unwanted)]
    if options.gitleaks:
        cases = list(gitleaks_cases(options.gitleaks))
        real = [case for is_real, case in cases if is_real]
        sets.append(("gitleaks' literals", real, [c for is_real, c in cases if not is_real]))
    for name, real, unreal in sets:
        for who, finds in (("ours", ours), ("detect-secrets", theirs)):
            show(f"{name}, {who}: secrets found", real, finds, options.verbose and who == "ours")
            show(f"{name}, {who}: look-alikes", unreal, finds, options.verbose and who == "ours")


if __name__ == "__main__":
    main()
