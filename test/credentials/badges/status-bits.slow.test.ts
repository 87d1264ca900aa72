import { decodeList } from "@digitalbazaar/vc-bitstring-status-list";
import type { Knex } from "knex";
import { beforeAll, expect, test } from "vitest";
import { readBadgeSecret } from "#domain/credentials/badges/issuer-key-store.js";
import { createStatusIndexes, LIST_SIZE } from "#formats/badges/status-index.js";
import { givenAcademy } from "../../support/academy.js";
import { untilFree } from "../../support/until-free.js";

const LEARNERS = 120;

/** This number of credentials belong to the first list, the others to the second. */
const IN_FIRST_LIST = 50;

const academy = givenAcademy({ signs: true });
beforeAll(async () => {
  // Skips ids, so that the first list is nearly full.
  await academy.service.app.database.knex.raw(
    `alter table credentials alter column id restart with ${LIST_SIZE - IN_FIRST_LIST}`,
  );
});

/** Returns the positions of the bits that are set in the first two lists, as verifiers read them. */
async function bitsSet(): Promise<Set<string>> {
  const set = new Set<string>();
  for (const list of [0, 1]) {
    const answer = await fetch(`${academy.service.httpUrl}/status/${list}`);
    if (answer.status === 404) continue; // no credential belongs to it yet
    const { credentialSubject } = (await answer.json()) as { credentialSubject: { encodedList: string } };
    const bits = await decodeList({ encodedList: credentialSubject.encodedList });
    for (let index = 0; index < LIST_SIZE; index++) if (bits.getStatus(index)) set.add(`${list} ${index}`);
  }
  return set;
}

/** Returns the positions of the credentials that are invalidated according to the database. */
async function invalidatedPositions(): Promise<Set<string>> {
  const { knex } = academy.service.app.database;
  const places = createStatusIndexes(await readBadgeSecret(knex));
  const rows: { id: string }[] = await knex("credentials").where({ status: "invalidated" }).select("id");
  return new Set(
    rows.map(({ id }) => {
      const { list, index } = places.of(Number(id));
      return `${list} ${index}`;
    }),
  );
}

test("bits equal the database over two lists, while callers issue, withdraw, reissue and erase, and days pass", async () => {
  const { configurationId, credentials, service } = academy;
  const { knex } = service.app.database;
  const usernames = Array.from({ length: LEARNERS }, (_, index) => `learner${index}`);
  await academy.enrol(...usernames);
  /** Changes a credential of the learner in one of six ways. */
  const live = async (username: string, index: number) => {
    const { uuid } = await untilFree(() => credentials.issueCredential({ configurationId, username }));
    const fate = index % 6;
    if (fate === 4) return academy.fail(uuid);
    const file = { file_key: `test/${uuid}.pdf`, file_sha256: Buffer.alloc(32, 1), file_size: 1 };
    await knex("credentials")
      .where({ uuid })
      .update({ status: "available", ...file });
    const reason = "Issued in error.";
    if (fate === 0) await untilFree(() => credentials.invalidateCredential({ uuid, reason }));
    if (fate === 1) await untilFree(() => credentials.reissueCredential({ uuid, reason }));
    if (fate === 2) await untilFree(() => academy.records.eraseLearner({ username }));
    if (fate === 3)
      await knex("credentials")
        .where({ uuid })
        .update({ created_at: new Date(0), valid_until: new Date(1000) });
  };
  const invalidatedBetween: number[] = [];
  for (let from = 0; from < LEARNERS; from += 20) {
    const before = await invalidatedPositions();
    const busy = Promise.all(usernames.slice(from, from + 20).map((name, index) => live(name, from + index)));
    // A list that is read during the changes has all earlier bits, because bits are never cleared.
    const meanwhile = await bitsSet();
    for (const place of before) expect(meanwhile).toContain(place);
    await busy;
    const now = await bitsSet();
    expect(now).toEqual(await invalidatedPositions());
    invalidatedBetween.push(now.size);
  }
  expect(invalidatedBetween.at(-1)).toBe(LEARNERS / 3);
  const lists = new Set([...(await bitsSet())].map((place) => place.split(" ")[0]));
  expect([...lists].sort()).toEqual(["0", "1"]);
});

test("withdrawing 2,000 of 4,000 at once sets exactly their bits", { timeout: 120_000 }, async () => {
  const { knex } = academy.service.app.database;
  const before = await bitsSet();
  // The credentials have consecutive ids. They were issued alternately in two years. Those of one year are withdrawn.
  await knex.raw(`
    insert into credentials (username, configuration_id, status, issued_by, user_full_name, learning_context_key,
      learning_context_name, credential_type, generation_func, options, assets, print_settings, created_at,
      file_key, file_sha256, file_size)
    select 'bulk-' || number, configuration_id, 'available', 'registrar', 'Bulk', learning_context_key,
      learning_context_name, credential_type, generation_func, options, assets, print_settings,
      make_timestamptz(2020 + number % 2, 6, 1, 0, 0, 0, 'UTC'), 'test/' || number || '.pdf', sha256(number::text::bytea), 1
    from (select * from credentials order by id limit 1) as one, generate_series(1, 4000) as number`);
  const statements: Knex.Sql[] = [];
  const record = (statement: Knex.Sql) => statements.push(statement);
  knex.on("query", record);
  const { count } = await academy.credentials.invalidateCredentials({
    filter: {
      configurationId: academy.configurationId,
      createStartTime: { seconds: BigInt(Date.UTC(2020, 0, 1) / 1000) },
      createEndTime: { seconds: BigInt(Date.UTC(2021, 0, 1) / 1000) },
    },
    reason: "Printed with the wrong seal.",
  });
  knex.off("query", record);
  expect(count).toBe(2_000);
  // PostgreSQL has no statistics yet for credentials that were just issued. The cost must still not grow with the
  // square of their number.
  const withdrawing = statements.find(({ sql }) => sql.includes("insert into credential_reviews"));
  const connection = await knex.client.acquireConnection();
  const { rows } = await connection.query(`explain ${withdrawing?.sql}`, withdrawing?.bindings);
  knex.client.releaseConnection(connection);
  const plan = rows.map((row: Record<string, string>) => row["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/Insert on credential_reviews/);
  expect(plan).not.toMatch(/Join Filter/);
  const now = await bitsSet();
  expect(now.size).toBe(before.size + 2_000);
  expect(now).toEqual(await invalidatedPositions());
});
