"""`python -m games.lab`, as one uses it (LB1, LB9, LB10, LB14, LB16)."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from games.lab.__main__ import main
from games.lab.picture import BIG, MARGIN, WIDTH


def lab(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main([str(argument) for argument in arguments])
    return status, *capsys.readouterr()


def figures(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    status, out, err = lab(capsys, *arguments, "--json", "-")
    assert (status, err) == (0, "")
    found: dict[str, Any] = json.loads(out)
    return found


@pytest.mark.sampled
def test_lb16_sides_alike_but_for_a_stalemate_that_never_comes_do_not_differ(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ("--games", 30, "--option", "stalemate_after=20", "--versus-option", "stalemate_after=21")
    found = figures(capsys, "simulate", "threes", *arguments)

    assert found["sides"][0]["figures"] == found["sides"][1]["figures"]
    for difference in found["difference"].values():
        assert (difference["value"], difference["low"], difference["high"]) == (0, 0, 0)


@pytest.mark.sampled
def test_the_lab_alone_says_what_it_can_do_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    said = capsys.readouterr().out
    assert "simulate" in said and "figures" in said
    [example] = [line.split()[3:] for line in said.splitlines() if line.startswith("  python -m games.lab ")]
    assert main([*example, "--games", "2", "--workers", "1"]) == 0


def test_lb10_the_json_says_what_was_played(capsys: pytest.CaptureFixture[str]) -> None:
    found = figures(
        capsys, "simulate", "threes", "--games", 4, "--versus", 2022, "--seed", "my seed", "--bots", "random"
    )

    assert {key: found[key] for key in ("format", "game", "seats", "games", "seed", "bots")} == {
        "format": "trey-lab/1",
        "game": "threes",
        "seats": 4,
        "games": 4,
        "seed": "my seed",
        "bots": ["random"] * 4,
    }
    assert [side["ruleset"] for side in found["sides"]] == ["2023", "2022"]
    assert found["sides"][1]["options"]["ten_wild"] is True
    assert found["sides"][0]["options"]["stalemate_after"] == 20
    assert set(found["sides"][0]["figures"]["moves"]) == {"kind", "value", "low", "high", "games", "median", "p90"}


@pytest.mark.sampled
def test_lb9_records_have_the_same_bytes_whatever_the_workers_and_however_often_it_stopped(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    arguments = ["simulate", "castle", "--games", 21]
    first = figures(capsys, *arguments, "--workers", 1, "--records", whole)
    content = whole.read_bytes()
    for kept in (0, len(content) // 3, len(content) - 1):  # also within a line
        parts.write_bytes(content[:kept])
        again = figures(capsys, *arguments, "--workers", 7, "--records", parts, "--resume")
        assert parts.read_bytes() == content
        assert again == first
    assert figures(capsys, "figures", whole) == first


@pytest.mark.sampled
def test_lb1_figures_of_records_are_those_of_the_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    arguments = ["--games", 8, "--versus", 2022, "--bots", "random,plain,plain"]
    run = figures(
        capsys, "simulate", "threes", "--seats", 3, *arguments, "--records", first, "--versus-records", second
    )

    assert figures(capsys, "figures", first, "--versus", second) == run


@pytest.mark.sampled
def test_records_of_several_rules_are_several_sides(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a", "b", "both")]
    figures(capsys, "simulate", "threes", "--games", 3, "--records", paths[0])
    figures(capsys, "simulate", "threes", "--games", 2, "--ruleset", 2022, "--records", paths[1])
    paths[2].write_bytes(paths[0].read_bytes() + paths[1].read_bytes())

    found = figures(capsys, "figures", paths[2])
    assert [side["ruleset"] for side in found["sides"]] == ["2023", "2022"]
    assert found["difference"] is None
    chosen = figures(capsys, "figures", paths[2], "--ruleset", 2022, "--option", "ten_wild=true")
    assert [side["ruleset"] for side in chosen["sides"]] == ["2022"]
    status, _, err = lab(capsys, "figures", paths[2], "--versus", paths[0])
    assert status == 2
    assert "several rules" in err
    found = figures(capsys, "figures", paths[2], "--ruleset", 2023, "--versus", paths[2], "--versus-ruleset", 2022)
    assert found["games"] == 2
    assert [side["figures"]["moves"]["games"] for side in found["sides"]] == [3, 2]


@pytest.mark.sampled
def test_lb10_the_csv_has_a_line_for_each_side_and_figure(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "castle", "--games", 30, "--versus-option", "play_until=last_left")
    found = figures(capsys, *arguments)
    _, out, _ = lab(capsys, *arguments, "--csv", "-")

    rows = list(csv.DictReader(io.StringIO(out)))
    for name, side in (
        ("1", found["sides"][0]["figures"]),
        ("2", found["sides"][1]["figures"]),
        ("difference", found["difference"]),
    ):
        of_side = {row["figure"]: row for row in rows if row["side"] == name}
        assert {figure: float(row["value"]) for figure, row in of_side.items()} == {
            figure: estimate["value"] for figure, estimate in side.items()
        }


@pytest.mark.sampled
def test_lb10_the_table_marks_what_differs(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = lab(capsys, "simulate", "threes", "--games", 40, "--versus", "2022")

    lines = {line[:30].strip(): line for line in out.splitlines()}
    assert status == 0
    assert out.startswith("Threes, 4 seats, 40 pairs of games, plain players\n")
    assert lines["Times the pile was picked up"].endswith(" *")
    assert not lines["Points of seat 2"].endswith("*")


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("versus", "asked"),
    [
        (["--versus", "2022"], "2022 instead of 2023"),
        (["--versus-option", "decks=3"], "“Decks: 3” instead of “Decks: 2”"),
        (
            ["--versus", "2022", "--versus-option", "play_until=first_out"],
            "2022 with “Play until: the first player is out” instead of 2023",
        ),
    ],
)
def test_lb10_the_picture_asks_its_question_in_words(
    versus: list[str], asked: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "picture.svg"
    lab(capsys, "simulate", "threes", "--games", 30, *versus, "--picture", path)

    texts = [element.text for element in ElementTree.parse(path).iter() if element.text]
    assert f"What changes in Threes with {asked}?" in texts
    assert any("30 pairs of games, plain players" in text for text in texts)
    headline = [one.text or "" for one in ElementTree.parse(path).iter() if one.get("font-weight") == "600"]
    assert max(map(len, headline)) * 0.6 * BIG <= WIDTH - 2 * MARGIN, "bold letters of a wide face"


BAD = [
    (["simulate", "whist"], "whist"),
    (["simulate", "threes", "--ruleset", "1999"], "1999"),
    (["simulate", "threes", "--option", "jokers=2"], "jokers=2"),
    (["simulate", "threes", "--option", "decks=many"], "decks"),
    (["simulate", "threes", "--option", "decks"], "decks"),
    (["simulate", "threes", "--option", "decks=--2"], "decks"),
    (["simulate", "threes", "--option", f"decks={'9' * 5000}"], "decks"),
    (["simulate", "threes", "--seed", "\udcff"], "--seed"),
    (["simulate", "threes", "--bots", "clever"], "clever"),
    (["simulate", "threes", "--seats", "2", "--bots", "plain,plain,random"], "--bots names 3 levels"),
    (["simulate", "threes", "--seats", "4", "--bots", "plain,random"], "--bots names 2 levels"),
    (["simulate", "threes", "--bots", "steady", "--versus", "2022"], "weights"),
    (["simulate", "threes", "--versus"], "--versus changes nothing"),
    (["simulate", "threes", "--versus", "2023"], "--versus changes nothing"),
    (["simulate", "three_thirteen", "--seats", "9"], "seats"),
    (["simulate", "threes", "--seats", "8", "--versus-option", "decks=1"], "--versus: options.decks"),
    (["simulate", "threes", "--games", "0"], "--games"),
    (["simulate", "threes", "--games", "x"], "--games"),
    (["simulate", "threes", "--picture", "x.svg"], "--picture"),
    (["simulate", "threes", "--versus-records", "x"], "--versus-records"),
    (["simulate"], "GAME"),
    (["figures", "no such file"], "no such file"),
]


@pytest.mark.parametrize(("arguments", "named"), BAD)
def test_lb14_bad_input_gets_a_sentence_and_no_figures(
    capsys: pytest.CaptureFixture[str], arguments: list[str], named: str
) -> None:
    status, out, err = lab(capsys, *arguments)

    assert (status, out) == (2, "")
    assert named in err
    assert err.count("\n") == 1
    assert err.endswith(".\n")


@pytest.mark.sampled
def test_lb14_rules_that_no_game_was_played_by_are_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "records"
    lab(capsys, "simulate", "castle", "--games", 1, "--records", path)
    status, out, err = lab(capsys, "figures", path, "--ruleset", "1999", "--option", "stalemate_after=x")
    assert (status, out, err) == (2, "", f"{path} has no games to count by 1999, stalemate_after=x.\n")


@pytest.mark.sampled
def test_lb14_a_bad_line_is_named_or_left_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "records"
    lab(capsys, "simulate", "castle", "--games", 3, "--records", path)
    first, second, third = path.read_text().splitlines()
    unfinished = json.loads(second)
    del unfinished["moves"][-1]
    path.write_text("\n".join([first, json.dumps(unfinished), third]))

    status, out, err = lab(capsys, "figures", path)
    assert (status, out, err) == (2, "", f"{path}, line 2: The game of this record has not ended.\n")
    status, out, err = lab(capsys, "figures", path, "--skip-bad")
    assert status == 0
    assert "2 games" in out
    assert err == f"{path}: 1 bad line left out.\n"


@pytest.mark.sampled
def test_lb9_a_file_that_is_there_is_refused_and_so_are_other_arguments(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "records"
    arguments = ["simulate", "castle", "--games", 3, "--records", path]
    lab(capsys, *arguments)
    content = path.read_bytes()

    for changed in ([], ["--resume", "--seed", "2"], ["--resume", "--games", "2"], ["--resume", "--seats", "3"]):
        status, out, err = lab(capsys, *arguments, *changed)
        assert (status, out) == (2, "")
        assert str(path) in err
        assert path.read_bytes() == content


@pytest.mark.sampled
def test_lb9_a_file_that_was_cut_anywhere_is_completed_and_one_of_other_bytes_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "records"
    arguments = ["simulate", "castle", "--games", 2, "--records", path]
    lab(capsys, *arguments)
    whole = path.read_bytes()

    path.write_bytes(whole[: whole.index(b"\n") + 1] + b'{"format":"\xff')
    assert lab(capsys, *arguments, "--resume")[0] == 0
    assert path.read_bytes() == whole
    path.write_bytes(b"\xff\n")
    status, out, err = lab(capsys, *arguments, "--resume")
    assert (status, out, err) == (2, "", f"{path}, line 1: Not UTF-8.\n")


@pytest.mark.sampled
def test_lb9_ctrl_c_prints_the_figures_so_far(tmp_path: Path) -> None:
    path = tmp_path / "records"
    command = [sys.executable, "-m", "games.lab", "simulate", "threes", "--games", "100000", "--records", str(path)]
    # A shell has what it starts in the background ignore the signal, and so would the process.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen([*command, "--workers", "2"], stdout=-1, stderr=-1, text=True) as process:
        try:
            while not path.exists() or path.stat().st_size < 100_000:
                assert process.poll() is None
                time.sleep(0.05)
            os.kill(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
            signal.signal(signal.SIGINT, before)

    assert process.returncode == 130
    played = int(err.split("figures cover ")[1].split()[0])
    assert f"{played:,} games" in out
    assert path.read_text().count("\n") in (played, played + 1)  # it may have been writing one


COMMANDS = [
    line.strip().removeprefix(".venv/bin/python -m games.lab ")
    for line in Path("docs/organise/lab.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("    .venv/bin/python -m games.lab simulate ")
]


@pytest.mark.sampled
@pytest.mark.parametrize("command", dict.fromkeys(COMMANDS))
def test_the_commands_of_the_document_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = re.sub(r"--games \d+", "--games 2", command.replace("/tmp/", "")).split()

    status, out, err = lab(capsys, *arguments, "--workers", 1)

    assert (status, err) == (0, "")
    assert "Moves" in out
