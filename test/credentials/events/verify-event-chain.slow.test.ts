import { createHash, randomBytes } from "node:crypto";
import type { Knex } from "knex";
import { describe, expect, test } from "vitest";
import { removeOldEvents } from "#domain/credentials/events/remove-old-events.js";
import { type BrokenLink, verifyEventChain } from "#domain/credentials/events/verify-event-chain.js";
import { readPage } from "../../main/documents.js";
import { givenEachDatabase } from "../../support/database.js";
import { append, seal } from "./chain.js";

const signal = new AbortController().signal;

const db = givenEachDatabase();

const verify = () => verifyEventChain(db.database, signal);

/** Runs SQL as a superuser, with triggers disabled. */
async function tamper(sql: string): Promise<void> {
  await db.database.knex.transaction(async (transaction) => {
    for (const table of [
      "credential_events",
      "credential_event_head",
      "credential_event_anchors",
      "credential_event_actors",
    ])
      await transaction.raw(`alter table ${table} disable trigger all`);
    await transaction.raw(sql);
  });
}

test("a chain is intact: empty, started, and with unsealed events", async () => {
  expect(await verify()).toEqual({ events: 0, removedUpTo: 0, broken: undefined });
  await seal(db.database.knex, 2500);
  await append(db.database.knex, 3);
  expect(await verify()).toEqual({ events: 2500, removedUpTo: 0, broken: undefined });
});

test("a chain longer than a batch is intact until an event in the middle is edited", async () => {
  await seal(db.database.knex, 21_000);
  expect(await verify()).toEqual({ events: 21_000, removedUpTo: 0, broken: undefined });
  await tamper("update credential_events set actor_id = actor_id + 1 where position = 20001");
  expect((await verify()).broken?.position).toBe(20_001);
});

const copy = (position: string, hash: string) =>
  `insert into credential_events
   select ${position}, ${hash}, type, credential_uuid, configuration_id, actor_id, status_before, status_after, occurred_at,
     commitment, remarks
   from credential_events where position = 5`;
const zeros = "decode(repeat('00', 32), 'hex')";
const actorCommitment = "(select encode(commitment, 'hex') from credential_event_actors where id = 1)";
const sealed = "the event is not the one that was sealed";
/** Damages to a chain of eight events. */
const damages: [what: string, sql: string, broken: BrokenLink][] = [
  ...[
    "type = 'available'",
    "credential_uuid = gen_random_uuid()",
    "configuration_id = 2",
    "actor_id = 99",
    "status_before = 'error'",
    "status_after = 'error'",
    "occurred_at = occurred_at + interval '1 millisecond'",
    "remarks = '{self_issued}'",
    "commitment = sha256('')",
    `hash = ${zeros}`,
  ].map((change): [string, string, BrokenLink] => [
    `edited: ${change}`,
    `update credential_events set ${change} where position = 4`,
    { position: 4, reason: sealed },
  ]),
  [
    "removed",
    "delete from credential_events where position = 4",
    { position: 4, reason: "the event is missing" },
  ],
  [
    "the first removed",
    "delete from credential_events where position = 1",
    { position: 1, reason: "the event is missing" },
  ],
  [
    "replaced by the one after it",
    `delete from credential_events where position = 4;
     insert into credential_events select position - 1, hash, type, credential_uuid, configuration_id, actor_id,
       status_before, status_after, occurred_at, commitment, remarks from credential_events where position = 5`,
    { position: 4, reason: sealed },
  ],
  [
    "two swapped",
    `update credential_events as event set credential_uuid = other.credential_uuid, hash = other.hash
     from credential_events as other
     where event.position in (3, 4) and other.position in (3, 4) and other.position <> event.position`,
    { position: 3, reason: sealed },
  ],
  [
    "inserted",
    `create temp table tail on commit drop as select * from credential_events where position > 4;
     delete from credential_events where position > 4;
     insert into credential_events select position + 1, hash, type, credential_uuid, configuration_id, actor_id,
       status_before, status_after, occurred_at, commitment, remarks from tail;
     insert into credential_events select 5, ${zeros}, type, credential_uuid, configuration_id, actor_id, status_before,
       status_after, occurred_at, commitment, remarks from tail where position = 5`,
    { position: 5, reason: sealed },
  ],
  ["appended", copy("9", zeros), { position: 9, reason: sealed }],
  [
    "appended with the right hash",
    copy(
      "9",
      `(select sha256(head.hash || convert_to(concat_ws('|', 9, type, credential_uuid, configuration_id, actor_id, '',
         status_after, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '', '',
         ${actorCommitment}), 'UTF8'))
        from credential_event_head as head)`,
    ),
    { position: 9, reason: "the event was added after the last one that was sealed" },
  ],
  [
    "the tail cut off",
    "delete from credential_events where position > 6",
    { position: 7, reason: "the events from here to 8 are missing" },
  ],
  [
    "all removed",
    "delete from credential_events",
    { position: 1, reason: "the events from here to 8 are missing" },
  ],
  [
    "the last one replaced, with the right hash",
    `update credential_events as event set configuration_id = 7, hash = sha256(before.hash || convert_to(concat_ws(
       '|', 8, event.type, event.credential_uuid, 7, event.actor_id, '', event.status_after,
       to_char(event.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '', '', ${actorCommitment}), 'UTF8'))
     from credential_events as before where event.position = 8 and before.position = 7`,
    { position: 8, reason: "the event is not the last one that was sealed" },
  ],
  [
    "the head removed",
    "delete from credential_event_head",
    { position: 8, reason: "credential_event_head, which names the last event, is empty" },
  ],
  [
    "an anchor set, and nothing removed",
    "insert into credential_event_anchors select position, hash from credential_events where position = 3",
    { position: 1, reason: "retention has removed the events up to 3, but this one still exists" },
  ],
];

