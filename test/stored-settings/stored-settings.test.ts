import { beforeAll, expect, test } from "vitest";
import { differences } from "#infrastructure/audit/differences.js";
import { migrateUp } from "#infrastructure/db/migrate.js";
import { auditedStates, type StoredSetting } from "#infrastructure/stored-settings/stored-setting.js";
import { createStoredSettings } from "#infrastructure/stored-settings/stored-settings.js";
import { givenDatabase, rowsOf } from "../support/database.js";

const FIRST = "the first secret of stored settings, long enough";
const SECOND = "the second secret of stored settings, long enough";
const TOKEN = "token-that-nobody-else-may-read";
const db = givenDatabase();
const settings = createStoredSettings([FIRST]);
let knex: typeof db.database.knex;

beforeAll(async () => {
  await migrateUp(db.database);
  knex = db.database.knex;
});

function create(name: string, kind = "example"): Promise<StoredSetting> {
  return settings.create(knex, {
    kind,
    name,
    options: { url: "https://example.org" },
    secrets: { token: TOKEN },
  });
}

/** Returns all rows in the form in which a dump of the database contains them. */
async function dump(): Promise<string> {
  return JSON.stringify(await rowsOf(db.url, "select stored_settings::text as line from stored_settings"));
}

test("a setting is read back with its secret, which the database doesn't reveal", async () => {
  const created = await create("read");
  const found = await settings.find(knex, "example", "read");
  expect(found).toEqual(created);
  expect(found && settings.reveal(found)).toEqual({ token: TOKEN });
  const dumped = await dump();
  expect(dumped).toContain("https://example.org");
  for (const form of [TOKEN, Buffer.from(TOKEN).toString("base64"), Buffer.from(TOKEN).toString("hex")])
    expect(dumped).not.toContain(form);
});

test("an unnamed secret stays, null removes it, and the audit trail says only that it changed", async () => {
  const created = await create("changed");
  const more = await settings.change(knex, created, {
    options: { url: "https://b.example" },
    secrets: { key: "a key" },
  });
  expect(settings.reveal(more)).toEqual({ token: TOKEN, key: "a key" });
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(more.secrets.token?.setAt ?? ""));
  const other = await settings.change(knex, more, {
    options: more.options,
    secrets: { token: "other", key: null },
  });
  expect(settings.reveal(other)).toEqual({ token: "other" });
  expect(differences("example:changed", ...auditedStates(created, more))).toEqual([
    { object: "example:changed", path: "url", before: '"https://example.org"', after: '"https://b.example"' },
    { object: "example:changed", path: "secrets.key", before: "", after: '"set"' },
  ]);
  expect(differences("example:changed", ...auditedStates(more, other))).toEqual([
    { object: "example:changed", path: "secrets.key", before: '"set"', after: "" },
    { object: "example:changed", path: "secrets.token", before: '"set"', after: '"changed"' },
  ]);
});

test("a setting changed or deleted since it was read can't be changed", async () => {
  const created = await create("conflict");
  const changes = { options: {}, secrets: {} };
  const changed = await settings.change(knex, created, changes);
  await expect(settings.change(knex, created, changes)).rejects.toMatchObject({ reason: "ETAG_MISMATCH" });
  await expect(settings.remove(knex, created)).rejects.toMatchObject({ reason: "ETAG_MISMATCH" });
  await settings.remove(knex, changed);
  await create("conflict");
  await expect(settings.change(knex, changed, changes)).rejects.toMatchObject({ reason: "ETAG_MISMATCH" });
});

test("a second one of the same name is refused", async () => {
  await create("twice");
  await expect(create("twice")).rejects.toMatchObject({ kind: "already-exists" });
});

test("without SETTINGS_SECRET, everything else can be read and saved", async () => {
  const created = await create("without");
  const without = createStoredSettings([]);
  expect(without.canStoreSecrets).toBe(false);
  expect(await without.find(knex, "example", "without")).toEqual(created);
  expect(() => without.reveal(created)).toThrow(/SETTINGS_SECRET is not set/);
  const secret = without.change(knex, created, { options: {}, secrets: { token: "other" } });
  await expect(secret).rejects.toThrow(/SETTINGS_SECRET is not set/);
  const options = await without.change(knex, created, { options: { url: "https://c.example" }, secrets: {} });
  expect(options.options).toEqual({ url: "https://c.example" });
  expect(settings.reveal(options)).toEqual({ token: TOKEN });
});

test("after SETTINGS_SECRET was replaced, the earlier one is no longer needed", async () => {
  const created = await create("replaced", "renewal");
  const stranger = createStoredSettings([SECOND]);
  expect(() => stranger.reveal(created)).toThrow(
    /token of the renewal replaced .* a different SETTINGS_SECRET/,
  );
  const both = createStoredSettings([SECOND, FIRST]);
  expect(both.reveal(created)).toEqual({ token: TOKEN });
  expect(await both.renewSecrets(knex)).toBeGreaterThan(0);
  expect(await both.renewSecrets(knex)).toBe(0);
  const renewed = await settings.find(knex, "renewal", "replaced");
  expect(renewed && stranger.reveal(renewed)).toEqual({ token: TOKEN });
  expect(renewed?.secrets.token?.setAt).toBe(created.secrets.token?.setAt);
  const outdated = both.change(knex, created, { options: created.options, secrets: {} });
  // The change would restore a value that is encrypted with the earlier secret.
  await expect(outdated).rejects.toThrow(/changed since its etag was read/);
  expect(await createStoredSettings([FIRST, SECOND]).renewSecrets(knex)).toBeGreaterThan(0);
});

test("a secret that was copied to another setting or name can't be read there", async () => {
  const created = await create("original");
  const moved = { ...created, name: "copy" };
  expect(() => settings.reveal(moved)).toThrow(/a different SETTINGS_SECRET/);
  const renamed = { ...created, secrets: { password: created.secrets.token } } as StoredSetting;
  expect(() => settings.reveal(renamed)).toThrow(/a different SETTINGS_SECRET/);
});

test.each([
  [{ token: "" }, {}, /secrets.token must have 1 to/],
  [{ token: "x".repeat(20_000) }, {}, /secrets.token must have 1 to/],
  [Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`s${index}`, "x"])), {}, /more than 20/],
  [{}, { text: "x".repeat(70_000) }, /options have more than/],
])("a setting that is too large is refused: %#", async (secrets, options, message) => {
  const created = settings.create(knex, { kind: "example", name: "large", options, secrets });
  await expect(created).rejects.toThrow(message);
});

test("there are at most 100 of a kind", async () => {
  const rows = Array.from({ length: 100 }, (_, index) => ({ kind: "many", name: `n${index}`, options: {} }));
  await knex("stored_settings").insert(rows);
  await expect(create("one more", "many")).rejects.toMatchObject({ kind: "resource-exhausted" });
});
