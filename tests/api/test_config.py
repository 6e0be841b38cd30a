from pathlib import Path

import pytest

from runtriage.api.config import Config, ConfigError, load_config


def _load(path: Path, text: str, **variables: str) -> Config:
    path.write_text(text)
    return load_config({"RUNTRIAGE_CONFIG": str(path), **variables})


def test_without_a_file_everything_has_its_default(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert load_config({}) == Config()


def test_the_file_in_the_users_folder_is_read(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "runtriage").mkdir()
    (tmp_path / "runtriage/config.toml").write_text('redact.level = "strict"\n')
    assert load_config({}).redact.level == "strict"


def test_a_file_in_the_working_directory_is_not_read(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.toml").write_text('redact.level = "strict"\n')
    assert load_config({}).redact.level == "default"


def test_every_table_is_understood(tmp_path: Path) -> None:
    config = _load(
        tmp_path / "c.toml",
        """
        [history]
        enabled = false
        [redact]
        level = "strict"
        [signatures]
        folders = ["mine", "/opt/theirs"]
        [projects.llm]
        bucket = "runs"
        kube_context = "prod"
        [runai]
        url = "https://runai.example.org"
        token_env = "RUNAI_TOKEN"
        [mcp]
        roots = ["/data"]
        """,
    )
    assert config.signatures.folders == [tmp_path / "mine", Path("/opt/theirs")]
    assert (config.history.enabled, config.redact.level, config.projects["llm"].kube_context) == (
        False,
        "strict",
        "prod",
    )


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    config = _load(
        tmp_path / "c.toml",
        '[redact]\nlevel = "default"\n[history]\nenabled = true\n',
        RUNTRIAGE_REDACT="strict",
        RUNTRIAGE_SIGNATURES="/a:/b",
        RUNTRIAGE_HISTORY="off",
    )
    assert (config.redact.level, config.history.enabled) == ("strict", False)
    assert config.signatures.folders == [Path("/a"), Path("/b")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("redakt = 1\n", "redakt is no setting; did you mean redact?"),
        ('[redact]\nlevl = "strict"\n', "redact.levl is no setting; did you mean redact.level?"),
        ('[projects.llm]\nbuket = "x"\n', "did you mean projects.llm.bucket?"),
        ("[mcp]\nx = 1\n", "known are roots"),
        ('[redact]\nlevel = "loud"\n', "redact.level may be default or strict"),
        ("redact = 3\n", "redact: "),
        ("[redact\n", "not valid TOML"),
    ],
)
def test_what_cannot_be_used_is_named_with_the_way_out(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        _load(tmp_path / "c.toml", text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such file"):
        load_config({"RUNTRIAGE_CONFIG": str(tmp_path / "none.toml")})


def test_a_wrong_level_in_the_environment_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="strict"):
        _load(tmp_path / "c.toml", "", RUNTRIAGE_REDACT="loud")
