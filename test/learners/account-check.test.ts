import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { eraseLearner } from "#domain/credentials/erasure/erase-learner.js";
import { createAccountCheck } from "#domain/learners/account-check.js";
import { releaseName } from "#domain/learners/account-subjects.js";
import { lockForErasure, noteErasure } from "#domain/learners/erased-learners.js";
import { Cancellation } from "#foundation/concurrency/cancellation.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { COMMAND_LINE } from "#infrastructure/identity/actors.js";
import type { User } from "#infrastructure/identity/caller.js";
import { STAFF_ROLES } from "#infrastructure/identity/roles.js";
import { createTestDatabase, givenDatabase } from "../support/database.js";

const ana: User = { kind: "user", username: "ana", isStaff: false, roles: [] };

const db = givenDatabase();
beforeEach(async () => {
  await db.database.knex.raw(`
    truncate learners, account_subjects;
    insert into learners (username, email, full_name, is_active, locale, observed_at, is_deleted) values
      ('ana', '', 'Ana', true, '', now(), false), ('ida', '', 'Ida', false, '', now(), false),
      ('gone', '', '', false, '', now(), true)`);
});

function openCheck(pinSubject = true) {
  const clock = { ms: 1_000_000 };
  const check = createAccountCheck({ database: db.database, pinSubject, now: () => clock.ms });
  return { clock, check: (user: User) => check(user, new Cancellation()) };
}

const setActive = (isActive: boolean) =>
  db.database.knex("learners").where({ username: "ana" }).update({ is_active: isActive });

const shutOut = { kind: "permission-denied", message: "The account of this learner is not active." };

test("an accepted account is not checked again for five seconds", async () => {
  const { clock, check } = openCheck();
  await check(ana);
  await setActive(false);
  clock.ms += 4_999;
  expect(check(ana)).toBeUndefined();
  clock.ms += 1;
  await expect(check(ana)).rejects.toMatchObject(shutOut);
});

test("a refused account is checked each time", async () => {
  const { check } = openCheck();
  await setActive(false);
  await expect(check(ana)).rejects.toMatchObject(shutOut);
  await setActive(true);
  await expect(check(ana)).resolves.toBeUndefined();
});

test("each of several simultaneous calls gets its own result", async () => {
  const { check } = openCheck();
  const users = Array.from({ length: 1_000 }, (_, n): User => {
    const username = ["ana", "ida", "gone", "unknown"][n % 4] ?? "";
    return { kind: "user", username, isStaff: n % 3 === 0, roles: n % 3 === 0 ? STAFF_ROLES : [] };
  });
  const answers = await Promise.allSettled(users.map(check));
  expect(answers.map(({ status }) => status)).toEqual(
    users.map(({ username }) => (username === "ida" ? "rejected" : "fulfilled")),
  );
});

test("simultaneous calls cause no sequential scan of the learners table", async () => {
  const own = await createTestDatabase(); // statistics of other connections' scans arrive late
  const { knex } = own.database;
  await knex.raw(`
    insert into learners (username, email, full_name, is_active, locale, observed_at, is_deleted)
    select 'learner.' || n, '', '', true, '', now(), false from generate_series(1, 5000) as n`);
  await knex.raw("analyze learners");
  const scans = async () => {
    const { rows } = await knex.raw(
      `select seq_scan::int as "ofTable",
         (select idx_scan::int from pg_stat_user_indexes where indexrelname = 'learners_shut_out') as "ofIndex"
       from pg_stat_user_tables where relname = 'learners'`,
    );
    return rows[0] as { ofTable: number; ofIndex: number };
  };
  const before = await scans();
  const database = openDatabase(own.url);
  const check = createAccountCheck({ database, pinSubject: true });
  const users = Array.from({ length: 100 }, (_, n): User => ({ ...ana, username: `learner.${n}` }));
  await Promise.all(users.map((user) => check(user, new Cancellation())));
  await database.close(); // a connection reports its scans when it ends
  const ofIndex = async () => (await scans()).ofIndex;
  await expect.poll(ofIndex, { timeout: 60_000 }).toBeGreaterThan(before.ofIndex);
  expect((await scans()).ofTable).toBe(before.ofTable);
  await own.drop();
});

describe("a username", () => {
  const by = (subject: string | undefined, issuer: string | undefined = "https://lms.test"): User => ({
    ...{ kind: "user", username: "ana", isStaff: false, roles: [] },
    ...(subject !== undefined && { subject, issuer }),
  });
  const another = {
    kind: "permission-denied",
    message: expect.stringMatching(/^This username belongs to a different account .* release the name\.$/),
  };

  test("belongs to the first subject that used it, for each issuer", async () => {
    const { check } = openCheck();
    await check(by("1"));
    await expect(check(by("2"))).rejects.toMatchObject(another);
    await check(by("1"));
    await check(by("2", "https://other.test"));
    await expect(check(by("1", "https://other.test"))).rejects.toMatchObject(another);
  });

  test.each([
    ["without a subject", by(undefined)],
    ["with the name as subject", by("ana")],
  ])("%s is not compared with others", async (_which, user) => {
    const { check } = openCheck();
    await check(user);
    expect(await db.database.knex("account_subjects")).toEqual([]);
    await check(by("1"));
    await check({ ...user });
  });

  test("belongs to another account after it was released", async () => {
    const { check } = openCheck();
    await check(by("1"));
    expect(await releaseName(db.database.knex, "ana")).toBe(true);
    await check(by("2"));
    await expect(check(by("1"))).rejects.toMatchObject(another);
  });

  test("belongs to any account that uses it if subjects are not pinned", async () => {
    const { check } = openCheck(false);
    await check(by("1"));
    await check(by("2"));
    expect(await db.database.knex("account_subjects")).toEqual([]);
  });

  test("of an erased learner is not recorded again", async () => {
    const { check } = openCheck();
    await check(by("1"));
    await eraseLearner(
      { database: db.database, log: pino({ level: "silent" }) },
      { username: "ana", dryRun: false, erasedBy: COMMAND_LINE },
      new AbortController().signal,
    );
    await check(by("1"));
    expect(await db.database.knex("account_subjects")).toEqual([]);
  });

  test("is not recorded for a learner whose erasure is under way", async () => {
    const { check } = openCheck();
    const erasure = await db.database.knex.transaction();
    await lockForErasure(erasure);
    await noteErasure(erasure, "ana");
    await erasure.raw("delete from learners where username = 'ana'");
    let isSettled = false;
    const checked = Promise.resolve(check(by("1"))).finally(() => {
      isSettled = true;
    });
    const waiting = async () => {
      const { rows } = await db.database.knex.raw(
        "select from pg_locks where relation = 'erased_learners'::regclass and not granted",
      );
      return isSettled || rows.length > 0;
    };
    await expect.poll(waiting, { interval: 10 }).toBe(true);
    await erasure.commit();
    await checked;
    expect(await db.database.knex("account_subjects")).toEqual([]);
  });

  test("is accepted while the database is read-only", async () => {
    const url = new URL(db.url);
    url.searchParams.set("options", "-c default_transaction_read_only=on");
    const standby = openDatabase(url.href);
    const check = createAccountCheck({ database: standby, pinSubject: true });
    expect(await check(by("1"), new Cancellation())).toBeUndefined();
    await standby.close();
    expect(await db.database.knex("account_subjects")).toEqual([]);
  });
});
