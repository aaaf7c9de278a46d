"""The formats of providers' keys: prefix, alphabet and length, from the providers' documentation.

Two programs use this table. The scan of files must not report false alarms. The guardrails mask the
answers of tools, so they also match a key that was shortened or extended.

`lab/comparisons/secrets_in_code.py` tests these formats with random keys, which it makes from a
separate table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_HEX: Final = "[0-9a-f]"
_UPPER_ALNUM: Final = "[A-Z0-9]"
_ALNUM: Final = "[A-Za-z0-9]"
_URL: Final = "[A-Za-z0-9_-]"
_BASE64: Final = "[A-Za-z0-9+/]"
_DIGIT: Final = "[0-9]"
_LOWER_ALNUM: Final = "[a-z0-9]"


@dataclass(frozen=True)
class Format:
    """The format of a provider's keys.

    Attributes:
        name: name of the format.
        what: noun for such a key in messages, with its article.
        form: pattern of the whole key.
        is_sure: whether only real keys have this format. If so, a key counts even if it contains a
            word such as "example".
        least_kinds: how many kinds of characters a key must contain, if the format alone proves
            little.
        public_after: pattern of the text before a key in its line if the key may be public.
        masked: a less strict pattern, for texts in which keys are masked.
    """

    name: str
    what: str
    form: str
    is_sure: bool = False
    least_kinds: int = 0
    public_after: str = ""
    masked: str = ""


_UUID: Final = f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"

FORMATS: Final = (
    # Clouds
    Format(
        "aws-key-id",
        "an AWS access key id",
        "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}",
        masked=r"(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}",
    ),
    Format(
        "aws-bedrock",
        "an AWS Bedrock key",
        f"ABSKQmVkcm9ja0FQSUtleS1{_BASE64}{{90,130}}={{0,2}}",
        is_sure=True,
    ),
    Format(
        "google-api-key",
        "a Google API key",
        f"AIzaSy{_URL}{{33}}",
        masked=r"AIza[0-9A-Za-z_\-]{35}",
    ),
    Format("google-client-secret", "a Google client secret", f"GOCSPX-{_URL}{{28}}"),
    Format(
        "google-token",
        "a Google access token",
        f"ya29\\.{_URL}{{60,200}}",
        masked=r"ya29\.[0-9A-Za-z_\-]{30,}",
    ),
    Format(
        "azure-client-secret",
        "an Azure client secret",
        f"[A-Za-z0-9_~.]{{3}}{_DIGIT}Q~[A-Za-z0-9_~.-]{{31,34}}",
    ),
    Format(
        "azure-storage-key",
        "an Azure storage key",
        f"AccountKey={_BASE64}{{86}}==",
        masked=f"{_BASE64}{{86}}==",
    ),
    Format("digital-ocean", "a DigitalOcean token", f"do[opr]_v1_{_HEX}{{64}}"),
    Format("alibaba", "an Alibaba access key id", f"LTAI{_ALNUM}{{20}}"),
    Format("tencent", "a Tencent secret id", f"AKID{_ALNUM}{{32}}"),
    Format("cloudflare-ca", "a Cloudflare origin key", f"v1\\.0-{_HEX}{{24}}-{_HEX}{{146}}"),
    Format("heroku", "a Heroku key", f"HRKU-{_UUID}|HRKU-AA{_URL}{{58}}"),
    Format("fly", "a Fly.io token", f"fo1_{_URL}{{43}}|fm[12][ar]?_{_BASE64}{{100,600}}"),
    Format("scalingo", "a Scalingo token", f"tk-us-{_URL}{{48}}"),
    Format("netlify", "a Netlify token", f"nfp_{_ALNUM}{{36}}"),
    Format("databricks", "a Databricks token", f"dapi{_HEX}{{32}}(?:-[0-9])?"),
    Format("planetscale", "a PlanetScale secret", f"pscale_(?:tkn|pw|oauth)_{_URL}{{32,64}}"),
    Format("supabase", "a Supabase token", f"sbp_{_HEX}{{40}}"),
    Format(
        "tailscale",
        "a Tailscale key",
        f"tskey-(?:auth|api|client)-{_ALNUM}{{8,24}}-{_ALNUM}{{20,40}}",
    ),
    # Code and packages
    Format(
        "github",
        "a GitHub token",
        f"gh[oprsu]_{_ALNUM}{{36}}",
        masked=r"gh[opsur]_[0-9A-Za-z]{36,}",
    ),
    Format(
        "github-fine",
        "a GitHub token",
        f"github_pat_{_ALNUM}{{22}}_{_ALNUM}{{59}}",
        masked=r"github_pat_[0-9A-Za-z_]{60,}",
    ),
    Format(
        "gitlab",
        "a GitLab token",
        f"gl(?:pat|dt|rt|ft|oas|imt)-{_URL}{{20,64}}|"
        f"glptt-{_HEX}{{40}}|"
        f"glcbt-{_ALNUM}{{1,5}}_{_URL}{{20}}|"
        f"glagent-{_URL}{{50}}|"
        f"glsoat-{_URL}{{20}}|"
        f"gloas-{_HEX}{{64}}|"
        f"GR1348941{_URL}{{20}}",
        masked=r"gl(?:pat|ptt|dt|rt|cbt|agent|soat|ft)-[0-9A-Za-z_\-]{20,}",
    ),
    Format("atlassian", "an Atlassian token", "ATATT3[A-Za-z0-9_=-]{180,200}"),
    Format("bitbucket", "a Bitbucket token", "ATCTT3xFfGN0[A-Za-z0-9_=-]{150,200}"),
    Format("npm", "an npm token", f"npm_{_ALNUM}{{36}}"),
    Format(
        "pypi",
        "a PyPI token",
        f"pypi-AgEIcHlwaS5vcmc{_URL}{{50,200}}",
        masked=r"pypi-AgE[0-9A-Za-z_\-]{50,}",
    ),
    Format("rubygems", "a RubyGems key", f"rubygems_{_HEX}{{48}}"),
    Format("crates", "a crates.io token", f"cio{_ALNUM}{{32}}"),
    Format("clojars", "a Clojars token", f"CLOJARS_{_LOWER_ALNUM}{{60}}"),
    Format("docker-hub", "a Docker Hub token", f"dckr_(?:pat|oat)_{_URL}{{27,32}}"),
    Format("buildkite", "a Buildkite token", f"bkua_{_HEX}{{40}}"),
    Format("circleci", "a CircleCI token", f"CCIPAT_{_ALNUM}{{22}}_{_HEX}{{40}}"),
    Format("terraform", "a Terraform Cloud token", f"{_ALNUM}{{14}}\\.atlasv1\\.{_URL}{{60,70}}"),
    Format("pulumi", "a Pulumi token", f"pul-{_HEX}{{40}}"),
    Format("sourcegraph", "a Sourcegraph token", "sgp_(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{40}"),
    Format("prefect", "a Prefect key", f"pn[bu]_{_ALNUM}{{36}}"),
    Format("postman", "a Postman key", f"PMAK-{_HEX}{{24}}-{_HEX}{{34}}"),
    # Payment and shops
    Format(
        "stripe",
        "a Stripe key",
        f"(?:sk|rk)_(?:live|test|prod)_{_ALNUM}{{24,99}}|whsec_{_ALNUM}{{32,64}}",
        masked=r"(?:sk|rk)_live_[0-9A-Za-z]{16,}|whsec_[0-9A-Za-z+/=]{24,}",
    ),
    Format("square", "a Square secret", f"sq0atp-{_URL}{{22}}|sq0csp-{_URL}{{43}}"),
    Format("shopify", "a Shopify token", "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    Format("shippo", "a Shippo token", f"shippo_(?:live|test)_{_HEX}{{40}}"),
    Format("easypost", "an EasyPost key", f"EZ[AT]K{_ALNUM}{{54}}"),
    Format("duffel", "a Duffel token", f"duffel_(?:live|test)_{_URL}{{43}}"),
    Format("flutterwave", "a Flutterwave key", f"FLWSECK(?:_TEST)?-{_HEX}{{32}}-X"),
    Format("paystack", "a Paystack key", f"sk_(?:live|test)_{_HEX}{{40}}"),
    # Messages
    Format(
        "slack",
        "a Slack token",
        f"xoxb-{_DIGIT}{{10,13}}-{_DIGIT}{{10,13}}-{_ALNUM}{{24}}|"
        f"xox[pe]-{_DIGIT}{{10,13}}-{_DIGIT}{{10,13}}-{_DIGIT}{{10,13}}-{_ALNUM}{{28,34}}|"
        f"xox[aors]-{_ALNUM}{{10,48}}(?:-{_ALNUM}{{10,48}}){{0,3}}|"
        f"xapp-{_DIGIT}-{_UPPER_ALNUM}{{9,12}}-{_DIGIT}{{10,13}}-{_LOWER_ALNUM}{{64}}|"
        f"xoxe(?:\\.xox[bp])?-{_DIGIT}-{_ALNUM}{{140,170}}",
        masked=r"xox[abeoprs]-[0-9A-Za-z\-]{20,}|xapp-[0-9]-[0-9A-Za-z\-]{20,}",
    ),
    Format(
        "slack-webhook",
        "the address of a Slack webhook",
        f"hooks\\.slack\\.com/services/T{_UPPER_ALNUM}{{7,11}}/B{_UPPER_ALNUM}{{7,11}}/{_ALNUM}{{24}}|"
        f"hooks\\.slack\\.com/workflows/T{_UPPER_ALNUM}{{8,11}}/A{_UPPER_ALNUM}{{8,11}}/{_DIGIT}{{16,19}}/{_ALNUM}{{24}}",
        masked=r"hooks\.slack\.com/(?:services|workflows)/[0-9A-Za-z/_\-]{20,}",
    ),
    Format(
        "discord-bot",
        "a Discord bot token",
        f"[MNO]{_ALNUM}{{23,25}}\\.{_URL}{{6}}\\.{_URL}{{27,38}}",
    ),
    Format(
        "discord-webhook",
        "the address of a Discord webhook",
        f"discord(?:app)?\\.com/api/webhooks/{_DIGIT}{{17,19}}/{_URL}{{60,68}}",
    ),
    Format(
        "teams-webhook",
        "the address of a Teams webhook",
        f"webhook\\.office\\.com/webhookb2/{_UUID}@{_UUID}/IncomingWebhook/{_HEX}{{32}}/{_UUID}",
    ),
    Format("facebook-app", "a Facebook app token", f"{_DIGIT}{{15,16}}\\|{_URL}{{27}}"),
    Format(
        "facebook",
        "a Facebook token",
        f"EAA[MC]{_ALNUM}{{90,400}}|EAACEdEose0cBA{_ALNUM}{{20,400}}",
    ),
    Format("intra42", "a 42 secret", f"s-s4t2(?:ud|af)-{_HEX}{{64}}"),
    Format("telegram", "a Telegram bot token", f"{_DIGIT}{{8,10}}:AA{_URL}{{33}}"),
    Format("twilio", "a Twilio key", f"SK{_HEX}{{32}}"),
    Format(
        "sendgrid",
        "a SendGrid key",
        f"SG\\.{_URL}{{22}}\\.{_URL}{{43}}",
        masked=r"SG\.[0-9A-Za-z_\-]{16,32}\.[0-9A-Za-z_\-]{32,}",
    ),
    Format("sendinblue", "a Brevo key", f"xkeysib-{_HEX}{{64}}-{_ALNUM}{{16}}"),
    Format("mailgun", "a Mailgun key", f"key-{_HEX}{{32}}"),
    Format(
        "mailchimp",
        "a Mailchimp key",
        f"{_HEX}{{32}}-us{_DIGIT}{{1,2}}",
        public_after="MailchimpSDK.initialize",
    ),
    Format("linear", "a Linear key", f"lin_(?:api|oauth)_{_ALNUM}{{40,64}}"),
    Format("notion", "a Notion secret", f"secret_{_ALNUM}{{43}}|ntn_{_DIGIT}{{11}}{_ALNUM}{{35}}"),
    Format("airtable", "an Airtable token", f"pat{_ALNUM}{{14}}\\.{_HEX}{{64}}"),
    Format("figma", "a Figma token", f"figd_{_URL}{{40}}"),
    Format("typeform", "a Typeform token", f"tfp_{_ALNUM}{{40,60}}"),
    Format("frameio", "a Frame.io token", f"fio-u-{_URL}{{64}}"),
    Format("readme", "a ReadMe key", f"rdme_{_LOWER_ALNUM}{{70}}"),
    Format("beamer", "a Beamer token", f"b_{_URL}{{44}}"),
    # Models
    Format(
        "openai",
        "an OpenAI key",
        f"sk-{_ALNUM}{{20}}T3BlbkFJ{_ALNUM}{{20}}|"
        f"sk-(?:proj|svcacct|admin)-{_URL}{{58,74}}T3BlbkFJ{_URL}{{58,74}}",
        masked=r"sk-(?:proj-|svcacct-|admin-|or-v1-)?[0-9A-Za-z_\-]{32,}",
    ),
    Format(
        "anthropic",
        "an Anthropic key",
        f"sk-ant-(?:api|admin)0[1-9]-{_URL}{{93}}AA",
        is_sure=True,
        masked=r"sk-ant-[0-9A-Za-z_\-]{40,}",
    ),
    Format("openrouter", "an OpenRouter key", f"sk-or-v1-{_HEX}{{64}}"),
    Format("hugging-face", "a Hugging Face token", "hf_[A-Za-z]{34}|api_org_[A-Za-z]{34}"),
    Format("replicate", "a Replicate token", f"r8_{_ALNUM}{{37}}"),
    Format("groq", "a Groq key", f"gsk_{_ALNUM}{{52}}"),
    Format("xai", "an xAI key", f"xai-{_ALNUM}{{80}}"),
    Format("perplexity", "a Perplexity key", f"pplx-{_ALNUM}{{48}}"),
    Format("langsmith", "a LangSmith key", f"lsv2_(?:pt|sk)_{_HEX}{{32}}_{_HEX}{{10}}"),
    # Operation
    Format(
        "grafana",
        "a Grafana token",
        f"glsa_{_ALNUM}{{32}}_[0-9a-fA-F]{{8}}|glc_{_BASE64}{{32,400}}={{0,2}}",
    ),
    Format("new-relic", "a New Relic key", f"NRAK-{_UPPER_ALNUM}{{27}}|NRII-{_URL}{{32}}"),
    Format(
        "dynatrace", "a Dynatrace token", f"dt0c01\\.{_UPPER_ALNUM}{{24}}\\.{_UPPER_ALNUM}{{64}}"
    ),
    Format(
        "sentry",
        "a Sentry token",
        f"sntryu_{_HEX}{{64}}|sntrys_eyJ{_BASE64}{{80,400}}={{0,2}}_{_URL}{{43}}",
    ),
    Format(
        "vault",
        "a Vault token",
        f"hv[bs]\\.{_URL}{{90,300}}",
        masked=r"hv[bs]\.[0-9A-Za-z_\-]{24,}",
    ),
    Format("vault-old", "a Vault token", f"(?:hvs|s)\\.{_ALNUM}{{24}}", least_kinds=4),
    Format(
        "sidekiq",
        "a login for the packages of Sidekiq",
        f"{_HEX}{{8}}:{_HEX}{{8}}@(?:gems|enterprise)\\.contribsys\\.com(?:/[a-z0-9./_-]*)?",
        is_sure=True,
    ),
    Format("doppler", "a Doppler token", f"dp\\.(?:pt|st|ct|sa|scim|audit)\\.{_ALNUM}{{40,44}}"),
    Format("one-password", "a 1Password token", f"ops_eyJ{_BASE64}{{250,1000}}={{0,3}}"),
    Format("openshift", "an OpenShift token", f"sha256~{_URL}{{43}}"),
    Format(
        "age",
        "an age key",
        "AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}",
        masked=r"AGE-SECRET-KEY-1[0-9A-Z]{58}",
    ),
    Format("infracost", "an Infracost key", f"ico-{_ALNUM}{{32}}"),
    Format("adobe", "an Adobe client secret", f"p8e-{_ALNUM}{{32}}"),
    Format(
        "jwt",
        "a JSON Web Token",
        f"eyJ{_URL}{{10,400}}\\.eyJ{_URL}{{10,1000}}\\.{_URL}{{20,700}}",
        masked=r"eyJ[0-9A-Za-z_\-]{8,}\.eyJ[0-9A-Za-z_\-]{8,}\.[0-9A-Za-z_\-]{16,}",
    ),
)

# Keys without a prefix: only the name before them tells whose they are. A value behind such a name
# that has another form is no key.
NAMED_FORMATS: Final = (
    ("meraki", f"{_HEX}{{40}}"),
    ("sumo", f"{_ALNUM}{{64}}|su{_ALNUM}{{12}}"),
    ("sourcegraph", "(?:sgp_(?:[0-9a-fA-F]{16}_|local_)?)?[0-9a-fA-F]{40}"),
    ("datadog", f"{_HEX}{{32}}|{_HEX}{{40}}"),
    ("algolia", f"{_HEX}{{32}}"),
    ("snyk", _UUID),
    ("codecov", f"{_HEX}{{32}}|{_UUID}"),
    ("contentful", f"{_URL}{{43}}|CFPAT-{_URL}{{43}}"),
    ("fastly", f"{_URL}{{32}}"),
    ("newsapi", f"{_HEX}{{32}}"),
    ("openweather", f"{_HEX}{{32}}"),
)

# Keys that documentation shows to everybody: the first half of their SHA-256, so that no scanner
# takes this table for a leak. Their form is right, so nothing else tells them from others.
PUBLISHED_KEY_HASHES: Final = frozenset(
    {
        "2037abcaffb2b77785da716cf7ccff4f",
        "27a9a42931dff7eb2f8434e20a9bce97",
        "37f8f09bdf12c2f2eae4ead7273a62dd",
        "3a8b61d0f636b007840c0d40ba12bcf4",
        "3f370c9dd8225c63b5c77de1f785edc9",
        "49f777db995e8260da7ca9ffdf0c08d6",
        "4c98242dcadc8b29005c6b4aad526552",
        "8731261cb72d86267a32a532ebd3df42",
        "a19f89ab3555eac10c40741f6df79ecf",
        "a6c814bc555ae62c7bd8b58ec07bf559",
        "dc0fcf046c61640cbd1e8b999ada3262",
        "e4a5542bb7fd7b67e943c71ad29c34b5",
        "ea9bb1082cf95663f5faca23b8b15ef2",
        "eb540d2b6ee2a0a47c5779bc8a014178",
        "f56e323494a6ffc2064e7a955908957d",
    }
)
