"""Writes the types and methods of both clients from docs/openapi.yaml: `make clients` (AP17).

Each schema becomes a `TypedDict` or an interface, each operation a method named by its `operationId`, but for streams.
"""

import json
import keyword
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).resolve().parent
DOCUMENT = HERE.parent / "docs" / "openapi.yaml"
# A body that is one thing is one value of its method; the keys of any other are given by name (AP18).
ONE_VALUE = {"Move": "move", "Plan": "plan"}
SIGNS = {"Idempotency-Key": "key", "If-None-Match": "etag", "If-Match": "expect"}
NOTE = "Made by clients/generate.py from docs/openapi.yaml; do not edit."
WIDTH = 116
Json = dict[str, Any]
Rows = list[tuple[str, str, bool]]  # key, type, whether it must be there


@dataclass
class Operation:
    """One call of the API, and how its method is written."""

    id: str
    method: str
    path: str
    about: str
    answer: str
    places: list[tuple[str, str]]
    value: list[tuple[str, str]] = field(default_factory=list)
    keys: str = ""
    part: str = ""  # what the keys are: "query" or "body"
    signs: list[str] = field(default_factory=list)
    has_versions: bool = False  # whether a version is a condition, too


class Language:
    """Reads the document; what a language writes in its own way is below."""

    plain: dict[str, str]
    null: str
    array: str
    table: str

    def __init__(self, document: Json) -> None:
        self.schemas, self.version = document["components"]["schemas"], json.dumps(document["info"]["version"])
        self.objects: dict[str, Rows] = {}
        self.aliases: dict[str, str] = {}
        self.operations = sorted(self._operations(document["paths"]), key=lambda found: found.id)
        for name in ("FieldProblem", "ProblemCode"):
            self._reference(name)
        posted = [hook["post"]["requestBody"]["content"]["application/json"] for hook in document["webhooks"].values()]
        # The second part only says which `type` it is.
        self.aliases["WebhookEvent"] = self.union(self.type(each["schema"]["allOf"][0], "") for each in posted)

    def type(self, schema: Json, name: str) -> str:
        """The type of a schema; `name` is that of an object which has none in the document."""
        if reference := schema.get("$ref"):
            return self._reference(reference.rsplit("/", 1)[1])
        if "const" in schema or "enum" in schema:
            return self.literal(schema.get("enum") or [schema["const"]])
        if parts := schema.get("oneOf") or schema.get("anyOf") or schema.get("allOf"):
            if "allOf" in schema and len(parts) > 1:
                raise NotImplementedError(f"{name}: allOf of several schemas")
            return self.union(self.type(part, name) for part in parts)
        kind = schema.get("type", "any")
        if isinstance(kind, list):
            return self.union(self.type({**schema, "type": each}, name) for each in kind)
        if kind == "array":
            return self.array.format(self.type(schema["items"], f"{name}Item"))
        if kind != "object":
            return self.plain[kind]
        if "properties" not in schema:
            more = schema.get("additionalProperties")
            return self.table.format(self.type(more if isinstance(more, dict) else {}, f"{name}Value"))
        required = schema.get("required", ())
        self.objects[name] = []  # it may hold itself
        self.objects[name] = [
            (key, self.type(value, name + camel(key, upper=True)), key in required)
            for key, value in schema["properties"].items()
        ]
        return name

    def _reference(self, name: str) -> str:
        if self.schemas[name].get("type") == "null":
            return self.null
        if name not in self.objects and name not in self.aliases:
            self.aliases[name] = name  # it may hold itself
            found = self.type(self.schemas[name], name)
            if found == name:
                del self.aliases[name]
            else:
                self.aliases[name] = found
        return name

    def union(self, parts: Iterable[str]) -> str:
        """One type of several: each once, null last."""
        once = dict.fromkeys(part for each in parts for part in ([each] if "[" in each else each.split(" | ")))
        return " | ".join(sorted(once, key=lambda part: part == self.null))

    def _operations(self, paths: Json) -> Iterator[Operation]:
        for path, methods in paths.items():
            for method, told in methods.items():
                stream = told["responses"].get("200", {}).get("content", {}).get("text/event-stream")
                if stream:
                    self.type(stream["schema"]["contentSchema"], "")
                elif told["operationId"] != "log_in":  # it is by hand, and keeps the token
                    yield self._operation(method.upper(), path.removeprefix("/api/v1") or "/", told)

    def _operation(self, method: str, path: str, told: Json) -> Operation:
        parameters = told.get("parameters", [])
        found = {(each["in"], each["name"]): self.type(each["schema"], "") for each in parameters}
        places = [(name, found["path", name]) for name in re.findall(r"{(\w+)}", path)]
        about = "\n\n".join([f"{told['summary']}.", told.get("description", "")])
        made = Operation(told["operationId"], method, path, about, self._answer(told), places)
        made.signs = [sign for header, sign in SIGNS.items() if ("header", header) in found]
        made.has_versions = any("or a version" in each.get("description", "") for each in parameters)
        if query := [
            (each["name"], found["query", each["name"]], False) for each in parameters if each["in"] == "query"
        ]:
            made.part, made.keys = "query", camel(made.id, upper=True) + "Query"
            self.objects[made.keys] = query
        if "requestBody" in told:
            schema = told["requestBody"]["content"]["application/json"]["schema"]
            if (name := schema["$ref"].rsplit("/", 1)[1]) in ONE_VALUE:
                made.value = [(ONE_VALUE[name], self.type(schema, ""))]
            else:
                made.part, made.keys = "body", self._body(name)
        return made

    def _body(self, name: str) -> str:
        """The keys of a body; of one that is any of several objects, the keys of all."""
        if name in self.objects or self._reference(name) not in self.aliases:
            return name
        kinds: dict[str, list[tuple[str, bool]]] = {}
        several = [self.objects[part] for part in self.aliases.pop(name).split(" | ")]
        for key, kind, required in (row for rows in several for row in rows):
            kinds.setdefault(key, []).append((kind, required))
        self.objects[name] = [
            (key, self.union(kind for kind, _ in found), len(found) == len(several) and all(must for _, must in found))
            for key, found in kinds.items()
        ]
        return name

    def _answer(self, told: Json) -> str:
        found = []
        for status, answer in told["responses"].items():
            if status.startswith("2"):
                content = answer.get("content", {})
                kind = content.get("application/json") or next(iter(content.values()), None)
                found.append(self.type(kind["schema"], camel(told["operationId"], upper=True)) if kind else self.null)
        return self.union(found)

    def about(self, name: str, indent: str) -> str:
        """What the document says of a schema."""
        return wrapped(self.schemas.get(name, {}).get("description", ""), indent)

    def literal(self, values: list[Any]) -> str:
        """The type of these values alone."""
        raise NotImplementedError

    def lines(self) -> Iterator[str]:
        """The file."""
        raise NotImplementedError


