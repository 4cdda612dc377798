"""Remakes the golden files: `python -m tests.rules.golden`.

The recorded games are replayed and what everybody is shown is recorded again. A game that has no file
yet, or whose moves the rules now refuse, is played again. Look at what git says has changed before you commit it.
"""

from tests.rules.golden.looks import RECORDED, RefusedMoveError, lines_of, path_of, play, read, write


def main() -> None:
    """Writes every file, and says which games are new."""
    for name, recorded in RECORDED.items():
        record, story = (read(name)[0], "replayed") if path_of(name).exists() else (play(recorded), "a new game")
        try:
            lines = lines_of(record)
        except RefusedMoveError as refused:
            lines, story = lines_of(play(recorded)), f"a new game: {refused}"
        write(name, lines)
        print(f"{path_of(name).name}: {len(lines) - 2} moves, {story}")  # noqa: T201 (a command's answer)


if __name__ == "__main__":
    main()
