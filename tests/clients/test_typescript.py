"""The TypeScript client is typed, and runs in browsers after tsc (AP17, AP21)."""

import base64
import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import httpx
import pytest

from tests.clients.conftest import NODE
from tests.clients.test_clients import signed
from tests.docs.pages import ROOT, blocks

TSC = shutil.which("tsc")
needs_tsc = pytest.mark.skipif(TSC is None, reason="tsc is not installed; .ci/run installs it")
CLIENT = ROOT / "clients" / "typescript"


def tsc(*arguments: str) -> None:
    done = subprocess.run([str(TSC), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
@needs_tsc
def test_ap21_it_is_typed_and_compiles_for_browsers(tmp_path: Path) -> None:
    tsc("--project", str(CLIENT), "--outDir", str(tmp_path))
    program = "const trey = await import('./trey.js'); console.log(Object.keys(trey).sort().join())"
    command = [str(NODE), "--input-type=module", "-e", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "Blocks,Lost,Operations,Problem,Trey,verify\n", done.stderr


@pytest.mark.slow
@needs_tsc
def test_ap20_the_bot_of_the_page_is_typed(tmp_path: Path) -> None:
    [bot] = [block.text for block in blocks("docs/build/clients.md") if block.language == "ts"]
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


def test_the_webhook_of_the_examples_is_verified_and_taken_once(tmp_path: Path) -> None:
    text = (ROOT / "examples/webhook.mjs").read_text()
    text = text.replace('"trey-client"', json.dumps(str(CLIENT / "trey.ts")))
    text = text.replace(".listen(5000)", ".listen(0, '127.0.0.1', function () { console.log(this.address().port) })")
    (tmp_path / "hook.mjs").write_text(text)
    environ = {**os.environ, "SECRET": f"whsec_{base64.b64encode(b's' * 24).decode()}"}
    with subprocess.Popen(
        [str(NODE), "hook.mjs"], cwd=tmp_path, env=environ, stdout=subprocess.PIPE, text=True
    ) as node:
        assert node.stdout
        url = f"http://127.0.0.1:{node.stdout.readline().strip()}"
        body = '{"type": "game.turn", "data": {"text": "Your turn: é"}}'
        good = signed(b"s" * 24, body, time.time())
        for headers, status in ((good, 204), (good, 204), (good | {"webhook-id": "msg_2"}, 401), ({}, 401)):
            assert httpx.post(url, content=body, headers=headers, timeout=60).status_code == status
        node.terminate()
        assert node.stdout.read() == "game.turn Your turn: é\n"


def test_ap17_it_has_no_dependencies() -> None:
    package = json.loads((CLIENT / "package.json").read_text(encoding="utf-8"))
    assert "dependencies" not in package
    lines = (CLIENT / "trey.ts").read_text(encoding="utf-8").splitlines()
    assert {line.split(" from ")[1] for line in lines if ' from "' in line} == {'"./schema.ts";'}