def camel(name: str, *, upper: bool = False) -> str:
    """`open_room` as `openRoom`, or `OpenRoom`."""
    first, *others = re.split(r"[_\-]", name)
    return (first[:1].upper() + first[1:] if upper else first) + "".join(part.capitalize() for part in others)


def wrapped(text: str, indent: str) -> str:
    """A description as lines of a comment; the first follows what opens it."""
    paragraphs = [textwrap.fill(" ".join(part.split()), WIDTH - len(indent)) for part in text.split("\n\n")]
    return textwrap.indent("\n\n".join(paragraphs), indent, lambda _: True).removeprefix(indent).strip()


class Python(Language):
    """`TypedDict`s, and the methods for both drivers."""

    plain = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None", "any": "Any"}
    null, array, table = "None", "list[{}]", "dict[str, {}]"

    def literal(self, values: list[Any]) -> str:
        return f"Literal[{', '.join(map(repr, values))}]"

    def lines(self) -> Iterator[str]:
        yield f'"""The types of the API, and its operations as methods. {NOTE}"""\n'
        yield "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Unpack\n"
        yield f"__version__ = {self.version}"
        for name in sorted({*self.objects, *self.aliases}):
            if name in self.objects:
                yield from self._typed_dict(name)
            else:
                yield f'{name}: TypeAlias = "{self.aliases[name]}"'
        for name, way, do in (("Operations", "def", "self"), ("AsyncOperations", "async def", "await self")):
            yield f"\n\nclass {name}:\n    {way} _do(self, *call: Any, **sent: Any) -> Any:"
            yield "        raise NotImplementedError"
            for each in self.operations:
                yield from self._method(each, way, do)

    def _typed_dict(self, name: str) -> Iterator[str]:
        rows = [(key, kind if must else f"NotRequired[{kind}]") for key, kind, must in self.objects[name]]
        if any(keyword.iskeyword(key) for key, _ in rows):
            inner = ", ".join(f'"{key}": "{kind}"' for key, kind in rows)
            yield f'\n\n{name} = TypedDict("{name}", {{{inner}}})\n'
            return
        yield f"\n\nclass {name}(TypedDict):"
        if about := self.about(name, "    "):
            yield f'    """{about}"""\n'
        yield from (f'    {key}: "{kind}"' for key, kind in rows)

    def _method(self, each: Operation, way: str, do: str) -> Iterator[str]:
        places = ["self", *(f'{name}: "{kind}"' for name, kind in [*each.places, *each.value])]
        given = {"key": ("str", 'key or ""'), "expect": ("int | str" if each.has_versions else "str", "expect")}
        places += ["*"] if {*given} & {*each.signs} else []
        places += [f'{sign}: "{given[sign][0]} | None" = None' for sign in each.signs if sign in given]
        places += [f'**keys: "Unpack[{each.keys}]"'] if each.keys else []
        sent = [f'"{each.method}", "{re.sub("{.*?}", "{}", each.path)}"']
        sent += [f"({''.join(f'{name}, ' for name, _ in each.places).strip()})"] if each.places else []
        sent += [f"{each.part}=keys"] if each.keys else []
        sent += [f"body={name}" for name, _ in each.value]
        sent += [f"{sign}={given.get(sign, ('', True))[1]}" for sign in each.signs]
        yield f'\n    {way} {each.id}({", ".join(places)}) -> "{each.answer}":'
        yield f'        """{wrapped(each.about, "        ")}"""\n        return {do}._do({", ".join(sent)})'


