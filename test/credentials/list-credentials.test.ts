import { once } from "node:events";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CredentialFilter, listCredentials } from "#domain/credentials/credential-store.js";
import type { CredentialStatus } from "#foundation/credential-status.js";
import { givenDatabase } from "../support/database.js";
import { configureContexts } from "./configured-contexts.js";

const CREDENTIALS = 20_000;
const LIMIT = 11;
const COURSES = ["course-v1:List+1+1", "course-v1:List+2+1"] as const;

interface Row {
  readonly id: number;
  readonly username: string;
  readonly learning_context_key: string;
  readonly configuration_id: number;
  readonly status: CredentialStatus;
}

const db = givenDatabase();
let explaining: pg.Client;
let all: Row[];

/**
 * Inserts credentials, with the courses in turn. One in a hundred has failed, one in twenty was invalidated, and the
 * last ten are generating.
 */
beforeAll(async () => {
  explaining = new pg.Client(db.url);
  await explaining.connect();
  const { knex } = db.database;
  await configureContexts(knex, COURSES);
  await knex.raw(
    `insert into credentials (
       username, configuration_id, learning_context_key, status, error_reason, invalidation_reason, invalidated_at, invalidated_by,
       file_key, file_sha256, file_size,
       issued_by, user_full_name, learning_context_name, credential_type, generation_func, options, assets, print_settings,
       created_at
     )
     select
       'learner ' || number % (:credentials / 2), configuration.id, learning_context_key, status,
       case status when 'error' then 'The store was full.' else '' end,
       case status when 'invalidated' then 'A mistake.' else '' end,
       case status when 'invalidated' then now() end, case status when 'invalidated' then 'staff' end,
       case status when 'available' then 'key' end, case status when 'available' then sha256('') end,
       case status when 'available' then 1 end,
       'test', 'Name', 'Course', 't', 'g', '{}', '{}', '{}', date_trunc('second', now())
     from generate_series(0, :credentials - 1) as number
     join credential_configurations configuration
       on learning_context_key = (:courses::text[])[1 + number * 2 / :credentials]
     cross join lateral (
       select case
         when number >= :credentials - 10 then 'generating'
         when number % 100 = 0 then 'error'
         when number % 20 = 1 then 'invalidated'
         else 'available'
       end
     ) as had (status)
     order by number`,
    { credentials: CREDENTIALS, courses: COURSES as unknown as string[] },
  );
  await knex.raw("vacuum analyze credentials");
  all = await knex("credentials")
    .select("id", "username", "learning_context_key", "configuration_id", "status")
    .orderBy("id");
});
afterAll(async () => {
  await explaining.end();
});

const statuses: (CredentialStatus[] | undefined)[] = [
  undefined,
  ["generating"],
  ["available"],
  ["error"],
  ["invalidated"],
  ["generating", "available", "invalidated"],
];
const filters = statuses.flatMap((statuses) =>
  ["", "learner 100", "nobody"].flatMap((username) =>
    ["", ...COURSES, "course-v1:Other+1+1"].flatMap((learningContextKey) =>
      [0, 1, 2, 99].map((configurationId) => ({ username, learningContextKey, configurationId, statuses })),
    ),
  ),
);

it("a list has every credential that matches its filter, in the order of issuing", async () => {
  for (const filter of filters) {
    for (const afterId of [0, CREDENTIALS / 4]) {
      const expected = all.filter((row) => row.id > afterId && passes(row, filter)).slice(0, LIMIT);
      const listed = await listCredentials(db.database.knex, filter, afterId, LIMIT);
      expect({ filter, afterId, ids: idsOf(listed) }).toEqual({ filter, afterId, ids: idsOf(expected) });
    }
  }
});

it("a list discards few credentials, however many there are", async () => {
  // Callers who request several statuses also name a learner.
  const requested = filters.filter(({ username, statuses = [] }) => username !== "" || statuses.length < 2);
  expect(requested.length).toBeGreaterThan(10);
  for (const filter of requested) {
    const discarded = await countDiscarded(filter);
    expect(discarded, JSON.stringify(filter)).toBeLessThanOrEqual(CREDENTIALS / 100);
  }
});

function passes(row: Row, { username, learningContextKey, configurationId, statuses }: CredentialFilter) {
  return (
    (username === "" || row.username === username) &&
    (learningContextKey === "" || row.learning_context_key === learningContextKey) &&
    (configurationId === 0 || row.configuration_id === configurationId) &&
    (statuses === undefined || statuses.includes(row.status))
  );
}

function idsOf(rows: readonly { readonly id: number }[]): number[] {
  return rows.map(({ id }) => id);
}

/** Returns the number of discarded rows that Postgres counts while it reads the list. */
async function countDiscarded(filter: CredentialFilter): Promise<number> {
  const { knex } = db.database;
  const requesting = once(knex, "query");
  await listCredentials(knex, filter, 0, LIMIT);
  const [{ sql, bindings }] = await requesting;
  const { rows } = await explaining.query(`explain (analyze, format json) ${sql}`, bindings);
  const counts = JSON.stringify(rows).matchAll(/"Rows Removed by (?:Filter|Index Recheck)":(\d+)/g);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
