import { parseSync } from "vite";
import { describe, expect, it } from "vitest";
import { readSources } from "./imports.js";

/** The maximum number of lines of a function, from its first to its last line, including the functions inside it. */
const LIMIT = 80;

/** Functions that may be longer, as `file: name`, and the reasons. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "console/designer/stage.tsx: Stage":
    "one gesture: pressing, dragging and dropping share the pointer's state, and the markup is its other half",
  "console/designer/text-properties.tsx: TextProperties":
    "a flat list of fields, each of which one option decides",
  "formats/rendering/design/design.ts: compileDesign":
    "a list of what a design can have, each part checked and drawn in its order",
  "runtime/doctor/check-history.ts: findSuspects":
    "one SQL statement, which a function around it would only hide",
  "runtime/settings/config.ts: toConfig": "a flat list of settings, each with what it means when it is unset",
};

describe("functions are short enough to read in one go", () => {
  it("except for listed exceptions, of which none is out of date", () => {
    const long = [...readSources()].flatMap(([file, text]) =>
      functionsIn(file, text)
        .filter(({ lines }) => lines > LIMIT)
        .map(({ name, lines }) => ({ name: `${file}: ${name}`, lines })),
    );
    const unexpected = long.filter(({ name }) => !(name in EXCEPTIONS));
    expect(unexpected.map(({ name, lines }) => `${name} has ${lines} lines`)).toEqual([]);
    expect(long.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(EXCEPTIONS)));
  });

  it("functions of every form are found", () => {
    const text = `
      export function declared() {}
      export const assigned = async () => {
      };
      const services = { method() {}, property: () => {} };
      class Worker { run() {} #stop = () => {}; }
      export const Wrapped = memo(function inner() {});
      command.action(async () => {
        return "<T>";
      });`;
    expect(functionsIn("a.ts", text)).toEqual([
      { name: "declared", lines: 1 },
      { name: "assigned", lines: 2 },
      { name: "method", lines: 1 },
      { name: "property", lines: 1 },
      { name: "run", lines: 1 },
      { name: "#stop", lines: 1 },
      { name: "inner", lines: 1 },
      { name: "argument of action", lines: 3 },
    ]);
  });
});

interface Syntax {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly body?: unknown;
  readonly callee?: unknown;
  readonly id?: unknown;
  readonly key?: unknown;
  readonly name?: unknown;
  readonly property?: unknown;
  readonly value?: unknown;
}

/** Returns the functions of a file. Each comes before the functions inside it. */
function functionsIn(file: string, text: string): { name: string; lines: number }[] {
  const found: { name: string; lines: number }[] = [];
  const visit = (node: Syntax, name: string) => {
    if (/^(?:Arrow)?Function/.test(node.type) && node.body)
      found.push({
        name: nameIn(node.id) ?? name,
        lines: text.slice(node.start, node.end).split("\n").length,
      });
    const own = nameIn(node.key ?? node.id) ?? calledIn(node) ?? name;
    for (const member of Object.values(node))
      for (const each of [member].flat()) if (isSyntax(each)) visit(each, own);
  };
  visit(parseSync(file, text).program as unknown as Syntax, "?");
  return found;
}

function nameIn(node: unknown): string | undefined {
  if (!isSyntax(node)) return undefined;
  const name = node.name ?? node.value;
  return typeof name === "string" ? `${node.type === "PrivateIdentifier" ? "#" : ""}${name}` : undefined;
}

function calledIn(node: Syntax): string | undefined {
  if (node.type !== "CallExpression") return undefined;
  const callee = node.callee;
  const name = isSyntax(callee) ? nameIn(callee.property ?? callee) : undefined;
  return name && `argument of ${name}`;
}

function isSyntax(value: unknown): value is Syntax {
  return typeof value === "object" && value !== null && "type" in value;
}
