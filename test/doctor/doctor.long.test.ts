import { createHash, randomBytes, randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createAssetDeps, uploadAsset } from "#domain/configurations/manage-assets.js";
import { type Credential, CredentialStatus } from "#gen/learning_credentials/v1/credential_pb.js";
import { LearnerRecordService } from "#gen/learning_credentials/v1/learner_record_service_pb.js";
import type { Finding } from "#runtime/doctor/finding.js";
import { startS3rver } from "../files/s3/endpoints.js";
import { type Academy, openAcademy } from "../support/academy.js";
import { findingsOn, repairOf } from "../support/health.js";
import { tokenOf } from "../support/service.js";
import { untilFree } from "../support/until-free.js";

const PDF = { contentType: "application/pdf", downloadName: "Ada.pdf" };
const HOUR_MS = 3_600_000;
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>',
);

/** A time at which everything stored so far is old. */
const later = () => new Date(Date.now() + 2 * HOUR_MS);

const shortly = ({ kind, credentialUuid, fileKey }: Finding) => ({ kind, credentialUuid, fileKey });

describe.each([
  ["a local directory", async () => ({ settings: {}, stop: async (): Promise<void> => {} })],
  ["s3rver", startS3rver],
])("a single fault, with files in %s", (_, open) => {
  let academy: Academy;
  let store: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    store = await open();
    academy = await openAcademy({ settings: store.settings });
  });
  afterAll(async () => {
    await academy.service.stop();
    await store.stop();
  });
  afterEach(async () => {
    expect(await findings()).toEqual([]);
  });

  const app = () => academy.service.app;
  const findings = async () => (await findingsOn(app(), { now: later() })).map(shortly);
  const forgetJobs = () => app().database.knex.raw("delete from jobs");

  async function issued(username: string): Promise<Credential> {
    await academy.enrol(username);
    return academy.issue(username);
  }

  async function available(username: string) {
    const { uuid } = await issued(username);
    await academy.generate(uuid);
    return { uuid, key: await keyOf(uuid) };
  }

  async function invalidated(username: string) {
    const { uuid, key: before } = await available(username);
    await academy.credentials.invalidateCredential({ uuid, reason: "Issued in error." });
    return { uuid, before };
  }

  async function moved(username: string) {
    const { uuid, before } = await invalidated(username);
    await academy.moveFile(uuid);
    await forgetJobs();
    return { uuid, before, key: await keyOf(uuid) };
  }

  async function keyOf(uuid: string): Promise<string> {
    const { file_key: key } = await app().database.knex("credentials").where({ uuid }).first("file_key");
    return key;
  }

  /** Repairs all findings, and returns the outcomes. */
  async function repaired() {
    const repair = repairOf(app());
    const outcomes = [];
    for (const finding of await findingsOn(app(), { now: later() })) outcomes.push(await repair(finding));
    return outcomes;
  }

  async function bytesOf(key: string): Promise<Buffer> {
    return Buffer.from((await app().files.read(key)) ?? []);
  }

  async function flipByte(key: string): Promise<void> {
    const bytes = await bytesOf(key);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    await app().files.put(key, bytes, PDF);
  }

  test("a missing file is found, and rendered again with the same bytes", async () => {
    const { uuid, key } = await available("missing");
    const before = await bytesOf(key);
    await app().files.delete(key);
    expect(await findings()).toEqual([{ kind: "missing-file", credentialUuid: uuid, fileKey: key }]);
    expect(await findingsOn(app(), { withHashes: false })).toHaveLength(1);
    expect(await repaired()).toEqual(["repaired"]);
    expect((await bytesOf(key)).equals(before)).toBe(true);
  });

  test("a flipped byte is found if all bytes are read, and repaired", async () => {
    const { uuid, key } = await available("flipped");
    const before = await bytesOf(key);
    await flipByte(key);
    expect(await findings()).toEqual([{ kind: "damaged-file", credentialUuid: uuid, fileKey: key }]);
    expect(await findingsOn(app(), { withHashes: false })).toEqual([]);
    expect(await repaired()).toEqual(["repaired"]);
    expect((await bytesOf(key)).equals(before)).toBe(true);
  });

  test("a truncated file is found even without reading it", async () => {
    const { uuid, key } = await available("short");
    await app().files.put(key, (await bytesOf(key)).subarray(0, 1000), PDF);
    const [finding] = await findingsOn(app(), { withHashes: false });
    expect(finding).toMatchObject({ kind: "damaged-file", credentialUuid: uuid });
    expect(finding?.detail).toMatch(/has 1000 bytes instead of \d+$/);
    expect(await repaired()).toEqual(["repaired"]);
  });

  test("a file that is rendered differently now is not restored", async () => {
    const { uuid, key } = await available("different");
    const before = await bytesOf(key);
    await app().files.delete(key);
    // The document contains the URL.
    const elsewhere = repairOf({
      ...app(),
      publicUrl: "https://elsewhere.test",
    });
    const [finding] = await findingsOn(app(), { now: later() });
    expect(finding).toMatchObject({ kind: "missing-file", credentialUuid: uuid });
    expect(finding && (await elsewhere(finding))).toEqual({
      because: "the file generated now is different",
    });
    expect(await findings()).toMatchObject([{ kind: "missing-file" }]);
    await app().files.put(key, before, PDF);
  });

  test("a missing file of an invalidated credential is a warning, and rendered again in its place", async () => {
    const { uuid, before, key } = await moved("kept");
    await app().files.delete(key);
    expect(await findings()).toEqual([{ kind: "missing-kept-file", credentialUuid: uuid, fileKey: key }]);
    expect(await repaired()).toEqual(["repaired"]);
    expect(await app().files.read(before)).toBeUndefined();
  });

  test("an unmoved file of an invalidated credential is found, and moved", async () => {
    const { uuid, before } = await invalidated("unmoved");
    expect(await findings()).toEqual([]);
    await forgetJobs();
    expect(await findings()).toEqual([{ kind: "still-public", credentialUuid: uuid, fileKey: before }]);
    expect(await repaired()).toEqual(["repaired"]);
    expect(await app().files.read(before)).toBeUndefined();
    expect((await bytesOf(await keyOf(uuid))).length).toBeGreaterThan(1000);
  });

  test.each(["the file itself", "something else"])(
    "a copy that is left where links lead is found, and removed: %s",
    async (what) => {
      const { uuid, before, key } = await moved(`copy of ${what}`);
      const file = await bytesOf(key);
      await app().files.put(before, what === "the file itself" ? file : Buffer.from("other"), PDF);
      expect(await findings()).toEqual([{ kind: "still-public", credentialUuid: uuid, fileKey: before }]);
      expect(await repaired()).toEqual(["repaired"]);
      expect(await app().files.read(before)).toBeUndefined();
      expect((await bytesOf(key)).equals(file)).toBe(true);
    },
  );

  test("an interrupted move is found, and completed", async () => {
    const { uuid, before } = await invalidated("half moved");
    const dying = async (from: string, to: string) => {
      await app().files.move(from, to);
      throw new Error("killed");
    };
    await expect(academy.moveFile(uuid, { move: dying })).rejects.toThrow("killed");
    expect(await findings()).toEqual([]);
    await forgetJobs();
    expect(await findings()).toEqual([{ kind: "lost-move", credentialUuid: uuid, fileKey: before }]);
    expect(await repaired()).toEqual(["repaired"]);
    expect(await keyOf(uuid)).not.toBe(before);
  });

  test("a file of an erased learner is found, and deleted", async () => {
    const { uuid, key } = await available("erased");
    const platform = academy.service.client(
      LearnerRecordService,
      await tokenOf({ username: "lms", service: "write" }),
    );
    await platform.eraseLearner({ username: "erased" });
    expect(await findings()).toEqual([]);
    await forgetJobs();
    expect(await findings()).toEqual([{ kind: "erased-file", credentialUuid: uuid, fileKey: key }]);
    expect(await repaired()).toEqual(["repaired"]);
    expect(await app().files.read(key)).toBeUndefined();
  });

  test("an old file without any reference is found, and deleted", async () => {
    const { uuid, key } = await available("orphan");
    const keys = ["", "_invalidated"].map(
      (where) => `${app().config.outputDir}${where}/${uuid}/${randomBytes(16).toString("hex")}.pdf`,
    );
    for (const orphan of keys) await app().files.put(orphan, Buffer.from("orphan"), PDF);
    expect(await findingsOn(app())).toEqual([]);
    expect(await findings()).toEqual(
      keys.map((fileKey) => ({ kind: "orphaned-file", credentialUuid: uuid, fileKey })),
    );
    expect(await repaired()).toEqual(["repaired", "repaired"]);
    expect(await app().files.read(key)).toBeDefined();
  });

  test("a file to which an attempt may still refer is not reported", async () => {
    const { uuid } = await issued("slow");
    const key = `${app().config.outputDir}/${uuid}/${randomBytes(16).toString("hex")}.pdf`;
    await app().files.put(key, Buffer.from("slow"), PDF);
    expect(await findings()).toEqual([]);
    // A later run would delete what earlier runs have left.
    await academy.generate(uuid, { isFirstRun: true });
    expect(await findings()).toEqual([{ kind: "orphaned-file", credentialUuid: uuid, fileKey: key }]);
    expect(await repaired()).toEqual(["repaired"]);
  });

  test("a file of an unknown credential is found, and deleted", async () => {
    const uuid = randomUUID();
    const fileKey = `${app().config.outputDir}/${uuid}/${randomBytes(16).toString("hex")}.pdf`;
    await app().files.put(fileKey, Buffer.from("stray"), PDF);
    expect(await findings()).toEqual([{ kind: "stray-file", credentialUuid: uuid, fileKey }]);
    expect(await repaired()).toEqual(["repaired"]);
  });

  test("a file with an unknown name is a warning, and not changed", async () => {
    const key = `${app().config.outputDir}/robots.txt`;
    await app().files.put(key, Buffer.from("User-agent: *"), { ...PDF, contentType: "text/plain" });
    expect(await findings()).toEqual([{ kind: "foreign-file", credentialUuid: undefined, fileKey: key }]);
    expect(await repaired()).toMatchObject([{ because: expect.any(String) }]);
    await app().files.delete(key);
  });

  test("a generating credential without a job is found, and gets a job", async () => {
    const { uuid } = await issued("forgotten");
    expect(await findings()).toEqual([]);
    await forgetJobs();
    expect(await findings()).toMatchObject([{ kind: "lost-generation", credentialUuid: uuid }]);
    expect(await repaired()).toEqual(["repaired"]);
    expect(await academy.jobs()).toEqual([await academy.idOf(uuid)]);
    await academy.generate(uuid);
    expect((await academy.credentials.getCredential({ uuid })).status).toBe(CredentialStatus.AVAILABLE);
  });

  test("content of an asset that is missing or damaged is found", async () => {
    const upload = { slug: "seal", bytes: SVG, uploadedBy: "registrar" };
    const { sha256 } = await uploadAsset(createAssetDeps(app()), upload, new AbortController().signal);
    const fileKey = `${app().config.outputDir}_assets/${sha256}`;
    await app().files.delete(fileKey);
    expect(await findingsOn(app())).toMatchObject([
      { kind: "missing-asset", fileKey, detail: `of seal: ${fileKey} is not in the store` },
    ]);
    await app().files.put(fileKey, SVG, PDF);
    await flipByte(fileKey);
    expect(await findings()).toEqual([{ kind: "damaged-asset", credentialUuid: undefined, fileKey }]);
    expect(await repaired()).toMatchObject([{ because: expect.any(String) }]);
    await app().files.put(fileKey, SVG, PDF);
  });

  test("content that belongs to no asset is found, and deleted", async () => {
    const sha256 = createHash("sha256").update("refused").digest("hex");
    const fileKey = `${app().config.outputDir}_assets/${sha256}`;
    await app().files.put(fileKey, Buffer.from("refused"), PDF);
    expect(await findings()).toEqual([{ kind: "orphaned-file", credentialUuid: undefined, fileKey }]);
    expect(await repaired()).toEqual(["repaired"]);
  });
});

