import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { BUILT_MAIN } from "../support/built-main.js";
import { environmentOf } from "./run-command.js";

test("a command whose reader stops early, such as head, ends silently", async () => {
  const child = spawn(process.execPath, [BUILT_MAIN, "token", "ana"], { env: environmentOf({}) });
  child.stdout.destroy();
  const [[code], err] = await Promise.all([once(child, "close"), text(child.stderr)]);
  expect(code).toBe(141);
  expect(err).not.toContain("EPIPE");
});
