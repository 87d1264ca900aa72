import { afterAll, beforeAll, expect, test } from "vitest";
import { migrateDown, migrateUp } from "../../../src/db/migrate.js";
import { createTestDatabase, type TestDatabase } from "../../support/database.js";
import { type Academy, openAcademy } from "../academy.js";

let database: TestDatabase;
let academy: Academy;
beforeAll(async () => {
  database = await createTestDatabase();
  academy = await openAcademy({ settings: { DATABASE_URL: database.url } });
});
afterAll(async () => {
  await academy?.service.stop();
  await database?.drop();
});

test("credentials from before there was a validity stay as they were, and are valid for ever", async () => {
  await academy.enrol("ana", "ben", "cy");
  const { configurationId, credentials, service } = academy;
  const verifyUuids: string[] = [];
  for (const username of ["ana", "ben", "cy"]) {
    const { uuid, verifyUuid } = await credentials.issueCredential({ configurationId, username });
    verifyUuids.push(verifyUuid);
    if (username !== "cy") await academy.generate(await academy.idOf(uuid));
    if (username === "ben") await academy.invalidate(uuid);
  }
  const told = () =>
    Promise.all(
      verifyUuids.map(async (verifyUuid) => {
        const answer = await fetch(`${service.httpUrl}/api/learning_credentials/v1/metadata/${verifyUuid}/`);
        return [answer.status, await answer.json()];
      }),
    );
  const rows = (): Promise<Record<string, unknown>[]> =>
    database.database.knex("credentials").select("*").orderBy("id");
  const before = await told();
  expect(before.map(([status]) => status)).toEqual([200, 200, 404]);

  while ((await migrateDown(database.database)) !== "032-validity");
  const old = await rows();
  expect(old).toHaveLength(3);
  expect(old[0]).not.toHaveProperty("valid_until");
  await migrateUp(database.database);
  for (const [index, row] of (await rows()).entries()) {
    expect(row).toMatchObject(old[index] ?? {});
    expect(row).toMatchObject({ valid_until: null, renewed_at: null, expiry_noted_at: null, results: null });
  }
  expect(await told()).toEqual(before);
});
