import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FindingKind } from "#runtime/doctor/finding.js";
import { sealAll } from "../credentials/events/chain.js";
import { readPage } from "../main/documents.js";
import { givenAcademy } from "../support/academy.js";
import { findingsOn } from "../support/health.js";
import { createServiceRole, type ServiceRole } from "../support/service-role.js";

const academy = givenAcademy();
let role: ServiceRole;
beforeAll(async () => {
  role = await createServiceRole(academy.service.app.database);
});
afterAll(async () => {
  await role.drop();
});

const asOwner = async (sql: string) => (await academy.service.app.database.knex.raw(sql)).rows;

/** Runs SQL as a superuser, with triggers disabled. */
async function behindTriggers(sql: string): Promise<void> {
  await academy.service.app.database.knex.transaction(async (transaction) => {
    await transaction.raw("set local session_replication_role = replica");
    await transaction.raw(sql);
  });
}

async function issued(username: string): Promise<string> {
  await academy.enrol(username);
  return (await academy.issue(username)).uuid;
}

async function available(username: string): Promise<string> {
  const uuid = await issued(username);
  await academy.generate(uuid);
  return uuid;
}

async function invalidated(username: string): Promise<string> {
  const uuid = await available(username);
  await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
  return uuid;
}

async function failed(username: string): Promise<string> {
  const uuid = await issued(username);
  const put = () => Promise.reject(new Error("the disk is gone"));
  const failing = { files: { put }, isLastAttempt: true };
  await expect(academy.generate(uuid, failing)).rejects.toThrow("the disk is gone");
  return uuid;
}

const lives = { available, invalidated, failed };
let count = 0;
const someone = () => `somebody${++count}`;

/** Returns the findings of `doctor` about one credential, or about none. */
async function found(about: string | undefined): Promise<{ kind: FindingKind; detail: string }[]> {
  const findings = await findingsOn(academy.service.app);
  return findings
    .filter(({ credentialUuid }) => credentialUuid === about)
    .map(({ kind, detail }) => ({ kind, detail }));
}

const set =
  (changes: string) =>
  (uuid: string): string =>
    `update credentials set ${changes} where uuid = '${uuid}'`;

const event = (uuid: string, type: string, before: string, after: string) =>
  `insert into unsealed_credential_events (type, credential_uuid, configuration_id, actor_id, status_before, status_after)
   select '${type}', uuid, configuration_id, credential_event_actor('honest.registrar', 'user'), ${before}, '${after}'
   from credentials where uuid = '${uuid}'`;

/** Returns SQL that inserts a copy with another UUID. `values` override those of the original. */
const copyOf = (uuid: string, values: Record<string, string>) => {
  const columns = `username, configuration_id, status, issued_by, user_full_name, learning_context_key,
    learning_context_name, credential_type, generation_func, options, assets, print_settings, created_at, file_key,
    file_sha256, file_size`.split(/,\s+/);
  const selected = columns.map((column) => values[column] ?? column);
  return `insert into credentials (uuid, ${columns.join(", ")})
    select '${values.uuid}', ${selected.join(", ")} from credentials where uuid = '${uuid}'`;
};
const aboutFiles: FindingKind[] = ["damaged-file", "missing-file", "still-public", "lost-move"];
const FORGED = "0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f";

