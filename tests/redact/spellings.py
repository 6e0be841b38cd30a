"""Secrets under names, quotes and brackets that are spelt in an uncommon way, in commands and in sentences, all made up."""

from __future__ import annotations

WORD = "hunter2Xq"
KEY = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA"
HEX32 = "9f86d081884c7d659a2feaa0c55ad015"


def cases() -> list[tuple[str, str]]:
    """Return pairs of a text as a run prints it and the part of it that must be gone."""
    return [*_quoted(), *_commands(), *_told(), *_sentences(), *_disguised(), *_entries(), *_below()]


def _quoted() -> list[tuple[str, str]]:
    words = (
        "password='''{}'''",
        'password="""{}"""',
        "password=`{}`",
        "connect(password: `{}`)",
        "CREATE LOGIN x WITH PASSWORD = N'{}'",
        "password[0]={}",
        "passwords['db'] = '{}'",
        "password.value={}",
        "password (plain text): {}",
        "SSHPASS={} sshpass -e ssh h",
        "PGPASS={}",
        "SecretString: {}",
        "mot_de_passe={}",
        "contrasena: {}",
        '"SecretBinary": "{}"',
    )
    return [
        *((line.format(WORD), WORD) for line in words),
        (f"KAGGLE_KEY={HEX32}", HEX32),
        (f"AWS Secret Access Key [None]: {KEY}", KEY),
        (f"AWS Secret Access Key [****************ABCD]: {KEY}", KEY),
    ]


def _commands() -> list[tuple[str, str]]:
    words = (
        "sqlcmd -S h -U sa -P {}",
        "sqlcmd -S h -U sa -P{}",
        "mongo -u a -p {} --host h",
        "openssl enc -k {} -aes-256-cbc",
        "unzip -P {} a.zip",
        "7z x -p{} a.7z",
        "echo {} | sudo -S apt install x",
        "echo '{}' | sudo -S apt install x",
        "echo 'alice:{}' | chpasswd",
        "echo {} | gpg --batch --passphrase-fd 0 -d x",
        "keytool -storepass {} -list",
        "sqlplus ml/{}@db",
        "jdbc:oracle:thin:ml/{}@h:1521:x",
        "pip install --proxy a:{}@p:3128 x",
        "http -a alice:{} GET h",
        "smbclient //h/s -U alice%{}",
        "lftp -u alice,{} sftp://h",
        "mysqladmin -u root password '{}'",
        "rabbitmqctl add_user a {}",
        "ALTER ROLE ml PASSWORD '{}'",
        "ALTER ROLE ml WITH ENCRYPTED PASSWORD '{}';",
        "CONFIG SET requirepass {}",
        "requirepass {}",
        "AUTH {}",
        "127.0.0.1:6379> AUTH default {}",
        "Step 3/9 : ENV DB_PASSWORD {}",
        "set DB_PASSWORD {}",
        "C:\\ml> setx DB_PASSWORD {} /m",
        "spark.ssl.keyPassword {}",
        "spark.hadoop.fs.s3a.secret.key   {}",
        "machine h\nlogin a\npassword {}\n",
        "[db]\nuser a\npasswd {}\n",
    )
    return [
        *((line.format(WORD), WORD) for line in words),
        (f"wandb login --relogin {KEY}", KEY),
        ("machine h\n  login a\n  password letmein\n", "letmein"),
    ]


def _told() -> list[tuple[str, str]]:
    words = (
        "storepass {}",
        "vault kv put secret/x user=a value={}",
        "bw unlock {}",
        "net user alice {} /add",
        "net use X: \\\\h\\s {} /user:alice",
        "isql dsn sa {}",
        "cryptsetup open /dev/x y <<< {}",
        "rsync --password-file=<(echo {}) x",
        "expect -c 'send \"{}\\r\"'",
        "mc alias set lab http://h:9000 alice {}",
        "az acr login -u a -p {}",
        "- DB_PASSWORD\n- {}",
        "DB_PASSWORD\n{}",
        "MLFLOW_TRACKING_PASSWORD {}",
        "WiFi PSK={}",
        "passw0rd={}",
        "password != '{}'",
        "spark.redis.auth {}",
        "pass phrase: {}",
        "Kennwort lautet {}",
        "Passwort ist {}",
        "using alice:{} for basic auth",
        "svc_cred: alice/{}",
        "login: alice / {}",
        "AssertionError: '{}' != password",
        "got password='x' expected '{}'",
        "amqp: a:{}@h",
        "Secret[{}]",
        "<Secret {}>",
        "the secret is {}",
    )
    keys = (
        "authToken>{}<",
        "JWT {}",
        "SLURM_JWT={}",
        "csrf={}",
        "key={}",
        "gcloud auth activate --key {}",
        "LICENSE={}",
        "https://h/login/{}",
        "InvalidToken({})",
        "WANDB API key set to {}",
        "OPENAI_API_KEY is {}",
        "Your token ({}) has been saved",
        "Appending key for api.example.org to your netrc file: /root/.netrc {}",
        "?X-Amz-Signature={}",
    )
    return [*((line.format(WORD), WORD) for line in words), *((line.format(KEY), KEY) for line in keys)]


