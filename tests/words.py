"""All that a person can read, with its place: `python -m tests.words [FOLDER ...] [--draw 120 --lots 1]`.

Texts of templates, strings of Python and JavaScript that read like sentences or labels, help of commands, and what the
OpenAPI document and the declarations say. What is new since COMMIT: `diff` of two runs.
"""

import argparse
import ast
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
Found = tuple[str, str]
#: Words with a space between them, or a label such as "Resign".
READS = re.compile(r"[A-Za-z][^\s()<>=/]*[,.:;!?]? [\w“\"'({]|[A-Z][a-z]+[.!?]?$")
#: SQL, patterns, addresses, types and styles.
NO_WORDS = re.compile(
    r"SELECT |INSERT |UPDATE \w+ SET|DELETE FROM|CREATE |ALTER |WHERE |TABLE |\\[wdb]"
    r"|^[\w.-]+/[\w./-]+$|^[a-z-]+( [a-z-]+)*:|[{}];|=>|Literal\[| \| None"
)
SKIPPED = ("tests/", "benchmarks/", "docs/", "deploy/", ".ci/", "clients/python/trey/schema.py")
#: Where a template's text ends and another one begins.
BETWEEN = re.compile(r"<[^>]*>|{% (?:block|endblock|else|elif|endif|endfor|for|if|empty)[^%]*%}")


def files(*folders: str) -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [
        name
        for name in listed.split("\0")
        if not name.startswith(SKIPPED) and "migrations/" not in name and (not folders or name.startswith(folders))
    ]


def of_python(name: str, text: str) -> Iterator[Found]:
    tree = ast.parse(text)
    # A docstring is read where it becomes the help of a command or a description of the API, which are read there.
    quiet = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            said = "".join(str(part.value) if isinstance(part, ast.Constant) else "{…}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not {id(node)} & (quiet | inner):
            said = node.value
        else:
            continue
        yield f"{name}:{node.lineno}", said


def of_template(name: str, text: str) -> Iterator[Found]:
    bare = re.sub(r"{% comment.*?endcomment %}|{#.*?#}|<(script|style).*?</\1>", "", text, flags=re.DOTALL)
    shown = re.findall(r'(?:title|placeholder|aria-label|alt|value|content)="([^"]*)"', bare)
    inline = re.sub(r"</?(a|b|i|em|strong|code|small|time|kbd|span)\b[^>]*>", "", bare)
    for said in [
        *shown,
        *BETWEEN.split(inline),
    ]:
        yield name, re.sub(r"{[{%].*?[%}]}", "{…}", said)


def of_script(name: str, text: str) -> Iterator[Found]:
    for found in re.finditer(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', text):
        said = re.sub(r"\${[^}]*}", "{…}", found[1] or found[2] or "")
        yield f"{name}:{text.count(chr(10), 0, found.start()) + 1}", said


def of_document(value: Any, path: str = "") -> Iterator[Found]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key in ("description", "summary") and isinstance(each, str):
                yield f"openapi {path}", each
            else:
                yield from of_document(each, f"{path}/{key}")
    elif isinstance(value, list):
        for each in value:
            yield from of_document(each, path)


def of_declarations(name: str) -> Iterator[Found]:
    def walk(value: Any, path: str) -> Iterator[Found]:
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(each, dict | list):
                yield from walk(each, f"{path}.{key}")
            elif isinstance(each, str):
                yield f"{name} {path}", each

    yield from walk(tomllib.loads((ROOT / name).read_text()), "")


def words(*folders: str) -> list[Found]:
    """Each place once with its text, in the order of the files."""
    by_kind = {".py": of_python, ".html": of_template, ".txt": of_template, ".js": of_script}
    every: list[Found] = []
    for name in files(*folders):
        if read := by_kind.get(Path(name).suffix):
            every += read(name, (ROOT / name).read_text())
    if not folders:
        every += of_document(yaml.load((ROOT / "docs/openapi.yaml").read_text(), yaml.CSafeLoader))
        every += [*of_declarations("config/variables.toml"), *of_declarations("docs/build/errors.toml")]
    tidy = ((place, " ".join(unescape(said).split())) for place, said in every)
    return list(dict.fromkeys(each for each in tidy if READS.search(each[1]) and not NO_WORDS.search(each[1])))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("folders", nargs="*", help="such as games/pages; without one everything")
    parser.add_argument("--draw", type=int, help="draw this many sentences at random instead of all")
    parser.add_argument("--lots", type=int, default=1, help="the seed of the draw")
    asked = parser.parse_args()
    found = words(*asked.folders)
    if asked.draw:
        sentences = [each for each in found if each[1].count(" ") > 2]
        found = random.Random(asked.lots).sample(sentences, min(asked.draw, len(sentences)))
    sys.stdout.writelines(f"{place}\t{said}\n" for place, said in found)
