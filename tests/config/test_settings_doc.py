"""docs/operate/running.md leads to `manage.py settings`, which says what each setting and limit means."""

import re
import runpy
from io import StringIO

import pytest
from django.core.management import call_command

from config import environment, limits
from config.environment import StartupError
from config.processes import CHECKOUT, SERVICES

PRODUCTION = {
    "TREY_ENV": "production",
    "TREY_SECRET_KEY": "0123456789" * 5,
    "TREY_HOSTS": "trey.example.org",
    "DATABASE_URL": "postgresql://trey@127.0.0.1/trey",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
}
EXAMPLES = {
    "TREY_VAULT_KEYS": "k3y-of-2027,k3y-of-2026",
    "TREY_HOSTS": "trey.example.org,www.example.org",
    "TREY_SITE_URL": "http://trey.example.org",
    "TREY_PASSKEY_HOST": "example.org",
    "TREY_SECOND_FACTOR": "organisers",
    "TREY_PROXIES": "1",
    "TREY_APPS": "https://owl.example/in",
    "TREY_CORS_ORIGINS": "https://play.example.org",
    "TREY_LOG_LEVEL": "warning",
    "TREY_LOG_FORMAT": "json",
    "DATABASE_URL": "postgresql://trey:secret@127.0.0.1:5432/trey?sslmode=verify-full",
    "REDIS_URL": "unix:///run/redis.sock?db=1",
    "TREY_HEADS_FILE": "none",
    "TREY_LIMITS": "moves=240/min,tells=none,games_per_player=20,tournaments_per_organiser=0",
    "TREY_MAIL_URL": "smtp+tls://trey:secret@mail.example.org:587",
    "TREY_MAIL_FROM": "Trey <trey@example.org>",
    "TREY_CHAT_SERVICES": "discord,ntfy",
    "TREY_HOOKS_LOCAL": "yes",
    "TREY_LIVE_URL": "https://live.example.org",
}


def settings_with(monkeypatch, environ):
    for name in environment.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(CHECKOUT / "config/settings.py"))


def test_the_page_leads_to_the_command():
    page = (CHECKOUT / "docs/operate/running.md").read_text().partition("## Settings\n")[2].partition("### Other")[0]
    assert "make settings" in page and "(../../config/variables.toml)" in page


def test_each_setting_and_limit_that_the_pages_name_is_there(settings):
    pages = "".join(file.read_text() for file in (CHECKOUT / "docs/operate").glob("*.md"))
    found = re.findall(r"\b(?:TREY|GRANIAN)_\w+", pages)
    named = {name if name in environment.VARIABLES else name.removesuffix("_FILE") for name in found}
    assert "TREY_MAIL_URL" in named and named <= set(environment.VARIABLES)
    limited = {
        one.partition("=")[0] for said in re.findall(r'TREY_LIMITS="?([\w=/,]+)', pages) for one in said.split(",")
    }
    assert "moves" in limited and limited <= set(limits.declared(settings.FEATURES))


def test_the_command_says_of_each_what_it_is_and_of_no_secret_its_value(settings, monkeypatch):
    monkeypatch.setenv("TREY_VAULT_KEYS", "quiet evening")
    out = StringIO()
    call_command("settings", stdout=out)
    said = " ".join(out.getvalue().split())
    for name, one in environment.VARIABLES.items():
        heading, meaning = f"{name}=", " ".join(one["meaning"].split())
        assert heading in said and meaning in said.partition(heading)[2], name
        assert (f"{name}_FILE names a file" in said) == ("secret" in one)
    for name, limit in limits.declared(settings.FEATURES).items():
        assert f"TREY_LIMITS={name}=" in said and limit.meaning in said
        assert f"default: {limit.usual} in production" in said
    assert "quiet evening" not in said


def test_each_setting_is_read_and_there_are_few():
    code = "".join(
        (CHECKOUT / name).read_text() for name in ("config/settings.py", "config/running/embedded/places.py")
    )
    read = set(re.findall(r'environment\.\w+\(\s*"(\w+)"', code))
    # Granian reads one of them itself.
    assert read | {"GRANIAN_WORKERS"} == set(environment.VARIABLES)
    assert len(environment.VARIABLES) <= 35


def test_what_a_part_is_started_with_is_said():
    for process in SERVICES:
        for name, value in process.environ.items():
            if name in environment.VARIABLES:
                assert f"{process.name} is started with `{value}`" in environment.VARIABLES[name]["meaning"]


def test_only_the_web_has_a_pool_and_little_time_whatever_all_parts_are_given(monkeypatch):
    found = settings_with(monkeypatch, {"TREY_THREADS": "32"})
    web, others = found["TREY_WEB_DATABASE"]["OPTIONS"], found["DATABASES"]["default"]["OPTIONS"]
    assert web["pool"]["max_size"] == 38 and "statement_timeout=15s" in web["options"]
    assert "pool" not in others and "statement_timeout=600s" in others["options"]


@pytest.mark.parametrize("value", ["-", "--5", "5-", "\u0665", "9" * 5000])
def test_what_is_no_number_is_refused(value, monkeypatch):
    with pytest.raises(StartupError, match=r"^TREY_PROXIES must be an integer from 0 to 10, not "):
        settings_with(monkeypatch, {"TREY_PROXIES": value})


def test_examples_are_accepted(monkeypatch):
    settings_with(monkeypatch, {**PRODUCTION, **EXAMPLES})