describe("with the role of the service", () => {
  const forgeries: [
    what: string,
    life: keyof typeof lives,
    forge: (uuid: string) => string,
    detail: string,
    kind?: FindingKind,
  ][] = [
    ...[
      "verify_uuid = gen_random_uuid()",
      "username = 'mallory'",
      "user_full_name = 'Mallory Forged'",
      "learning_context_key = 'course-v1:Uni+Medicine+2026'",
      "learning_context_name = 'Medicine'",
      "credential_type = 'Doctorate'",
      "created_at = '2001-01-01'",
      "user_full_name = 'Mallory Forged', created_at = '2001-01-01'",
      "original_issuer = 'Harvard'",
      "platform = 'Another Academy'",
      "awarded_at = '2001-01-01'",
      "particulars = '{\"grade\": 100}'",
      "valid_until = '2099-01-01'",
      "results = '{\"courses\": []}'",
      "commitment_seed = sha256('')",
    ].map((changes): [string, "available", (uuid: string) => string, string] => [
      changes,
      "available",
      set(changes),
      'position N: at "issued" it did not say what it says now',
    ]),
    [
      "another file",
      "available",
      set("file_sha256 = sha256('')"),
      'position N: at "available" it did not say what it says now',
    ],
    [
      "another reason",
      "invalidated",
      set("invalidation_reason = 'By request.'"),
      'position N: at "invalidated" it did not say what it says now',
    ],
    [
      "invalidated at another time",
      "invalidated",
      set("invalidated_at = '2001-01-01'"),
      'position N: at "invalidated" it did not say what it says now',
    ],
    [
      "a withdrawn one put back in force",
      "invalidated",
      set(`status = 'available', invalidation_reason = '', invalidated_at = null, invalidated_by = null,
        invalidated_file_key = null`),
      "position N: it is available, and its last event leaves it invalidated",
    ],
    [
      "one withdrawn without an event",
      "available",
      set(
        "status = 'invalidated', invalidation_reason = 'No.', invalidated_at = now(), invalidated_by = 'registrar'",
      ),
      "position N: it is invalidated, and its last event leaves it available",
    ],
    [
      "an event of what did not happen, by somebody else",
      "available",
      (uuid) => event(uuid, "invalidated", "'available'", "invalidated"),
      "position N: it is available, and its last event leaves it invalidated",
    ],
    [
      "issued again though it had not failed",
      "available",
      (uuid) =>
        `${set("user_full_name = 'Mallory Forged'")(uuid)}; ${event(uuid, "issued", "'error'", "generating")};
         ${event(uuid, "available", "'generating'", "available")}`,
      'position N: "issued" from error to generating, when it was available',
      "impossible-event",
    ],
    [
      "failed though it was there",
      "available",
      (uuid) =>
        `${event(uuid, "failed", "'available'", "error")}; ${event(uuid, "issued", "'error'", "generating")};
         ${event(uuid, "available", "'generating'", "available")}`,
      'position N: "failed" from available to error, when it was available',
      "impossible-event",
    ],
  ];

  test.each(forgeries)("found: %s", async (_, life, forge, detail, kind = "altered-credential") => {
    const uuid = await lives[life](someone());
    const known = await found(undefined);
    await role.query(forge(uuid));
    await sealAll(academy.service.app.database.knex);
    const findings = (await found(uuid)).filter((finding) => !aboutFiles.includes(finding.kind));
    expect(
      findings.map((finding) => ({ ...finding, detail: finding.detail.replace(/(?<=position )\d+/, "N") })),
    ).toEqual([{ kind, detail }]);
    expect(await found(undefined)).toEqual(known);
  });

  /** Columns that are protected by the commitments of events, or by the events' own columns. */
  const vouched = [
    ...["uuid", "verify_uuid", "configuration_id", "username", "user_full_name", "learning_context_key"],
    ...[
      "learning_context_name",
      "credential_type",
      "created_at",
      "status",
      "invalidation_reason",
      "invalidated_at",
    ],
    ...["file_sha256", "original_issuer", "platform", "awarded_at", "particulars", "valid_until", "results"],
    "commitment_seed",
  ];

  test("each column is covered, or documented as not covered", async () => {
    const columns = await asOwner(
      `select attname as name from pg_attribute
       where attrelid = 'credentials'::regclass and attnum > 0 and not attisdropped`,
    );
    const page = await readPage("tamper-evidence");
    const [section = ""] = page.split("## What no event covers\n")[1]?.split("\n## ") ?? [];
    const names = columns.map(({ name }: { name: string }) => name);
    const documented = [...section.matchAll(/`(\w+)`/g)].flatMap(([, name = ""]) =>
      names.includes(name) && name !== "file_sha256" ? [name] : [],
    );
    expect([...vouched, ...new Set(documented)].sort()).toEqual(names.sort());
  });

  test.each([
    "legacy_id = '4711'",
    "notice_due_at = '2001-01-01'",
    "issued_by = 'somebody.else'",
    "options = '{}'",
  ])("not found, as documented: %s", async (changes) => {
    const uuid = await available(someone());
    await role.query(set(changes)(uuid));
    await sealAll(academy.service.app.database.knex);
    expect(await found(uuid)).toEqual([]);
  });

  test("found: a credential that was never issued, with the file of another one", async () => {
    const uuid = await invalidated(someone());
    const values = { uuid: FORGED, status: "'available'", created_at: "timestamptz '1999-12-31'" };
    await role.query(copyOf(uuid, values));
    expect(await found(FORGED)).toContainEqual({
      kind: "unrecorded-credential",
      detail: "there is no event of it",
    });
    await asOwner(`delete from credentials where uuid = '${FORGED}'`);
  });

  test("found: a credential that was inserted by hand and backdated", async () => {
    const uuid = await invalidated(someone());
    const created = "timestamptz '1999-12-31'";
    const file = { file_key: "null", file_sha256: "null", file_size: "null" };
    const forged = "1f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f";
    await role.query(copyOf(uuid, { uuid: forged, status: "'generating'", created_at: created, ...file }));
    await role.query(event(forged, "issued", "null", "generating"));
    expect(await found(forged)).toContainEqual(
      expect.objectContaining({ kind: "misdated-credential" satisfies FindingKind }),
    );
  });

  test.each([
    `insert into unsealed_credential_events (type, credential_uuid, configuration_id, actor_id, status_after, occurred_at)
     values ('issued', gen_random_uuid(), 1, 1, 'generating', '2020-01-01')`,
    `insert into unsealed_credential_events (id, type, credential_uuid, configuration_id, actor_id, status_after)
     overriding system value values (1, 'issued', gen_random_uuid(), 1, 1, 'generating')`,
    "update credential_event_actors set name = 'somebody.else'",
    "insert into credential_event_actors (name, seed) values ('somebody.else', '')",
    "delete from credentials",
    "update credential_event_head set position = 1000000",
    "alter table credentials disable trigger all",
  ])("refused: %s", async (sql) => {
    await expect(role.query(sql)).rejects.toThrow(/^(permission denied for|must be owner of) /);
  });

  test("an actor's name can be erased, but not changed", async () => {
    await asOwner("select credential_event_actor('leaver', 'user')");
    await expect(role.query("select erase_credential_event_actor('leaver', 'mallory')")).rejects.toThrow(
      "append-only",
    );
    await role.query(`select erase_credential_event_actor('leaver', 'erased-${"0".repeat(32)}')`);
    expect(await found(undefined)).toEqual([]);
  });
});

