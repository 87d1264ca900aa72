import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Cancellation } from "../../src/cancellation.js";
import type { User } from "../../src/identity/caller.js";
import { createAccountCheck } from "../../src/learners/account-check.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";

const ana: User = { kind: "user", username: "ana", isStaff: false };

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  await db.database.knex.raw(`
    truncate learners;
    insert into learners (username, email, full_name, is_active, locale, observed_at, is_deleted) values
      ('ana', '', 'Ana', true, '', now(), false), ('ida', '', 'Ida', false, '', now(), false),
      ('gone', '', '', false, '', now(), true)`);
});
afterAll(() => db.drop());

function openCheck() {
  const clock = { ms: 1_000_000 };
  const check = createAccountCheck(db.database, () => clock.ms);
  return { clock, check: (user: User) => check(user, new Cancellation()) };
}

const setActive = (isActive: boolean) =>
  db.database.knex("learners").where({ username: "ana" }).update({ is_active: isActive });

const shutOut = { kind: "permission-denied", message: "The account of this learner is not active." };

test("an account that was in order is not looked at again for five seconds", async () => {
  const { clock, check } = openCheck();
  await check(ana);
  await setActive(false);
  clock.ms += 4_999;
  expect(check(ana)).toBeUndefined();
  clock.ms += 1;
  await expect(check(ana)).rejects.toMatchObject(shutOut);
});

test("one that was shut out is looked at each time", async () => {
  const { check } = openCheck();
  await setActive(false);
  await expect(check(ana)).rejects.toMatchObject(shutOut);
  await setActive(true);
  await expect(check(ana)).resolves.toBeUndefined();
});

test("of those who ask together, each gets their own answer", async () => {
  const { check } = openCheck();
  const users = Array.from({ length: 1_000 }, (_, n): User => {
    const username = ["ana", "ida", "gone", "unknown"][n % 4] ?? "";
    return { kind: "user", username, isStaff: n % 3 === 0 };
  });
  const answers = await Promise.allSettled(users.map(check));
  expect(answers.map(({ status }) => status)).toEqual(
    users.map(({ username }) => (username === "ida" ? "rejected" : "fulfilled")),
  );
});
