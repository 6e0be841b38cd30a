"""Made-up secrets in the places where runs print them. Prefixes are joined here so that no scanner takes this file for a leak."""

from __future__ import annotations

import base64

from tests.redact import spellings

A = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA"
LONG = A + "Zq9Wn4Lk7Tb2" + A
HEX32 = "9f86d081884c7d659a2feaa0c55ad015"
HEX40 = HEX32 + "a3bf4f1b"
HEX64 = HEX32 + HEX32[::-1]
LETTERS = "AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh"
B64 = base64.b64encode(b"deploy:Tr0ub4dor-and-3").decode()
BODY = "\n".join((LONG[i:] + LONG[:i])[:64] for i in range(5, 17))
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{BODY}\n-----END RSA PRIVATE KEY-----"
JWT = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"


def cases() -> list[tuple[str, str]]:
    """Return pairs of a line as a run prints it and the part of it that must be gone."""
    return [
        *_tokens(),
        *_fields(),
        *_headers(),
        *_urls(),
        *_commands(),
        *_documents(),
        *_loose(),
        *_spread(),
        *_columns(),
        *_codes(),
        *_calls(),
        *_members(),
        *_cells(),
        *_manifests(),
        *_password_files(),
        *_wide(),
        *spellings.cases(),
    ]


def _calls() -> list[tuple[str, str]]:
    word, mixed = "hunter2", "ab12cd34ef56gh78"
    shaped = (
        'set_password("{}")',
        "keyring.set_password('mlflow', 'alice', '{}')",
        'builder.withPassword("{}").build()',
        "setSecret(`{}`)",
        'set_password(user, b"{}")',
        'raise_for(PasswordAuth("alice", "{}"))',
        'HTTPBasicAuth("alice", "{}")',
        'UsernamePasswordCredentials("alice", "{}")',
        'check_password("{}", stored)',
        'set_password(\\"{}\\")',
    )
    issued = ('user.setApiKey("{}")', 'AzureKeyCredential("{}")', 'login_with_token("{}")', "set_secret('name', '{}')")
    spelt = ("set_password('correct horse battery')", "correct horse battery"), ("set_password(48151623)", "48151623")
    return [*((s.format(word), word) for s in shaped), *((s.format(mixed), mixed) for s in issued), *spelt]


def _members() -> list[tuple[str, str]]:
    shaped = (
        '{{"key": "DB_PASSWORD", "val": "{}"}}',
        '{{"val": "{}", "key": "DB_PASSWORD"}}',
        "{{'k': 'DB_PASSWORD', 'v': '{}'}}",
        '{{"ParameterKey": "DbPassword", "ParameterValue": "{}"}}',
        '{{"envName": "DB_PASSWORD", "envValue": "{}"}}',
        '{{"name": "DB_PASSWORD", "data": "{}"}}',
        '[{{"key": "A", "val": "b"}}, {{"key": "DB_PASSWORD", "val": "{}"}}]',
        '<entry key="db.password">{}</entry>',
        "- key: DB_PASSWORD\n  val: {}",
    )
    return [(line.format("hunter2"), "hunter2") for line in shaped]


def _cells() -> list[tuple[str, str]]:
    shaped = (
        "| user | password |\n|------|:--------:|\n| bob | {} |",
        "| name | value |\n|---|---|\n| LR | 3e-4 |\n| DB_PASSWORD | {} |",
        "| **password** | {}7 |",
        "+------+----------+\n| user | password |\n+------+----------+\n| bob  | {}  |\n+------+----------+",
        "┃ user ┃ password ┃\n┡━━━━━━╇━━━━━━━━━━┩\n│ bob  │ {}   │",
        "user  password\nbob   {}",
        "name,value\nlr,0.1\nDB_PASSWORD,{}",
        "<tr><td>DB_PASSWORD</td><td>{}</td></tr>",
        "<tr><td>DB_PASSWORD</td>\n<td><code>{}</code></td></tr>",
        "<table><tr><th>user</th><th>password</th></tr><tr><td>a</td><td>b</td></tr><tr><td>bob</td><td>{}</td></tr></table>",
        "<dl><dt>password</dt><dd>{}</dd></dl>",
    )
    return [(line.format("correct-horse"), "correct-horse") for line in shaped]


