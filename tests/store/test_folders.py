from __future__ import annotations

import platformdirs
import pytest

from runtriage.store.folders import user_folder


@pytest.mark.parametrize("home", ["", "  ", "/data/mine", "relative"])
@pytest.mark.parametrize("kind", ["cache", "config", "state"])
def test_a_users_folder_is_where_every_program_of_the_platform_has_it(
    kind: str, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {
        "cache": platformdirs.user_cache_path,
        "config": platformdirs.user_config_path,
        "state": platformdirs.user_state_path,
    }
    for name in asked:
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", home)

    assert user_folder(kind) == asked[kind]("runtriage")  # pyright: ignore[reportArgumentType]