describe("as the owner of the tables, bypassing the triggers", () => {
  test("found: an actor renamed", async () => {
    await behindTriggers(
      "update credential_event_actors set name = 'somebody.else' where name = 'registrar'",
    );
    const [{ id }] = await asOwner("select id from credential_event_actors where name = 'somebody.else'");
    expect(await found(undefined)).toEqual([{ kind: "renamed-actor", detail: `actor ${id}` }]);
    await behindTriggers(
      "update credential_event_actors set name = 'registrar' where name = 'somebody.else'",
    );
    expect(await found(undefined)).toEqual([]);
  });

  test("found: a credential removed", async () => {
    const uuid = await available(someone());
    await asOwner(`delete from credentials where uuid = '${uuid}'`);
    expect((await found(uuid)).map(({ kind }) => kind)).toContain("lost-credential");
  });
});

describe("no faults are found in", () => {
  test("a failed credential that is issued again under another name", async () => {
    const username = someone();
    const uuid = await failed(username);
    await academy.report({ case: "learner", value: { username, fullName: "Another Name" } });
    await academy.issue(username);
    await academy.generate(uuid);
    expect(await found(uuid)).toEqual([]);
  });

  test("a credential whose learner is erased and that is invalidated afterwards", async () => {
    const username = someone();
    const uuid = await available(username);
    const [{ seed }] = await asOwner(
      `select commitment_seed as seed from credentials where uuid = '${uuid}'`,
    );
    await academy.records.eraseLearner({ username });
    expect(await found(uuid)).toEqual([]);
    await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    expect(await found(uuid)).toEqual([]);
    const [{ seed: after }] = await asOwner(
      `select commitment_seed as seed from credentials where uuid = '${uuid}'`,
    );
    expect(after.equals(seed)).toBe(false);
  });
});