@pytest.mark.parametrize("name", ["TREY_BOT_PACE", "TREY_LOG_LEVEL", "TREY_HOOKS_LOCAL", "TREY_RETRIES", "TREY_LIMITS"])
def test_a_value_that_makes_no_sense_is_refused_by_name(name, monkeypatch):
    with pytest.raises(StartupError, match=rf"^{name} .*must .* 'perhaps'\.$"):
        settings_with(monkeypatch, {name: "perhaps"})


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("moves=240", "TREY_LIMITS: moves must be a rate such as 600/min (units s, min, h, day) or none, not '240'."),
        ("code=0/h", "TREY_LIMITS: code must be a rate such as 10/h (units s, min, h, day) or none, not '0/h'."),
        ("tells=0", "TREY_LIMITS: tells must be a number from 1 or none, not '0'."),
        ("tournament_bots=none", "TREY_LIMITS: tournament_bots must be a number from 0 to 10000, not 'none'."),
        ("talks=1/h", "TREY_LIMITS has no limit 'talks'; there are"),
        ("moves=1/h, moves=2/h", "TREY_LIMITS has moves more than once."),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused_by_name(said, wrong, monkeypatch):
    with pytest.raises(StartupError, match=f"^{re.escape(wrong)}"):
        settings_with(monkeypatch, {"TREY_LIMITS": said})


def test_limits_are_those_of_the_environment_and_high_outside_production(monkeypatch):
    changes = {"TREY_LIMITS": "moves=240/min, talk_day=none,tells=7"}
    found = settings_with(monkeypatch, {**PRODUCTION, **changes})["TREY_LIMITS"]
    assert (found["moves"], found["talk_day"], found["tells"]) == ((240, 60), None, 7)
    assert (found["sign_ups"], found["games_per_player"], found["rooms_per_game"]) == ((600, 3600), 100, None)
    elsewhere = settings_with(monkeypatch, changes)["TREY_LIMITS"]
    assert (elsewhere["moves"], elsewhere["sign_ups"]) == ((240, 60), (100_000, 3600))
    assert (elsewhere["games_per_player"], elsewhere["tournament_entrants"]) == (None, 5000)
    assert {name: limits.shown(value) for name, value in found.items()}["moves"] == "240/min"


def test_the_limits_that_clients_read_are_those_of_production(settings):
    said = re.findall(r"^\| `(\w+)` \| (\d+/\w+) \|", (CHECKOUT / "docs/build/api.md").read_text(), re.MULTILINE)
    rates = {name: one.usual for name, one in limits.declared(settings.FEATURES).items() if "/" in one.usual}
    assert len(said) >= 6
    assert set(said) <= rates.items()


def test_all_that_is_missing_in_production_and_all_that_is_gone_is_named_at_once(monkeypatch):
    changes = {"TREY_MOVES": "240/min", "TREY_TELLS": "0", "TREY_HTTPS": "no"}
    with pytest.raises(StartupError) as refused:
        settings_with(monkeypatch, {"TREY_ENV": "production", **changes})
    lines = str(refused.value).splitlines()
    assert [line.split()[0] for line in lines] == [*[*PRODUCTION][1:], "TREY_HTTPS", "TREY_MOVES", "TREY_TELLS"]
    assert lines[5] == "TREY_MOVES is no longer used: set moves=240/min in TREY_LIMITS."


def test_commas_alone_are_no_hosts(monkeypatch):
    with pytest.raises(StartupError, match=r"^TREY_HOSTS must be set in production: [^\n]*$"):
        settings_with(monkeypatch, {**PRODUCTION, "TREY_HOSTS": " , "})


def test_elsewhere_what_is_gone_is_said_and_the_rest_goes_on(monkeypatch, capsys):
    settings_with(monkeypatch, {"TREY_MOVES": "240/min"})
    assert capsys.readouterr().err == "trey: TREY_MOVES is no longer used: set moves=240/min in TREY_LIMITS.\n"


def test_what_replaces_a_setting_that_is_gone_is_there():
    for instead in environment.GONE.values():
        for name in re.findall(r"(?:TREY|GRANIAN)_\w+|DATABASE_URL|REDIS_URL", instead):
            assert name in environment.VARIABLES
        for name in re.findall(r"write (\w+)=", instead):
            assert name in limits.declared(runpy.run_path(str(CHECKOUT / "config/settings.py"))["FEATURES"])


def test_secrets_are_not_printed(monkeypatch):
    monkeypatch.setenv("TREY_VAULT_KEYS", "quiet evening")
    assert environment.shown("TREY_VAULT_KEYS") == "(secret)"
    assert environment.shown("TREY_MAIL_URL") == "console:"


def test_a_secret_can_be_in_a_file(monkeypatch, tmp_path):
    (tmp_path / "key").write_text("a key in a file\n")
    monkeypatch.setenv("TREY_SECRET_KEY_FILE", str(tmp_path / "key"))
    monkeypatch.delenv("TREY_SECRET_KEY", raising=False)
    assert environment.secret("TREY_SECRET_KEY") == "a key in a file"
    monkeypatch.setenv("TREY_SECRET_KEY", "another one")
    with pytest.raises(StartupError, match="TREY_SECRET_KEY or TREY_SECRET_KEY_FILE, not both"):
        environment.secret("TREY_SECRET_KEY")


@pytest.mark.parametrize(
    ("content", "said"), [(None, "No such file"), (b"\xff", "it is not UTF-8 text"), (b"\n", "which is empty")]
)
def test_a_secret_that_cannot_be_read_is_refused(content, said, monkeypatch, tmp_path):
    if content is not None:
        (tmp_path / "key").write_bytes(content)
    monkeypatch.setenv("TREY_SECRET_KEY_FILE", str(tmp_path / "key"))
    monkeypatch.delenv("TREY_SECRET_KEY", raising=False)
    with pytest.raises(StartupError, match=said):
        environment.secret("TREY_SECRET_KEY")
