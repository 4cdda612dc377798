"""What is published of both clients, as a newcomer has it: packed, installed in an empty folder, imported and typed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.clients.conftest import NODE
from tests.docs.pages import ROOT

pytestmark = pytest.mark.slow
VERSION = yaml.load((ROOT / "docs" / "openapi.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)["info"]["version"]
TYPED_PYTHON = """
from trey import AsyncTrey, Trey, verify

def sync(trey: Trey) -> None:
    for event in trey.watch("g"):
        if event["event"] == "moved" and event["data"]["type"] == "finished":
            version: int = event["data"]["version"]
            wrong: str = event["data"]["version"]  # type: ignore[assignment]
    rooms: list[str] = [game["id"] for game in trey.pages(trey.list_games, mine=True)]
    ranks: list[str] = [row["entrant"] for row in trey.pages(trey.get_standings, "t")]
    trey.pages(trey.list_games, mini=True)  # type: ignore[call-arg]
    note, headers = trey.with_headers(trey.get_note, "g")
    trey.write_note("g", text=note["text"], expect=headers["ETag"])
    trey.write_note("g", text="", expect=17)  # type: ignore[arg-type]
    posted = verify("whsec_", {}, b"")
    if posted["type"] == "game.turn":
        game: str = posted["data"]["game"]

async def asynchronous(trey: AsyncTrey) -> None:
    async for event in trey.news():
        if event["event"] == "game":
            version: int = event["data"]["version"]
    numbers: list[int] = [told["number"] async for told in trey.pages(trey.my_notifications, unread=True)]
    note, headers = await trey.with_headers(trey.get_note, "g")
    text: str = note["text"]
"""
TYPED_TYPESCRIPT = """
import { Trey, verify } from "trey-client";
const trey = new Trey("http://trey.example");
for await (const event of trey.watch("g"))
  if (event.event === "moved" && event.data.type === "finished") {
    const version: number = event.data.version;
    // @ts-expect-error it is a number
    const wrong: string = event.data.version;
  }
for await (const event of trey.news()) if (event.event === "game") { const version: number = event.data.version; }
for await (const game of trey.pages(trey.listGames, { mine: true })) { const id: string = game.id; }
for await (const row of trey.pages(trey.getStandings, "t")) { const entrant: string = row.entrant; }
const [note, headers] = await trey.withHeaders(trey.getNote, "g");
await trey.writeNote("g", { text: note.text }, { expect: headers.get("ETag") ?? "*" });
// @ts-expect-error a version is no condition for a note
await trey.writeNote("g", { text: "" }, { expect: 17 });
const posted = await verify("whsec_", {}, "");
if (posted.type === "game.turn") { const game: string = posted.data.game; }
"""


def run(*command: str | Path, cwd: Path, **environ: str) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.skipif(not (shutil.which("npm") and shutil.which("tsc")), reason="npm or tsc is not installed")
def test_ap17_the_npm_package_is_imported_and_typed(tmp_path: Path) -> None:
    """Node takes no TypeScript below `node_modules`. The oldest and the newest Node of this machine import it."""
    shutil.copytree(ROOT / "clients" / "typescript", tmp_path / "source", ignore=shutil.ignore_patterns("dist"))
    archive = run("npm", "pack", "--silent", cwd=tmp_path / "source").split()[-1]
    assert archive == f"trey-client-{VERSION}.tgz"
    app = tmp_path / "app"
    app.mkdir()
    (app / "package.json").write_text('{"type": "module"}')
    run("npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", f"../source/{archive}", cwd=app)
    assert (app / "node_modules" / "trey-client" / "README.md").exists()
    (app / "main.js").write_text('import * as trey from "trey-client"; console.log(trey.Trey.version)')
    for node in (NODE, shutil.which("node") or NODE):
        assert run(node, "main.js", cwd=app) == f"{VERSION}\n"
    (app / "main.ts").write_text(TYPED_TYPESCRIPT)
    for module in ("nodenext", "es2022"):
        resolution = "nodenext" if module == "nodenext" else "bundler"
        run(
            "tsc", "--noEmit", "--strict", "--target", "es2022", "--module", module, "--moduleResolution", resolution,
            "--lib", "es2022,dom,dom.iterable,dom.asynciterable", "main.ts", cwd=app,
        )  # fmt: skip


def test_ap17_the_wheel_is_imported_and_typed(tmp_path: Path) -> None:
    shutil.copytree(
        ROOT / "clients" / "python", tmp_path / "source", ignore=shutil.ignore_patterns("build", "*.egg-info")
    )
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
    run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", "dist", "./source", cwd=tmp_path)
    [wheel] = (tmp_path / "dist").iterdir()
    assert wheel.name == f"trey_client-{VERSION}-py3-none-any.whl"
    run(*pip, "install", "--no-deps", "--no-index", "--target", "installed", wheel, cwd=tmp_path)
    found = "import trey; print(trey.__file__, trey.__version__)"
    installed = tmp_path / "installed"
    assert run(sys.executable, "-c", found, cwd=tmp_path, PYTHONPATH=str(installed)).split() == [
        str(installed / "trey" / "__init__.py"),
        VERSION,
    ]
    assert "--rooms" in run(sys.executable, "-m", "trey.bot", "--help", cwd=tmp_path, PYTHONPATH=str(installed))
    [metadata] = installed.glob("*.dist-info/METADATA")
    assert "# The Python client of Trey" in metadata.read_text()
    (tmp_path / "typed.py").write_text(TYPED_PYTHON)
    assert (installed / "trey" / "py.typed").exists()
    run(
        sys.executable, "-m", "mypy", "--config-file=", "--warn-unused-ignores", "typed.py",
        cwd=tmp_path, MYPYPATH=str(installed),
    )  # fmt: skip
