import { once } from "node:events";
import { expect, test } from "vitest";
import { startOn } from "../commands/run-command.js";
import { givenDatabase } from "../support/database.js";
import { givenDirectory } from "../support/directory.js";

const db = givenDatabase();
const directory = givenDirectory("hangup");

test.each(["serve", "worker"])(
  "a plain %s continues after SIGHUP, logs that, and ends in order by SIGTERM",
  async (name) => {
    const child = startOn({ DATABASE_URL: db.url, DATA_DIR: directory, LOG_LEVEL: "info" }, [name]);
    let said = "";
    child.stdout.on("data", (chunk) => {
      said += chunk;
    });
    child.stderr.on("data", (chunk) => {
      said += chunk;
    });
    await expect.poll(() => said).toMatch(/Press Ctrl-C to stop/);
    child.kill("SIGHUP");
    await expect.poll(() => said).toContain("SIGHUP ignored");
    const closed = once(child, "close");
    child.kill("SIGTERM");
    expect(await closed).toEqual([0, null]);
    expect(said).toContain('"msg":"stopping"');
  },
);

test("serve --processes reloads after its start if SIGHUP arrives during the start", async () => {
  const settings = { DATABASE_URL: db.url, DATA_DIR: directory, LOG_LEVEL: "info" };
  const child = startOn(settings, ["serve", "--processes", "1", "--no-worker"]);
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
    });
  await expect.poll(() => said).toContain("{");
  expect(said).not.toContain('"serving"');
  child.kill("SIGHUP");
  await expect.poll(() => said).toMatch(/Press Ctrl-C to stop.*"process replaced"/s);
  const closed = once(child, "close");
  child.kill("SIGTERM");
  expect(await closed).toEqual([0, null]);
});
