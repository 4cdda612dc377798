"""docs/running.md lists every environment variable that the code reads, with its true default, and no other."""

import ast
import re
import runpy

import pytest
from granian.cli import cli as granian_cli

from config import environment
from config.environment import StartupError
from config.processes import CHECKOUT, MIGRATE, SERVICES

PAGE = (CHECKOUT / "docs/running.md").read_text()
ROWS = {
    name: (default, example)
    for name, default, example, _ in re.findall(r"^\| `([A-Z_]+)` \| (.*?) \| (.*?) \| (.*?) \|$", PAGE, re.MULTILINE)
}
PRODUCTION = {
    "TREY_ENV": "production",
    "TREY_SECRET_KEY": "0123456789" * 5,
    "TREY_HOSTS": "trey.example.org",
    "DATABASE_URL": "postgresql://trey@127.0.0.1/trey",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
}
# What depends on more than the kind of environment.
COMPUTED = {
    "TREY_SECRET_KEY": "a key for development; required in production",
    "TREY_VAULT_KEYS": "that of `TREY_SECRET_KEY`",
    "TREY_HOSTS": "loopback; required in production",
    "TREY_SITE_URL": "`http://localhost:8000`; in production the first of `TREY_HOSTS`",
    "TREY_PASSKEY_HOST": "the host of `TREY_SITE_URL`; `localhost` where that is an IP address",
    "DATABASE_URL": "the embedded PostgreSQL; required in production",
    "REDIS_URL": "the embedded Redis; required in production",
    "TREY_STATE_DIR": "`var` in the checkout; root: a folder in `/var/lib/trey`",
    "TREY_HEADS_FILE": "with the embedded PostgreSQL `run/heads` in the state directory, else `none`",
    "TREY_CHAT_SERVICES": "all",
    "TREY_APPS": "`open`",
    "TREY_CORS_ORIGINS": "`*`",
    "TREY_LOG_FORMAT": "`text` in a terminal and under `make run`, else `json`",
}
# By whom the variables are read that are not Trey's own.
SOURCES = ("chats", "config", "core", "games", "tournaments", "examples")


def read_by_the_code():
    """The names, and the constant defaults where a file reads `os.environ` itself."""
    found = {}
    for file in [CHECKOUT / "manage.py", *(path for room in SOURCES for path in (CHECKOUT / room).rglob("*.py"))]:
        if file.name in ("environment.py", "settings_test.py"):
            continue
        tree = ast.parse(file.read_text())
        constants = {
            node.targets[0].id: node.value.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and hasattr(node.targets[0], "id")
        }
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name("environment"), attr=kind), args=[name, *_]):
                    pass
                case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="environ")), args=[name, *_]):
                    kind = "environ"
                case ast.Subscript(value=ast.Attribute(attr="environ"), slice=name):
                    kind = "environ"
                case _:
                    continue
            text = name.value if isinstance(name, ast.Constant) else constants[name.id]
            found[text] = kind
            if kind == "secret":
                found[f"{text}_FILE"] = kind
    return found


def settings_with(monkeypatch, environ):
    """Load the settings in this environment. Returns the default of each variable, as people write it."""
    for name in (*ROWS, *PRODUCTION):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    defaults = {}

    def recorded(function):
        def read(name, *arguments, **bounds):
            value = (*arguments, "")[0]
            is_flag = function.__name__ == "flag"
            # The first one is what was asked for: an integer is read as a text, too.
            defaults.setdefault(name, ("yes" if value else "no") if is_flag else str(value))
            return function(name, *arguments, **bounds)

        return read

    with monkeypatch.context() as patched:
        for kind in ("text", "choice", "secret", "flag", "integer", "listing", "rate"):
            patched.setattr(environment, kind, recorded(getattr(environment, kind)))
        runpy.run_path(str(CHECKOUT / "config/settings.py"))
    return defaults


@pytest.fixture
def defaults(monkeypatch):
    """The default of each variable in its row's words."""
    plain, production = settings_with(monkeypatch, {}), settings_with(monkeypatch, PRODUCTION)
    granian = {
        f"GRANIAN_{option.name.upper()}": str(option.default) if isinstance(option.default, str | int) else ""
        for option in granian_cli.params
    }
    said = {}
    for name in {**granian, **plain, **production}:
        usual = {**granian, **production, **plain}[name]
        text = f"`{usual}`" if usual else "none"
        if production.get(name, usual) != usual:
            text += f"; in production `{production[name]}`"
        for process in (*SERVICES, MIGRATE):
            if name in process.environ:
                text += f"; {process.name} `{process.environ[name]}`"
        said[name] = text
    return said


def test_the_page_lists_what_the_code_reads_and_nothing_else():
    started_with = {name for process in (*SERVICES, MIGRATE) for name in process.environ}
    assert set(ROWS) == set(read_by_the_code()) | started_with | {"GRANIAN_HOST", "GRANIAN_PORT"}


NAMED_BY_RULINGS = {
    "NT16": "HOOKS_LOCAL MAIL_URL MAIL_GRACE CHAT_SERVICES RETRIES LIVE_HEARTBEAT LIVE_BUFFER CLOCK_AHEAD",
    "NT17": "TELLS",
    "AC1": "PASSKEY_HOST",
    "TK10": "TALK_MINUTE TALK_DAY TALK_DAY_NEW",
}


@pytest.mark.parametrize(("ruling", "names"), NAMED_BY_RULINGS.items())
def test_the_settings_that_a_ruling_names_are_read(ruling, names):
    assert {f"TREY_{name}" for name in names.split()} <= set(read_by_the_code()), ruling


def test_every_default_is_the_true_one(defaults):
    for name, (said, _) in ROWS.items():
        if name in COMPUTED:
            assert said == COMPUTED[name]
        else:
            # What is not a setting of Trey's has no default of Trey's.
            assert said.partition(";")[0] == defaults.get(name, "none").partition(";")[0], name
            assert said == defaults.get(name, said), name


def test_the_limits_that_clients_read_are_those_of_production(monkeypatch):
    for name, value in PRODUCTION.items():
        monkeypatch.setenv(name, value)
    limits = runpy.run_path(str(CHECKOUT / "config/settings.py"))["TREY_LIMITS"]
    rows = re.findall(r"^\| `(\w+)` \| (\d+/\w+) \|", (CHECKOUT / "docs/api.md").read_text(), re.MULTILINE)
    monkeypatch.setenv("RATE", "")
    # An app's program alone meets the other one (docs/apps.md).
    assert {name: environment.rate("RATE", said) for name, said in rows} == {
        name: rate for name, rate in limits.items() if name != "device_code"
    }


def test_what_processes_are_started_with_is_said():
    for process in (*SERVICES, MIGRATE):
        for name, value in process.environ.items():
            assert f"{process.name} `{value}`" in ROWS[name][0], name


@pytest.mark.parametrize("name", [name for name in ROWS if not name.endswith("_FILE")])
def test_every_example_is_accepted(name, monkeypatch):
    example = re.fullmatch(r"`(.*)`", ROWS[name][1])
    assert example, ROWS[name]
    settings_with(monkeypatch, {**PRODUCTION, name: example[1]})


@pytest.mark.parametrize("name", ["DATABASE_URL", "REDIS_URL"])
def test_production_requires_its_stores(name, monkeypatch):
    with pytest.raises(StartupError, match=f"{name} must be set in production"):
        settings_with(monkeypatch, {key: value for key, value in PRODUCTION.items() if key != name})


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