describe("changes that bypass the triggers", () => {
  test("each damage is found, at the first affected position", async () => {
    await seal(db.database.knex, 8);
    const tables = ["credential_events", "credential_event_head", "credential_event_anchors"];
    for (const table of tables) await db.database.knex.raw(`create table whole_${table} as table ${table}`);
    const restore = tables.map((table) => `delete from ${table}; insert into ${table} table whole_${table}`);
    for (const [what, sql, broken] of damages) {
      await tamper(sql);
      expect({ what, broken: (await verify()).broken }).toEqual({ what, broken });
      await tamper(restore.join(";"));
    }
    expect((await verify()).broken).toBeUndefined();
  });

  test("an anchor of retention: edited", async () => {
    await seal(db.database.knex, 5, { daysAgo: 40 });
    await seal(db.database.knex, 5);
    await removeOldEvents(db.database.knex, 30, signal);
    expect(await verify()).toEqual({ events: 5, removedUpTo: 5, broken: undefined });
    await tamper("update credential_events set configuration_id = 2 where position = 6");
    expect((await verify()).broken).toEqual({ position: 6, reason: sealed });
  });

  test("one event more removed than by retention", async () => {
    await seal(db.database.knex, 5, { daysAgo: 40 });
    await seal(db.database.knex, 5);
    await removeOldEvents(db.database.knex, 30, signal);
    await tamper("delete from credential_events where position = 6");
    expect((await verify()).broken).toEqual({ position: 6, reason: "the event is missing" });
  });
});

test("an actor's name can be erased, and the chain stays intact", async () => {
  const { knex } = db.database;
  await seal(knex, 3);
  const pseudonym = `erased-${"0".repeat(32)}`;
  await knex.raw("select erase_credential_event_actor('registrar', ?)", [pseudonym]);
  expect(await knex("credential_event_actors").select("name", "seed")).toEqual([
    { name: pseudonym, seed: null },
  ]);
  expect((await verify()).broken).toBeUndefined();
});

test("replacing an actor breaks the chain at that actor's events", async () => {
  await seal(db.database.knex, 3);
  await tamper("update credential_event_actors set name = 'somebody', commitment = sha256('')");
  expect((await verify()).broken).toEqual({ position: 1, reason: sealed });
});

const PAGE = await readPage("tamper-evidence");

