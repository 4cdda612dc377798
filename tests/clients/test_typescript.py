"""The TypeScript client is typed, and runs in browsers after tsc (AP17, AP21)."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.clients.conftest import NODE
from tests.docs.pages import ROOT, blocks

TSC = shutil.which("tsc")
needs_tsc = pytest.mark.skipif(TSC is None, reason="tsc is not installed; .ci/run installs it")
CLIENT = ROOT / "clients" / "typescript"


def tsc(*arguments: str) -> None:
    done = subprocess.run([str(TSC), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@needs_tsc
def test_ap21_it_is_typed_and_compiles_for_browsers(tmp_path: Path) -> None:
    tsc("--project", str(CLIENT), "--outDir", str(tmp_path))
    program = "const trey = await import('./trey.js'); console.log(Object.keys(trey).sort().join())"
    command = [str(NODE), "--input-type=module", "-e", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "Blocks,Lost,Operations,Problem,Trey,verify\n", done.stderr


@needs_tsc
def test_ap20_the_bot_of_the_page_is_typed(tmp_path: Path) -> None:
    [bot] = [block.text for block in blocks("docs/clients.md") if block.language == "ts"]
    (tmp_path / "bot.ts").write_text(
        "declare const process: { env: Record<string, string> };\n" + bot, encoding="utf-8"
    )
    for name in ("trey.ts", "schema.ts"):
        shutil.copy(CLIENT / name, tmp_path)
    tsc(
        "--strict", "--skipLibCheck", "--noEmit", "--target", "es2022", "--module", "es2022",
        "--moduleResolution", "bundler", "--allowImportingTsExtensions",
        "--lib", "es2022,dom,dom.asynciterable,dom.iterable", str(tmp_path / "bot.ts"),
    )  # fmt: skip


def test_ap17_it_has_no_dependencies() -> None:
    package = json.loads((CLIENT / "package.json").read_text(encoding="utf-8"))
    assert "dependencies" not in package
    lines = (CLIENT / "trey.ts").read_text(encoding="utf-8").splitlines()
    assert {line.split(" from ")[1] for line in lines if ' from "' in line} == {'"./schema.ts";'}
