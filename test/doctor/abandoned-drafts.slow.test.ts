import { randomUUID } from "node:crypto";
import { access, mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { ended, startCommand } from "../commands/run-command.js";
import { givenService } from "../support/service.js";

const service = givenService();

/** Leaves the draft of a process that was killed while it was writing a file. */
async function leave(directory: string, minutesAgo: number): Promise<string> {
  const path = join(service.app.config.dataDir, "files", directory, `.document.pdf.${randomUUID()}`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "a part of a document");
  const then = new Date(Date.now() - minutesAgo * 60_000);
  await utimes(path, then, then);
  return path;
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

test("doctor reports draft files left by a killed process, and --repair deletes them", async () => {
  const uuid = randomUUID();
  const old = [
    await leave(`learning_credentials/${uuid}`, 120),
    await leave(`learning_credentials_invalidated/${uuid}`, 120),
    await leave(`.attributes/learning_credentials/${uuid}`, 120),
    await leave("learning_credentials_assets", 120),
  ];
  const inProgress = await leave(`learning_credentials/${uuid}`, 1);
  const found = await ended(startCommand(service, ["doctor"]));
  expect(found.code).toBe(0); // drafts do no harm
  for (const path of old) expect(found.out).toContain(path.slice(path.indexOf("/files/") + "/files/".length));
  expect(found.out).not.toContain(inProgress.slice(inProgress.lastIndexOf("/") + 1));
  expect(await Promise.all(old.map(isThere))).toEqual([true, true, true, true]);
  await ended(startCommand(service, ["doctor", "--repair"]));
  expect(await Promise.all([...old, inProgress].map(isThere))).toEqual([false, false, false, false, true]);
});
