import { beforeEach, expect, it, vi } from "vitest";
import { givenAcademy } from "../support/academy.js";
import { newDirectory } from "../support/directory.js";
import { countOf, line, startImport, writeLines } from "./issued-elsewhere.js";
import { ended } from "./run-command.js";

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 240_000 });

const academy = givenAcademy();
/** Working directory of the command. Each test has a new one. */
let directory: string;
beforeEach(async () => {
  directory = newDirectory("import");
});

const start = (...args: string[]) => startImport(academy, directory, ...args);

it.each(["SIGKILL", "SIGINT"] as const)(
  "that %s has ended is completed by running it again",
  async (signal) => {
    const count = 200;
    const prefix = `ended by ${signal} `;
    await writeLines(
      directory,
      Array.from({ length: count }, (_, index) => line(`${prefix}${index}`)),
    );
    const child = start();
    const first = ended(child);
    await expect
      .poll(async () => (await countOf(academy, prefix)).rows, { timeout: 60_000, interval: 20 })
      .toBeGreaterThan(3);
    child.kill(signal);
    expect((await first).code).toBe(signal === "SIGINT" ? 130 : null);
    const before = await countOf(academy, prefix);
    expect(before.rows).toBeLessThan(count);
    expect(before.files).toBe(before.rows);
    expect(await ended(start())).toMatchObject({
      code: 0,
      out: `${count - before.rows} imported, ${before.rows} unchanged, 0 rejected\n`,
    });
    expect(await countOf(academy, prefix)).toEqual({ rows: count, files: count });
  },
);