def _manifests() -> list[tuple[str, str]]:
    code = base64.b64encode(b"correct-horse").decode()
    shaped = (
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  url: {}\n",
        "apiVersion: v1\ndata:\n  url: {}\nkind: Secret\n",
        "data:\n  user: bWw=\n  url: {}\n",
        "stringData:\n  url: {}\n",
        "kind: Secret\nstringData:\n  app.conf: |\n    address = {}\n    other = 1\ntype: Opaque",
        '{{"apiVersion":"v1","data":{{"url":"{}"}},"kind":"Secret"}}',
        'applied: "{{\\"kind\\":\\"Secret\\",\\"stringData\\":{{\\"url\\":\\"{}\\"}}}}"',
        "kind: ConfigMap\ndata:\n  a: b\n---\nkind: Secret\ndata:\n  url: {}",
        "kubectl create secret generic db --from-literal=url={} -n ml",
    )
    return [(line.format(code), code) for line in shaped]


def _password_files() -> list[tuple[str, str]]:
    lines = (
        "db.example.org:5432:train:ml:{}",
        "*:*:*:ml:{}",
        "see ~/.pgpass: localhost:5432:*:postgres:{}",
        "10.0.0.5:6544:mlflow:mlflow:{}9",
    )
    return [(line.format("correcthorse"), "correcthorse") for line in lines]


def _wide() -> list[tuple[str, str]]:
    word = "".join(chr(ord(mark) + 0xFEE0) for mark in "password")
    ornate = "".join(chr(0x1D41A + ord(mark) - ord("a")) for mark in "password")
    return [(f"{name}{joint}hunter2", "hunter2") for name in (word, word.upper(), ornate) for joint in ("=", "\uff1a")]


def _columns() -> list[tuple[str, str]]:
    word, token = "hunter2", "ab12cd34ef56gh78"
    return [
        (f"user,token,password\nalice,abc,{word}\nstep 3, ok", word),
        (f"user;api_key;role\nalice;{token};admin", token),
        (f"id\tpassword\n7\t{word}", word),
        (f"password;{word}", word),
        (f'("password" . "{word}")', word),
        (f"(:password . {word})", word),
        (f'((user . "bob") (password . "{word}"))', word),
        (f'variable "db_password" {{\n  type    = string\n  default = "{word}"\n}}', word),
    ]


def _codes() -> list[tuple[str, str]]:
    names = ("pin=", "PIN: ", "device_pin: ", "otp=", "mfa_code=", "cvv: ", "security_code=", '"pinCode": ')
    return [(f"{name}{4711 + at}", str(4711 + at)) for at, name in enumerate(names)]


