import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPage } from "./documents.js";
import { ROOT } from "./program.js";

/** Matches a call of the log, up to the text at its end. */
const logCall = /\blog\s*\??\.(warn|error|fatal)\(([^;]*?)(?:"([^"]+)"|`([^`]+)`)\s*,?\s*\)/g;

/** `level message` for each log call in src; interpolated values are shown as `…`. */
async function messagesInSource(): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(join(ROOT, "src"), { recursive: true })) {
    if (!name.endsWith(".ts")) continue;
    const code = await readFile(join(ROOT, "src", name), "utf8");
    const calls = [...code.matchAll(logCall)];
    // If a new log call does not match this pattern, extend the pattern.
    expect({ name, calls: calls.length }).toEqual({
      name,
      calls: [...code.matchAll(/\blog\s*\??\.(warn|error|fatal)\(/g)].length,
    });
    for (const [, level, , plain, template = ""] of calls) {
      found.push(`${level} ${plain ?? template.replace(/\$\{[^}]+\}/g, "…")}`);
    }
  }
  return [...new Set(found)].sort();
}

test("the page of log messages explains each warning and each error in the log", async () => {
  const page = await readPage("log-messages");
  const rows = [...page.matchAll(/^\| (warn|error|fatal) \| `([^`]+)` \|[^|]+\|$/gm)];
  expect(rows.map(([, level, message]) => `${level} ${message}`).sort()).toEqual(await messagesInSource());
});
