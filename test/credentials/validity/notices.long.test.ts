import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, expect, test } from "vitest";
import { work } from "#app/work.js";
import { queueExpiryNotices } from "#domain/credentials/emails/queue-expiry-notices.js";
import { noteExpired } from "#domain/credentials/validity/note-expiry.js";
import { NEVER_ABORTS } from "#infrastructure/db/database.js";
import { type Academy, openAcademy } from "../../support/academy.js";

/** In the evening of a day there, the day in UTC is already the next one. */
const TIME_ZONE = "America/New_York";

let academy: Academy;

beforeEach(async () => {
  academy = await openAcademy({ settings: { TIME_ZONE } });
  await academy.configurations.updateCredentialConfiguration({
    credentialConfiguration: { id: academy.configurationId, customOptions: { validity: "P1Y" } },
  });
});
afterEach(() => academy.service.stop());

async function issue(username: string) {
  await academy.enrol(username);
  await academy.report({
    case: "learner",
    value: { username, fullName: `Learner ${username}`, email: `${username}@uni.test` },
  });
  return academy.made(username);
}

/** Moves the credential's issue time this far into the past, and its expiry this far into the future. */
const move = (uuid: string, issued: string, expires: string) =>
  academy.service.app.database.knex.raw(
    `update credentials set created_at = date_trunc('second', now() - cast(? as interval)),
       valid_until = now() + cast(? as interval), notice_due_at = now()
     where uuid = ?`,
    [issued, expires, uuid],
  );

async function jobs(): Promise<string[]> {
  const { rows } = await academy.service.app.database.knex.raw(
    `select mail.credential_uuid as uuid, mail.days
     from jobs job join credential_mails mail on mail.id = (job.payload->>'mailId')::bigint
     where mail.kind = 'expiry' order by job.id`,
  );
  return rows.map(({ uuid, days }: { uuid: string; days: number }) => `${uuid} ${days}`);
}

const lookRound = () =>
  Promise.all(
    Array.from({ length: 5 }, () => queueExpiryNotices(academy.service.app.database, NEVER_ABORTS)),
  );

/** Returns by username after how many days the notices are checked again. */
async function nextLooks(): Promise<Record<string, number | null>> {
  const { rows } = await academy.service.app.database.knex.raw(
    "select username, cast(round(extract(epoch from notice_due_at - now()) / 86400) as integer) as next from credentials",
  );
  return Object.fromEntries(
    rows.map(({ username, next }: { username: string; next: number | null }) => [username, next]),
  );
}

test("notices of expiry are queued once each; of missed ones, only the last", async () => {
  const [ana = "", ben = "", cat = "", dan = ""] = [
    await issue("ana"),
    await issue("ben"),
    await issue("cat"),
    await issue("dan"),
  ].map(({ uuid }) => uuid);
  await move(ana, "300 days", "61 days");
  await move(ben, "300 days", "13 days");
  await move(cat, "1 hour", "30 days"); // issued within 60 days of its expiry
  await move(dan, "300 days", "-1 hour");
  await lookRound();
  expect(await jobs()).toEqual([`${ben} 14`]);
  expect(await nextLooks()).toEqual({ ana: 1, ben: 12, cat: 16, dan: null });
  await move(ana, "300 days", "59 days");
  await move(ben, "300 days", "12 hours");
  await lookRound();
  await lookRound();
  expect((await jobs()).sort()).toEqual([`${ben} 14`, `${ben} 1`, `${ana} 60`].sort());
});

test("a notice is emailed once, with the day and a link to the page", async () => {
  const { uuid, verifyUuid } = await issue("ana");
  await move(uuid, "300 days", "59 days");
  const { database, config } = academy.service.app;
  const { rows } = await database.knex.raw(
    `update credentials set valid_until = (current_date + 59)::timestamp at time zone ? where uuid = ?
     returning to_char(current_date + 58, 'FMMonth FMDD, YYYY') as day`,
    [TIME_ZONE, uuid],
  );
  const [{ day: lastDay }] = rows;
  await database.knex.raw("delete from jobs");
  work(academy.service.app); // the worker immediately searches for credentials that expire
  const directory = join(config.dataDir, "mails");
  const emails = async () =>
    (await readdir(directory).catch(() => [])).filter((name) => name.startsWith(uuid));
  await expect.poll(emails, { timeout: 60_000 }).toHaveLength(1);
  const sent = () =>
    database
      .knex("credential_mails")
      .where({ credential_uuid: uuid, kind: "expiry" })
      .whereNotNull("sent_at");
  await expect.poll(sent, { timeout: 60_000 }).toHaveLength(1);
  const [name = ""] = await emails();
  expect(name).toMatch(/-expires-60@/);
  const { subject, text, html } = await PostalMime.parse(await readFile(join(directory, name)));
  expect(subject).toBe("Learning Credentials: your credential for Course One expires soon");
  for (const part of [text, html]) {
    expect(part).toContain(lastDay);
    expect(part).toContain(`https://credentials.test/verify/${verifyUuid}/`);
  }
  await queueExpiryNotices(database, NEVER_ABORTS);
  expect(await jobs()).toEqual([]);
});

/** Returns the UUID of the credential for each event of an expiry. */
async function expired(): Promise<string[]> {
  const { rows } = await academy.service.app.database.knex.raw(
    `select credential_uuid from credential_events where type = 'expired' union all
     select credential_uuid from unsealed_credential_events where type = 'expired'`,
  );
  return rows.map(({ credential_uuid }: { credential_uuid: string }) => credential_uuid).sort();
}

test("the event of an expiry is written once", async () => {
  const { uuid } = await issue("ana");
  await move(uuid, "300 days", "-1 second");
  const { database } = academy.service.app;
  await Promise.all(Array.from({ length: 5 }, () => noteExpired(database, NEVER_ABORTS)));
  await noteExpired(database, NEVER_ABORTS);
  expect(await expired()).toEqual([uuid]);
});

test("if many expire together, one round writes all events", async () => {
  const { uuid } = await issue("ana");
  await move(uuid, "300 days", "-1 second");
  const { database } = academy.service.app;
  await database.knex.raw(
    `insert into credentials (
       username, configuration_id, status, issued_by, user_full_name, learning_context_key, learning_context_name,
       credential_type, generation_func, options, assets, print_settings, created_at, valid_until,
       file_key, file_sha256, file_size
     )
     select 'learner ' || number, configuration_id, status, issued_by, user_full_name, learning_context_key,
       learning_context_name, credential_type, generation_func, options, assets, print_settings, created_at, valid_until,
       'key ' || number, file_sha256, file_size
     from credentials cross join generate_series(1, 1500) as number where uuid = ?`,
    [uuid],
  );
  await noteExpired(database, NEVER_ABORTS);
  expect(await database.knex("credentials").whereNull("expiry_noted_at")).toEqual([]);
  const all = await database.knex("credentials").pluck("uuid");
  expect(all).toHaveLength(1501);
  expect(await expired()).toEqual(all.sort());
});