def _tokens() -> list[tuple[str, str]]:
    values = {
        "AK" + "IA" + "IOSFODNN7EXAMPLE": "botocore: using key {} from env",
        "AS" + "IA" + "Q3EGRIGHQEXAMPLE": "temporary credentials {}",
        "AI" + "za" + A + "b-c": "requesting https://maps/api with {}",
        "ya" + "29." + LONG: "google.auth: refreshed {}",
        "GOC" + "SPX-" + A[:28]: "oauth client {}",
        "1/" + "/0" + LONG[:44]: "refresh {}",
        "abc8" + "Q~" + A + "._": "AADSTS7000215: provided {}",
        "sk-" + "proj-" + LONG: "openai.AuthenticationError: Incorrect API key provided: {}. You can find",
        "sk-" + A + LETTERS[:16]: "Incorrect API key provided: {}.",
        "sk-" + "ant-api03-" + LONG: "anthropic client with {}",
        "sk-" + "or-v1-" + HEX64: "router {}",
        "sk_" + "live_" + A[:24]: "stripe {}",
        "rk_" + "live_" + A[:24]: "stripe {}",
        "wh" + "sec_" + A: "webhook {}",
        "hf" + "_" + LETTERS: "huggingface_hub: invalid user token {}",
        "api" + "_org_" + LETTERS: "org key {}",
        "wandb" + "_v1_" + A + "_" + A: "wandb: using {}",
        "gh" + "p_" + A + "AbCd": "fatal: could not read with {}",
        "gh" + "s_" + A + "AbCd": "actions {}",
        "github" + "_pat_" + A[:22] + "_" + LONG[:59]: "pip install git with {}",
        "gl" + "pat-" + A[:20]: "gitlab {}",
        "gl" + "dt-" + A[:20]: "deploy {}",
        "xo" + "xb-123456789012-1234567890123-" + A[:24]: "slack {}",
        "xap" + "p-1-A012345-1234567890-" + HEX64: "slack app {}",
        "https://hooks.slack.com/services/T0" + "0000000/B00000000/" + A[:24]: "alert to {}",
        "https://discord.com/api/webhooks/123456789012345678/" + LONG[:60]: "alert to {}",
        "npm" + "_" + A + "AbCd": "//registry: {}",
        "py" + "pi-AgEIcHlwaS5vcmc" + LONG: "twine {}",
        "da" + "pi" + HEX32: "databricks {}",
        "dckr" + "_pat_" + A[:27]: "docker login {}",
        "hv" + "s." + A[:24]: "vault {}",
        "SG" + "." + A[:22] + "." + LONG[:43]: "sendgrid {}",
        "S" + "K" + HEX32: "twilio {}",
        "1234567890:" + "AA" + A + "x": "telegram {}",
        "key-" + HEX32: "mailgun {}",
        HEX32 + "-us12": "mailchimp {}",
        "shp" + "at_" + HEX32: "shopify {}",
        "do" + "p_v1_" + HEX64: "droplet {}",
        "gl" + "sa_" + A + "_9a8b7c6d": "grafana {}",
        "r8" + "_" + A + "AbCde": "replicate {}",
        "gs" + "k_" + LONG[:52]: "groq {}",
        "nv" + "api-" + LONG[:64]: "ngc {}",
        "ls" + "v2_pt_" + HEX32 + "_9a8b7c6d5e": "langsmith {}",
        "ts" + "key-auth-kABCDEF1CNTRL-" + A: "tailscale {}",
        "AGE-SECRET" + "-KEY-1" + A.upper() + "QQQQ": "age {}",
        "pu" + "l-" + HEX40: "pulumi {}",
        A[:14] + ".atlasv1." + LONG[:60]: "terraform {}",
        "figd" + "_" + A: "figma {}",
        "rpa" + "_" + "A1B2C3D4E5F6G7H8J9K0L1M2N3P4Q5R6abc1": "runpod {}",
        "AB" + "SK" + LONG + "==": "bedrock {}",
        JWT: "kubelet: token {} rejected",
    }
    return [(line.format(value), value) for value, line in values.items()]


