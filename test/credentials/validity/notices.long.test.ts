import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { work } from "#app/work.js";
import { queueExpiryNotices } from "#domain/credentials/emails/queue-expiry-notices.js";
import { noteExpired } from "#domain/credentials/validity/note-expiry.js";
import { languageTags } from "#foundation/languages/list.js";
import { NEVER_ABORTS } from "#infrastructure/db/database.js";
import { credentialExpiring } from "#infrastructure/email/messages/credential-emails.js";
import { type Academy, openAcademy } from "../../support/academy.js";

let academy: Academy;

beforeEach(async () => {
  academy = await openAcademy();
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
  const { uuid } = await academy.made(username);
  return uuid;
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
  const [ana, ben, cat, dan] = [
    await issue("ana"),
    await issue("ben"),
    await issue("cat"),
    await issue("dan"),
  ];
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
  const uuid = await issue("ana");
  await move(uuid, "300 days", "59 days");
  const { database, config } = academy.service.app;
  await academy.service.app.database.knex.raw("delete from jobs");
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
  expect(await readFile(join(directory, name), "utf8")).toContain("Your credential expires soon");
  await queueExpiryNotices(database, NEVER_ABORTS);
  expect(await jobs()).toEqual([]);
});

test("the event of an expiry is written once", async () => {
  const uuid = await issue("ana");
  await move(uuid, "300 days", "-1 second");
  const { database } = academy.service.app;
  await Promise.all(Array.from({ length: 5 }, () => noteExpired(database, NEVER_ABORTS)));
  await noteExpired(database, NEVER_ABORTS);
  const { rows } = await database.knex.raw(
    `select type from credential_events where type = 'expired' union all
     select type from unsealed_credential_events where type = 'expired'`,
  );
  expect(rows).toHaveLength(1);
});

test("if many expire together, one round writes all events", async () => {
  const uuid = await issue("ana");
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
});

test.each(languageTags)("in %s the notice names the last day, and fills in everything", (tag) => {
  const { subject, text, html } = credentialExpiring(
    {
      platformName: "Harbour Light",
      credentialType: "Certificate",
      learningContextName: "Course One",
      userFullName: "Ana Kovač",
      link: "https://credentials.test/verify/x/",
      lastValid: new Date("2028-05-20T21:59:59Z"),
      timeZone: "Europe/Madrid",
    },
    [tag],
  );
  for (const words of [subject, text, html]) expect(words).not.toMatch(/\{\w+\}/);
  expect(text).toContain("2028");
  expect(text).toContain("https://credentials.test/verify/x/");
  expect(html).toContain(`lang="${tag}"`);
});
