import { randomUUID } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { beforeAll, describe, expect, it } from "vitest";
import { openApp } from "#app/app.js";
import { ChangeKind } from "#gen/learning_credentials/options/v1/options_pb.js";
import {
  AdministrationService,
  AuditCallerKind,
  AuditOutcome,
} from "#gen/learning_credentials/v1/administration_service_pb.js";
import { ConfigurationService } from "#gen/learning_credentials/v1/configuration_service_pb.js";
import { CredentialService } from "#gen/learning_credentials/v1/credential_service_pb.js";
import { EligibilityService } from "#gen/learning_credentials/v1/eligibility_service_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import type { AuditEntry, AuditRecord } from "#infrastructure/audit/audit-entry.js";
import {
  type AuditFilter,
  appendEntries,
  appendOutcomes,
  findEntries,
} from "#infrastructure/audit/audit-store.js";
import { differences } from "#infrastructure/audit/differences.js";
import { removeOldEntries } from "#infrastructure/audit/remove-old-entries.js";
import { openDatabase } from "#infrastructure/db/open-database.js";
import { GENERATION, RETRIEVAL } from "../api/examples/known.js";
import { type Academy, COURSE, exam, givenAcademy } from "../support/academy.js";
import { createTestDatabase } from "../support/database.js";
import { stopHealthy } from "../support/health.js";
import { tokenOf } from "../support/service.js";

const academy = givenAcademy({}, stopHealthy);
let clients: Awaited<ReturnType<typeof open>>;

async function open({ service }: Academy, token: string) {
  return {
    credentials: service.client(CredentialService, token),
    configurations: service.client(ConfigurationService, token),
    eligibility: service.client(EligibilityService, token),
    records: service.client(LearnerRecordService, token),
  };
}

const registrar = () => tokenOf({ username: "registrar", isStaff: true });
const lms = () => tokenOf({ username: "lms", service: "write" });

beforeAll(async () => {
  clients = await open(academy, await lms());
  await academy.enrol("ana", "bo");
});

const knex = () => academy.service.app.database.knex;
const find = (filter: AuditFilter) => findEntries(knex(), filter, { afterId: 0, limit: 1000 });

/** Returns the newest entry, once it has its outcome. */
async function last(filter: AuditFilter): Promise<AuditRecord> {
  const entry = async () => (await find(filter)).at(-1);
  await expect.poll(async () => (await entry())?.code ?? undefined).toBeDefined();
  return (await entry()) as AuditRecord;
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "Ok",
    (error) => Code[ConnectError.from(error).code] as string,
  );
}

