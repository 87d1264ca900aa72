import { expect, test, vi } from "vitest";
import { givenAcademy } from "../support/academy.js";
import { newDirectory } from "../support/directory.js";
import { line, writeLines } from "./issued-elsewhere.js";
import { ended, startOn } from "./run-command.js";

/** Each test starts several processes. */
vi.setConfig({ testTimeout: 240_000 });

const NAME = "Harbour Light Academy";
const academy = givenAcademy({ settings: { PLATFORM_NAME: NAME } });

test("a command in a shell without the service's PLATFORM_NAME issues and imports nothing", async () => {
  const { service, configurationId, issued, enrol, credentials } = academy;
  await issued("ada");
  await enrol("bea");
  const directory = newDirectory("platform-name");
  await writeLines(directory, [line("cora")]);
  const { dataDir: DATA_DIR } = service.app.config;
  const run = (args: string[], settings = {}) =>
    ended(startOn({ DATABASE_URL: service.app.database.url, DATA_DIR, ...settings }, args, directory));

  const [id, key] = [String(configurationId), "00000000-0000-4000-8000-000000000000"];
  const commands = [
    ["import-credentials", "issued.ndjson"],
    ["issue", id, "bea"],
    ["run", id, "--yes"],
    ["run", "retry", key],
  ];
  for (const command of commands) {
    const { code, out, err } = await run(command);
    expect({ code, out }, command.join(" ")).toEqual({ code: 1, out: "" });
    expect(err).toContain(
      `PLATFORM_NAME is not set, so credentials would permanently have the platform name "Learning Credentials", but ` +
        `the latest one has "${NAME}". Set PLATFORM_NAME to the value that the service uses, and repeat the command.`,
    );
  }
  expect((await credentials.listCredentials({})).credentials.map(({ username }) => username)).toEqual([
    "ada",
  ]);

  expect(await run(["run", id, "--dry-run"])).toMatchObject({ code: 0 });
  for (const command of commands.slice(0, 2))
    expect(await run(command, { PLATFORM_NAME: NAME })).toMatchObject({ code: 0 });
  const { rows } = await service.app.database.knex.raw(
    "select username, platform from credentials order by username",
  );
  expect(rows).toEqual(["ada", "bea", "cora"].map((username) => ({ username, platform: NAME })));
});