test("the hashes follow the documented formula", async () => {
  const { knex } = db.database;
  await seal(knex, 3);
  await seal(knex, 1, { remarks: ["eligibility_skipped", "self_issued"], commitment: randomBytes(32) });
  const { rows } = await knex.raw(
    `select event.*, encode(event.commitment, 'hex') as commitment, array_to_string(remarks, ',') as remarks,
       encode(actor.commitment, 'hex') as actor_commitment
     from credential_events as event join credential_event_actors as actor on actor.id = actor_id order by position`,
  );
  const [, formula = ""] = /the text `(position\|[^`]+)`/.exec(PAGE.replaceAll("\n", " ")) ?? [];
  const columns: Record<string, string> = {
    position: "position",
    type: "type",
    credential: "credential_uuid",
    configuration: "configuration_id",
    actor: "actor_id",
    "status before": "status_before",
    "status after": "status_after",
    time: "occurred_at",
    remarks: "remarks",
    commitment: "commitment",
    "actor's commitment": "actor_commitment",
  };
  expect(formula.split("|")).toEqual(Object.keys(columns));
  let hash = Buffer.alloc(32);
  for (const event of rows) {
    const fields = formula.split("|").map((field) => event[columns[field] as string] ?? "");
    const text = fields.map((field) => (field instanceof Date ? field.toISOString() : field)).join("|");
    hash = createHash("sha256").update(hash).update(text).digest();
    expect(event.hash).toEqual(hash);
  }
  expect(rows[3]).toMatchObject({ remarks: "eligibility_skipped,self_issued" });
});

test("verification continues until the signal aborts", async () => {
  await seal(db.database.knex, 3);
  await expect(verifyEventChain(db.database, AbortSignal.abort(new Error("enough")))).rejects.toThrow(
    "enough",
  );
});

test("an event's commitment is computed from the facts of its credential, as documented", async () => {
  const { knex } = db.database;
  const uuid = await insertCredential(knex);
  await knex.raw(
    `insert into unsealed_credential_events (type, credential_uuid, configuration_id, actor_id, status_after)
     values ('imported', ?, 1, credential_event_actor('registrar', 'user'), 'invalidated')`,
    [uuid],
  );
  await knex.raw("select seal_credential_events(10)");
  expect(await knex("credential_events").pluck("commitment")).toEqual([
    commitmentOf(await knex("credentials").where({ uuid }).first()),
  ]);
  await tamper("update credential_events set commitment = null");
  expect((await verify()).broken).toEqual({ position: 1, reason: sealed });
});

/** Inserts a credential with texts that are hard to quote. */
async function insertCredential(knex: Knex): Promise<string> {
  await knex.raw(
    `insert into credential_types (name, retrieval_func, generation_func, custom_options) values ('T', 'r', 'g', '{}');
     insert into credential_configurations (learning_context_key, credential_type_id, custom_options)
     values ('course-v1:A+B+C', 1, '{}')`,
  );
  const [{ uuid }] = await knex("credentials").insert(
    {
      username: "ana",
      configuration_id: 1,
      status: "invalidated",
      issued_by: "registrar",
      user_full_name: 'Ana "\\Å" Kovač \t\u007f\u2028😀',
      learning_context_key: "course-v1:A+B+C",
      learning_context_name: "Two\nlines",
      credential_type: "T",
      generation_func: "g",
      options: {},
      assets: {},
      print_settings: { platformName: 'Harbour "Light" Academy' },
      created_at: "2026-01-15T10:30:00Z",
      file_key: "x",
      file_sha256: Buffer.alloc(32, 7),
      original_issuer: "Elsewhere College",
      awarded_at: "2025-07-01T09:00:00Z",
      valid_until: "2030-05-20T22:00:00Z",
      particulars: { grade: 92.35 },
      results: { courses: [] },
      file_size: 1,
      invalidation_reason: "Issued\r\nin error.",
      invalidated_at: "2026-02-01T09:00:00.120Z",
      invalidated_by: "registrar",
    },
    "uuid",
  );
  return uuid;
}

/** Computes a commitment as described in `.docs/tamper-evidence.md`. */
function commitmentOf(row: Record<string, string & Date & Buffer>): Buffer {
  const sha256 = (...parts: (string | Buffer)[]) => {
    const hash = createHash("sha256");
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
  const json = JSON.stringify;
  const seed = row.commitment_seed as Buffer;
  const values: Record<string, string | undefined> = {
    verify_uuid: row.verify_uuid,
    holder: sha256(seed, row.username as string).toString("hex"),
    name: json(row.user_full_name),
    context_key: json(row.learning_context_key),
    context_name: json(row.learning_context_name),
    type: json(row.credential_type),
    created: row.created_at?.toISOString().replace(".000", ""),
    status: row.status,
    reason: json(row.invalidation_reason),
    invalidated: row.invalidated_at?.toISOString().replace("Z", "000Z"),
    file_sha256: row.file_sha256?.toString("hex"),
    original_issuer: json(row.original_issuer),
    platform: json('Harbour "Light" Academy'),
    awarded: row.awarded_at?.toISOString().replace(".000", ""),
    particulars: '{"grade": 92.35}',
    valid_until: row.valid_until?.toISOString().replace(".000", ""),
    results: '{"courses": []}',
  };
  const [, example = ""] = /```\n(verify_uuid: [\s\S]*?)```/.exec(PAGE) ?? [];
  const facts = example.split("\n").flatMap((line) => /^\w+(?=: )/.exec(line) ?? []);
  expect(facts).toEqual(Object.keys(values));
  const hashes = facts.map((fact) => sha256(sha256(seed, `\n${fact}`), `${fact}: ${values[fact]}`));
  return sha256("learning-credentials commitment v2\n", ...hashes);
}