def _sentences() -> list[tuple[str, str]]:
    words = (
        "ValueError: bad password {}",
        "wrong passphrase ({})",
        "expected password '{}', got 'x'",
        "ValueError: password '{}' is too short",
        "Password for 'alice': {}",
        "the password for alice is {}",
        "user alice password\t{}",
        "password\u3000{}",
        "password:\n\n{}",
    )
    keys = (
        "invalid api key ({})",
        "Bearer: {}",
        "Unauthorized: {} is not a valid key",
    )
    seed = "abandon ability able about above absent absorb abstract absurd abuse access accident"
    return [
        *((line.format(WORD), WORD) for line in words),
        *((line.format(KEY), KEY) for line in keys),
        ("password 'letmein' is too short", "letmein"),
        (f"seed phrase: {seed}", seed),
        (f"mnemonic={seed}", seed),
        ("recovery code: ABCD-EFGH-1234", "ABCD-EFGH-1234"),
        ("your verification code is 481516", "481516"),
        ("otp is 481516", "481516"),
        ("one-time code 48151623", "48151623"),
    ]


def _disguised() -> list[tuple[str, str]]:
    words = (
        "password&#61;{}",
        "password&#x3D;{}",
        "password&equals;{}",
        "pass&#119;ord={}",
        "p\u0430ssw\u043erd={}",
    )
    return [(line.format(WORD), WORD) for line in words]


def _entries() -> list[tuple[str, str]]:
    """Entries whose members are the name of a secret and its value, and names that are spelt in an uncommon way."""
    shaped = (
        '{{"value": "{}", "name": "DB_PASSWORD"}}',
        '{{\\"value\\": \\"{}\\", \\"name\\": \\"DB_PASSWORD\\"}}',
        '{{\n  "value": "{}",\n  "type": "string",\n  "name": "WANDB_API_KEY"\n}}',
        '{{\n  "name": "WANDB_API_KEY",\n  "type": "string",\n  "value": "{}"\n}}',
        "  - value: {}\n    name: DB_PASSWORD",
        "  - name: DB_PASSWORD\n    optional: false\n    value: {}",
        "- name: RANK\n  value: a1\n- name: DB_PASSWORD\n  value: {}\n- name: X\n  value: b2",
        "V1EnvVar(value='{}', name='DB_PASSWORD')",
        '<add value="{}" key="DbPassword"/>',
        "<property>\n  <name>fs.s3a.secret.key</name>\n  <value>{}</value>\n</property>",
        "<key>apiToken</key>\n<string>{}</string>",
        '{{"p\\u0061ssword": "{}"}}',
        "jdbc:x?user\\u003da\\u0026password\\u003d{}",
        "pas\x08ssword={}",
        "p\x08pa\x08as\x08ss\x08sw\x08wo\x08or\x08rd\x08d={}",
        "login failed with DB_PASS\nWORD={}",
        "[rank0]: AWS_SECRET_ACC\n[rank0]: ESS_KEY={}",
        "https://x/c/b?sv=2020&se=2024&si\ng={}",
        "    pw = '{}'",
        "redis-cli -a {} ping",
        "docker login -u x -p {}",
        "echo {} | docker login -u x --password-stdin",
        "wandb.login(key='{}')",
        "ALTER USER x IDENTIFIED BY '{}'",
        "Invalid token '{}'",
        "https://conda.example.org/t/{}/main",
        "fs.azure.account.key.x.blob.core.windows.net={}",
    )
    return [(line.format(KEY), KEY) for line in shaped]


def _below() -> list[tuple[str, str]]:
    """Secrets in a list or a mapping below their name."""
    shaped = (
        "tokens=['{}', 'x']",
        "{{'tokens': {{'main': '{}'}}}}",
        "tokens:\n  - {}\n",
        "tokens:\n  main: {}\n",
        "{{'passwords': {{'main': '{}'}}}}",
        "api_keys: [{}, b]",
        "api_keys:\n  - {}\n  - b",
        '{{"secrets": {{"db": "{}"}}}}',
        "credentials:\n  user: x\n  value: {}\n",
        "wandb:\n  project: p\n  key: {}\n",
    )
    words = (
        ("passwords:\n  main: correct-horse\n", "correct-horse"),
        ("passwords:\n- correct-horse\n", "correct-horse"),
    )
    return [*((line.format(KEY), KEY) for line in shaped), *words]