describe("with a store of unknown files", () => {
  let academy: Academy;
  beforeAll(async () => {
    academy = await openAcademy();
    await academy.enrol("ana", "ben");
    for (const username of ["ana", "ben"]) {
      await academy.issue(username);
    }
  });
  afterAll(() => academy.service.stop());

  const app = () => academy.service.app;
  const knex = () => app().database.knex;
  async function repairAll(findings: Finding[]) {
    const repair = repairOf(app());
    for (const finding of findings) expect(await repair(finding)).toBe("repaired");
  }

  test("files of unknown credentials are not changed: the store may belong to another service", async () => {
    const key = `${app().config.outputDir}/${randomUUID()}/${randomBytes(16).toString("hex")}.pdf`;
    await app().files.put(key, Buffer.from("stray"), PDF);
    const [finding] = await findingsOn(app(), { now: later() });
    expect(finding).toMatchObject({ kind: "stray-file", fileKey: key });
    const repair = repairOf(app());
    expect(finding && (await repair(finding))).toEqual({
      because: "most of the files are unknown to this database: check that the store belongs to it",
    });
    expect(await app().files.read(key)).toBeDefined();
    await app().files.delete(key);
  });

  test("a run without generating credentials is found, and ended", async () => {
    await knex()("issuance_runs").insert({
      configuration_id: academy.configurationId,
      state: "running",
      started_by: "registrar",
      plan_hash: "",
      issued_count: 0,
      has_credential_count: 0,
      withdrawn_count: 0,
      no_full_name_count: 0,
      unprintable_name_count: 0,
    });
    const findings = await findingsOn(app());
    expect(findings).toEqual([{ kind: "stalled-run", detail: expect.stringMatching(/^run [0-9a-f-]{36}$/) }]);
    await repairAll(findings);
    expect(await findingsOn(app())).toEqual([]);
  });

  test("unsealed events are found, and sealed", async () => {
    const holder = await knex().transaction();
    onTestFinished(async () => void (await holder.rollback()));
    await holder.raw("select from credential_event_head for update");
    await knex().raw(
      `insert into unsealed_credential_events
         (type, credential_uuid, configuration_id, actor_id, status_before, status_after, occurred_at)
       select 'links_revoked', uuid, configuration_id, credential_event_actor('registrar', 'user'), status, status,
         now() - interval '1 hour'
       from credentials order by id limit 1`,
    );
    const findings = await findingsOn(app());
    expect(findings).toEqual([{ kind: "unsealed-events", detail: "1 are older than 5 minutes" }]);
    await holder.rollback();
    await repairAll(findings);
    expect(await findingsOn(app())).toEqual([]);
  });

  test("an edited event is found, with its position", async () => {
    const events = async () => (await knex()("credential_events").count("* as count").first())?.count;
    await expect.poll(events).toBeGreaterThanOrEqual(2);
    const edit = async (actor: number) => {
      await knex().raw("alter table credential_events disable trigger all");
      await knex().raw("update credential_events set actor_id = actor_id + ? where position = 2", [actor]);
      await knex().raw("alter table credential_events enable trigger all");
    };
    await knex().raw("select credential_event_actor('somebody else', 'user')");
    await edit(1);
    expect(await findingsOn(app())).toEqual([
      { kind: "broken-event-chain", detail: "position 2: the event is not the one that was sealed" },
    ]);
    await edit(-1);
    expect(await findingsOn(app())).toEqual([]);
  });
});