def _fields() -> list[tuple[str, str]]:
    return [
        (
            "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        ),
        ("AWS_SECRET_ACCESS_KEY=/JalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "/JalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        (f"export AWS_SESSION_TOKEN={LONG}==", LONG),
        (f"WANDB_API_KEY={HEX40}", HEX40),
        (f"HF_TOKEN: '{A}'", A),
        ("DB_PASSWORD=hunter2", "hunter2"),
        ("password: hunter2", "hunter2"),
        ("password: correct horse battery", "correct horse battery"),
        ("passwd=abc", "abc"),
        ('{"username": "svc", "password": "a,b}c d"}', "a,b}c d"),
        (r"body={\"password\": \"s3cr3t-esc\"}", "s3cr3t-esc"),
        ("Namespace(lr=0.1, wandb_key='k3y-k3y-k3y', epochs=3)", "k3y-k3y-k3y"),
        ("config['db_password'] = 'indexed-1'", "indexed-1"),
        ("def connect(password: str = 'annotated-1'):", "annotated-1"),
        (f"api_key: {HEX32}", HEX32),
        (f"apiKey={HEX32}", HEX32),
        (f"OPENAI_API_KEY={A}", A),
        (f"AZURE_OPENAI_API_KEY={HEX32}", HEX32),
        (f'"client_secret": "{A}"', A),
        (f"clientSecret={A}", A),
        (f"SECRET_KEY={A}", A),
        ("secret=tiny-1", "tiny-1"),
        (f"access_token={A}", A),
        (f"refresh_token: {A}", A),
        (f"token={HEX40}", HEX40),
        (f"--hf_token {A}", A),
        (f"--hub-token={A}", A),
        ("--password hunter2 --lr 0.1", "hunter2"),
        (f"['train.py', '--wandb-api-key', '{A}']", A),
        (f"NEPTUNE_API_TOKEN={LONG}", LONG),
        (f"COMET_API_KEY={A}", A),
        (f"DD_API_KEY={HEX32}", HEX32),
        (f"MLFLOW_TRACKING_PASSWORD={A}", A),
        (f"MLFLOW_TRACKING_TOKEN={A}", A),
        (f"DefaultEndpointsProtocol=https;AccountName=x;AccountKey={LONG}==;EndpointSuffix=core", LONG),
        ("Server=tcp:x,1433;User ID=sa;Password=P@ss;w0rd!;Timeout=30", "P@ss;w0rd!"),
        ("host=db user=ml password=s3cret-pg sslmode=require", "s3cret-pg"),
        ("PGPASSWORD=abcd psql", "abcd"),
        (f"encryption_key={A}", A),
        (f"ssh_passphrase: {A}", A),
        (f"SharedAccessKey={LONG}=", LONG),
        (f"- name: DB_PASSWORD\n  value: {A}", A),
        (f'{{"name": "API_TOKEN", "value": "{A}"}}', A),
        (f"<password>{A}</password>", A),
        ("password: |\n  block-secret-1\nlr: 0.1", "block-secret-1"),
        (f"secrets: ['{A}', 'x']", A),
        (f'"private_key_id": "{HEX40}"', HEX40),
        (f"TELEGRAM_BOT_TOKEN={A}", A),
        (f"_authToken={A}", A),
        (f"vault_token: {A}", A),
        (f"client-key-data: {LONG}", LONG),
    ]


def _headers() -> list[tuple[str, str]]:
    return [
        (f"Authorization: Bearer {A}", A),
        (f"authorization: Basic {B64}", B64),
        (f"{{'Authorization': 'Bearer {A}', 'Accept': '*/*'}}", A),
        (f"curl -H 'Authorization: token {A}' https://api", A),
        (f"Authorization: AWS4-HMAC-SHA256 Credential=AKID/2026/us, SignedHeaders=host, Signature={HEX64}", HEX64),
        (f"Proxy-Authorization: Basic {B64}", B64),
        (f"Cookie: session={A}; theme=dark", A),
        (f"Set-Cookie: sid={A}; Path=/", A),
        (f"X-Api-Key: {A}", A),
        (f"x-goog-api-key: {A}", A),
        (f"X-Vault-Token: {A}", A),
        (f"X-Auth-Token: {A}", A),
        (f"PRIVATE-TOKEN: {A}", A),
        (f"Ocp-Apim-Subscription-Key: {HEX32}", HEX32),
        (f"using bearer {A}", A),
    ]


def _urls() -> list[tuple[str, str]]:
    return [
        ("postgresql://ml:hunter2@db.internal:5432/runs", "hunter2"),
        ("redis://:s3cr3t@cache:6379/0", "s3cr3t"),
        ("mongodb+srv://u:p%40ss@cluster0.x.mongodb.net", "p%40ss"),
        ("amqp://guest:p@ss@rabbit:5672//", "p@ss"),
        ("mysql://root:pa/ss@db/x", "pa/ss"),
        (f"git clone https://{A}@github.com/o/r.git", A),
        (f"https://oauth2:{A}@gitlab.com/o/r.git", A),
        (f"https://{HEX32}@o1.ingest.sentry.io/1", HEX32),
        (f"https://acct.blob.core.windows.net/c/b?sv=2022&sig={A}%3D&se=2026", A),
        (f"https://b.s3.amazonaws.com/k?X-Amz-Credential=AK%2F2026&X-Amz-Signature={HEX64}", HEX64),
        (f"https://storage.googleapis.com/b/o?X-Goog-Signature={HEX64}&x=1", HEX64),
        (f"GET /v1/models?api_key={A} 403", A),
        (f"GET /cb?access_token={A}&state=1", A),
        (f"https://generativelanguage.googleapis.com/v1?key={A}", A),
        (f"https://api.telegram.org/bot123456789:{A}/sendMessage", A),
        (f"redirect=https%3A%2F%2Fml%3A{A}%40tracker.example.org", A),
    ]


def _commands() -> list[tuple[str, str]]:
    return [
        ("curl -u admin:hunter2 https://artifactory", "hunter2"),
        ("mysql -h db -uroot -phunter2 runs", "hunter2"),
        ("sshpass -p hunter2 ssh x", "hunter2"),
        (f"wandb login {HEX40}", HEX40),
        (f"wandb login --relogin local-{HEX40}", HEX40),
        (f"machine api.wandb.ai login user password {HEX40}", HEX40),
        (f"wandb: Paste an API key from your profile: {HEX40}", HEX40),
        (f"docker login -u x --password {A}", A),
        ("requests.get(url, auth=('admin', 'hunter2'))", "hunter2"),
        ("root:$6$rounds=5000$saltsalt$" + LONG, LONG),
        ("Passwort: h4nter2", "h4nter2"),
        ("mot de passe : h4nter2", "h4nter2"),
        ("contraseña='h4nter2'", "h4nter2"),
        ("пароль: h4nter2", "h4nter2"),
        ("密码\uff1ah4nter2", "h4nter2"),
        ("パスワード=h4nter2", "h4nter2"),
        ("\x1b[31mpass\x1b[0mword=split-by-colour", "split-by-colour"),
        ("pass\u200bword=split-by-zero-width", "split-by-zero-width"),
    ]


def _documents() -> list[tuple[str, str]]:
    first, second = BODY.split("\n")[1], BODY.split("\n")[7]
    oneline = PEM.replace("\n", "\\n")
    ranked = "\n".join(f"[rank0]: {line}" for line in PEM.split("\n"))
    return [
        (PEM, first),
        (PEM, second),
        (PEM.split("-----END")[0], second),
        (PEM.split("\n", 3)[3], second),
        (ranked, first),
        ("x\n" + BODY.split("\n")[4] + "\ny", BODY.split("\n")[4]),
        (f'{{"type": "service_account", "private_key": "{oneline}\\n", "client_email": "a@b.iam"}}', second),
        (f'{{"auths": {{"nvcr.io": {{"auth": "{B64}"}}}}}}', B64),
        (f'{{"username":"me","key":"{HEX32}"}}', HEX32),
        (PEM.replace("RSA", "OPENSSH"), first),
    ]


def _loose() -> list[tuple[str, str]]:
    """Names that something else than `=` or `:` joins to their secret."""
    half = HEX40[:19] + "Q"
    joined = (
        "│ wandb_api_key     │ {} │",
        "aws_secret_access_key | {}",
        "password -> {}",
        "password\uff1a{}",
        "DB_PASSWORD............: {}",
        "DB_PASSWORD                 {}",
        "setenv DB_PASSWORD {}",
        "connect using password {}",
        "('password', '{}')",
        "[('X-Api-Key', '{}')]",
        "API Key: {}",
        'secret key "{}"',
        "{{'password': b'{}'}}",
        "password=r'{}'",
        "{{'token': SecretBox('{}')}}",
        "hf_tokens={}",
        "Command ['mysql', '-u', 'root', '-p{}'] returned 1",
        "GET /?q=password%3D{}%26x%3D1",
        "GET /?q=api_key%253D{}%2526x%253D1",
        "POST body %7B%22client_secret%22%3A%20%22{}%22%7D",
        "header Authorization%3A%20Bearer%20{}",
        '{{\\\\\\"api_key\\\\\\": \\\\\\"{}\\\\\\"}}',
    )
    coded = [
        base64.b64encode(f"{head}{A}".encode()).decode()
        for head in ("Authorization: Bearer ", "Bearer ", "-----BEGIN ")
    ]
    return [*((line.format(half), half) for line in joined), *((f"raw request {code}", code) for code in coded)]


def _spread() -> list[tuple[str, str]]:
    """Secrets that were broken over lines, and secrets below their name."""
    token = "hf" + "_" + LETTERS
    return [
        (f"401 for\n{token[:22]}\n{token[22:]}{A}", A),
        (f"Authorization: Bearer {JWT[:57]}\n{A}.{A}\n{A[::-1]}", A[::-1]),
        (f"login failed, password:\n    {A}", A),
        (f"PASSWORD=\\\n{A}", A),
        (f"password: |\n{A}\nuser: x", A),
        (f'password = """\n{A}\n"""', A),
        (f"[rank0]: AWS_SECRET_ACCESS_KEY={A[:12]}\n[rank0]: {A[12:]}", A[12:]),
        (f"cannot connect postgresql://user:{A[:20]}\n{A[20:]}@db.host/x", A[20:]),
        (f"cannot connect postgresql://user:{A[:20]}", A[:20]),
    ]
