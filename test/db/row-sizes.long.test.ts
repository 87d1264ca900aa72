import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { copy } from "../bench/baselines/copy.js";
import { COURSE_KEY, tablesOf } from "../bench/big-course.js";
import { configure } from "../bench/credentials.js";
import { givenService, tokenOf } from "../support/service.js";

/** Each learner gets each credential, 100,000 in total. */
const LEARNERS = 10_000;
const CONFIGURATIONS = 10;
const CREDENTIALS = LEARNERS * CONFIGURATIONS;
const GROWTH = 1.1;

/** Bytes per credential when it is issued, measured on 2026-11-23: of the rows themselves, and of each index. */
const recorded: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  credentials: {
    rows: 1020,
    credentials_pkey: 23,
    credentials_uuid_key: 32,
    credentials_verify_uuid_key: 44,
    credentials_one_active: 63,
    credentials_one_successor: 0,
    credentials_by_learner: 70,
    credentials_by_context: 59,
    credentials_by_configuration: 32,
    credentials_by_run: 7,
    credentials_by_status: 41,
    credentials_by_context_and_status: 0,
    credentials_by_configuration_and_status: 0,
    credentials_by_file: 0,
    credentials_by_validity: 0,
    credentials_to_expire: 0,
    credentials_by_words: 26,
    credentials_by_time: 7,
    credentials_by_issuer: 41,
    credentials_to_notify: 0,
  },
  credential_events: {
    rows: 174,
    credential_events_pkey: 23,
    credential_events_by_credential: 41,
    credential_events_by_actor: 32,
    credential_events_by_rare_type: 0,
    credential_events_by_time: 0,
  },
};

const service = givenService({ worker: false });
let sql: pg.Client;

beforeAll(async () => {
  sql = new pg.Client(service.app.database.url);
  await sql.connect();
  await copy(sql, tablesOf(LEARNERS));
  const staff = service.client(CredentialService, await tokenOf({ username: "registrar", isStaff: true }));
  for (let count = 0; count < CONFIGURATIONS; count++) {
    const configurationId = await configure(sql, COURSE_KEY, { Exam: 0.3, Total: 0.3 });
    const { run } = await staff.startIssuanceRun({ configurationId });
    expect(run?.issuedCount).toBe(LEARNERS);
  }
  // While the service itself seals events, this statement seals none. It is repeated until no unsealed events remain.
  for (let waiting = CREDENTIALS; waiting > 0; ) {
    await sql.query("select seal_credential_events(10000)");
    const { rows } = await sql.query("select count(*)::int as waiting from unsealed_credential_events");
    ({ waiting } = rows[0]);
  }
}, 600_000);
afterAll(async () => {
  await sql.end();
});

describe.each(Object.entries(recorded))("of 100,000 %s, the bytes for each row", (table, expected) => {
  test("are the recorded ones, or fewer, or at most a tenth more", async () => {
    const { rows } = await sql.query(
      `select 'rows' as name, sum(pg_column_size(${table})) as bytes from ${table}
       union all
       select indexrelid::regclass::text,
         (select sum(pg_relation_size(relid)) from pg_partition_tree(indexrelid) where isleaf)
       from pg_index where indrelid = $1::regclass`,
      [table],
    );
    const bytes = Object.fromEntries(rows.map(({ name, bytes }) => [name, Math.round(bytes / CREDENTIALS)]));
    console.log(table, bytes);
    expect(Object.keys(bytes).sort()).toEqual(Object.keys(expected).sort());
    for (const [name, size] of Object.entries(bytes)) {
      expect(size, name).toBeLessThanOrEqual(Math.ceil((expected[name] ?? 0) * GROWTH));
    }
  });
});

test("the index of UUIDs keeps those of one time together, and no two are equal", async () => {
  const { rows } = await sql.query(
    `select count(distinct uuid)::int as count, bool_and(substr(uuid::text, 15, 1) = '7') as are_seven,
       bool_and(substr(uuid::text, 20, 1) in ('8', '9', 'a', 'b')) as are_rfc,
       max(abs(extract(epoch from created_at) - ('x' || substr(replace(uuid::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0))::float
         as farthest_s,
       bool_and(substr(verify_uuid::text, 15, 1) = '4') as are_random
     from credentials`,
  );
  const [{ farthest_s: farthestS, ...reported }] = rows;
  expect(reported).toEqual({ count: CREDENTIALS, are_seven: true, are_rfc: true, are_random: true });
  expect(farthestS).toBeLessThan(3600);
});
