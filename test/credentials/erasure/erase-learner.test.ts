import { randomUUID } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { pino } from "pino";
import { afterAll, describe, expect, it } from "vitest";
import { createSending, type EmailSendingDeps } from "#domain/credentials/emails/send-email.js";
import { removeErased } from "#domain/credentials/erasure/remove-erased.js";
import { importCredential } from "#domain/credentials/imports/import-credential.js";
import { createImportDeps } from "#domain/credentials/imports/import-deps.js";
import type { Credential } from "#gen/learning_credentials/v1/credential_pb.js";
import type { Mailer } from "#infrastructure/email/transport.js";
import { COURSE, givenAcademy } from "../../support/academy.js";
import { stopHealthy } from "../../support/health.js";
import { refusal } from "../../support/refusal.js";
import { issuedPdf } from "../issued-pdf.js";
import {
  ERROR,
  factsOf,
  INVALIDATED,
  LMS,
  mailerOf,
  metadata,
  NAME,
  NOTHING,
  traces,
  until,
} from "./traces.js";

let logged = "";
const log = pino({ level: "trace" }, { write: (line) => (logged += line) });
afterAll(() => {
  expect(logged).not.toBe("");
  expect(logged).not.toContain(NAME);
});

describe("step by step", () => {
  const academy = givenAcademy({ log }, stopHealthy);

  const erase = (username: string) => academy.records.eraseLearner({ username });

  async function issued(username: string): Promise<Credential> {
    await academy.report(...factsOf(username));
    return academy.issue(username);
  }

  async function available(username: string): Promise<Credential> {
    const { uuid } = await issued(username);
    await academy.generate(uuid);
    return academy.credentials.getCredential({ uuid });
  }

  it("is refused for an unknown learner, and for an empty username", async () => {
    expect(await refusal(erase("nobody"))).toBe('NotFound: There is no learner named "nobody".');
    expect(await refusal(erase(""))).toBe("InvalidArgument: username is empty.");
  });

  it("has nothing left to do the second time", async () => {
    await issued("twice");
    expect(await erase("twice")).toMatchObject({ records: 5, credentials: 1 });
    expect(await erase("twice")).toMatchObject(NOTHING);
    expect(await academy.records.eraseLearner({ username: "twice", dryRun: true })).toMatchObject(NOTHING);
  });

  it("also works for a learner whose record is withdrawn", async () => {
    await academy.report(...factsOf("withdrawn"));
    await academy.withdraw(...factsOf("withdrawn"));
    expect(await erase("withdrawn")).toMatchObject({ ...NOTHING, records: 5 });
    expect(await traces(academy, "withdrawn")).toEqual([]);
  });

  it("does not mistake the service's own actors for a learner of the same name", async () => {
    const credential = await available("worker");
    expect(await erase("worker")).toMatchObject({ credentials: 1, actorEntries: 0 });
    const { knex } = academy.service.app.database;
    expect(await knex("credential_event_actors").where({ name: "worker" })).toHaveLength(1);
    expect(await metadata(academy, credential)).toMatchObject([200, { user_full_name: "" }]);
  });

  it.each([
    [
      "by its parts, reversed, with endings and other spaces",
      "Zdenka cheated; Qvortrup-Ødegård, Zdenka; ZDENKAS exam; Zdenka \u00a0 Qvortrup; Odegard.",
      "… cheated; … exam; ….",
    ],
    [
      "within words",
      "Issued to the MetaQvortrups.",
      "The reason was removed together with the learner's personal data.",
    ],
  ])("removes the name from public reasons, written %s", async (_, reason, expected) => {
    const username = randomUUID();
    const credential = await available(username);
    await academy.credentials.invalidateCredential({ uuid: credential.uuid, reason });
    await erase(username);
    expect(await metadata(academy, credential)).toMatchObject([
      200,
      { user_full_name: "", status: "invalidated", invalidation_reason: expected },
    ]);
    const page = await (await fetch(`${academy.service.httpUrl}/verify/${credential.verifyUuid}/`)).text();
    expect(page).not.toMatch(/zdenka|qvortrup|odegard|ødegård/i);
  });

  it("appends an event for each credential, with its actor", async () => {
    const { uuid } = await issued("told");
    await erase("told");
    const { knex } = academy.service.app.database;
    const { rows } = await knex.raw(
      `select type, name as actor, status_before, status_after from (
         select type, credential_uuid, actor_id, status_before, status_after from credential_events
         union all select type, credential_uuid, actor_id, status_before, status_after from unsealed_credential_events
       ) event join credential_event_actors actor on actor.id = actor_id where credential_uuid = ? order by 1`,
      [uuid],
    );
    expect(rows).toEqual([
      { type: "erased", actor: "lms", status_before: "generating", status_after: "error" },
      { type: "issued", actor: "registrar", status_before: null, status_after: "generating" },
    ]);
  });

  describe("records that arrive afterwards", () => {
    const moment = (offset: number) => timestampFromDate(new Date(Date.now() + offset));
    const warning = (count: number) =>
      `${count} records of erased learners were skipped: only records with an observe_time after the erasure are imported.`;

    it.each([
      ["observed before", -60_000, 5, true],
      ["observed at no told moment", undefined, 5, true],
      ["observed afterwards", 60_000, 5, false],
    ])("%s", async (when, offset, count, areLeftOut) => {
      const username = `back ${when}`;
      await issued(username);
      await erase(username);
      const reported = factsOf(username).map((kind) => ({
        kind,
        ...(offset !== undefined && { observeTime: moment(offset) }),
      }));
      for (const deleted of [true, false]) {
        const { summary } = await academy.records.upsertRecords({
          records: reported.map((one) => ({ ...one, deleted })),
        });
        expect(summary).toMatchObject(
          areLeftOut
            ? { received: count, written: 0, unchanged: count, warnings: [warning(count)] }
            : { received: count, written: count, unchanged: 0, warnings: [] },
        );
      }
      expect((await traces(academy, username)).length === 0).toBe(areLeftOut);
      if (areLeftOut) return;
      const again = await available(username);
      expect(again).toMatchObject({ username, userFullName: NAME });
      expect(await erase(username)).toMatchObject({ records: count, credentials: 1, files: 1 });
    });

    it("of other learners in the same batch are imported", async () => {
      await issued("gone");
      await erase("gone");
      const { summary } = await academy.records.upsertRecords({
        records: [...factsOf("gone"), ...factsOf("stays")].map((kind) => ({ kind })),
      });
      expect(summary).toMatchObject({ written: 5, unchanged: 5, warnings: [warning(5)] });
    });
  });

  describe("a use-case that reads and writes data of the learner", () => {
    const observeTime = timestampFromDate(new Date("2026-01-01T00:00:00Z"));
    const report = (username: string) =>
      academy.records.upsertRecords({ records: factsOf(username).map((kind) => ({ kind, observeTime })) });
    const { signal } = new AbortController();

    /** Use cases, each with the table to which it writes last. */
    const works: [
      what: string,
      table: string,
      begin: (username: string, uuid: string) => Promise<unknown>,
    ][] = [
      ["an import of records", "completions", report],
      ["the issuing of a credential", "unsealed_credential_events", (username) => academy.issue(username)],
      [
        "a reissue",
        "unsealed_credential_events",
        (_, uuid) => academy.credentials.reissueCredential({ uuid, reason: "A misprint." }),
      ],
      [
        "the reissue of many",
        "unsealed_credential_events",
        (username) => academy.credentials.reissueCredentials({ filter: { username }, reason: "A misprint." }),
      ],
      [
        "a run",
        "unsealed_credential_events",
        () => academy.credentials.startIssuanceRun({ configurationId: academy.configurationId }),
      ],
      [
        "the import of a credential",
        "unsealed_credential_events",
        (username) => {
          const { app } = academy.service;
          const foreign = {
            verifyUuid: randomUUID(),
            legacyId: username,
            issuer: "",
            username,
            userFullName: NAME,
            learningContextKey: COURSE,
            learningContextName: "Course One",
            credentialType: "Certificate",
            createdAt: new Date("2026-01-01T00:00:00Z"),
            invalidated: null,
            validUntil: null,
            hasBadge: false,
            file: issuedPdf("of somebody erased"),
            isPrinted: false,
            uuid: null,
            aliases: [],
          };
          const inspectDocument = async () => {}; // a separate process would take too long on a busy machine
          const parts = { ...createImportDeps(app), inspectDocument };
          return importCredential(parts, foreign, LMS, signal);
        },
      ],
    ];

    /** Resolves when this number of statements are waiting for a lock. */
    async function waiting(count: number): Promise<void> {
      const { rows } = await academy.service.app.database.knex.raw(
        `select query from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'
           and query not like '%seal_credential_events%'`,
      );
      expect(rows).toHaveLength(count);
    }

    /** Locks the table against writers until the returned function is called. */
    async function hold(table: string): Promise<() => Promise<void>> {
      const transaction = await academy.service.app.database.knex.transaction();
      await transaction.raw(`lock table ${table} in exclusive mode`);
      return async () => void (await transaction.rollback());
    }

    async function prepare(what: string, username: string): Promise<string> {
      if (what === "an import of records") return "";
      await academy.report(...factsOf(username));
      return what.includes("reissue") ? (await available(username)).uuid : "";
    }

    /** Executes the queued jobs as a worker would, and expects that nothing about the learner is left. */
    async function expectGone(username: string): Promise<void> {
      const { app } = academy.service;
      const { knex } = app.database;
      const mailer = mailerOf(academy, log);
      const { rows: jobs } = await knex.raw("select id, payload from jobs where task = 'remove_erased'");
      for (const { id, payload } of jobs) {
        await removeErased({ ...app, outputDir: app.config.outputDir, mailer }, payload);
        await knex("jobs").where({ id }).delete();
      }
      expect(await traces(academy, username)).toEqual([]);
    }

    it.each(works)("finishes first: %s", async (what, table, begin) => {
      const username = `waited for: ${what}`;
      const uuid = await prepare(what, username);
      // The learner is already known, so the import only changes a record.
      if (uuid === "" && what === "an import of records")
        await academy.report(...factsOf(username).slice(1, 2));
      const release = await hold(table);
      const working = begin(username, uuid);
      await until(() => waiting(1));
      const erasing = erase(username);
      await until(() => waiting(2)).finally(release);
      await Promise.all([working, erasing]);
      await expectGone(username);
    });

    it.each(works)(
      "waits for an erasure that has begun, and finds the learner gone: %s",
      async (what, _, begin) => {
        const username = `waits: ${what}`;
        const uuid = await prepare(what, username);
        if (what === "an import of records") await academy.report(...factsOf(username));
        const release = await hold("completions");
        const erasing = erase(username);
        await until(() => waiting(1));
        const working = begin(username, uuid).catch(() => {});
        await until(() => waiting(2)).finally(release);
        await Promise.all([working, erasing]);
        await expectGone(username);
      },
    );
  });

  describe("concurrent work loses:", () => {
    it("the generation of a file", async () => {
      const { uuid } = await issued("under way");
      const { put } = academy.service.app.files;
      await academy.generate(uuid, {
        files: {
          async put(...file) {
            await erase("under way");
            await put(...file);
          },
        },
      });
      expect(await academy.filesOf(uuid)).toEqual([]);
      expect(await academy.credentials.getCredential({ uuid })).toMatchObject({
        status: ERROR,
        userFullName: "",
        errorReason: "The learner was erased.",
      });
      expect(await traces(academy, "under way")).toEqual([]);
    });

    it("the generation of a file whose worker died before it could delete it", async () => {
      const { uuid } = await issued("died");
      const id = await academy.idOf(uuid);
      const { put } = academy.service.app.files;
      const died = academy.generate(id, {
        files: {
          async put(...file) {
            await erase("died");
            await put(...file);
          },
          async delete() {
            throw new Error("killed");
          },
        },
      });
      await expect(died).rejects.toThrow("killed");
      expect(await academy.filesOf(uuid)).toHaveLength(1);
      await academy.generate(id);
      expect(await academy.filesOf(uuid)).toEqual([]);
      expect(await traces(academy, "died")).toEqual([]);
    });

    it.each([
      ["before", false],
      ["after", true],
    ])("the move of an invalidated file, erased %s it has moved", async (when, isMoved) => {
      const username = `moved ${when}`;
      const { uuid } = await available(username);
      await academy.credentials.invalidateCredential({ uuid, reason: "A misprint." });
      const { move } = academy.service.app.files;
      await academy.moveFile(uuid, {
        async move(from, to) {
          if (isMoved) await move(from, to);
          await erase(username);
          return isMoved || move(from, to);
        },
      });
      expect(await academy.filesOf(uuid, "_invalidated")).toEqual([]);
      expect((await academy.credentials.getCredential({ uuid })).status).toBe(INVALIDATED);
    });

    it("an email that is being written", async () => {
      const { uuid } = await available("mailed");
      const { app } = academy.service;
      const directory = join(app.config.dataDir, "mails");
      const mailer = mailerOf(academy, log);
      const sending: EmailSendingDeps = {
        ...app,
        mailer,
        secret: app.secrets.urlSigningSecrets[0],
        publicUrl: "https://credentials.test",
        pictureOf: async () => undefined,
      };
      const erasing: Mailer = {
        ...mailer,
        async send(email) {
          await erase("mailed");
          return mailer.send(email);
        },
      };
      const { id } = await app.database.knex("credential_mails").where({ credential_uuid: uuid }).first("id");
      await createSending({ ...sending, mailer: erasing })(id);
      expect(await readdir(directory)).toEqual([]);

      // Leaves an email and a draft, like a worker that died at this point.
      for (const name of [`${uuid}@elsewhere.eml`, `.${uuid}@localhost.eml.draft`])
        await writeFile(join(directory, name), "To: mailed@uni.test");
      await createSending(sending)(id);
      expect(await readdir(directory)).toEqual([]);
    });
  });
});