describe("an event that was saved elsewhere", () => {
  const head = async () => {
    await sealAll(academy.service.app.database.knex);
    const [last] = await asOwner("select position, encode(hash, 'hex') as hash from credential_event_head");
    return last;
  };
  const findings = async (look: Parameters<typeof findingsOn>[1]) =>
    (await findingsOn(academy.service.app, look)).filter(
      ({ credentialUuid }) => credentialUuid === undefined,
    );

  test("is found, or reported as missing", async () => {
    const { position, hash } = await head();
    const other = "0".repeat(64);
    expect(await findings({ expected: [{ position, hash }] })).toEqual([]);
    expect(
      await findings({
        expected: [
          { position: 1, hash: other },
          { position: position + 1, hash },
        ],
      }),
    ).toEqual([
      { kind: "other-history", detail: expect.stringMatching(/^position 1: its hash is [0-9a-f]{64}$/) },
      { kind: "other-history", detail: `position ${position + 1}: the last event has position ${position}` },
    ]);
  });

  test("found: a chain recomputed from some event on", async () => {
    const mark = await head();
    await available(someone());
    await head();
    await behindTriggers(`
      with chained as (
        select position, credential_event_chain(
          (select hash from credential_events where position = ${mark.position - 1}), convert_to(concat_ws(
            '|', position, type, credential_uuid, configuration_id, actor_id, coalesce(status_before, ''), status_after,
            to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), array_to_string(remarks, ','),
            encode(commitment, 'hex'), (select encode(commitment, 'hex') from credential_event_actors where id = actor_id)
          ), 'UTF8')
        ) over (order by position rows unbounded preceding) as hash
        from (select position, type, credential_uuid, configuration_id, actor_id, status_before, status_after,
          occurred_at - interval '1 second' as occurred_at, remarks, commitment
          from credential_events where position >= ${mark.position}) as made_up
      )
      update credential_events as event set hash = chained.hash, occurred_at = event.occurred_at - interval '1 second'
      from chained where event.position = chained.position;
      update credential_event_head as head set hash = event.hash
      from credential_events as event where event.position = head.position`);
    expect(await findings({})).toEqual([]);
    expect(await findings({ expected: [mark] })).toEqual([
      { kind: "other-history", detail: expect.stringContaining(`position ${mark.position}: its hash is `) },
    ]);
  });

  test("found: events removed against the retention setting, until the removal is confirmed", async () => {
    const [{ position, hash }] = await asOwner(
      "select position, encode(hash, 'hex') as hash from credential_events order by position offset 3 limit 1",
    );
    await asOwner(`begin; insert into credential_event_anchors (position, hash, occurred_at)
      select position, hash, occurred_at from credential_events where position = ${position};
      delete from credential_events where position <= ${position}; commit`);
    const removed = (when: string) => ({
      kind: "removed-events",
      detail: expect.stringMatching(
        new RegExp(`^events up to ${position}:${hash} were removed at 2.*, ${when}$`),
      ),
    });
    expect(await findings({})).toEqual([removed("although events are kept permanently")]);
    expect(await findings({ eventRetentionDays: 30 })).toEqual([
      removed("when the newest of them was 0 days old"),
    ]);
    expect(await findings({ expected: [{ position, hash }] })).toEqual([]);
    expect(await findings({ expected: [{ position: 1, hash }] })).toContainEqual({
      kind: "other-history",
      detail: "position 1: it was removed, and its hash was not stored: check a later position instead",
    });
  });

  test("found: nothing after a regular removal by retention", async () => {
    const { database } = academy.service.app;
    const removals = async () =>
      (await findings({ eventRetentionDays: 30 })).filter(({ kind }) => kind === "removed-events");
    const known = await removals();
    const uuid = await available(someone());
    await head();
    await behindTriggers(`
      update credential_events set occurred_at = occurred_at - interval '40 days';
      update credentials set created_at = created_at - interval '40 days'`);
    await database.knex.raw("select remove_old_credential_events(30, 1000000)");
    expect(await removals()).toEqual(known);
    expect(await found(uuid)).toEqual([]);
    await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    expect(await found(uuid)).toEqual([]);
    await role.query(set("user_full_name = 'Mallory Forged'")(uuid));
    expect((await found(uuid)).map(({ kind }) => kind)).toEqual(["altered-credential"]);
  });
});