class TypeScript(Language):
    """Interfaces, and a class of methods."""

    plain = {name: name for name in ("string", "number", "boolean", "null", "any")} | {"integer": "number"}
    null, array, table = "null", "Array<{}>", "{{ [key: string]: {} }}"

    def literal(self, values: list[Any]) -> str:
        return " | ".join(map(json.dumps, values))

    def lines(self) -> Iterator[str]:
        yield f"// The types of the API, and its operations as methods. {NOTE}"
        for name in sorted({*self.objects, *self.aliases}):
            yield f"\n/** {about} */" if (about := self.about(name, " * ")) else ""
            if name in self.objects:
                rows = [f"  {key}{'' if must else '?'}: {kind};" for key, kind, must in self.objects[name]]
                yield "\n".join([f"export interface {name} {{", *rows, "}"])
            else:
                yield f"export type {name} = {self.aliases[name]};"
        yield "\nexport interface Call {\n  method: string;\n  path: string;\n  query?: object;\n  body?: unknown;"
        yield "  form?: { [key: string]: string };\n  key?: string;\n  etag?: boolean;"
        yield "  expect?: number | string | undefined;\n}"
        yield "\nconst at = encodeURIComponent;\n\nexport abstract class Operations {"
        yield f"  static readonly version: string = {self.version};\n  protected abstract do(call: Call): Promise<any>;"
        for each in self.operations:
            yield from self._method(each)
        yield "}"

    def _method(self, each: Operation) -> Iterator[str]:
        places = [f"{camel(name)}: {kind}" for name, kind in [*each.places, *each.value]]
        if each.keys:
            must = any(must for _, _, must in self.objects[each.keys])
            places.append(f"keys: {each.keys}{'' if must else ' = {}'}")
        given = {"key": "string", "expect": "number | string" if each.has_versions else "string"}
        if more := [sign for sign in each.signs if sign in given]:
            kinds = "; ".join(f"{sign}?: {given[sign]} | undefined" for sign in more)
            places.append(f"{{ {', '.join(more)} }}: {{ {kinds} }} = {{}}")
        path = re.sub(r"{(\w+)}", lambda found: f"${{at({camel(found[1])})}}", each.path)
        sent = [f'method: "{each.method}", path: `{path}`', *([f"{each.part}: keys"] if each.keys else [])]
        sent += [f"body: {name}" for name, _ in each.value]
        sent += [{"etag": "etag: true", "key": 'key: key ?? ""'}.get(sign, sign) for sign in each.signs]
        yield f"\n  /** {wrapped(each.about, '   * ')} */"
        answer = "void" if each.answer == self.null else each.answer
        yield f"  {camel(each.id)}({', '.join(places)}): Promise<{answer}> {{"
        yield f"    return this.do({{ {', '.join(sent)} }});\n  }}"


def files() -> dict[Path, str]:
    """What is made, by its path."""
    document = yaml.load(DOCUMENT.read_text(encoding="utf-8"), yaml.CSafeLoader)
    made = {"python/trey/schema.py": Python(document), "typescript/schema.ts": TypeScript(document)}
    return {HERE / path: "\n".join(language.lines()) + "\n" for path, language in made.items()}


def main() -> None:
    """Write the files."""
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{path.relative_to(HERE.parent)}: {text.count(chr(10))} lines\n")


if __name__ == "__main__":
    main()
