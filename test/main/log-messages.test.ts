import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPage } from "./documents.js";
import { ROOT } from "./program.js";

/** A call of the log, up to the text that it ends with. */
const logCall = /\blog\s*\.(warn|error|fatal)\(([^;]*?)(?:"([^"]+)"|`([^`]+)`)\s*,?\s*\)/g;

/** `level message` for each call of the log in src; what is filled in stands as `…`. */
async function messagesInSource(): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(join(ROOT, "src"), { recursive: true })) {
    if (!name.endsWith(".ts")) continue;
    const code = await readFile(join(ROOT, "src", name), "utf8");
    const calls = [...code.matchAll(logCall)];
    // Whoever writes one that this pattern does not know mends the pattern.
    expect({ name, calls: calls.length }).toEqual({
      name,
      calls: [...code.matchAll(/\blog\s*\.(warn|error|fatal)\(/g)].length,
    });
    for (const [, level, , plain, template = ""] of calls) {
      found.push(`${level} ${plain ?? template.replace(/\$\{[^}]+\}/g, "…")}`);
    }
  }
  return [...new Set(found)].sort();
}

test("the page of log messages tells what each warning and each error of the log means", async () => {
  const page = await readPage("log-messages");
  const rows = [...page.matchAll(/^\| (warn|error|fatal) \| `([^`]+)` \|[^|]+\|$/gm)];
  expect(rows.map(([, level, message]) => `${level} ${message}`).sort()).toEqual(await messagesInSource());
});