describe("a call is recorded with caller, object, time and outcome", () => {
  const NOBODY = "00000000-0000-4000-8000-000000000000";
  type Clients = typeof clients;
  type Case = [
    method: string,
    call: (clients: Clients) => Promise<unknown>,
    expected: { learners?: string[]; others?: string[]; code?: string },
  ];

  it.each<Case>([
    [
      "IssueCredential",
      ({ credentials }) => credentials.issueCredential({ configurationId: 1, username: "ana" }),
      { learners: ["ana"], others: ["configuration:1"] },
    ],
    [
      "GetCredential",
      ({ credentials }) => credentials.getCredential({ uuid: NOBODY }),
      { others: [`credential:${NOBODY}`], code: "NotFound" },
    ],
    [
      "ListCredentials",
      ({ credentials }) => credentials.listCredentials({ username: "ana", learningContextKey: COURSE }),
      { learners: ["ana"], others: [`context:${COURSE}`] },
    ],
    [
      "GetDownloadUrl",
      ({ credentials }) => credentials.getDownloadUrl({ uuid: NOBODY }),
      { others: [`credential:${NOBODY}`], code: "NotFound" },
    ],
    [
      "GetEligibility",
      ({ eligibility }) => eligibility.getEligibility({ learningContextKey: COURSE, username: "bo" }),
      { learners: ["bo"], others: [`context:${COURSE}`] },
    ],
    [
      "ListEligibleLearners",
      async ({ eligibility }) => {
        for await (const _ of eligibility.listEligibleLearners({ configurationId: 1 }));
      },
      { others: ["configuration:1"] },
    ],
    [
      "InvalidateCredentials",
      ({ credentials }) =>
        credentials.invalidateCredentials({ filter: { username: "nobody" }, reason: "An error." }),
      { learners: ["nobody"] },
    ],
    [
      "UpdateCredentialType",
      ({ configurations }) =>
        configurations.updateCredentialType({
          credentialType: { id: 1, customOptions: { required_grades: { Total: 0.01 } } },
          updateMask: { paths: ["custom_options"] },
        }),
      { others: ["type:1"] },
    ],
    [
      "DeleteAsset",
      ({ configurations }) => configurations.deleteAsset({ slug: "no-seal" }),
      { others: ["asset:no-seal"], code: "NotFound" },
    ],
    [
      "UpsertRecords",
      ({ records }) =>
        records.upsertRecords({ records: [exam("ana", 10), exam("bo", 9)].map((kind) => ({ kind })) }),
      { learners: ["ana", "bo"] },
    ],
    [
      "EraseLearner",
      ({ records }) => records.eraseLearner({ username: "nobody" }),
      { learners: ["nobody"], code: "NotFound" },
    ],
  ])("%s", async (method, call, { learners = [], others = [], code = "Ok" }) => {
    const before = new Date(Date.now() - 60_000);
    expect(await codeOf(call(clients))).toBe(code);
    const entry = await last({ method, caller: "lms", since: before });
    expect(entry).toMatchObject({
      caller: { kind: "service", name: "lms", issuer: "", subject: "" },
      learners,
      others,
      code,
      source: "127.0.0.1",
    });
    expect(entry.method).toMatch(new RegExp(`^learning_credentials\\.v1\\.\\w+/${method}$`));
    expect(entry.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("at intervals for requirements that are tried at each pause in typing", async () => {
    const tries = (clients: Clients, username: string, total: number) =>
      clients.eligibility.previewEligibility({
        learningContextKey: COURSE,
        retrievalFunc: RETRIEVAL,
        customOptions: { required_grades: { Total: total } },
        username,
      });
    const other = await open(academy, await tokenOf({ username: "typist", isStaff: true }));
    const typists = [clients, other] as const;
    for (const [typist, username] of [
      [0, "ana"],
      [0, "bo"],
      [1, "ana"],
    ] as const)
      for (const total of [0.6, 0.61, 0.62]) await tries(typists[typist], username, total);
    expect(await codeOf(tries(clients, "nobody", 0.6))).toBe("NotFound");
    const entered = async () =>
      (await find({ method: "PreviewEligibility" })).map(({ caller, learners, others, code }) => [
        caller.name,
        ...learners,
        ...others,
        code,
      ]);
    const context = `context:${COURSE}`;
    await expect.poll(async () => (await entered()).length).toBe(4);
    expect(await entered()).toEqual([
      ["lms", "ana", context, "Ok"],
      ["lms", "bo", context, "Ok"],
      ["typist", "ana", context, "Ok"],
      ["lms", "nobody", context, "NotFound"],
    ]);
  });

  it("at intervals for a reissue that is previewed at each pause in typing, and never for a design alone", async () => {
    const { uuid } = await academy.issued("pia");
    const previewed = { source: { case: "credentialUuid", value: uuid }, layoutOnly: true } as const;
    const { configurations } = clients;
    await configurations.previewCredential({
      source: { case: "configurationId", value: academy.configurationId },
      layoutOnly: true,
    });
    for (const userFullName of ["", "Pi", "Pia"])
      await configurations.previewCredential({ ...previewed, userFullName });
    const entered = async () => (await find({ method: "PreviewCredential" })).map(({ others }) => others);
    await expect.poll(entered).toEqual([[`credential:${uuid}`]]);
  });

  it("over REST, with the id of the request", async () => {
    const id = randomUUID();
    const path = `/api/learning_credentials/v1/eligibility/${COURSE}/?username=ana`;
    const headers = { authorization: `Bearer ${await registrar()}`, "x-request-id": id };
    expect((await fetch(`${academy.service.httpUrl}${path}`, { headers })).status).toBe(200);
    expect(await last({ caller: "registrar", username: "ana" })).toMatchObject({
      caller: { kind: "staff" },
      requestId: id,
    });
  });

  it("for a download by a signed-in user", async () => {
    const uuid = randomUUID();
    const headers = { authorization: `Bearer ${await registrar()}` };
    await fetch(`${academy.service.httpUrl}/download/credential/${uuid}/`, { headers });
    expect(await last({ object: `credential:${uuid}` })).toMatchObject({ code: "NotFound" });
  });

  it("for a stream, with the learners of every message, as one call", async () => {
    async function* messages() {
      for (const username of ["cleo", "dan"]) yield { records: [{ kind: exam(username, 1) }] };
    }
    await clients.records.importRecords(messages());
    await last({ method: "ImportRecords", username: "cleo" });
    const [first, second] = await find({ method: "ImportRecords" });
    expect([first?.learners, second?.learners]).toEqual([["cleo"], ["dan"]]);
    expect(second).toMatchObject({ code: "Ok", requestId: first?.requestId });
  });

  it("before it is carried out", async () => {
    const holding = await knex().transaction();
    await holding.raw("lock table credentials in exclusive mode");
    const issuing = clients.credentials.issueCredential({ configurationId: 1, username: "bo" });
    const entries = () => find({ method: "IssueCredential", username: "bo" });
    await expect.poll(async () => (await entries()).length).toBe(1);
    expect(await entries()).toMatchObject([{ code: null }]);
    await holding.rollback();
    await issuing;
    expect(await last({ method: "IssueCredential", username: "bo" })).toMatchObject({ code: "Ok" });
  });
});

describe("nothing is recorded", () => {
  it.each<[what: string, call: (as: Awaited<ReturnType<typeof open>>) => Promise<unknown>]>([
    [
      "of a learner's own eligibility",
      ({ eligibility }) => eligibility.getEligibility({ learningContextKey: COURSE }),
    ],
    [
      "of a learner's own eligibility, by name",
      ({ eligibility }) => eligibility.getEligibility({ learningContextKey: COURSE, username: "ana" }),
    ],
    ["of a learner's own credentials", ({ credentials }) => credentials.listMyCredentials({})],
    [
      "of whether something is configured",
      ({ configurations }) => configurations.checkConfiguration({ learningContextKey: COURSE }),
    ],
    [
      "of a call refused before it is examined",
      ({ credentials }) => credentials.issueCredential({ configurationId: 1, username: "ana" }),
    ],
  ])("%s", async (_, call) => {
    const as = await open(academy, await tokenOf({ username: "ana" }));
    await codeOf(call(as));
    // Once the entry of a later call exists, no earlier entry is pending.
    await clients.credentials.listCredentials({ username: `after ${_}` });
    await last({ username: `after ${_}` });
    expect(await find({ caller: "ana" })).toEqual([]);
  });
});

describe("while entries can't be written", () => {
  it("changes are refused, and the caller gets the reason", async () => {
    const before = await knex()("credential_types").count();
    await knex().raw("alter table audit_entries rename to audit_entries_away");
    const create = clients.configurations.createCredentialType({
      credentialType: {
        name: "Unseen",
        retrievalFunc: "learning_credentials.processors.retrieve_completions",
        generationFunc: "learning_credentials.generators.generate_pdf_credential",
      },
    });
    expect(await codeOf(create)).toBe("Unavailable");
    expect(await knex()("credential_types").count()).toEqual(before);
    await knex().raw("alter table audit_entries_away rename to audit_entries");
  });

  it("reads are answered, and recorded later", async () => {
    await knex().raw("alter table audit_entries rename to audit_entries_away");
    for (const username of ["eve", "finn"]) await clients.credentials.listCredentials({ username });
    await knex().raw("alter table audit_entries_away rename to audit_entries");
    expect(await last({ username: "finn" })).toMatchObject({ code: "Ok" });
    expect(await find({ username: "eve" })).toHaveLength(1);
  });
});

it("all entries are written before a stopping service ends", async () => {
  const { url } = academy.service.app.database;
  const { config, log } = academy.service.app;
  const app = await openApp({ ...config, databaseUrl: url }, log, "own");
  app.audit.note({
    caller: { kind: "staff", name: "late.reader" },
    method: "Late",
    learners: [],
    others: [],
    requestId: "",
    source: "",
    code: "Ok",
  });
  await app.close();
  expect(await find({ caller: "late.reader" })).toMatchObject([{ method: "Late", code: "Ok" }]);
});

describe("entries that are written together", () => {
  const entryOf = (...learners: string[]): AuditEntry => ({
    ...{
      caller: { kind: "service", name: "lms" },
      method: "Together",
      others: [],
      requestId: "",
      source: "",
    },
    learners,
  });
  const learnersOf = async (ids: readonly number[]) => {
    const entries = await findEntries(knex(), {}, { afterId: Math.min(...ids) - 1, limit: 1000 });
    const byId = new Map(entries.map(({ id, learners }) => [id, learners]));
    return ids.map((id) => byId.get(id));
  };

  it("keep their order, and create new learners once each, in the order of their names", async () => {
    const ids = await appendEntries(knex(), [
      entryOf("zoe.new", "ana", "max.new"),
      entryOf(),
      entryOf("ana"),
      entryOf("max.new", "bo", "max.new"),
    ]);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(await learnersOf(ids)).toEqual([["ana", "max.new", "zoe.new"], [], ["ana"], ["bo", "max.new"]]);
  });

  it("have a placeholder for erased learners only", async () => {
    await academy.enrol("both.erased");
    await clients.records.eraseLearner({ username: "both.erased" });
    const ids = await appendEntries(knex(), [
      entryOf("ana", "both.erased", "yet.unknown"),
      entryOf("both.erased"),
    ]);
    const [first, second] = await learnersOf(ids);
    expect(first).toEqual(["ana", expect.stringMatching(/^erased-[0-9a-f]{32}$/), "yet.unknown"]);
    expect(second).toEqual([first?.[1]]);
  });

  it("have their names looked up by an index, even if there were few at first", async () => {
    const own = await createTestDatabase();
    const scans = async () => {
      const { rows } = await own.database.knex.raw(
        `select seq_scan::int as "ofTable", (
           select sum(idx_scan)::int from pg_stat_user_indexes where relname = 'audit_names'
         ) as "ofIndexes"
         from pg_stat_user_tables where relname = 'audit_names'`,
      );
      return rows[0] as { ofTable: number; ofIndexes: number };
    };
    const names = Array.from({ length: 500 }, (_, n) => `one.of.many.${n}`);
    await appendEntries(own.database.knex, [entryOf(...names.slice(0, 100))]);
    await own.database.knex.raw("vacuum analyze audit_names");
    const before = await scans();
    const another = openDatabase(own.url);
    for (let time = 0; time < 8; time++) await appendEntries(another.knex, [entryOf(...names)]);
    await another.close(); // a connection reports its scans when it ends
    const ofIndexes = async () => (await scans()).ofIndexes;
    await expect.poll(ofIndexes, { timeout: 60_000 }).toBeGreaterThan(before.ofIndexes);
    expect((await scans()).ofTable).toBe(before.ofTable);
    await own.drop();
  });
});

it("the trail accepts an outcome that is reported twice", async () => {
  const [entry] = await find({ method: "CreateCredentialType" });
  const again = () => appendOutcomes(knex(), [{ entryId: entry?.id ?? 0, code: "Internal" }]);
  await again();
  await again();
  expect((await find({ method: "CreateCredentialType" }))[0]).toEqual(entry);
});

it("the trail bounds the size of entries, and can record any request", async () => {
  const username = `\0\ud800${"x".repeat(300)}`;
  await codeOf(clients.credentials.listCredentials({ username: username.toWellFormed() }));
  await expect
    .poll(async () => (await find({ method: "ListCredentials" })).flatMap(({ learners }) => learners))
    .toContain(`\ufffd\ufffd${"x".repeat(253)}`);
});

it("the trail contains no token", async () => {
  const token = await registrar();
  await (await open(academy, token)).credentials.listCredentials({ username: "ana" });
  await last({ caller: "registrar" });
  const { rows } = await knex().raw("select to_jsonb(e)::text as row from audit_entries e");
  const everything = rows.map(({ row }: { row: string }) => row).join("\n");
  for (const part of token.split(".")) expect(everything).not.toContain(part);
});

describe("an erased learner", () => {
  const NAME = /^erased-[0-9a-f]{32}$/;

  it("is replaced by the pseudonym that the credentials have, both as caller and as object", async () => {
    await academy.enrol("gone");
    const { uuid } = await clients.credentials.issueCredential({ configurationId: 1, username: "gone" });
    const as = await open(academy, await tokenOf({ username: "gone", isStaff: true }));
    await as.credentials.listCredentials({ username: "bo" });
    await last({ caller: "gone" });
    await clients.records.eraseLearner({ username: "gone" });

    expect([await find({ caller: "gone" }), await find({ username: "gone" })]).toEqual([[], []]);
    const { username: pseudonym } = await clients.credentials.getCredential({ uuid });
    expect(pseudonym).toMatch(NAME);
    expect(await last({ caller: pseudonym })).toMatchObject({
      method: expect.stringContaining("ListCredentials"),
    });
    const methods = (await find({ username: pseudonym })).map(({ method }) => method.replace(/.*\//, ""));
    expect(methods).toEqual(expect.arrayContaining(["UpsertRecords", "IssueCredential", "EraseLearner"]));
  });

  it("does not reappear when their old token is used", async () => {
    await academy.enrol("asked");
    await clients.records.eraseLearner({ username: "asked" });
    await codeOf(clients.eligibility.getEligibility({ learningContextKey: COURSE, username: "asked" }));
    await academy.enrol("asked"); // ignored, because the records have no `observe_time`
    const learners = async () => (await find({ method: "GetEligibility" })).at(-1)?.learners;
    await expect.poll(learners).toEqual([expect.stringMatching(NAME)]);
    expect(await knex()("audit_names").where({ name: "asked" })).toEqual([]);
  });

  it("is found even if only the trail knows them", async () => {
    const as = await open(academy, await tokenOf({ username: "reader", isStaff: true }));
    await as.credentials.listCredentials({ username: "bo" });
    await last({ caller: "reader" });
    expect(await clients.records.eraseLearner({ username: "reader" })).toMatchObject({ actorEntries: 1 });
    expect(await knex()("audit_names").where({ name: "reader", bearer: "user" })).toEqual([]);
  });

  it("loses other claims of their tokens, and each caller keeps one pseudonym", async () => {
    for (const subject of ["one-account", "another-account"]) {
      const caller = { kind: "user", name: "twofold", issuer: "https://idp.test", subject } as const;
      const nothing = { method: "Read", learners: [], others: [], requestId: "", source: "", code: "Ok" };
      academy.service.app.audit.note({ ...nothing, caller });
    }
    await expect.poll(async () => (await find({ caller: "twofold" })).length).toBe(2);
    const entries = await find({ caller: "twofold" });
    await clients.records.eraseLearner({ username: "twofold" });
    const after = (await find({ method: "Read" })).map(({ caller }) => caller);
    expect(after).toEqual(
      entries.map(() => expect.objectContaining({ name: expect.stringMatching(NAME), issuer: "" })),
    );
    expect(JSON.stringify(after)).not.toContain("account");
    expect(new Set(after.map(({ subject }) => subject)).size).toBe(2);
  });

  it("is the only name that can be replaced", async () => {
    const rename = (name: string, by: string) =>
      knex().raw("select pseudonymise_audit_names(?, ?)", [name, by]);
    await expect(rename("lms", `erased-${"0".repeat(32)}`)).rejects.toThrow(
      "only the names of erased learners",
    );
    await expect(rename("gone", "somebody else")).rejects.toThrow("the new name must be a pseudonym");
  });
});

it("the trail keeps entries as long as the setting says", async () => {
  const before = (await find({})).length;
  expect(before).toBeGreaterThan(5);
  await knex().raw("alter table audit_entries disable trigger append_only");
  await knex().raw(
    "update audit_entries set entered_at = now() - interval '31 days' where id in (select id from audit_entries order by id limit 5)",
  );
  await knex().raw("alter table audit_entries enable trigger append_only");
  await removeOldEntries(knex(), 30, new AbortController().signal);
  expect((await find({})).length).toBe(before - 5);
});

it.each([
  "update audit_entries set method = 'x'",
  "update audit_outcomes set code = 'Ok'",
  "delete from audit_names",
])("the database refuses, even for its owner: %s", async (sql) => {
  await expect(knex().raw(sql)).rejects.toThrow("is append-only");
});

describe("values before and after", () => {
  const administration = async () => academy.service.client(AdministrationService, await lms());
  const list = async (object: string, more = {}) => {
    const client = await administration();
    const request = { object, changesOnly: true, ...more };
    const changed = async () => (await client.listAuditEntries(request)).entries[0]?.changes.length ?? 0;
    await expect.poll(changed).toBeGreaterThan(0);
    return client.listAuditEntries(request);
  };

  it("a type is created, changed and deleted: each value by its path, newest first", async () => {
    const { configurations } = await open(academy, await registrar());
    await academy.report({ case: "learner", value: { username: "registrar", fullName: "Rita Registrar" } });
    const type = { name: "Diploma", retrievalFunc: RETRIEVAL, generationFunc: GENERATION };
    const options = { required_grades: { Total: 0.5 } };
    const { id } = await configurations.createCredentialType({
      credentialType: { ...type, customOptions: options },
    });
    await configurations.updateCredentialType({
      credentialType: { id, name: "Degree", customOptions: { required_grades: { Total: 0.6, Exam: 1 } } },
      updateMask: { paths: ["name", "custom_options"] },
    });
    await configurations.deleteCredentialType({ id });
    const object = `type:${id}`;
    const { entries } = await list(object);
    expect(entries.map(({ method, change, outcome }) => [method, change, outcome])).toEqual([
      ["DeleteCredentialType", ChangeKind.DELETED, AuditOutcome.OK],
      ["UpdateCredentialType", ChangeKind.CHANGED, AuditOutcome.OK],
      ["CreateCredentialType", ChangeKind.CREATED, AuditOutcome.OK],
    ]);
    expect(entries[1]).toMatchObject({
      callerKind: AuditCallerKind.STAFF,
      caller: "registrar",
      callerFullName: "Rita Registrar",
      objects: [object],
      outcome: AuditOutcome.OK,
      errorCode: "",
      changes: [
        { object, path: "name", before: '"Diploma"', after: '"Degree"' },
        { object, path: "customOptions.required_grades.Total", before: "0.5", after: "0.6" },
        { object, path: "customOptions.required_grades.Exam", before: "", after: "1" },
      ],
    });
    expect(entries[0]?.changes).toContainEqual(
      expect.objectContaining({ path: "name", before: '"Degree"', after: "" }),
    );
    expect(entries[2]?.changes).toContainEqual(
      expect.objectContaining({ path: "name", before: "", after: '"Diploma"' }),
    );
  });

  it("pages, times and callers narrow the list; a refused change has no values", async () => {
    const { configurations } = await open(academy, await registrar());
    const update = { credentialType: { id: 1, name: "" }, updateMask: { paths: ["name"] } };
    expect(await codeOf(configurations.updateCredentialType(update))).toBe("InvalidArgument");
    const client = await administration();
    const refused = async () =>
      (await client.listAuditEntries({ caller: "registrar", method: "UpdateCredentialType" })).entries[0];
    await expect.poll(async () => (await refused())?.errorCode).toBe("InvalidArgument");
    expect((await refused())?.changes).toEqual([]);
    const first = await client.listAuditEntries({ caller: "registrar", pageSize: 1 });
    const second = await client.listAuditEntries({
      caller: "registrar",
      pageSize: 1,
      pageToken: first.nextPageToken,
    });
    expect([first.entries.length, second.entries.length]).toEqual([1, 1]);
    expect(first.entries[0]?.id).toBeGreaterThan(second.entries[0]?.id ?? 0n);
    const past = { seconds: 1_000_000_000n };
    expect((await client.listAuditEntries({ endTime: past })).entries).toEqual([]);
    expect(
      (await client.listAuditEntries({ startTime: past, username: "ana" })).entries.length,
    ).toBeGreaterThan(0);
  });

  it("are kept for changes only, not for methods that the API declares as reading, nor for commands that read", async () => {
    const object = "credential:both";
    const methods = [
      "learning_credentials.v1.CredentialService/GetCredential",
      "learning_credentials.v1.CredentialService/InvalidateCredential",
      "credentials",
      "run",
      "run --dry-run",
    ];
    const caller = { kind: "staff", name: "registrar" } as const;
    const about = { caller, learners: [], others: [object], requestId: "", source: "", code: "Ok" };
    await appendEntries(
      knex(),
      methods.map((method) => ({ ...about, method })),
    );
    const client = await administration();
    const namesOf = async (changesOnly: boolean) =>
      (await client.listAuditEntries({ object, changesOnly })).entries.map(({ method }) => method);
    expect(await namesOf(true)).toEqual(["run", "InvalidateCredential"]);
    expect(await namesOf(false)).toHaveLength(5);
    const { entries } = await client.listAuditEntries({ object });
    expect(entries.map(({ method, change }) => [method, change])).toEqual([
      ["run --dry-run", ChangeKind.UNSPECIFIED],
      ["run", ChangeKind.STARTED],
      ["credentials", ChangeKind.UNSPECIFIED],
      ["InvalidateCredential", ChangeKind.INVALIDATED],
      ["GetCredential", ChangeKind.UNSPECIFIED],
    ]);
  });

  it("at most 50 values are kept, and long ones are cut", () => {
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`value ${at}`, "x".repeat(300)]));
    const changes = differences("type:1", {}, many);
    expect([changes.length, changes[0]?.after.length, changes.at(-1)]).toEqual([
      50,
      200,
      { object: "type:1", path: "…", before: "", after: "21" },
    ]);
    const [zero] = differences("type:1", { name: "a\0" }, { name: "\ud800" });
    expect([zero?.before, zero?.after]).toEqual(['"a\\u0000"', '"\\ud800"']);
    expect(differences("type:1", { list: [1, 2], same: 1 }, { list: [1, 3], same: 1 })).toEqual([
      { object: "type:1", path: "list", before: "[1,2]", after: "[1,3]" },
    ]);
  });
});
