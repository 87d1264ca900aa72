/**
 * Writes the methods and messages of the client in Python, from the descriptors of the API: `tsx .ci/generate-python.ts [file]`.
 * Names are those of the JSON mapping of protobuf.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethod,
  ScalarType,
} from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { comments } from "../gen/learning_credentials/v1/comments.js";
import { services } from "../src/client/client.js";

/** Python types of the messages for which the JSON mapping defines a special form. */
const WELL_KNOWN: Readonly<Record<string, string>> = {
  "google.protobuf.Timestamp": "str",
  "google.protobuf.Duration": "str",
  "google.protobuf.FieldMask": "str",
  "google.protobuf.Struct": "dict[str, Any]",
  "google.protobuf.Value": "Any",
  "google.protobuf.ListValue": "list[Any]",
  "google.protobuf.Empty": "dict[str, Any]",
};

const messages = new Map<string, DescMessage>();
const enums = new Map<string, DescEnum>();

/** Returns the name of the Python type. The name of a nested message starts with the names of the outer messages. */
const nameOf = ({ typeName }: DescMessage | DescEnum) =>
  typeName.replace(/^learning_credentials\.(?:options\.)?v1\./, "").replaceAll(".", "");

function typeOfMessage(desc: DescMessage): string {
  const known = WELL_KNOWN[desc.typeName];
  if (known !== undefined) return known;
  if (!messages.has(desc.typeName)) {
    messages.set(desc.typeName, desc);
    for (const field of desc.fields) typeOf(field);
  }
  return nameOf(desc);
}

function typeOfEnum(desc: DescEnum): string {
  enums.set(desc.typeName, desc);
  return nameOf(desc);
}

/** Returns the Python type of a scalar. The JSON mapping writes 64-bit integers as strings. */
function typeOfScalar(scalar: ScalarType): string {
  if (scalar === ScalarType.BOOL) return "bool";
  if (scalar === ScalarType.DOUBLE || scalar === ScalarType.FLOAT) return "float";
  const is32 = [
    ScalarType.INT32,
    ScalarType.UINT32,
    ScalarType.SINT32,
    ScalarType.FIXED32,
    ScalarType.SFIXED32,
  ];
  return is32.includes(scalar) ? "int" : "str";
}

function typeOf(field: DescField): string {
  const one = () => {
    if (field.message) return typeOfMessage(field.message);
    return field.enum ? typeOfEnum(field.enum) : typeOfScalar(field.scalar ?? ScalarType.STRING);
  };
  if (field.fieldKind === "map") return `dict[str, ${one()}]`;
  return field.fieldKind === "list" ? `list[${one()}]` : one();
}

function snakeOf(name: string): string {
  return name.replaceAll(/(?<!^)[A-Z]/g, "_$&").toLowerCase();
}

/** Returns the first sentence of the comment on a method or message, escaped for a docstring. */
function summary(desc: { toString(): string }): string {
  const [first = ""] = /^.*?[.:](?=\s|$)/s.exec(comments[String(desc)] ?? "") ?? [];
  return first.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
}

function method(desc: DescMethod): string {
  const snake = snakeOf(desc.name);
  const request = typeOfMessage(desc.input);
  const response = typeOfMessage(desc.output);
  const path = `${desc.parent.typeName}/${desc.name}`;
  const isSafe = desc.idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN ? ", safe=True" : "";
  const text = summary(desc);
  const doc = text === "" ? [] : [`        """${text}"""`];
  if (desc.methodKind === "unary") {
    const isEmpty = desc.input.fields.length === 0 ? " = {}" : "";
    return [
      `    def ${snake}(self, request: ${request}${isEmpty}, *, timeout: float | None = None) -> ${response}:`,
      ...doc,
      `        return cast("${response}", self._client.call("${path}", request, timeout=timeout${isSafe}))`,
    ].join("\n");
  }
  if (desc.methodKind === "client_streaming") {
    return [
      `    def ${snake}(self, requests: Iterable[${request}], *, timeout: float | None = None) -> ${response}:`,
      ...doc,
      `        return cast("${response}", self._client.send("${path}", requests, timeout=timeout))`,
    ].join("\n");
  }
  return [
    `    def ${snake}(self, request: ${request}, *, timeout: float | None = None) -> Iterator[${response}]:`,
    ...doc,
    `        return cast("Iterator[${response}]", self._client.stream("${path}", request, timeout=timeout))`,
  ].join("\n");
}

const classes = Object.values(services).map((service) =>
  [
    `class ${service.name}:`,
    "    def __init__(self, client: Transport) -> None:\n        self._client = client",
    ...service.methods.map(method),
  ].join("\n\n"),
);

const typedDicts = [...messages.values()].map((desc) => {
  const fields = desc.fields.map((field) => `    "${field.jsonName}": ${JSON.stringify(typeOf(field))},`);
  return `${nameOf(desc)} = TypedDict("${nameOf(desc)}", {\n${fields.join("\n")}\n}, total=False)`;
});
const literals = [...enums.values()].map(
  (desc) => `${nameOf(desc)} = Literal[${desc.values.map(({ name }) => `"${name}"`).join(", ")}]`,
);
const own = Object.entries(services).map(
  ([name, { name: type }]) => `        self.${snakeOf(name)} = ${type}(self)`,
);

const text = `# Generated by .ci/generate-python.ts from proto/. Fields are named as in JSON; numbers of 64 bits and bytes (base64) are strings.
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypedDict, cast

from .transport import Transport

${literals.join("\n")}

${typedDicts.join("\n\n")}


${classes.join("\n\n\n")}


class Client(Transport):
    """The methods of the API, by service."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
${own.join("\n")}
`;
const target = process.argv[2] ?? join(import.meta.dirname, "../.deploy/python/learning_credentials/api.py");
writeFileSync(target, text);