// On a busy machine, documents take some time.
test("no faults are found while a service is busy", { timeout: 120_000 }, async () => {
  const academy = await openAcademy({ worker: true });
  onTestFinished(academy.service.stop);
  const { credentials, configurationId, service } = academy;
  const usernames = Array.from({ length: 12 }, (_, n) => `busy${n}`);
  await academy.enrol(...usernames);
  const platform = service.client(LearnerRecordService, await tokenOf({ username: "lms", service: "write" }));
  const reason = "Issued in error.";

  let isBusy = true;
  const life = async (username: string, n: number) => {
    const { uuid } = await untilFree(() => credentials.issueCredential({ configurationId, username }));
    const status = async () => (await untilFree(() => credentials.getCredential({ uuid }))).status;
    await expect.poll(status, { timeout: 90_000 }).toBe(CredentialStatus.AVAILABLE);
    if (n % 4 === 1) await untilFree(() => credentials.invalidateCredential({ uuid, reason }));
    if (n % 4 === 2) await untilFree(() => credentials.reissueCredential({ uuid, reason }));
    if (n % 4 === 3) await untilFree(() => platform.eraseLearner({ username }));
  };
  const lives = Promise.all(usernames.map(life)).finally(() => {
    isBusy = false;
  });
  let looks = 0;
  for (; isBusy; looks++) expect(await findingsOn(service.app, { now: later() })).toEqual([]);
  await lives;
  const waiting = async () => (await service.app.database.knex.raw("select from jobs")).rowCount;
  for (; (await waiting()) > 0; looks++) expect(await findingsOn(service.app, { now: later() })).toEqual([]);
  expect(await findingsOn(service.app, { now: later() })).toEqual([]);
  expect(looks).toBeGreaterThan(0);
});
